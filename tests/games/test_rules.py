"""The rules of every game against a second, literal telling of them, over all rolls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yatzy.games import PRESETS, Game, Position, Score, Sheet, load_preset, placements, rolls

Dice = tuple[int, ...]
Scoring = Callable[[Dice], int]

# ---------------------------------------------------------------- what each category pays, in so many words


def ones(dice: Dice) -> int:
    return 1 * dice.count(1)


def twos(dice: Dice) -> int:
    return 2 * dice.count(2)


def threes(dice: Dice) -> int:
    return 3 * dice.count(3)


def fours(dice: Dice) -> int:
    return 4 * dice.count(4)


def fives(dice: Dice) -> int:
    return 5 * dice.count(5)


def sixes(dice: Dice) -> int:
    return 6 * dice.count(6)


def one_pair(dice: Dice) -> int:
    for face in (6, 5, 4, 3, 2, 1):
        if dice.count(face) >= 2:
            return 2 * face
    return 0


def faces_twice(dice: Dice) -> list[int]:
    """The faces that at least two dice show, the highest first."""
    return [face for face in (6, 5, 4, 3, 2, 1) if dice.count(face) >= 2]


def two_pairs(dice: Dice) -> int:
    pairs = faces_twice(dice)
    if len(pairs) < 2:
        return 0
    return 2 * pairs[0] + 2 * pairs[1]


def two_pairs_or_one(dice: Dice) -> int:
    return two_pairs(dice) if len(faces_twice(dice)) == 2 else one_pair(dice)


def two_pairs_or_four_equal(dice: Dice) -> int:
    for face in (1, 2, 3, 4, 5, 6):
        if dice.count(face) >= 4:
            return 4 * face
    return two_pairs(dice)


def three_pairs(dice: Dice) -> int:
    pairs = faces_twice(dice)
    return sum(dice) if len(pairs) == 3 else 0


def three_equal(dice: Dice) -> int:
    for face in (6, 5, 4, 3, 2, 1):
        if dice.count(face) >= 3:
            return 3 * face
    return 0


def four_equal(dice: Dice) -> int:
    for face in (6, 5, 4, 3, 2, 1):
        if dice.count(face) >= 4:
            return 4 * face
    return 0


def five_equal(dice: Dice) -> int:
    for face in (6, 5, 4, 3, 2, 1):
        if dice.count(face) >= 5:
            return 5 * face
    return 0


def straight_1_to_5(dice: Dice) -> bool:
    return 1 in dice and 2 in dice and 3 in dice and 4 in dice and 5 in dice


def straight_2_to_6(dice: Dice) -> bool:
    return 2 in dice and 3 in dice and 4 in dice and 5 in dice and 6 in dice


def four_in_a_row(dice: Dice) -> bool:
    middle = 3 in dice and 4 in dice
    return middle and ((1 in dice and 2 in dice) or (2 in dice and 5 in dice) or (5 in dice and 6 in dice))


def is_full_house(dice: Dice) -> bool:
    counts = sorted(dice.count(face) for face in set(dice))
    return counts == [2, 3]


def full_house_sum(dice: Dice) -> int:
    return sum(dice) if is_full_house(dice) else 0


def full_house_or_five_equal(dice: Dice) -> int:
    return sum(dice) if is_full_house(dice) or len(set(dice)) == 1 else 0


def full_house_of_six_dice(dice: Dice) -> int:
    best = 0
    for three in (1, 2, 3, 4, 5, 6):
        for two in (1, 2, 3, 4, 5, 6):
            if three != two and dice.count(three) >= 3 and dice.count(two) >= 2:
                best = max(best, 3 * three + 2 * two)
    return best


def villa(dice: Dice) -> int:
    return sum(dice) if sorted(dice.count(face) for face in set(dice)) == [3, 3] else 0


def tower(dice: Dice) -> int:
    return sum(dice) if sorted(dice.count(face) for face in set(dice)) == [2, 4] else 0


def all_equal(points: int) -> Scoring:
    return lambda dice: points if len(set(dice)) == 1 else 0


def when(condition: Callable[[Dice], bool], points: int) -> Scoring:
    return lambda dice: points if condition(dice) else 0


def all_dice(dice: Dice) -> int:
    return sum(dice)


def all_dice_if(scoring: Scoring) -> Scoring:
    return lambda dice: sum(dice) if scoring(dice) > 0 else 0


UPPER: dict[str, Scoring] = {
    "ones": ones, "twos": twos, "threes": threes, "fours": fours, "fives": fives, "sixes": sixes,
}  # fmt: skip
YATZY: dict[str, Scoring] = UPPER | {
    "one-pair": one_pair,
    "two-pairs": two_pairs,
    "three-of-a-kind": three_equal,
    "four-of-a-kind": four_equal,
    "small-straight": when(straight_1_to_5, 15),
    "large-straight": when(straight_2_to_6, 20),
    "full-house": full_house_sum,
    "chance": all_dice,
    "yatzy": all_equal(50),
}
YAHTZEE: dict[str, Scoring] = UPPER | {
    "three-of-a-kind": all_dice_if(three_equal),
    "four-of-a-kind": all_dice_if(four_equal),
    "full-house": when(is_full_house, 25),
    "small-straight": when(four_in_a_row, 30),
    "large-straight": when(lambda dice: straight_1_to_5(dice) or straight_2_to_6(dice), 40),
    "yahtzee": all_equal(50),
    "chance": all_dice,
}
KNIFFEL = {("kniffel" if id == "yahtzee" else id): scoring for id, scoring in YAHTZEE.items()}
YACHT: dict[str, Scoring] = UPPER | {
    "full-house": full_house_sum,
    "four-of-a-kind": four_equal,
    "little-straight": when(straight_1_to_5, 30),
    "big-straight": when(straight_2_to_6, 30),
    "choice": all_dice,
    "yacht": all_equal(50),
}
MAXI: dict[str, Scoring] = UPPER | {
    "one-pair": one_pair,
    "two-pairs": two_pairs,
    "three-pairs": three_pairs,
    "three-of-a-kind": three_equal,
    "four-of-a-kind": four_equal,
    "five-of-a-kind": five_equal,
    "small-straight": when(straight_1_to_5, 15),
    "large-straight": when(straight_2_to_6, 20),
    "full-straight": when(lambda dice: len(set(dice)) == 6, 21),
    "full-house": full_house_of_six_dice,
    "villa": villa,
    "tower": tower,
    "chance": all_dice,
    "maxi-yatzy": all_equal(100),
}
SCORING: dict[str, dict[str, Scoring]] = {
    "yatzy": YATZY,
    "yatzy-no-bonus": YATZY,
    "yatzy-four-rolls": YATZY,
    "yatzy-lenient-two-pairs": YATZY | {"two-pairs": two_pairs_or_one},
    "yatzy-five-as-full-house": YATZY | {"full-house": full_house_or_five_equal},
    "yatzy-four-as-two-pairs": YATZY | {"two-pairs": two_pairs_or_four_equal},
    "yatzy-lenient-kinds": YATZY | {"two-pairs": two_pairs_or_four_equal, "full-house": full_house_or_five_equal},
    "yatzy-forced-order": YATZY,
    "yahtzee": YAHTZEE,
    "yahtzee-free-joker": YAHTZEE,
    "yahtzee-pawlewicz": YAHTZEE,
    "yahtzee-no-joker": YAHTZEE,
    "yahtzee-plain": YAHTZEE,
    "kniffel": KNIFFEL,
    "yacht": YACHT,
    "maxi-yatzy": MAXI,
    "two-yatzy": {"ones": ones, "twos": twos},
}

# dice, faces, rolls, (bonus, threshold), forced order
SHAPE: dict[str, tuple[int, int, int, tuple[int, int] | None, bool]] = {
    "yatzy": (5, 6, 3, (50, 63), False),
    "yatzy-no-bonus": (5, 6, 3, None, False),
    "yatzy-four-rolls": (5, 6, 4, (50, 63), False),
    "yatzy-lenient-two-pairs": (5, 6, 3, (50, 63), False),
    "yatzy-five-as-full-house": (5, 6, 3, (50, 63), False),
    "yatzy-four-as-two-pairs": (5, 6, 3, (50, 63), False),
    "yatzy-lenient-kinds": (5, 6, 3, (50, 63), False),
    "yatzy-forced-order": (5, 6, 3, (50, 63), True),
    "yahtzee": (5, 6, 3, (35, 63), False),
    "yahtzee-free-joker": (5, 6, 3, (35, 63), False),
    "yahtzee-pawlewicz": (5, 6, 3, (35, 63), False),
    "yahtzee-no-joker": (5, 6, 3, (35, 63), False),
    "yahtzee-plain": (5, 6, 3, (35, 63), False),
    "kniffel": (5, 6, 3, (35, 63), False),
    "yacht": (5, 6, 3, None, False),
    "maxi-yatzy": (6, 6, 3, (100, 84), False),
    "two-yatzy": (2, 2, 2, None, False),
}

MOST: dict[str, tuple[int, ...]] = {
    "yatzy": (5, 10, 15, 20, 25, 30, 12, 22, 18, 24, 15, 20, 28, 30, 50),
    "yahtzee": (5, 10, 15, 20, 25, 30, 30, 30, 25, 30, 40, 50, 30),
    "kniffel": (5, 10, 15, 20, 25, 30, 30, 30, 25, 30, 40, 50, 30),
    "yacht": (5, 10, 15, 20, 25, 30, 28, 24, 30, 30, 30, 50),
    "maxi-yatzy": (6, 12, 18, 24, 30, 36, 12, 22, 30, 18, 24, 30, 15, 20, 21, 28, 33, 34, 36, 100),
    "two-yatzy": (2, 4),
}


@pytest.mark.parametrize("id", PRESETS)
def test_preset_has_the_shape_of_its_game(id: str) -> None:
    game = load_preset(id)
    bonus = game.bonus and (game.bonus.points, game.bonus.threshold)
    assert (game.dice, game.faces, game.rolls, bonus, game.forced_order) == SHAPE[id]
    assert [category.id for category in game.categories] == list(SCORING[id])
    assert [category.id for category in game.categories if category.upper] == [i for i in SCORING[id] if i in UPPER]


@pytest.mark.parametrize("id", PRESETS)
def test_every_category_pays_as_written_for_every_roll(id: str) -> None:
    game = load_preset(id)
    all_rolls = list(combinations_with_replacement(range(1, game.faces + 1), game.dice))
    assert len(all_rolls) == {2: 3, 5: 252, 6: 462}[game.dice]
    for category in game.categories:
        scoring = SCORING[id][category.id]
        wrong = {roll: category.score(roll) for roll in all_rolls if category.score(roll) != scoring(roll)}
        assert not wrong, category.id


@pytest.mark.parametrize("id", MOST)
def test_most_points_of_each_category(id: str) -> None:
    game = load_preset(id)
    assert tuple(max(c.score(roll) for roll in rolls(game)) for c in game.categories) == MOST[id]


@pytest.mark.parametrize(
    ("id", "category", "most"),
    [
        ("yatzy-lenient-two-pairs", "two-pairs", 22),
        ("yatzy-five-as-full-house", "full-house", 30),
        ("yatzy-four-as-two-pairs", "two-pairs", 24),
        ("yatzy-lenient-kinds", "full-house", 30),
        ("yatzy-lenient-kinds", "two-pairs", 24),
    ],
)
def test_most_points_of_changed_categories(id: str, category: str, most: int) -> None:
    game = load_preset(id)
    changed = game.categories[game.category_index[category]]
    assert max(changed.score(roll) for roll in rolls(game)) == most


def test_points_do_not_depend_on_the_order_of_the_dice() -> None:
    for category in load_preset("yahtzee").categories:
        assert {category.score(dice) for dice in permutations((2, 4, 3, 5, 3))} == {category.score((2, 3, 3, 4, 5))}


@pytest.mark.parametrize(
    ("id", "category", "dice", "points"),
    [
        ("yatzy", "one-pair", (3, 3, 5, 5, 6), 10),
        ("yatzy", "two-pairs", (4, 4, 4, 4, 6), 0),
        ("yatzy", "full-house", (4, 4, 4, 4, 4), 0),
        ("yatzy", "small-straight", (2, 3, 4, 5, 6), 0),
        ("yatzy-lenient-two-pairs", "two-pairs", (1, 2, 5, 5, 6), 10),
        ("yahtzee", "three-of-a-kind", (3, 3, 3, 5, 6), 20),
        ("yahtzee", "small-straight", (1, 3, 4, 5, 6), 30),
        ("yahtzee", "full-house", (4, 4, 4, 4, 4), 0),
        ("maxi-yatzy", "full-house", (2, 2, 2, 3, 3, 3), 13),
        ("maxi-yatzy", "three-pairs", (2, 2, 2, 2, 3, 3), 0),
        ("maxi-yatzy", "tower", (5, 5, 5, 5, 5, 6), 0),
    ],
)
def test_points_that_are_easily_got_wrong(id: str, category: str, dice: Dice, points: int) -> None:
    game = load_preset(id)
    assert game.categories[game.category_index[category]].score(dice) == points


# ---------------------------------------------------------------- the Joker: five equal dice in Yahtzee

UPPER_OF = {1: "ones", 2: "twos", 3: "threes", 4: "fours", 5: "fives", 6: "sixes"}
LOWER = ("three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "chance")

# What the Yahtzee box holds, whether the upper box of the face is open, whether another lower box is open:
# where the dice may go, what they pay there, and where the 100 is paid. "any" stands for both.
JOKER_TABLE = {
    "yahtzee": """
        open  open    any   anywhere   ordinary  nowhere
        open  filled  any   anywhere   ordinary  nowhere
        0     open    any   its-upper  ordinary  nowhere
        0     filled  some  lower      joker     nowhere
        0     filled  none  anywhere   ordinary  nowhere
        50    open    any   its-upper  ordinary  everywhere
        50    filled  some  lower      joker     everywhere
        50    filled  none  anywhere   ordinary  everywhere
    """,
    "yahtzee-free-joker": """
        open  open    any   anywhere   ordinary  nowhere
        open  filled  any   anywhere   ordinary  nowhere
        0     open    any   anywhere   ordinary  nowhere
        0     filled  any   anywhere   joker     nowhere
        50    open    any   anywhere   ordinary  everywhere
        50    filled  any   anywhere   joker     everywhere
    """,
    "yahtzee-pawlewicz": """
        open  open    any   anywhere   ordinary  nowhere
        open  filled  any   anywhere   joker     nowhere
        0     open    any   anywhere   ordinary  nowhere
        0     filled  any   anywhere   joker     nowhere
        50    open    any   anywhere   ordinary  its-upper
        50    filled  any   anywhere   joker     everywhere
    """,
    "yahtzee-no-joker": """
        open  open    any   anywhere   ordinary  nowhere
        open  filled  any   anywhere   ordinary  nowhere
        0     open    any   anywhere   ordinary  nowhere
        0     filled  any   anywhere   ordinary  nowhere
        50    open    any   anywhere   ordinary  everywhere
        50    filled  any   anywhere   ordinary  everywhere
    """,
    "yahtzee-plain": """
        open  open    any   anywhere   ordinary  nowhere
        open  filled  any   anywhere   ordinary  nowhere
        0     open    any   anywhere   ordinary  nowhere
        0     filled  any   anywhere   ordinary  nowhere
        50    open    any   anywhere   ordinary  nowhere
        50    filled  any   anywhere   ordinary  nowhere
    """,
}


def joker_cases() -> Iterator[tuple[str, str, str, str, str, str, str]]:
    for id, table in JOKER_TABLE.items():
        for line in table.strip().splitlines():
            box, upper, lower, where, pays, hundred = line.split()
            for some_or_none in ("some", "none") if lower == "any" else (lower,):
                yield id, box, upper, some_or_none, where, pays, hundred


def test_the_joker_table_has_every_case() -> None:
    cases = [case[:4] for case in joker_cases()]
    assert len(cases) == len(set(cases)) == 5 * 3 * 2 * 2


def sheet_with_open(game: Game, open_: set[str], box: str) -> Sheet:
    """A sheet on which these are open and all else holds 0, but the Yahtzee box what is said and chance 5."""
    boxes: list[int | None] = []
    for category in game.categories:
        if category.id == "yahtzee":
            boxes.append(None if box == "open" else int(box))
        elif category.id in open_:
            boxes.append(None)
        else:
            boxes.append(5 if category.id == "chance" else 0)
    return Sheet.of_boxes(game, boxes)


def expected_points(category: str, face: int, pays: str) -> int:
    if category in ("three-of-a-kind", "four-of-a-kind", "chance"):
        return 5 * face
    if category == "yahtzee":
        return 50
    if category == UPPER_OF[face]:
        return 5 * face
    if category in UPPER_OF.values():
        return 0
    return {"full-house": 25, "small-straight": 30, "large-straight": 40}[category] if pays == "joker" else 0


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize(("id", "box", "upper", "lower", "where", "pays", "hundred"), list(joker_cases()))
def test_where_five_equal_dice_may_go(
    id: str, box: str, upper: str, lower: str, where: str, pays: str, hundred: str, face: int
) -> None:
    game = load_preset(id)
    its_upper = UPPER_OF[face]
    other_uppers = set(UPPER_OF.values()) - {its_upper}
    for lower_open in (set(LOWER), {"full-house", "chance"}, {"large-straight"}) if lower == "some" else (set(),):
        for uppers_open in (other_uppers, {min(other_uppers)}, set()):
            open_ = lower_open | uppers_open | ({its_upper} if upper == "open" else set())
            if not open_ and box != "open":
                continue  # the game is over
            sheet = sheet_with_open(game, open_, box)
            may = {
                "anywhere": open_ | ({"yahtzee"} if box == "open" else set()),
                "its-upper": {its_upper},
                "lower": lower_open,
            }[where]
            paid = {"nowhere": set(), "its-upper": {its_upper}, "everywhere": may}[hundred]
            expected = {c: (expected_points(c, face, pays), 100 if c in paid else 0) for c in may}
            found = placements(sheet, (face,) * 5)
            assert {game.categories[p.category].id: (p.points, p.joker_bonus) for p in found} == expected
            assert len(found) == len(expected)


@pytest.mark.parametrize("id", JOKER_TABLE)
def test_the_joker_rule_leaves_all_other_rolls_alone(id: str) -> None:
    game = load_preset(id)
    for box in ("open", "0", "50"):
        sheet = sheet_with_open(game, {"ones", "sixes", "full-house", "large-straight", "chance"}, box)
        for roll in rolls(game):
            if len(set(roll)) > 1:
                found = {game.categories[p.category].id: (p.points, p.joker_bonus) for p in placements(sheet, roll)}
                assert found == {game.categories[i].id: (game.categories[i].score(roll), 0) for i in sheet.open}


def fill(sheet: Sheet, category: str, dice: Dice) -> Sheet:
    """Write the dice into a category as the rules have it."""
    index = sheet.game.category_index[category]
    (placement,) = [p for p in placements(sheet, dice) if p.category == index]
    return sheet.fill(placement.category, placement.points, placement.joker_bonus)


@pytest.mark.parametrize("id", ["yahtzee", "yahtzee-free-joker", "yahtzee-pawlewicz", "yahtzee-no-joker"])
def test_the_first_fifty_earns_no_hundred_and_the_next_does(id: str) -> None:
    sheet = fill(Sheet.start(load_preset(id)), "yahtzee", (4,) * 5)
    assert (sheet.points, sheet.jokers, sheet.box_pays) == (50, 0, True)
    sheet = fill(sheet, "fours", (4,) * 5)
    assert (sheet.points, sheet.jokers, sheet.upper) == (50 + 20 + 100, 1, 20)


@pytest.mark.parametrize("id", ["yahtzee", "yahtzee-free-joker", "yahtzee-pawlewicz", "yahtzee-no-joker"])
def test_a_yahtzee_box_with_zero_never_earns_a_hundred(id: str) -> None:
    sheet = fill(Sheet.start(load_preset(id)), "yahtzee", (1, 2, 3, 4, 6))
    sheet = fill(sheet, "fours", (4,) * 5)
    assert (sheet.points, sheet.jokers, sheet.box_pays) == (20, 0, False)


def test_the_hundred_does_not_count_towards_the_upper_sum() -> None:
    game = load_preset("yahtzee")
    uppers: tuple[int | None, ...] = (None, 8, 9, 12, 15, 18)
    sheet = Sheet.of_boxes(game, (*uppers, *(None,) * 5, 50, None))
    assert (sheet.upper, sheet.bonus_won, sheet.points) == (62, False, 112)
    sheet = fill(sheet, "large-straight", (2,) * 5)
    assert (sheet.upper, sheet.bonus_won, sheet.points) == (62, False, 112 + 40 + 100)
    sheet = fill(sheet, "ones", (1,) * 5)
    assert (sheet.upper, sheet.bonus_won, sheet.points) == (67, True, 252 + 5 + 100 + 35)


# ---------------------------------------------------------------- the upper bonus


@pytest.mark.parametrize(("id", "bonus"), [("yatzy", 50), ("yahtzee", 35), ("kniffel", 35), ("yatzy-no-bonus", 0)])
def test_the_bonus_is_paid_from_62_to_63(id: str, bonus: int) -> None:
    game = load_preset(id)
    uppers: tuple[int | None, ...] = (None, 8, 9, 12, 15, 18)
    sheet = Sheet.of_boxes(game, (*uppers, *(None,) * (len(game.categories) - 6)))
    assert (sheet.upper, sheet.points, sheet.bonus_won) == (62, 62, False)
    below = fill(sheet, "ones", (2, 2, 3, 4, 6))
    assert (below.upper, below.points, below.bonus_won) == (62, 62, False)
    reached = fill(sheet, "ones", (1, 2, 3, 4, 6))
    assert (reached.upper, reached.points, reached.bonus_won) == (63, 63 + bonus, bonus > 0)
    above = fill(sheet, "ones", (1, 1, 3, 4, 6))
    assert (above.upper, above.points, above.bonus_won) == (64, 64 + bonus, bonus > 0)


def test_the_bonus_of_maxi_yatzy_is_paid_from_83_to_84() -> None:
    game = load_preset("maxi-yatzy")
    uppers: tuple[int | None, ...] = (None, 8, 15, 16, 20, 24)
    sheet = Sheet.of_boxes(game, (*uppers, *(None,) * 14))
    assert (sheet.upper, sheet.points) == (83, 83)
    assert fill(sheet, "ones", (2, 2, 2, 3, 4, 6)).points == 83
    assert fill(sheet, "ones", (1, 2, 2, 3, 4, 6)).points == 84 + 100


@given(
    st.lists(st.integers(0, 5), min_size=6, max_size=6),
    st.permutations(range(6)),
    st.sampled_from(["yatzy", "yahtzee-plain", "kniffel"]),
)
def test_the_bonus_is_paid_once_when_the_sum_reaches_the_threshold(
    counts: list[int], order: list[int], id: str
) -> None:
    game = load_preset(id)
    bonus, threshold = SHAPE[id][3] or (0, 0)
    sheet, total = Sheet.start(game), 0
    for index in order:
        points = counts[index] * (index + 1)
        total += points
        sheet = sheet.fill(index, points, 0)
        assert sheet.upper == total
        assert sheet.points == total + (bonus if total >= threshold else 0)
    after = sheet.fill(len(game.categories) - 1, 0, 0)
    assert (after.points, after.upper) == (sheet.points, sheet.upper)


# ---------------------------------------------------------------- forced order


def test_forced_order_allows_exactly_the_next_category() -> None:
    game = load_preset("yatzy-forced-order")
    sheet = Sheet.start(game)
    for index in range(15):
        for roll in ((1, 2, 3, 4, 5), (6, 6, 6, 6, 6)):
            assert [p.category for p in placements(sheet, roll)] == [index]
        sheet = sheet.fill(index, 0, 0)
    assert sheet.over
    assert placements(sheet, (1, 2, 3, 4, 5)) == ()


def test_forced_order_goes_before_the_forced_joker() -> None:
    boxed = load_preset("yahtzee")
    box = boxed.categories[boxed.category_index["yahtzee"]]
    categories = (box, *(category for category in boxed.categories if category != box))
    game = replace(boxed, forced_order=True, categories=categories)
    sheet = Sheet.start(game)
    for category in categories:
        assert [game.categories[p.category].id for p in placements(sheet, (3,) * 5)] == [category.id]
        sheet = fill(sheet, category.id, (3,) * 5)
    assert sheet.boxes == (50, 0, 0, 15, 0, 0, 0, 15, 15, 25, 30, 40, 15)
    assert sheet.jokers == 12


def test_without_forced_order_every_open_category_may_take_any_roll() -> None:
    sheet = Sheet.of_boxes(load_preset("yatzy"), (3, None, 0, *(None,) * 12))
    for roll in rolls(sheet.game):
        assert [p.category for p in placements(sheet, roll)] == [1, *range(3, 15)]


# ---------------------------------------------------------------- perfect games

BEST_DICE: dict[str, Dice] = {
    "ones": (1,) * 6,
    "twos": (2,) * 6,
    "threes": (3,) * 6,
    "fours": (4,) * 6,
    "fives": (5,) * 6,
    "two-pairs": (6, 6, 5, 5, 1, 1),
    "three-pairs": (6, 6, 5, 5, 4, 4),
    "small-straight": (1, 2, 3, 4, 5, 5),
    "little-straight": (1, 2, 3, 4, 5),
    "large-straight": (2, 3, 4, 5, 6, 6),
    "big-straight": (2, 3, 4, 5, 6),
    "full-straight": (1, 2, 3, 4, 5, 6),
    "full-house": (6, 6, 6, 5, 5, 1),
    "villa": (6, 6, 6, 5, 5, 5),
    "tower": (6, 6, 6, 6, 5, 5),
}

MAXIMUM = {
    "yatzy": 374,
    "yatzy-no-bonus": 324,
    "yatzy-four-rolls": 374,
    "yatzy-lenient-two-pairs": 374,
    "yatzy-five-as-full-house": 376,
    "yatzy-four-as-two-pairs": 376,
    "yatzy-lenient-kinds": 378,
    "yatzy-forced-order": 374,
    "yahtzee-plain": 375,
    "kniffel": 375,
    "yacht": 297,
    "maxi-yatzy": 649,
    "two-yatzy": 6,
}


def best_dice(game: Game, category: str) -> Dice:
    if category == "two-pairs" and game.id in ("yatzy-four-as-two-pairs", "yatzy-lenient-kinds"):
        return (6,) * game.dice
    if category == "full-house" and game.id in ("yatzy-five-as-full-house", "yatzy-lenient-kinds"):
        return (6,) * game.dice
    return BEST_DICE.get(category, (6,) * 6)[: game.dice]


@pytest.mark.parametrize("id", MAXIMUM)
def test_a_perfect_game_sums_to_the_maximum(id: str) -> None:
    game = load_preset(id)
    sheet, position = Sheet.start(game), Position.start(game)
    for category in game.categories:
        dice = best_dice(game, category.id)
        sheet = fill(sheet, category.id, dice)
        position = position.roll(dice).play(Score(category.id))
    assert position.over
    assert position.sheets == (sheet,)
    assert sheet.points == MAXIMUM[id]


def test_thirteen_yahtzees_in_the_right_order_sum_to_1575() -> None:
    order = [("yahtzee", 6), *((UPPER_OF[face], face) for face in range(1, 7)), *((id, 6) for id in LOWER)]
    game = load_preset("yahtzee")
    sheet, position = Sheet.start(game), Position.start(game)
    for category, face in order:
        sheet = fill(sheet, category, (face,) * 5)
        position = position.roll((face,) * 5).play(Score(category))
    assert position.over
    assert position.sheets == (sheet,)
    assert sheet.jokers == 12
    assert sheet.points == 1575


def test_thirteen_yahtzees_under_each_reading_of_the_joker() -> None:
    order = [("yahtzee", 6), *((UPPER_OF[face], face) for face in range(1, 7)), *((id, 6) for id in LOWER)]
    totals = {}
    for id in JOKER_TABLE:
        sheet = Sheet.start(load_preset(id))
        for category, face in order:
            sheet = fill(sheet, category, (face,) * 5)
        totals[id] = sheet.points
    assert totals == {
        "yahtzee": 1575,
        "yahtzee-free-joker": 1575,
        "yahtzee-pawlewicz": 1575,
        "yahtzee-no-joker": 1575 - 25 - 30 - 40,
        "yahtzee-plain": 1575 - 25 - 30 - 40 - 1200,
    }
