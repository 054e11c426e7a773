"""One turn on demand: the value of every roll, keep and placement from one sheet, in NumPy.

The kernel solves whole layers and keeps only the value before each turn; this fills in a turn when somebody asks,
in about a millisecond and without compiling anything. All arrays may have further axes behind the first (scores, say).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from yatzy.games import Position, Sheet, placements
from yatzy.games.rules import is_joker_roll
from yatzy.model import CompiledGame, Lattice

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TurnValues:
    """Final scores to expect inside a turn, points made so far included."""

    compiled: CompiledGame
    place: FloatArray
    """[roll, category]: when the roll is scored there, minus infinity where that is not allowed."""
    keep: FloatArray
    """[rolls left, keep]: when these dice are kept and the others rolled (index 0 is not used)."""
    roll: FloatArray
    """[rolls left, roll]: with the best move."""

    def at(self, position: Position) -> float:
        """The value of a position of this turn."""
        lattice = self.compiled.lattice
        index = lattice.index[position.dice]
        if position.awaits_roll:
            return float(self.keep[position.rolls_left, index])
        return float(self.roll[position.rolls_left, index - lattice.first_roll])


def turn_values(compiled: CompiledGame, sheet: Sheet, value_of: Callable[[Sheet], float]) -> TurnValues:
    """Solve a turn; `value_of` gives the final score to expect from a sheet after it."""
    lattice, game = compiled.lattice, compiled.game
    place = _placement_values(compiled, sheet, value_of)
    keep = np.full((game.rolls + 1, len(lattice.keeps)), np.nan)
    roll = np.full((game.rolls, len(lattice.rolls)), np.nan)
    roll[0] = place.max(axis=1)
    for left in range(1, game.rolls + 1):
        keep[left] = mean_sweep(lattice, roll[left - 1])
        if left < game.rolls:
            roll[left] = max_sweep(lattice, keep[left])[lattice.first_roll :]
    return TurnValues(compiled, place, keep, roll)


def mean_sweep(lattice: Lattice, roll: FloatArray) -> FloatArray:
    """[keep, …]: the mean of `roll` [roll, …] over what the dice not kept can show."""
    keep = np.empty((len(lattice.keeps), *roll.shape[1:]))
    keep[lattice.first_roll :] = roll
    for level in reversed(lattice.levels[:-1]):
        keep[level] = keep[lattice.child[level]].mean(axis=1)
    return keep


def max_sweep(lattice: Lattice, keep: FloatArray) -> FloatArray:
    """[keep, …]: the most of `keep` [keep, …] over all that can be kept of those dice."""
    best = keep.copy()
    for level in lattice.levels[1:]:
        best[level] = np.maximum(best[level], best[lattice.padded_parent[level]].max(axis=1))
    return best


def _placement_values(compiled: CompiledGame, sheet: Sheet, value_of: Callable[[Sheet], float]) -> FloatArray:
    lattice, game = compiled.lattice, compiled.game
    values = np.full(compiled.placing.points.shape, -np.inf)
    for category in sheet.available:
        points = compiled.placing.points[:, category]
        # Outside the upper half the points only add up, so one look-up serves all rolls.
        if not game.categories[category].upper and category != game.joker_box:
            values[:, category] = points + value_of(sheet.fill(category, 0, 0))
            continue
        for number in set(points.tolist()):
            values[points == number, category] = value_of(sheet.fill(category, number, 0))
    if game.joker is not None:
        for r, dice in enumerate(lattice.rolls):
            if is_joker_roll(game, dice):
                values[r] = -np.inf
                for place in placements(sheet, dice):
                    after = sheet.fill(place.category, place.points, place.joker_bonus)
                    values[r, place.category] = value_of(after)
    return values
