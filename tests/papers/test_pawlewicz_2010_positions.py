"""Positions of two near the end: Pawlewicz 2010 (his reading of the Joker), and the end position of Tillius 2026."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from yatzy import Keep, Position, Score, Sheet, load_game
from yatzy.matches.endgames import Endgames
from yatzy.matches.values import MatchValues, SmallMatch
from yatzy.values.resources import Resources

GAME = load_game("yahtzee-pawlewicz")
YATZY = load_game("yatzy")
PRINT = 5e-4


def all_but(*names: str) -> set[str]:
    return set(GAME.category_index) - set(names)


def only_chance(box_pays: bool) -> Position:
    sheet = Sheet.of_sums(GAME, all_but("chance"), upper=50, points=200, box_pays=box_pays)
    return Position((sheet, sheet))


@pytest.fixture(scope="module")
def endgames(tmp_path_factory: pytest.TempPathFactory) -> Endgames:
    return Endgames(GAME, 2, Resources(tmp_path_factory.mktemp("endgames")))


def test_only_chance_open_who_moves_second_is_better_off(endgames: Endgames) -> None:
    position = only_chance(box_pays=False)
    assert 1 - endgames.value(position) == pytest.approx(0.518, abs=PRINT)
    assert endgames.value(position) == pytest.approx(SmallMatch(position).value(position), abs=1e-6)


def test_three_of_a_kind_or_yahtzee() -> None:
    mover = Sheet.of_sums(GAME, all_but("three-of-a-kind", "yahtzee"), upper=51, points=198)
    opponent = Sheet.of_sums(GAME, all_but("fours", "yahtzee"), upper=39, points=205)
    position = Position((mover, opponent), (2, 2, 2, 3, 5), 0)
    values = {entry.move: entry.value for entry in SmallMatch(position).moves(position)}
    assert values[Score("three-of-a-kind")] == pytest.approx(0.130, abs=PRINT)
    assert values[Score("yahtzee")] == pytest.approx(0.540, abs=PRINT)


def end_position() -> Position:
    """72 points behind with the bonus of 50 still to be added: 22 in our count, in which it has been paid."""
    open_ = set(YATZY.category_index) - {"four-of-a-kind"}
    mover = Sheet.of_sums(YATZY, open_, upper=63, points=250)
    opponent = Sheet.of_sums(YATZY, YATZY.category_index, upper=63, points=272)
    return Position((opponent, mover), (5, 5, 5, 5, 6), 1)


@pytest.mark.parametrize("tables", [True, False], ids=["tables", "on demand"])
def test_tillius_end_position_only_the_six_can_win(tables: bool, tmp_path: Path) -> None:
    position = end_position()
    known: MatchValues = Endgames(YATZY, 1, Resources(tmp_path)) if tables else SmallMatch(position)
    values = {entry.move: entry.value for entry in known.moves(position)}
    assert values[Keep((5, 5, 5, 5))] == 0
    assert values[Keep((6,))] == pytest.approx(float(Fraction(7, 432)), rel=1e-6)
    assert max(values, key=lambda move: values[move]) == Keep((6,))
    assert known.value(position) == values[Keep((6,))]
