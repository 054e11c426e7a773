"""The endings of a turn: the chance of each when the remaining moves are those with the best expected score.

All probability starts on the dice on the table. A roll spreads it over the lattice, from every keep to the keeps with
one more die; a choice collects it on the best keeps, and finally on the categories filled. That is two sweeps for each
roll left: a tenth of a millisecond in NumPy. No kernel is needed, so a question about one turn does not import Numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.games import Dice, Placement, Position, Score, Sheet, placements
from yatzy.model import CompiledGame, Lattice, compile_game
from yatzy.strategies.outcomes import joker_contexts, joker_table, outcome_table
from yatzy.values.expected import ExpectedScore
from yatzy.values.turn import TurnValues

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

    @classmethod
    def of(cls, compiled: CompiledGame, before: Sheet, placed: Sequence[Placement], chance: FloatArray) -> Endings:
        """The endings by these placements on a sheet; chance: [end]."""
        after = [before.fill(one.category, one.points, one.joker_bonus) for one in placed]
        return cls(
            chance=chance,
            category=np.array([one.category for one in placed]),
            written=np.array([one.points for one in placed]),
            bonus=np.array([sheet.bonus_won and not before.bonus_won for sheet in after]),
            jokers=np.array([one.joker_bonus for one in placed]),
            points=np.array([sheet.points - before.points for sheet in after]),
            state=np.array([compiled.states.locate(sheet)[1] for sheet in after]),
        )


class TurnEndings:
    """A turn from one sheet, played for the most points.

    The plan is bit for bit that of the kernels, ties included, so that it fits the table of outlooks.
    """

    def __init__(self, expected: ExpectedScore, sheet: Sheet) -> None:
        compiled, turn = compile_game(sheet.game), expected.turn(sheet)
        self._lattice = compiled.lattice
        self._keep = [turn.best_keeps(left) for left in range(1, sheet.game.rolls)]
        placed, self._end = _placements(turn, sheet)
        self._all = Endings.of(compiled, sheet, placed, np.zeros(len(placed)))

    def ends(self, dice: Dice, rolls_left: int) -> Endings:
        """The possible endings of the turn from these dice; if some dice are missing, they are rolled first."""
        chance = self._chances(dice, rolls_left)
        there = np.flatnonzero(chance)
        kept = {one.name: getattr(self._all, one.name)[there] for one in fields(Endings)}
        return Endings(**{**kept, "chance": chance[there]})

    def _chances(self, dice: Dice, rolls_left: int) -> FloatArray:
        """[end]: its chance."""
        lattice = self._lattice
        on_rolls = rolls_after(lattice, dice)
        for left in range(rolls_left - (len(dice) < lattice.dice), 0, -1):
            on_keeps = add_up_by(self._keep[left - 1], on_rolls, len(lattice.keeps))
            on_rolls = spread_over_rolls(lattice, on_keeps)
        return add_up_by(self._end, on_rolls, len(self._all.chance))


def _placements(turn: TurnValues, sheet: Sheet) -> tuple[list[Placement], npt.NDArray[np.intp]]:
    """The best placements at the end of a turn, in the order of outcomes, and [roll] the one for each roll."""
    compiled, category = turn.compiled, turn.best_categories()
    outcome = outcome_table(compiled)[np.arange(len(category)), category]
    joker_bonus = dict[int, int]()
    for roll in turn.jokers:
        dice = compiled.lattice.rolls[roll]
        context = joker_contexts(compiled, np.array([compiled.states.find(sheet)]))[0, dice[0] - 1]
        outcome[roll] = joker_table(compiled)[context, dice[0] - 1, category[roll]]
        paid = {place.category: place.joker_bonus for place in placements(sheet, dice)}
        joker_bonus[int(outcome[roll])] = paid[int(category[roll])]
    used, placing = sorted(set(outcome.tolist())), compiled.placing
    placed = [
        Placement(int(placing.outcome_category[one]), int(placing.outcome_points[one]), joker_bonus.get(one, 0))
        for one in used
    ]
    return placed, np.searchsorted(used, outcome)


def add_up_by(where: npt.NDArray[Any], weight: FloatArray, length: int) -> FloatArray:
    """[index]: the sum of the weights with this index in `where`."""
    return np.asarray(np.bincount(where, weight, length), np.float64)


@lru_cache(maxsize=256)
def rolls_after(lattice: Lattice, kept: Dice) -> FloatArray:
    """[roll]: its chance after keeping these dice and rolling the others. Cached: most questions begin like this."""
    on_keeps = np.zeros(len(lattice.keeps))
    on_keeps[lattice.index[kept]] = 1.0
    chance = spread_over_rolls(lattice, on_keeps)
    chance.flags.writeable = False
    return chance


def spread_over_rolls(lattice: Lattice, on_keeps: FloatArray) -> FloatArray:
    """[roll]: its chance after rolling the dice not kept; on_keeps: [keep], the chance of each."""
    chance = on_keeps.copy()
    for level, larger in zip(lattice.levels, lattice.levels[1:], strict=False):
        if not chance[level].any():
            continue
        share = np.repeat(chance[level] / lattice.faces, lattice.faces)
        chance[larger] += add_up_by(lattice.child[level].ravel() - larger.start, share, larger.stop - larger.start)
    return chance[lattice.first_roll :]


def end_of(compiled: CompiledGame, position: Position, move: Score) -> Endings:
    """The single ending of a turn that ends by filling a category now."""
    return Endings.of(compiled, position.sheet, [position.placement(move)], np.ones(1))
