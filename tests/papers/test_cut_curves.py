"""Curves with values near 0 and 1 cut after every die, beside a plain recursion over positions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from yatzy.games import Position, load_game
from yatzy_papers.pawlewicz.doubles import cut_curves
from yatzy_papers.run import PaperRun

GAME = load_game("two-yatzy")
Chances = tuple[float, ...]


def plain_curve(cut: float) -> Chances:
    """[score]: the best chance, everything cut: the mean over one die, and the curve between turns."""
    highest = 6

    def cutting(chances: Sequence[float]) -> Chances:
        return tuple(0.0 if p < cut else 1.0 if p > 1 - cut else p for p in chances)

    def mean(of: Sequence[Chances]) -> Chances:
        return tuple(sum(column) / len(of) for column in zip(*of, strict=True))

    @cache
    def rolling(position: Position, dice: tuple[int, ...]) -> Chances:
        """With these dice down and the others still to fall, one at a time."""
        if len(dice) == GAME.dice:
            return deciding(position.roll(dice))
        faces = range(1, GAME.faces + 1)
        return cutting(mean([rolling(position, tuple(sorted((*dice, face)))) for face in faces]))

    @cache
    def deciding(position: Position) -> Chances:
        ways = [reaching(position.play(move)) for move in position.legal_moves]
        return tuple(max(column) for column in zip(*ways, strict=True))

    @cache
    def reaching(position: Position) -> Chances:
        if position.over:
            return tuple(float(position.sheet.points >= score) for score in range(highest + 1))
        if not position.awaits_roll:
            return deciding(position)
        return rolling(position, tuple(position.dice))

    return reaching(Position.start(GAME))


@pytest.mark.parametrize("cut", [1e-12, 0.05, 0.1, 0.2])
def test_they_are_those_of_the_plain_recursion(cut: float, tmp_path: Path) -> None:
    found, wanted = cut_curves(GAME, PaperRun(tmp_path), cut), plain_curve(cut)
    np.testing.assert_allclose(found.start.between(0, 6), wanted, atol=1e-12)


def test_a_cut_takes_values_away(tmp_path: Path) -> None:
    more, some, few = (cut_curves(GAME, PaperRun(tmp_path), cut).values for cut in (1e-12, 0.1, 0.2))
    assert more > some > few
