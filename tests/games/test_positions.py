"""Positions, moves and sheets: what is allowed, what it does, and what is refused."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError, replace
from itertools import combinations
from math import prod

import pytest
from helpers.playouts import playout, random_roll
from hypothesis import given, settings
from hypothesis import strategies as st

from yatzy.errors import InputError, MoveError, PositionError
from yatzy.games import (
    PRESETS,
    Category,
    Chance,
    Game,
    Keep,
    Move,
    Position,
    Score,
    Sheet,
    keeps_of,
    load_preset,
    placements,
    reachable_sums,
    rolls,
    show_dice,
)

YATZY = load_preset("yatzy")
YAHTZEE = load_preset("yahtzee")
TWO = load_preset("two-yatzy")


def one_line(error: BaseException) -> str:
    text = str(error)
    assert len(text.splitlines()) == 1, text
    return text


# ---------------------------------------------------------------- keeps and legal moves


def test_number_of_keeps_of_every_roll() -> None:
    everything = set()
    for roll in rolls(YATZY):
        keeps = keeps_of(roll)
        assert len(keeps) == len(set(keeps)) == prod(roll.count(face) + 1 for face in set(roll))
        assert set(keeps) == {kept for n in range(6) for kept in combinations(roll, n)}
        everything |= set(keeps)
    assert len(everything) == 462


@pytest.mark.parametrize(
    ("dice", "number"), [((1, 2, 3, 4, 5), 32), ((1, 1, 2, 3, 4), 24), ((3, 3, 3, 5, 5), 12), ((6, 6, 6, 6, 6), 6)]
)
def test_number_of_moves_with_rolls_left(dice: tuple[int, ...], number: int) -> None:
    position = Position.start(YATZY).roll(dice)
    moves = position.legal_moves
    assert len(moves) == number
    assert all(isinstance(move, Keep) for move in moves)
    assert moves[0] == Keep(())
    assert moves[-1] == Keep(dice)


def test_moves_without_rolls_left_are_the_open_categories() -> None:
    sheet = Sheet.of_boxes(YATZY, (3, None, 0, *(None,) * 12))
    moves = Position((sheet,), (1, 1, 2, 3, 6), 0).legal_moves
    assert moves == tuple(Score(c.id) for c in YATZY.categories if c.id not in ("ones", "threes"))


def test_moves_of_the_forced_order_and_of_the_forced_joker() -> None:
    forced = load_preset("yatzy-forced-order")
    assert Position.start(forced).roll((6,) * 5).legal_moves[0] == Keep(())
    assert Position((Sheet.start(forced),), (6,) * 5, 0).legal_moves == (Score("ones"),)
    joker = Sheet.of_boxes(YAHTZEE, (*(None,) * 11, 50, None))
    assert Position((joker,), (6,) * 5, 0).legal_moves == (Score("sixes"),)


def test_there_is_no_move_while_a_roll_is_awaited_and_none_after_the_end() -> None:
    start = Position.start(TWO)
    assert start.awaits_roll
    assert start.legal_moves == ()
    kept = start.roll((1, 2)).play(Keep((2,)))
    assert kept.awaits_roll
    assert kept.legal_moves == ()
    over = Position((Sheet.of_boxes(TWO, (2, 4)),))
    assert over.over
    assert not over.awaits_roll
    assert over.legal_moves == ()


# ---------------------------------------------------------------- what moves and rolls do


def test_keeping_some_awaits_the_roll_of_the_others() -> None:
    position = Position.start(YATZY).roll((6, 3, 1, 3, 5)).play(Keep((3, 3)))
    assert (position.dice, position.rolls_left, position.awaits_roll) == ((3, 3), 2, True)
    position = position.roll((3, 1, 2, 3, 3))
    assert (position.dice, position.rolls_left, position.awaits_roll) == ((1, 2, 3, 3, 3), 1, False)


def test_keeping_none_rolls_all_again() -> None:
    position = Position.start(YATZY).roll((1, 2, 3, 4, 6)).play(Keep(()))
    assert (position.dice, position.rolls_left, position.awaits_roll) == ((), 2, True)
    assert position.roll((5,) * 5).rolls_left == 1


def test_keeping_all_passes_to_the_next_roll_with_the_same_dice() -> None:
    dice = (1, 2, 3, 4, 5)
    position = Position.start(YATZY).roll(dice)
    for left in (1, 0):
        position = position.play(Keep(dice))
        assert (position.dice, position.rolls_left, position.awaits_roll) == (dice, left, False)
    assert all(isinstance(move, Score) for move in position.legal_moves)
    with pytest.raises(MoveError):
        position.play(Keep(dice))


def test_the_order_of_kept_dice_does_not_matter() -> None:
    position = Position.start(YATZY).roll((5, 4, 3, 2, 1))
    assert position.dice == (1, 2, 3, 4, 5)
    assert Keep((5, 1)) == Keep((1, 5))
    assert position.play(Keep((5, 1))) == position.play(Keep((1, 5)))


@pytest.mark.parametrize("rolls_left", [2, 1, 0])
def test_scoring_early_is_allowed_and_pays_the_same(rolls_left: int) -> None:
    position = Position((Sheet.start(YATZY),), (2, 3, 4, 5, 6), rolls_left)
    after = position.play(Score("large-straight"))
    assert (after.sheet.points, after.dice, after.rolls_left) == (20, (), 3)
    assert position.placement(Score("large-straight")).points == 20
    assert after.sheet.open == tuple(i for i in range(15) if YATZY.categories[i].id != "large-straight")


def test_a_category_whose_condition_is_not_met_takes_zero() -> None:
    position = Position.start(YATZY).roll((1, 2, 3, 4, 6)).play(Score("yatzy"))
    assert position.sheet.boxes is not None
    assert position.sheet.boxes[14] == 0
    assert position.sheet.points == 0


FIRST = Position.start(YATZY)
ROLLED = FIRST.roll((1, 2, 2, 5, 6))
LAST = replace(ROLLED, rolls_left=0)
FILLED = Position((Sheet.of_boxes(YATZY, (3, *(None,) * 14)),), (1, 2, 2, 5, 6), 0)
OVER = Position((Sheet.of_boxes(TWO, (2, 4)),))
FORCED = Position((Sheet.start(load_preset("yatzy-forced-order")),), (1, 2, 2, 5, 6), 1)
JOKER = Position((Sheet.of_boxes(YAHTZEE, (*(None,) * 11, 50, None)),), (6,) * 5, 0)
LOWER_JOKER = Position((Sheet.of_boxes(YAHTZEE, (*(None,) * 5, 18, *(None,) * 5, 50, None)),), (6,) * 5, 0)


@pytest.mark.parametrize(
    ("position", "move", "says"),
    [
        (FIRST, Keep(()), "kept only after a roll"),
        (FIRST, Score("ones"), "ones cannot be filled before a roll"),
        (ROLLED, Keep((3,)), "3 cannot be kept from 12256"),
        (ROLLED, Keep((2, 2, 2)), "222 cannot be kept from 12256"),
        (ROLLED, Keep((1, 2, 2, 5, 6, 6)), "122566 cannot be kept from 12256"),
        (ROLLED, Keep((0,)), "0 cannot be kept"),
        (ROLLED, Score("five-of-a-kind"), "five-of-a-kind cannot be filled"),
        (LAST, Keep((1, 2, 2, 5, 6)), "with rolls left"),
        (LAST, Keep(()), "with rolls left"),
        (FILLED, Score("ones"), "ones cannot be filled with 12256 here; allowed: twos, threes"),
        (FORCED, Score("twos"), "allowed: ones"),
        (JOKER, Score("chance"), "allowed: sixes"),
        (JOKER, Score("fives"), "allowed: sixes"),
        (LOWER_JOKER, Score("fives"), "allowed: three-of-a-kind, four-of-a-kind, full-house, small-straight"),
        (OVER, Keep(()), "kept only after a roll"),
        (OVER, Score("ones"), "ones cannot be filled"),
    ],
)
def test_illegal_moves_are_refused_and_change_nothing(position: Position, move: Move, says: str) -> None:
    before = (position.sheets, position.dice, position.rolls_left)
    with pytest.raises(MoveError) as caught:
        position.play(move)
    assert says in one_line(caught.value)
    assert (position.sheets, position.dice, position.rolls_left) == before
    assert move not in position.legal_moves


def test_legal_moves_change_a_copy() -> None:
    before = (ROLLED.sheets, ROLLED.dice, ROLLED.rolls_left)
    for move in (*ROLLED.legal_moves, *LAST.legal_moves):
        assert ROLLED.play(move) != ROLLED
    assert (ROLLED.sheets, ROLLED.dice, ROLLED.rolls_left) == before
    with pytest.raises(FrozenInstanceError):
        ROLLED.dice = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("kept", "dice", "says"),
    [
        ((2, 2), (2, 1, 1, 1, 1), "11112 does not contain the kept 22"),
        ((6,), (1, 2, 3, 4, 5), "12345 does not contain the kept 6"),
        ((2, 2), (2, 2, 3), "3 given, but yatzy is played with 5"),
        ((2, 2), (2, 2, 3, 3, 3, 3), "6 given, but yatzy is played with 5"),
        ((2, 2), (2, 2, 3, 3, 7), "7 is not from 1 to 6"),
        ((2, 2), (2, 2, 3, 3, 0), "0 is not from 1 to 6"),
        ((1, 2, 2, 5, 6), (1, 2, 2, 5, 6), "nothing to roll"),
    ],
)
def test_rolled_refuses_dice_that_cannot_come(kept: tuple[int, ...], dice: tuple[int, ...], says: str) -> None:
    position = ROLLED.play(Keep(kept))
    with pytest.raises(InputError) as caught:
        position.roll(dice)
    assert isinstance(caught.value, MoveError | PositionError)
    assert says in one_line(caught.value)


def test_nothing_is_rolled_after_the_end() -> None:
    with pytest.raises(MoveError):
        OVER.roll((1, 1))


# ---------------------------------------------------------------- several players


def test_whose_turn_it_is_with_three_players() -> None:
    position = Position.start(TWO, 3)
    for turn in range(6):
        assert position.mover == turn % 3
        assert [sheet.filled.bit_count() for sheet in position.sheets] == [
            turn // 3 + (player < turn % 3) for player in range(3)
        ]
        position = position.roll((1, 2)).play(Keep((2,))).roll((2, 2))
        assert position.mover == turn % 3
        others = [sheet for player, sheet in enumerate(position.sheets) if player != turn % 3]
        position = position.play(Score("twos" if turn < 3 else "ones"))
        assert [sheet for player, sheet in enumerate(position.sheets) if player != turn % 3] == others
    assert position.over
    assert [sheet.points for sheet in position.sheets] == [4, 4, 4]


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ([0, 1], "take turns in order"),
        ([2, 0], "take turns in order"),
        ([1, 0, 1], "take turns in order"),
        ([2, 1, 0], "take turns in order"),
    ],
)
def test_players_take_turns_in_order(counts: list[int], says: str) -> None:
    sheets = tuple(Sheet.of_boxes(TWO, (*(0,) * n, *(None,) * (2 - n))) for n in counts)
    with pytest.raises(PositionError) as caught:
        Position(sheets)
    assert says in one_line(caught.value)


@pytest.mark.parametrize("players", [0, -1])
def test_a_game_needs_a_player(players: int) -> None:
    with pytest.raises(PositionError, match="at least one player"):
        Position.start(YATZY, players)


@pytest.mark.parametrize(
    ("sheets", "dice", "rolls_left", "says"),
    [
        ((Sheet.start(YATZY), Sheet.start(YAHTZEE)), (), 3, "of one game"),
        ((Sheet.start(YATZY),), (1, 2, 3, 4, 5, 6), 1, "6 given"),
        ((Sheet.start(YATZY),), (1, 2, 3, 4, 7), 1, "7 is not from 1 to 6"),
        ((Sheet.start(YATZY),), (0,), 1, "0 is not from 1 to 6"),
        ((Sheet.start(YATZY),), (1, 2, 3, 4, 5), 3, "rolls left: 3 is not from 0 to 2"),
        ((Sheet.start(YATZY),), (1, 2, 3, 4, 5), -2, "rolls left: -2 is not from 0 to 2"),
        ((Sheet.start(YATZY),), (1, 2), 0, "rolls left: 0 is not from 1 to 2"),
        ((Sheet.start(YATZY),), (1, 2), 3, "rolls left: 3 is not from 1 to 2"),
        ((Sheet.start(YATZY),), (), 4, "rolls left: 4 is not from 1 to 3"),
        ((Sheet.start(YATZY),), (), 0, "rolls left: 0 is not from 1 to 3"),
        ((Sheet.of_boxes(TWO, (2, 4)),), (1, 2), 1, "the game is over"),
    ],
)
def test_positions_that_cannot_be(sheets: tuple[Sheet, ...], dice: tuple[int, ...], rolls_left: int, says: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position(sheets, dice, rolls_left)
    assert says in one_line(caught.value)


# ---------------------------------------------------------------- whole games


def check_total(sheet: Sheet) -> None:
    """Points are the boxes, the upper bonus and the Joker bonuses, and nothing else."""
    game, boxes = sheet.game, sheet.boxes
    assert boxes is not None
    upper = sum(boxes[i] or 0 for i, category in enumerate(game.categories) if category.upper)
    bonus = game.bonus.points if game.bonus and upper >= game.bonus.threshold else 0
    joker = sheet.jokers * (game.joker.points if game.joker else 0)
    assert sheet.upper == upper
    assert sheet.points == sum(points or 0 for points in boxes) + bonus + joker
    assert sheet.filled == sum(1 << i for i, points in enumerate(boxes) if points is not None)


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize("id", PRESETS)
def test_a_random_game_ends_with_a_full_sheet_that_adds_up(id: str, players: int) -> None:
    game, rng = load_preset(id), random.Random(f"{id} {players}")
    for _ in range(2):
        *_, end = playout(Position.start(game, players), rng)
        assert end.over
        assert end.legal_moves == ()
        for sheet in end.sheets:
            assert sheet.over
            assert None not in (sheet.boxes or (None,))
            check_total(sheet)


@pytest.mark.parametrize("id", PRESETS)
def test_jokers_are_counted_as_they_are_paid(id: str) -> None:
    game, rng = load_preset(id), random.Random(id)
    paid_ever = 0
    for _ in range(5):
        position, paid = Position.start(game), 0
        while not position.over:
            if not position.awaits_roll and not position.rolls_left:
                placement = rng.choice(placements(position.sheet, position.dice))
                paid += placement.joker_bonus > 0
                position = position.play(Score(game.categories[placement.category].id))
                assert position.sheet.jokers == paid
                check_total(position.sheet)
            elif position.awaits_roll:
                position = position.roll(random_roll(position, rng))
            else:
                position = position.play(rng.choice((Keep(()), Keep(position.dice))))
        paid_ever += paid
    pays = game.joker is not None and game.joker.points > 0
    assert (paid_ever > 0) == pays


@pytest.mark.parametrize("id", PRESETS)
def test_every_sheet_reached_is_taken_back_in_full_and_in_sums(id: str) -> None:
    game, rng = load_preset(id), random.Random(f"sheets of {id}")
    for _ in range(3):
        for position in playout(Position.start(game), rng):
            sheet = position.sheet
            assert sheet.boxes is not None
            assert Sheet.of_boxes(game, sheet.boxes, sheet.jokers) == sheet
            filled = [category.id for i, category in enumerate(game.categories) if i not in sheet.open]
            sums = Sheet.of_sums(game, filled, upper=sheet.upper, points=sheet.points, box_pays=sheet.box_pays)
            assert replace(sums, boxes=sheet.boxes) == sheet
            assert (sums.boxes is None) == bool(filled)


@given(st.sampled_from(PRESETS), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_every_step_of_a_game_is_lawful(id: str, players: int, rng: random.Random) -> None:
    game = load_preset(id)
    before = Position.start(game, players)
    for position in playout(before, rng):
        assert len(position.legal_moves) == len(set(position.legal_moves))
        assert bool(position.legal_moves) != (position.awaits_roll or position.over)
        more = sum(s.filled.bit_count() for s in position.sheets) - sum(s.filled.bit_count() for s in before.sheets)
        if more:
            assert (more, position.dice, position.rolls_left) == (1, (), game.rolls)
            assert position.sheets[before.mover].points >= before.sheet.points
        else:
            assert position.sheets == before.sheets
        before = position


def test_show_dice() -> None:
    assert [show_dice(dice) for dice in ((), (3,), (1, 3, 3), (3, 10, 12), (12,), (1, 2))] == [
        "-", "3", "133", "3-10-12", "12-", "12",
    ]  # fmt: skip


# ---------------------------------------------------------------- sheets given by a person


def yatzy_boxes(**points: int) -> list[int | None]:
    return [points.get(category.id.replace("-", "_")) for category in YATZY.categories]


@pytest.mark.parametrize(
    ("points", "says"),
    [
        ({"ones": 6}, "ones: 6 points"),
        ({"twos": 3}, "twos: 3 points"),
        ({"sixes": 36}, "sixes: 36 points"),
        ({"ones": -1}, "ones: -1 points"),
        ({"one_pair": 7}, "one-pair: 7 points"),
        ({"one_pair": 14}, "one-pair: 14 points"),
        ({"two_pairs": 24}, "two-pairs: 24 points"),
        ({"three_of_a_kind": 10}, "three-of-a-kind: 10 points"),
        ({"four_of_a_kind": 6}, "four-of-a-kind: 6 points"),
        ({"small_straight": 20}, "small-straight: 20 points"),
        ({"large_straight": 15}, "large-straight: 15 points"),
        ({"full_house": 30}, "full-house: 30 points"),
        ({"chance": 4}, "chance: 4 points"),
        ({"chance": 31}, "chance: 31 points"),
        ({"yatzy": 25}, "yatzy: 25 points"),
    ],
)
def test_boxes_refuse_points_that_a_category_cannot_hold(points: dict[str, int], says: str) -> None:
    with pytest.raises(PositionError) as caught:
        Sheet.of_boxes(YATZY, yatzy_boxes(**points))
    assert says in one_line(caught.value)


def test_boxes_know_what_adds_up() -> None:
    sheet = Sheet.of_boxes(YATZY, yatzy_boxes(threes=9, fours=12, fives=20, sixes=24, yatzy=50, full_house=0))
    assert (sheet.upper, sheet.points, sheet.bonus_won, sheet.box_pays) == (65, 65 + 50 + 50, True, False)
    assert [YATZY.categories[i].id for i in sheet.open][:3] == ["ones", "twos", "one-pair"]


@pytest.mark.parametrize("number", [0, 14, 16])
def test_boxes_refuse_a_wrong_number(number: int) -> None:
    with pytest.raises(PositionError) as caught:
        Sheet.of_boxes(YATZY, [None] * number)
    assert one_line(caught.value) == f"a sheet of yatzy has 15 boxes, not {number}"


def test_jokers_that_pay_no_bonus_are_not_counted() -> None:
    assert YAHTZEE.joker is not None
    unpaid = replace(YAHTZEE, id="unpaid", joker=replace(YAHTZEE.joker, points=0))
    boxes = [*(0,) * 3, *(None,) * 8, 50, None]
    assert Sheet.of_boxes(YAHTZEE, boxes, 1).jokers == 1
    with pytest.raises(PositionError) as caught:
        Sheet.of_boxes(unpaid, boxes, 1)
    assert one_line(caught.value) == "1 Joker bonuses are not from 0 to 0 on this sheet"


@pytest.mark.parametrize(
    ("id", "box", "others", "jokers", "most"),
    [
        ("yahtzee", None, 3, 1, 0),
        ("yahtzee", 0, 3, 1, 0),
        ("yahtzee", 50, 0, 1, 0),
        ("yahtzee", 50, 3, 4, 3),
        ("yahtzee", 50, 3, -1, 3),
        ("yahtzee-plain", 50, 3, 1, 0),
    ],
)
def test_boxes_refuse_too_many_jokers(id: str, box: int | None, others: int, jokers: int, most: int) -> None:
    boxes = [*(0,) * others, *(None,) * (11 - others), box, None]
    with pytest.raises(PositionError) as caught:
        Sheet.of_boxes(load_preset(id), boxes, jokers)
    assert one_line(caught.value) == f"{jokers} Joker bonuses are not from 0 to {most} on this sheet"
    assert Sheet.of_boxes(load_preset(id), boxes, most).jokers == most


@pytest.mark.parametrize("ids", [["twos"], ["ones", "threes"], ["yatzy"]])
def test_a_forced_order_has_no_gaps(ids: list[str]) -> None:
    game = load_preset("yatzy-forced-order")
    gap = "ones" if "ones" not in ids else "twos"
    boxes = [0 if category.id in ids else None for category in game.categories]
    with pytest.raises(PositionError) as caught:
        Sheet.of_boxes(game, boxes)
    assert one_line(caught.value).startswith(f"{gap} is open")
    with pytest.raises(PositionError) as caught:
        Sheet.of_sums(game, ids)
    assert one_line(caught.value).startswith(f"{gap} is open")
    assert Sheet.of_sums(YATZY, ids).filled == sum(1 << YATZY.category_index[id] for id in ids)


@pytest.mark.parametrize(
    ("filled", "upper", "says"),
    [
        ([], 1, "no upper category is filled, so it must be 0"),
        (["chance"], 5, "no upper category is filled, so it must be 0"),
        (["ones"], 6, "cannot be made with ones; nearest is 4 or 5, the most is 5"),
        (["ones"], -1, "cannot be made with ones; nearest is 0 or 1"),
        (["twos"], 3, "cannot be made with twos; nearest is 2 or 4"),
        (["fives", "sixes"], 9, "cannot be made with fives, sixes; nearest is 10 or 11"),
        (["fives", "sixes"], 56, "the most is 55"),
        (["fives", "sixes"], 10**30, "the most is 55"),
    ],
)
def test_sums_refuse_upper_sums_that_cannot_be_made(filled: list[str], upper: int, says: str) -> None:
    with pytest.raises(PositionError) as caught:
        Sheet.of_sums(YATZY, filled, upper=upper)
    message = one_line(caught.value)
    assert message.startswith(f"an upper sum of {upper} cannot be made")
    assert says in message


@given(st.sets(st.integers(0, 5)), st.integers(0, 110))
def test_upper_sums_are_taken_exactly_when_some_rolls_make_them(filled: set[int], upper: int) -> None:
    sums = {0}
    for index in filled:
        sums = {total + (index + 1) * count for total in sums for count in range(6)}
    mask = sum(1 << index for index in filled)
    assert reachable_sums(YATZY, mask) == sum(1 << total for total in sums)
    ids = [YATZY.categories[index].id for index in filled]
    if upper in sums:
        assert Sheet.of_sums(YATZY, ids, upper=upper).upper == upper
    else:
        with pytest.raises(PositionError):
            Sheet.of_sums(YATZY, ids, upper=upper)


@pytest.mark.parametrize(
    ("id", "filled", "upper", "box_pays", "least", "most"),
    [
        ("yatzy", [], 0, False, 0, 0),
        ("yatzy", ["ones"], 3, False, 3, 3),
        ("yatzy", ["ones", "chance"], 3, False, 3, 33),
        ("yatzy", ["threes", "fours", "fives", "sixes"], 63, False, 113, 113),
        ("yatzy-no-bonus", ["threes", "fours", "fives", "sixes"], 63, False, 63, 63),
        ("yahtzee", ["ones"], 3, False, 3, 3),
        ("yahtzee", ["ones", "yahtzee"], 3, False, 3, 3),
        ("yahtzee", ["ones", "yahtzee"], 3, True, 53, 153),
        ("yahtzee", ["ones", "full-house", "yahtzee"], 3, True, 53, 53 + 25 + 200),
        ("yahtzee-plain", ["ones", "yahtzee"], 3, False, 3, 53),
    ],
)
def test_sums_refuse_points_below_and_above_what_is_possible(
    id: str, filled: list[str], upper: int, box_pays: bool, least: int, most: int
) -> None:
    game = load_preset(id)
    for points in (least, most):
        assert Sheet.of_sums(game, filled, upper=upper, points=points, box_pays=box_pays).points == points
    for points in (least - 1, most + 1, -1):
        with pytest.raises(PositionError) as caught:
            Sheet.of_sums(game, filled, upper=upper, points=points, box_pays=box_pays)
        expected = f"{points} points do not fit the sheet; possible are {least} to {most}"
        assert one_line(caught.value) == expected


def test_sums_without_points_count_from_zero() -> None:
    sheet = Sheet.of_sums(YATZY, ["fives", "sixes"], upper=35)
    assert (sheet.points, sheet.upper, sheet.boxes) == (0, 35, None)
    sheet = sheet.fill(3, 12, 0).fill(2, 15, 0)
    assert (sheet.points, sheet.upper) == (27, 62)
    assert sheet.fill(0, 1, 0).points == 27 + 1 + 50


@pytest.mark.parametrize(
    ("id", "filled"), [("yahtzee", ["ones"]), ("yahtzee-plain", ["yahtzee"]), ("yatzy", ["yatzy"])]
)
def test_sums_refuse_a_paying_box_that_is_open_or_not_there(id: str, filled: list[str]) -> None:
    with pytest.raises(PositionError) as caught:
        Sheet.of_sums(load_preset(id), filled, box_pays=True)
    assert "Joker box" in one_line(caught.value)


def test_sums_refuse_an_unknown_category() -> None:
    with pytest.raises(PositionError) as caught:
        Sheet.of_sums(YATZY, ["ones", "three-pairs"])
    assert one_line(caught.value).startswith("yatzy has no category 'three-pairs'; it has ones, twos")


def test_a_game_of_one_roll_has_no_keeps() -> None:
    game = Game("quick", 2, 3, 1, (Category("sum", Chance()),))
    position = Position.start(game).roll((3, 1))
    assert position.legal_moves == (Score("sum"),)
    with pytest.raises(MoveError):
        position.play(Keep((1,)))
    assert position.play(Score("sum")).sheets[0].points == 4


def test_keeping_nothing_is_not_the_end_of_a_turn() -> None:
    start = Position.start(YATZY)
    assert start.between_turns
    rolled = start.roll((1, 3, 3, 5, 6))
    kept = rolled.play(Keep(()))
    assert [rolled.between_turns, kept.between_turns] == [False, False]
    assert (kept.dice, kept.awaits_roll) == ((), True)
    assert kept.roll((1, 2, 3, 4, 5)).play(Keep((1,))).roll((1, 2, 2, 2, 2)).play(Score("ones")).between_turns
