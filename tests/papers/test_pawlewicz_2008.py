"""Pawlewicz 2008 on Yahtzee, in his reading of the Joker."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yatzy import ExpectedScore, Position, Score, Sheet, load_game

GAME = load_game("yahtzee-pawlewicz")


def test_expected_score(solved: Callable[[str], ExpectedScore]) -> None:
    assert f"{solved(GAME.id).value(Position.start(GAME)):.6f}" == "254.589374"


@pytest.mark.parametrize(
    ("category", "expected"),
    [("ones", 206.064), ("threes", 204.382), ("four-of-a-kind", 205.293), ("full-house", 200.615)],
)
def test_four_moves_expected_column(solved: Callable[[str], ExpectedScore], category: str, expected: float) -> None:
    open_ = {"ones", "threes", "four-of-a-kind", "full-house"}
    sheet = Sheet.of_sums(GAME, set(GAME.category_index) - open_, upper=51, points=170)
    moves = {e.move: e.value for e in solved(GAME.id).move_values(Position((sheet,), (1, 3, 3, 4, 6), 0))}
    assert moves[Score(category)] == pytest.approx(expected, abs=5e-4)
