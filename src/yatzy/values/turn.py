"""One turn on demand: the worth of every roll, keep and placement from one sheet, in NumPy.

The kernels solve whole layers and store only the values before each turn. This module computes a single turn when it is
needed, in about a millisecond and without compiling anything. Worths are numbers or whole curves: all arrays may have
one more axis at the end (scores, for example), which is passed through unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.games import Dice, Keep, Move, Position, Sheet, placements
from yatzy.games.rules import is_joker_roll
from yatzy.model import CompiledGame, Lattice, kept_with_game

FloatArray = npt.NDArray[np.float64]


@dataclass(eq=False)
class TurnValues:
    """The worths of the rolls, keeps and placements of a turn, computed when needed.

    Once the last roll is known, only its placements are computed. Before that, all rolls that may follow are.
    """

    compiled: CompiledGame
    sheet: Sheet
    """The sheet before the turn."""
    worth_of: Callable[[Sheet], Any]
    """The worth of a sheet after the turn."""
    _endings: dict[tuple[int, int, int], Any] = field(default_factory=dict)
    _rolls: list[FloatArray] = field(default_factory=list)
    _keeps: list[FloatArray] = field(default_factory=list)
    _working: RLock = field(default_factory=RLock)  # a server calls from many threads

    def roll(self, rolls_left: int) -> FloatArray:
        """[roll, …]: the worth of each roll with this number of rolls left."""
        lattice = self.compiled.lattice
        with self._working:
            if not self._rolls:
                self._rolls.append(self._best_placements())
            while len(self._rolls) <= rolls_left:
                self._rolls.append(max_sweep(lattice, self.keep(len(self._rolls)))[lattice.first_roll :])
            return self._rolls[rolls_left]

    def keep(self, rolls_left: int) -> FloatArray:
        """[keep, …]: the worth of keeping these dice and rolling the others, with this number of rolls left (≥ 1)."""
        with self._working:
            while len(self._keeps) < rolls_left:
                self._keeps.append(mean_sweep(self.compiled.lattice, self.roll(len(self._keeps))))
            return self._keeps[rolls_left - 1]

    def best_keeps(self, rolls_left: int) -> npt.NDArray[np.intp]:
        """[roll]: the best keep with this number of rolls left (≥ 1), where worths are numbers; ties as in kernels."""
        lattice = self.compiled.lattice
        return best_subsets(lattice, self.keep(rolls_left))[lattice.first_roll :]

    def best_categories(self) -> npt.NDArray[np.intp]:
        """[roll]: the best category with no roll left, where worths are numbers; ties as in kernels."""
        game = self.compiled.game
        # Ties go to upper categories first and to the Joker box last, which is the order of `model.placing`.
        categories = sorted(self.placed, key=lambda i: (not game.categories[i].upper, i == game.joker_box))
        worths = [worth[which] for which, worth in (self.placed[i] for i in categories)]
        best: npt.NDArray[np.intp] = np.array(categories)[np.argmax(worths, axis=0)]
        for roll, allowed in self.jokers.items():
            best[roll] = max(allowed, key=allowed.__getitem__)
        return best

    def place(self, roll: int, category: int) -> Any:
        """The worth of scoring a roll in a category that allows it."""
        dice = self.compiled.lattice.rolls[roll]
        if is_joker_roll(self.compiled.game, dice):
            return next(worth for place, worth in self._joker_placements(dice) if place == category)
        return self._ending(category, int(self.compiled.placing.points[roll, category]))

    def at(self, position: Position) -> Any:
        """The worth of a position of this turn."""
        index, first = self.compiled.lattice.index[position.dice], self.compiled.lattice.first_roll
        if position.awaits_roll:
            return self.keep(position.rolls_left)[index]
        if position.rolls_left < len(self._rolls):
            return self._rolls[position.rolls_left][index - first]
        return np.maximum.reduce([self.after(position, move) for move in position.legal_moves])

    def after(self, position: Position, move: Move) -> Any:
        """The worth of a legal move in a position of this turn."""
        lattice = self.compiled.lattice
        if isinstance(move, Keep):
            return self.keep(position.rolls_left)[lattice.index[move.dice]]
        if move.strike:
            return self._ending(position.placement(move).category, 0)  # raises where a Joker rule forbids it
        roll = lattice.index[position.dice] - lattice.first_roll
        return self.place(roll, self.compiled.game.category_index[move.category])

    def _ending(self, category: int, points: int, joker_bonus: int = 0) -> Any:
        """The worth of scoring points in a category."""
        key = (category, points, joker_bonus)
        if key not in self._endings:
            self._endings[key] = self.worth_of(self.sheet.fill(*key))
        return self._endings[key]

    def _joker_placements(self, dice: Dice) -> list[tuple[int, Any]]:
        """Each category that a Joker rule allows for a roll of equal dice, and the worth of scoring them there."""
        return [
            (place.category, self._ending(place.category, place.points, place.joker_bonus))
            for place in placements(self.sheet, dice)
        ]

    @cached_property
    def placed(self) -> dict[int, tuple[npt.NDArray[np.intp], FloatArray]]:
        """By category: [roll] the index of its points, and [points, …] the worth of scoring them."""
        found = {}
        for category in self.sheet.available:
            points, which = _distinct_points(self.compiled, category)
            found[category] = which, np.array([self._ending(category, number) for number in points], np.float64)
        return found

    @cached_property
    def jokers(self) -> dict[int, dict[int, Any]]:
        """By roll of equal dice under a Joker rule: the worth of each allowed category."""
        if self.sheet.game.joker is None:
            return {}
        rolls = enumerate(self.compiled.lattice.rolls)
        return {
            roll: dict(self._joker_placements(dice)) for roll, dice in rolls if is_joker_roll(self.sheet.game, dice)
        }

    def _best_placements(self) -> FloatArray:
        (which, worth), *others = self.placed.values()
        best = worth[which]
        for which, worth in others:
            np.maximum(best, worth[which], out=best)
        for roll, worths in self.jokers.items():
            best[roll] = np.maximum.reduce(list(worths.values()))
        return best


@kept_with_game
def _distinct_points(compiled: CompiledGame, category: int) -> tuple[list[int], npt.NDArray[np.intp]]:
    """The distinct points of rolls in a category, and [roll] the index of each roll's points."""
    of_roll = compiled.placing.points[:, category]
    points = sorted(set(of_roll.tolist()))  # np.unique would import the masked arrays of NumPy
    return points, np.searchsorted(points, of_roll)


