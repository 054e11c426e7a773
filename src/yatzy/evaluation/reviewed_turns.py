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
from yatzy.evaluation.played_turns import PlayedTurns, category_outcomes, check_turns, keeps_by_roll, outcomes
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


def reviewable(evaluator: Evaluator) -> TypeGuard[Solution]:
    """Whether turns can be reviewed in bulk: for the expected score and for a target."""
    return evaluator.reviews_in_bulk


class TurnReviews:
    """Reviews played turns by a solved objective."""

    def __init__(self, solution: Solution, threads: int | None = None) -> None:
        if not reviewable(solution):
            raise InputError(f"{solution.objective}: turns are reviewed in bulk for expected and target:S only")
        self._solution, self._threads = solution, threads
        self._compiled = compile_game(solution.game)
        self._by_points = solution.by_points

    def review(self, turns: PlayedTurns, progress: Progress | None = None) -> ReviewedTurns:
        """The review of these turns; progress counts turns."""
        check_turns(self._compiled, turns)
        rows, rolls = turns.rolls.shape
        shape = (rows, rolls)
        worths = kernels.Worths(np.empty(rows), np.empty(shape), np.empty(shape), np.empty(shape, np.int16))
        played = self._grouped(turns)
        done, counting = 0, Lock()

        def tell(low: int, high: int) -> None:
            nonlocal done
            with counting:
                done += int(played.begin[high] - played.begin[low])
                if progress is not None:
                    progress(done, rows)

        tell(0, 0)
        there = played.state[played.order[played.begin[:-1]]]
        cuts = np.searchsorted(there, self._compiled.states.layer_start).tolist()
        with ThreadPoolExecutor(self._threads or core_count()) as pool:
            for layer, (low, high) in enumerate(pairwise(cuts)):
                if low < high:
                    run_ranges(pool, self._work(layer, played, worths, tell), low, high, STEP)
        return ReviewedTurns(*worths)

    def _work(
        self, layer: int, played: kernels.Played, worths: kernels.Worths, tell: Callable[[int, int], None]
    ) -> Callable[[int, int], None]:
        """A function that reviews a range of the groups of a layer."""
        arrays, aim = exact_turn_arrays(self._compiled), self._solution.goal(layer, break_ties=False)

        def work(low: int, high: int) -> None:
            kernels.review_turns(arrays, aim, played, low, high, worths)
            tell(low, high)

        return work

    def _grouped(self, turns: PlayedTurns) -> kernels.Played:
        """The rows by situation: the state and, for a target, the points."""
        state = np.ascontiguousarray(turns.state, np.int64)
        made = np.ascontiguousarray(turns.made, np.int32)
        key = state << 32 | made if self._by_points else state
        order = np.argsort(key, kind="stable")
        begin = np.append(np.flatnonzero(np.diff(key[order], prepend=-1)), len(order))
        rolls, keeps = (np.ascontiguousarray(array, np.int16) for array in (turns.rolls, turns.keeps))
        return kernels.Played(order, begin, state, made, rolls, keeps, outcomes(self._compiled, turns),
                      *keeps_by_roll(self._compiled.lattice), category_outcomes(self._compiled, turns))  # fmt: skip
