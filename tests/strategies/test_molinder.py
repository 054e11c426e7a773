"""Molinder's two strategies: worked examples, the rules of his text read literally, and plans against moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from yatzy.errors import InputError
from yatzy.games import Dice, Keep, Move, Position, Score, Sheet, load_game
from yatzy.games.rules import is_joker_roll
from yatzy.model import CompiledGame, compile_game
from yatzy.strategies.base import Plans
from yatzy.strategies.molinder import LOWER_ORDER, UPPER, MolinderBonus, MolinderLower
from yatzy.strategies.outcomes import NO_OUTCOME, outcome_table, strike_outcomes

Molinder = MolinderBonus | MolinderLower
YATZY = load_game("yatzy")
BONUS, LOWER = MolinderBonus(YATZY), MolinderLower(YATZY)
ALL = tuple(YATZY.category_index)
STEP = 2048

SINGLE = "13456 22345 22335 22234 22233 22225 22222"
"""One roll of each pattern: all different, one pair, two pairs, three equal, full house, four equal, five equal."""


def dice_of(text: str) -> Dice:
    return tuple(map(int, text))


def position_at(strategy: Molinder, filled: int, dice: Dice, rolls_left: int) -> Position:
    return Position((Sheet(strategy.game, filled, 0, 0, False, None),), dice, rolls_left)


def answer(strategy: Molinder, open: str, dice: str, rolls_left: int = 0, first: str = "") -> str:
    """The move with just these categories open (by id, or `upper`), as `keep 22`, `score chance`, `strike ones`."""
    ids = {*open.replace("upper", " ".join(UPPER)).split()}
    assert ids <= {*ALL}
    filled = sum(1 << i for i, id in enumerate(ALL) if id not in ids)
    earlier = (dice_of(first),) if first else ()
    match strategy.move(position_at(strategy, filled, dice_of(dice), rolls_left), earlier):
        case Keep(kept):
            return f"keep {''.join(map(str, kept))}".strip()
        case Score(category, strike):
            return f"{'strike' if strike else 'score'} {category}"


@pytest.mark.parametrize(
    ("aim", "kept"),
    [
        ("one-pair", "6 - - - - - -"),
        ("three-of-a-kind", "6 22 33 - - - -"),
        ("four-of-a-kind", "6 22 33 222 222 - -"),
        ("two-pairs", "56 225 - 224 - 225 22"),
        ("full-house", "56 225 2233 2224 - 2225 222"),
        ("small-straight", "1345 2345 235 234 23 25 2"),
        ("large-straight", "3456 2345 235 234 23 25 2"),
        ("yatzy", "6 22 33 222 222 2222 -"),
    ],
)
def test_keeping_for_an_aim(aim: str, kept: str) -> None:
    """With nothing else open this is the aim whatever the first roll was; a dash stands for reached."""
    for dice, keep in zip(SINGLE.split(), kept.split(), strict=True):
        expected = f"score {aim}" if keep == "-" else f"keep {keep}"
        for first in ("", "11246"):
            assert answer(LOWER, aim, dice, 1, first) == expected
        assert answer(BONUS, aim, dice, 1) == expected


@pytest.mark.parametrize(
    ("open", "dice", "expected"),
    [
        # What one roll can finish is scored, though it is not first in the lower order.
        ("yatzy four-of-a-kind full-house", "55555", "score yatzy"),
        ("yatzy four-of-a-kind full-house", "33322", "score full-house"),
        ("yatzy large-straight", "23456", "score large-straight"),
        ("yatzy small-straight large-straight", "12345", "score small-straight"),
        # Four or more equal.
        ("yatzy four-of-a-kind", "15555", "keep 5555"),
        ("four-of-a-kind full-house", "15555", "score four-of-a-kind"),
        ("four-of-a-kind full-house", "55555", "score four-of-a-kind"),
        ("full-house two-pairs", "15555", "keep 1555"),
        # Two different pairs.
        ("yatzy full-house two-pairs", "22355", "keep 2255"),
        ("yatzy four-of-a-kind two-pairs", "22355", "score two-pairs"),
        ("yatzy four-of-a-kind two-pairs", "22555", "score two-pairs"),
        ("yatzy four-of-a-kind", "22355", "keep 55"),
        ("three-of-a-kind one-pair", "22555", "score three-of-a-kind"),
        # Three equal.
        ("four-of-a-kind full-house two-pairs three-of-a-kind", "33345", "keep 333"),
        ("full-house two-pairs three-of-a-kind", "33345", "keep 3335"),
        ("two-pairs three-of-a-kind", "33345", "keep 335"),
        ("three-of-a-kind one-pair", "33345", "score three-of-a-kind"),
        ("one-pair small-straight", "33345", "score one-pair"),
        ("large-straight small-straight", "33345", "keep 345"),
        # One pair.
        ("three-of-a-kind one-pair", "33456", "keep 33"),
        ("one-pair large-straight", "33456", "score one-pair"),
        ("large-straight small-straight", "33456", "keep 3456"),
        ("small-straight chance", "33456", "keep 345"),
        # Five different.
        ("yatzy large-straight small-straight", "12346", "keep 2346"),
        ("yatzy small-straight", "12346", "keep 1234"),
        ("yatzy large-straight", "12345", "keep 2345"),
        ("yatzy one-pair", "12346", "keep 6"),
        # Nothing of the lower order is open.
        ("upper chance", "22555", "score fives"),
        ("twos ones chance", "33555", "score chance"),
        ("twos ones", "33555", "score ones"),
    ],
)
def test_lower_after_the_first_roll(open: str, dice: str, expected: str) -> None:
    assert answer(LOWER, open, dice, 2) == expected


def test_lower_keeps_to_its_aim() -> None:
    assert answer(LOWER, "yatzy full-house two-pairs", "22355", 1) == "keep 2255"
    assert answer(LOWER, "yatzy full-house two-pairs", "22355", 1, first="11146") == "keep 55"
    assert answer(LOWER, "yatzy full-house small-straight", "12345", 1, first="11146") == "keep 5"
    assert answer(LOWER, "yatzy full-house small-straight", "12345", 0, first="11146") == "score small-straight"


@pytest.mark.parametrize(
    ("open", "dice", "expected"),
    [
        ("upper four-of-a-kind full-house two-pairs", "22255", "score full-house"),
        ("upper four-of-a-kind two-pairs one-pair", "22255", "score two-pairs"),
        ("upper four-of-a-kind one-pair", "12255", "score one-pair"),
        ("upper yatzy chance", "22355", "score fives"),
        ("ones twos threes yatzy chance", "22356", "score twos"),
        ("ones twos yatzy chance", "33456", "score chance"),
        ("ones twos yatzy full-house", "33456", "score ones"),
        ("full-house yatzy four-of-a-kind", "33456", "score four-of-a-kind"),
    ],
)
def test_lower_after_the_last_roll(open: str, dice: str, expected: str) -> None:
    assert answer(LOWER, open, dice) == expected


@pytest.mark.parametrize(
    ("open", "dice", "rolls_left", "expected"),
    [
        ("upper yatzy", "22355", 2, "keep 55"),
        ("upper yatzy", "23456", 1, "keep 6"),
        ("ones twos threes small-straight", "12345", 2, "keep 3"),
        ("ones twos threes four-of-a-kind", "24444", 1, "keep 2"),
        ("ones twos threes four-of-a-kind", "54444", 1, "keep"),
        ("ones twos threes yatzy", "44444", 2, "keep"),
        ("upper yatzy", "44444", 2, "score fours"),
        ("upper full-house three-of-a-kind", "22555", 0, "score fives"),
        ("ones twos full-house three-of-a-kind", "22555", 0, "score full-house"),
        ("ones twos chance yatzy", "22555", 0, "score chance"),
        ("ones twos yatzy four-of-a-kind", "22555", 0, "score four-of-a-kind"),
        ("ones twos", "12555", 0, "strike ones"),
        ("ones twos", "22555", 0, "score ones"),
        ("twos", "22555", 0, "strike twos"),
        ("yatzy full-house two-pairs", "22355", 2, "keep 2255"),
    ],
)
def test_bonus(open: str, dice: str, rolls_left: int, expected: str) -> None:
    assert answer(BONUS, open, dice, rolls_left) == expected


def told_to_score(open: set[str], dice: Dice) -> str | None:
    """The category that strategy 2 scores after the first roll, by the words of the text; None to roll on."""
    counts = sorted(Counter(dice).values(), reverse=True)
    straights = {"large-straight": (2, 3, 4, 5, 6), "small-straight": (1, 2, 3, 4, 5)}
    done = {"yatzy": counts == [5], "full-house": counts == [3, 2]} | {id: dice == s for id, s in straights.items()}
    if now := [id for id, there in done.items() if there and id in open]:
        return now[0]
    kinds = ["yatzy", "four-of-a-kind", "full-house", "two-pairs", "three-of-a-kind", "one-pair"]
    if counts[0] >= 4:
        aims, score = kinds[:1], "four-of-a-kind"
    elif counts[:2] in ([2, 2], [3, 2]):
        aims, score = ["full-house"], "two-pairs"
    elif counts[0] == 3:
        aims, score = kinds[:4], "three-of-a-kind"
    elif counts[0] == 2:
        aims, score = kinds[:5], "one-pair"
    else:
        return None
    return score if score in open and not open.intersection(aims) else None


def test_lower_stops_after_the_first_roll_just_where_told_to() -> None:
    """But for an aim that is already reached when nothing before it in the text was open."""
    rng = np.random.default_rng(0)
    for chosen in range(1, 256):
        open = {id for bit, id in enumerate(LOWER_ORDER) if chosen >> bit & 1}
        others = {id for id in (*UPPER, "chance") if rng.random() < 0.5}
        filled = sum(1 << i for i, id in enumerate(ALL) if id not in open | others)
        first_open = next(id for id in LOWER_ORDER if id in open)
        for roll in compile_game(YATZY).lattice.rolls[chosen % 2 :: 2]:
            move = LOWER.move(position_at(LOWER, filled, roll, 2))
            if (told := told_to_score(open, roll)) is not None:
                assert move == Score(told)
            elif isinstance(move, Score):
                assert move.category == first_open


@pytest.mark.parametrize("strategy", [BONUS, LOWER], ids=lambda strategy: strategy.name)
def test_plans_of_all_sheets(strategy: Molinder) -> None:
    """Every outcome goes to an open category, and who stops on reaching an aim scores it."""
    compiled = compile_game(YATZY)
    whole = compiled.lattice.first_roll + np.arange(len(compiled.lattice.rolls))
    aimed = np.array([-1, *(YATZY.category_index[id] for id in LOWER_ORDER)])
    upper = np.int64(sum(1 << i for i in YATZY.upper_categories))
    for start in range(0, 2**15 - 1, STEP):
        keys = np.arange(start, min(start + STEP, 2**15 - 1))
        plans = strategy.plans(0, keys)
        assert len(plans) == len(keys)
        assert plans.aim.dtype == np.uint8
        assert plans.keep.dtype == plans.place.dtype == np.int16
        category = compiled.placing.outcome_category[plans.place[:, 0]]
        assert (category >= 0).all()
        assert not (keys[:, None] >> category & 1).any()
        assert (plans.place == plans.place[:, :1]).all()
        for aim in range(1, strategy.aims):
            there = (plans.aim == aim).any(axis=1)
            stops = plans.keep[there, 0, aim] == whole
            assert not (keys[there] >> aimed[aim] & 1).any()
            assert (category[there][stops] == aimed[aim]).all()
            if strategy is BONUS:
                assert ((keys[there] & upper) == upper).all()


def situations(strategy: Molinder, plans: Plans, rolls: tuple[Dice, ...]) -> Iterator[tuple[int, int, int, int]]:
    """(first roll, aim, rolls left, roll): what to compare of one turn. The first roll is -1 where there is none."""
    aim, last = plans.aim[0], strategy.game.rolls - 1
    for r in range(len(rolls)):
        yield -1, aim[r], last, r
        yield r, aim[r], last - 1, (r * 89 + 7) % len(rolls)
    for first in np.unique(aim, return_index=True)[1]:
        for left in range(last):
            yield from ((int(first), aim[first], left, r) for r in range(len(rolls)))


@pytest.mark.parametrize(("game", "sheets"), [("yatzy", 8), ("yatzy-four-rolls", 0), ("yatzy-lenient-kinds", 2)])
@pytest.mark.parametrize("kind", [MolinderBonus, MolinderLower])
def test_plans_are_the_moves(kind: type[Molinder], game: str, sheets: int) -> None:
    strategy = kind(load_game(game))
    compiled = compile_game(strategy.game)
    rng = np.random.default_rng(1)
    no_upper = rng.integers(0, 2**9 - 1, sheets // 2) << 6 | 63
    only_upper = rng.integers(0, 2**6 - 1, 2) | 0b111111111 << 6
    keys = np.concatenate([no_upper, only_upper, rng.integers(0, 2**15 - 1, sheets // 2), [0]])
    for key in keys:
        plans = strategy.plans(int(key).bit_count(), np.array([key]))
        for first, aim, left, r in situations(strategy, plans, compiled.lattice.rolls):
            position = position_at(strategy, int(key), compiled.lattice.rolls[r], left)
            earlier = (compiled.lattice.rolls[first],) * (strategy.game.rolls - 1 - left) if first >= 0 else ()
            check_move(compiled, plans, aim, r, position, strategy.move(position, earlier))


def check_move(compiled: CompiledGame, plans: Plans, aim: int, roll: int, position: Position, move: Move) -> None:
    """The move is allowed and what the plans say."""
    left, whole = position.rolls_left, compiled.lattice.first_roll + roll
    if isinstance(move, Keep):
        assert left > 0
        assert move.dice != position.dice
        assert position.play(move).awaits_roll
        assert plans.keep[0, left - 1, aim, roll] == compiled.lattice.index[move.dice]
        return
    after, outcome = position.play(move).sheet, plans.place[0, aim, roll]
    assert (plans.keep[0, :left, aim, roll] == whole).all()
    assert after.filled == position.sheet.filled | 1 << int(compiled.placing.outcome_category[outcome])
    assert after.points == compiled.placing.outcome_points[outcome]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("yahtzee", "; yahtzee lacks one-pair, two-pairs, yatzy"),
        ("maxi-yatzy", "; maxi-yatzy lacks yatzy"),
        ("yatzy-forced-order", "the order of yatzy-forced-order is forced"),
    ],
)
def test_games_they_cannot_play(game: str, message: str) -> None:
    for kind in (MolinderBonus, MolinderLower):
        with pytest.raises(InputError, match=message) as refusal:
            kind(load_game(game))
        assert str(refusal.value).startswith(kind.name)


@pytest.mark.parametrize("game", ["yatzy", "yahtzee"])
def test_outcomes_by_roll_and_category(game: str) -> None:
    compiled = compile_game(load_game(game))
    placing, struck = compiled.placing, strike_outcomes(compiled)
    for roll, row in zip(compiled.lattice.rolls, outcome_table(compiled), strict=True):
        if is_joker_roll(compiled.game, roll):
            assert (row == NO_OUTCOME).all()
            continue
        points = [category.score(roll) for category in compiled.game.categories]
        assert placing.outcome_category[row].tolist() == list(range(len(points)))
        assert placing.outcome_points[row].tolist() == points
        assert [row[i] == struck[i] for i in range(len(points))] == [p == 0 for p in points]
    assert placing.outcome_category[struck].tolist() == list(range(len(struck)))
    assert not placing.outcome_points[struck].any()
