"""Pawlewicz 2010, "Nearly optimal computer play in multi-player Yahtzee": positions judged by search.

The dice are lost in print; these fit.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yatzy import ExpectedScore, Position, Score, Sheet, load_game
from yatzy.matches.search import MatchSearch
from yatzy.values.curves import BestChances

GAME = load_game("yahtzee-pawlewicz")
Chances = Callable[[str], BestChances]


def sheet(open: str, upper: int, points: int) -> Sheet:
    return Sheet.of_sums(GAME, set(GAME.category_index) - set(open.split()), upper=upper, points=points)


MOVER = sheet("threes three-of-a-kind full-house large-straight chance", 59, 111)
OPPONENT = sheet("sixes four-of-a-kind small-straight large-straight yahtzee", 34, 102)
WHICH_ZERO = Position((MOVER, OPPONENT), (1, 1, 2, 4, 6), 0)
YAHTZEE_OR_NOT = Position(
    (sheet("three-of-a-kind yahtzee", 51, 198), sheet("fours yahtzee", 39, 205)), (2, 2, 2, 3, 5), 0
)


def test_which_zero_expected_score(solved: Callable[[str], ExpectedScore]) -> None:
    moves = {entry.move: entry.value for entry in solved(GAME.id).moves(Position((MOVER,), WHICH_ZERO.dice, 0))}
    assert moves[Score("full-house")] == pytest.approx(215.178, abs=5e-4)
    assert moves[Score("large-straight")] == pytest.approx(212.067, abs=5e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("depth", "full_house", "large_straight"),
    [(1, 0.807, 0.797), (2, 0.811, 0.802), (3, 0.803, 0.798), (4, 0.807, 0.804), (5, 0.795, 0.798), (10, 0.788, 0.802)],
)
def test_which_zero_by_search(chances: Chances, depth: int, full_house: float, large_straight: float) -> None:
    """With all ten turns the search is the optimum; it was not computed that way in print."""
    answer = MatchSearch(chances(GAME.id), f"match:emp:{depth}").answer(WHICH_ZERO)
    moves = {entry.move: entry.value for entry in answer.moves}
    assert answer.exact is (depth == 10)
    assert moves[Score("full-house")] == pytest.approx(full_house, abs=5e-4)
    assert moves[Score("large-straight")] == pytest.approx(large_straight, abs=5e-4)


@pytest.mark.slow
def test_three_of_a_kind_or_yahtzee_optimum(chances: Chances) -> None:
    answer = MatchSearch(chances(GAME.id), "match:emp:4").answer(YAHTZEE_OR_NOT)
    moves = {entry.move: entry.value for entry in answer.moves}
    assert answer.exact
    assert moves[Score("three-of-a-kind")] == pytest.approx(0.130, abs=5e-4)
    assert moves[Score("yahtzee")] == pytest.approx(0.540, abs=5e-4)


@pytest.mark.slow
def test_second_to_roll_the_last_chance(chances: Chances) -> None:
    last = sheet("chance", 63, 200)
    assert 1 - MatchSearch(chances(GAME.id), "match:emp:2").value(Position((last, last))) == pytest.approx(
        0.518, abs=5e-4
    )