def mean_sweep(lattice: Lattice, roll: FloatArray) -> FloatArray:
    """[keep, …]: the mean of `roll` [roll, …] over the results of the dice not kept."""
    keep = np.empty((len(lattice.keeps), *roll.shape[1:]))
    keep[lattice.first_roll :] = roll
    for level in reversed(lattice.levels[:-1]):
        total = keep[lattice.child[level, 0]]
        for face in range(1, lattice.faces):
            total += keep[lattice.child[level, face]]
        keep[level] = total / lattice.faces
    return keep


def max_sweep(lattice: Lattice, keep: FloatArray) -> FloatArray:
    """[keep, …]: the maximum of `keep` [keep, …] over all subsets of those dice."""
    best = keep.copy()
    for level in lattice.levels[1:]:
        for parent in lattice.padded_parent[level].T:
            np.maximum(best[level], best[parent], out=best[level])
    return best


def best_subsets(lattice: Lattice, keep: FloatArray) -> npt.NDArray[np.intp]:
    """[keep]: the subset of those dice with the highest `keep` [keep]; ties go to the largest, as in the kernels."""
    best, chosen = keep.copy(), np.arange(len(keep))
    for level in lattice.levels[1:]:
        for parent in lattice.padded_parent[level].T:
            better = best[parent] > best[level]
            chosen[level][better] = chosen[parent[better]]
            best[level][better] = best[parent[better]]
    return chosen
