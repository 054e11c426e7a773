"""Verhoeff 1999 and Glenn 2006: Yahtzee with the free Joker."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yatzy import ExpectedScore, Position, load_game
from yatzy.evaluation.evaluating import evaluate


def test_expected_score(solved: Callable[[str], ExpectedScore]) -> None:
    game = load_game("yahtzee-free-joker")
    assert f"{solved(game.id).value(Position.start(game)):.4f}" == "254.5896"


@pytest.mark.slow
def test_standard_deviation(solved: Callable[[str], ExpectedScore]) -> None:
    assert f"{evaluate(solved('yahtzee-free-joker')).score.sd:.2f}" == "59.61"
