"""The endings of a turn: the chance of each when a strategy makes the remaining moves.

All probability starts on the dice on the table. A roll spreads it over the lattice, from every keep to the keeps with
one more die; a choice collects it on the keeps of the turn's plan, and finally on the outcomes it selects. That is two
sweeps for each roll left: a tenth of a millisecond in NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.games import Dice, Position, Score
from yatzy.model import CompiledGame, Lattice
from yatzy.strategies.best import ValueStrategy

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Endings:
    """The possible endings of a turn, and their chances."""

    chance: FloatArray
    """[end]"""
    category: npt.NDArray[np.int64]
    """[end]: the category filled."""
    written: npt.NDArray[np.int64]
    """[end]: the points scored there."""
    bonus: npt.NDArray[np.bool_]
    """[end]: whether it wins the upper bonus."""
    jokers: npt.NDArray[np.int64]
    """[end]: the Joker bonus, in points."""
    points: npt.NDArray[np.int64]
    """[end]: all points of the turn."""
    state: npt.NDArray[np.int64]
    """[end]: the following state, relative to the first state of its layer."""


class TurnEndings:
    """A turn from one state, continued by a strategy."""

    def __init__(self, strategy: ValueStrategy, layer: int, state: int) -> None:
        """`state` is relative to the first state of its layer."""
        from yatzy.kernels.evaluate import state_outcomes
        from yatzy.values.arrays import exact_turn_arrays
        from yatzy.values.goals import no_curves

        self._compiled = strategy.compiled
        plans = strategy.plans(layer, np.array([state]))
        self._keep, self._place = plans.keep[0, :, 0], plans.place[0, 0]
        arrays, (first, after) = exact_turn_arrays(self._compiled), self._compiled.states.layer_start[layer : layer + 2]
        shape = (1, arrays.outcomes)
        to, points, bonus = np.empty(shape, np.int64), np.empty(shape, np.int32), np.empty(shape, np.bool_)
        state_outcomes(arrays, no_curves(int(after)), int(first) + state, int(first) + state + 1, to, points, bonus)
        self._to, self._points, self._bonus = to[0], points[0], bonus[0]

    def ends(self, dice: Dice, rolls_left: int) -> Endings:
        """The possible endings of the turn from these dice; if some dice are missing, they are rolled first."""
        chance = self._outcomes(dice, rolls_left)
        there = np.flatnonzero(chance)
        placing, game = self._compiled.placing, self._compiled.game
        written, points, bonus = placing.outcome_points[there], self._points[there], self._bonus[there]
        paid = bonus * (game.bonus.points if game.bonus else 0)
        return Endings(
            chance=chance[there],
            category=placing.outcome_category[there].astype(np.int64),
            written=written.astype(np.int64),
            bonus=bonus,
            jokers=(points - written - paid).astype(np.int64),
            points=points.astype(np.int64),
            state=self._to[there],
        )

    def _outcomes(self, dice: Dice, rolls_left: int) -> FloatArray:
        """[outcome]: its chance."""
        lattice = self._compiled.lattice
        on_keeps = np.zeros(len(lattice.keeps))
        on_keeps[lattice.index[dice]] = 1.0
        on_rolls = spread_over_rolls(lattice, on_keeps)
        for left in range(rolls_left - (len(dice) < lattice.dice), 0, -1):
            on_keeps = add_up_by(self._keep[left - 1], on_rolls, len(lattice.keeps))
            on_rolls = spread_over_rolls(lattice, on_keeps)
        return add_up_by(self._place, on_rolls, len(self._to))


def add_up_by(where: npt.NDArray[Any], weight: FloatArray, length: int) -> FloatArray:
    """[index]: the sum of the weights with this index in `where`."""
    return np.asarray(np.bincount(where, weight, length), np.float64)


def spread_over_rolls(lattice: Lattice, on_keeps: FloatArray) -> FloatArray:
    """[roll]: its chance after rolling the dice not kept; on_keeps: [keep], the chance of each."""
    chance = on_keeps.copy()
    for level, larger in zip(lattice.levels, lattice.levels[1:], strict=False):
        share = np.repeat(chance[level] / lattice.faces, lattice.faces)
        chance[larger] += add_up_by(lattice.child[level].ravel() - larger.start, share, larger.stop - larger.start)
    return chance[lattice.first_roll :]


def end_of(compiled: CompiledGame, position: Position, move: Score) -> Endings:
    """The single ending of a turn that ends by filling a category now."""
    before, place = position.sheet, position.placement(move)
    after = before.fill(place.category, place.points, place.joker_bonus)
    return Endings(
        chance=np.ones(1),
        category=np.array([place.category]),
        written=np.array([place.points]),
        bonus=np.array([after.bonus_won and not before.bonus_won]),
        jokers=np.array([place.joker_bonus]),
        points=np.array([after.points - before.points]),
        state=np.array([compiled.states.locate(after)[1]]),
    )
