"""Reviews played turns in bulk: the value of every roll and every move in them.

With V the value of an objective under best play,

    luck of a roll      = V after it - V before it
    error of a decision = V of the best move - V of the move made

so that over a game the final value is V at the start + total luck - total error. Values are those of `Solution.value`:
the expected final score, including the points so far, or the chance of a target.

Turns are arrays, one row each, from any number of games and in any order. Rows in the same situation are computed
together.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError
from yatzy.evaluation.played_turns import (
    PlayedTurns,
    category_outcomes,
    check_turns,
    keeps_by_roll,
    last_outcomes,
    outcomes,
)
from yatzy.model import compile_game
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.evaluator import Evaluator, Solution
from yatzy.values.resources import Progress
from yatzy.values.threads import core_count, run_ranges

FloatArray = npt.NDArray[np.float64]
STEP = 2048
"""Groups per unit of work: a few milliseconds."""


@dataclass(frozen=True, eq=False)
class ReviewedTurns:
    """The values of the rolls and moves of played turns, under best play afterwards."""

    start: FloatArray
    """[row]: before the first roll, as the mean over it."""
    rolled: FloatArray
    """[row, roll]: after each roll, which is the value of the best move there."""
    chosen: FloatArray
    """[row, roll]: of the move made after each roll: the keep, and last the category."""
    best: npt.NDArray[np.int16]
    """[row, roll]: a best move after each roll: a keep, as an index into `Lattice.keeps`, and last the category."""

    def __len__(self) -> int:
        return len(self.start)

    @property
    def after(self) -> FloatArray:
        """[row]: the sheet after the turn, from the table; equals the start of the next turn apart from rounding."""
        return self.chosen[:, -1]

    @property
    def luck(self) -> FloatArray:
        """[row, roll]: the value after each roll minus its mean."""
        return self.rolled - np.column_stack([self.start, self.chosen[:, :-1]])

    @property
    def error(self) -> FloatArray:
        """[row, roll]: the loss of each move against the best one; only approximately 0 for equally good moves."""
        return self.rolled - self.chosen


@dataclass(frozen=True, eq=False)
class LabelledPositions:
    """The values of all moves of positions, under best play afterwards."""

    keeps: npt.NDArray[np.float32]
    """[row, place]: of each keep of the dice, in the order of `keeps_of`; NaN beyond the last and with no roll left."""
    categories: npt.NDArray[np.float32]
    """[row, category]: of filling it; NaN if that is not allowed, and with rolls left."""
    value: FloatArray
    """[row]: of the best move."""
    best: npt.NDArray[np.int16]
    """[row]: a best move: a place among the keeps of the dice or, with no roll left, a category."""

    def __len__(self) -> int:
        return len(self.value)


def reviewable(evaluator: Evaluator) -> TypeGuard[Solution]:
    """Whether turns can be reviewed in bulk: for the expected score and for a target."""
    return evaluator.reviews_in_bulk


class TurnReviews:
    """Reviews played turns by a solved objective."""

    def __init__(self, solution: Solution, threads: int | None = None) -> None:
        if not reviewable(solution):
            raise InputError(
                "{objective}: turns are reviewed in bulk for expected and target:S only", objective=solution.objective
            )
        self._solution, self._threads = solution, threads
        self._compiled = compile_game(solution.game)
        self._by_points = solution.by_points

    def review(self, turns: PlayedTurns, progress: Progress | None = None) -> ReviewedTurns:
        """The review of these turns; progress counts turns."""
        check_turns(self._compiled, turns)
        rows, rolls = turns.rolls.shape
        shape = (rows, rolls)
        worths = kernels.Worths(np.empty(rows), np.empty(shape), np.empty(shape), np.empty(shape, np.int16))
        state, made, order, begin = self._grouped(turns.state, turns.made)
        dice, keeps = (np.ascontiguousarray(array, np.int16) for array in (turns.rolls, turns.keeps))
        played = kernels.Played(order, begin, state, made, dice, keeps, outcomes(self._compiled, turns),
                      *keeps_by_roll(self._compiled.lattice), category_outcomes(self._compiled, turns))  # fmt: skip
        self._run(
            played,
            lambda arrays, goal, low, high: kernels.review_turns(arrays, goal, played, low, high, worths),
            progress,
        )
        return ReviewedTurns(*worths)

    def label(
        self,
        state: npt.NDArray[np.int64],
        made: npt.NDArray[np.int32],
        roll: npt.NDArray[np.int16],
        left: npt.NDArray[np.int8],
        progress: Progress | None = None,
    ) -> LabelledPositions:
        """The values of every legal move of positions: the state and the points before the turn, dice, rolls left.

        The arguments are trusted: `left` is less than the rolls of a turn, and no state is at the end of the game.
        """
        rows, (keep_start, keep_of) = len(state), keeps_by_roll(self._compiled.lattice)
        labels = kernels.Labels(
            np.full((rows, int(np.diff(keep_start).max())), np.nan, np.float32),
            np.full((rows, len(self._compiled.game.categories)), np.nan, np.float32),
            np.empty(rows),
            np.empty(rows, np.int16),
        )
        option = last_outcomes(self._compiled, state, roll)
        state, made, order, begin = self._grouped(state, made)
        roll, left = np.ascontiguousarray(roll, np.int16), np.ascontiguousarray(left, np.int8)
        asked = kernels.Asked(order, begin, state, made, roll, left, keep_start, keep_of, option)
        self._run(
            asked,
            lambda arrays, goal, low, high: kernels.label_positions(arrays, goal, asked, low, high, labels),
            progress,
        )
        return LabelledPositions(*labels)

    def _run(
        self,
        rows: kernels.Played | kernels.Asked,
        work: Callable[[kernels.TurnArrays, kernels.TurnGoal, int, int], None],
        progress: Progress | None,
    ) -> None:
        """Run a kernel over all groups of rows, layer by layer, on all threads; progress counts rows."""
        done, counting, total = 0, Lock(), len(rows.order)

        def tell(low: int, high: int) -> None:
            nonlocal done
            with counting:
                done += int(rows.begin[high] - rows.begin[low])
                if progress is not None:
                    progress(done, total)

        def of_layer(layer: int) -> Callable[[int, int], None]:
            arrays, goal = exact_turn_arrays(self._compiled), self._solution.goal(layer, break_ties=False)

            def some(low: int, high: int) -> None:
                work(arrays, goal, low, high)
                tell(low, high)

            return some

        tell(0, 0)
        there = rows.state[rows.order[rows.begin[:-1]]]
        cuts = np.searchsorted(there, self._compiled.states.layer_start).tolist()
        with ThreadPoolExecutor(self._threads or core_count()) as pool:
            for layer, (low, high) in enumerate(pairwise(cuts)):
                if low < high:
                    run_ranges(pool, of_layer(layer), low, high, STEP)

    def _grouped(
        self, state: npt.NDArray[np.int64], made: npt.NDArray[np.int32]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """State and points of the rows, and the rows by situation: the state and, for a target, the points."""
        state, made = np.ascontiguousarray(state, np.int64), np.ascontiguousarray(made, np.int32)
        key = state << 32 | made if self._by_points else state
        order = np.argsort(key, kind="stable")
        return state, made, order, np.append(np.flatnonzero(np.diff(key[order], prepend=-1)), len(order))
