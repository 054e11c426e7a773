"""What a search of two players finds between turns, for all pairs of sheets of a depth at once.

A search of d turns evaluates the leaves (leaves.py) and plays turns back. What it finds for a pair of sheets and a
difference of points does not depend on how the match came there. So with U⁰ the evaluation of the leaves, exact when
both sheets are full,

    Uᵏ of a depth = the turn of the mover, in which every ending is worth the opponent's Uᵏ⁻¹ of one depth less

is a pass over the pairs like that of the endgame tables, with the same kernel and in the same layout. For all pairs it
takes as long as that depth of the complete solution. Here only the pairs and differences are filled that many given
positions ask for; they share most of them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.matches.counting import NEVER_LEAST, NEVER_MOST
from yatzy.matches.endgames import Layout, lay_out
from yatzy.matches.reach import TurnModel
from yatzy.matches.values import ranges_of
from yatzy.values.arrays import turn_arrays
from yatzy.values.curves import BestChances
from yatzy.values.goals import no_curves
from yatzy.values.tables import block_of
from yatzy.values.threads import run_ranges

STEP = 256
"""Pairs per unit of work of a thread."""


@dataclass(frozen=True, eq=False)
class PairValues:
    """Values of the pairs of a depth."""

    layout: Layout
    """Its pairs refer to the values by their address."""
    values: npt.NDArray[np.float32]


def _held(layout: Layout, values: npt.NDArray[np.float32]) -> PairValues:
    layout.pairs.address[:] = values.ctypes.data + 4 * layout.start[:-1]
    return PairValues(layout, values)


@dataclass(frozen=True, eq=False)
class Asked:
    """Positions in which a turn of the mover and then one of the rival are searched."""

    states: npt.NDArray[np.int64]
    """[position]: the mover's state; the rival's follows"""
    rivals: npt.NDArray[np.int64]
    difference: npt.NDArray[np.int32]
    """[position]: the rival's points minus the mover's"""


class LookAhead:
    """The values between turns of a search by the expected payoff or by the best target."""

    def __init__(self, chances: BestChances, *, by_target: bool) -> None:
        self.chances, self.by_target = chances, by_target
        self._ranges, self._compiled = ranges_of(chances.compiled), chances.compiled
        self._used = TurnModel(chances.compiled).used

    def after_turn(self, depth: int, pool: ThreadPoolExecutor | None) -> PairValues:
        """The evaluations of the leaves of a depth."""
        layout = self._lay_out(depth)
        values = np.empty(layout.values, np.float32)
        if depth:
            self._evaluate(layout, values, pool)
        else:
            values[:] = 0.5  # as in the endgame tables
        return _held(layout, values)

    def after_two_turns(self, depth: int, turns: int, asked: Asked, pool: ThreadPoolExecutor | None) -> PairValues:
        """The values of a depth before this number of turns is played and the leaves are evaluated.

        Only what the positions ask for, two turns before, is found.
        """
        if not depth or not turns:
            return self.after_turn(depth, pool)
        layout, wanted = self._lay_out(depth), self._nothing(depth)
        nowhere = [self._nowhere(depth, mover=mover) for mover in (True, False)]
        kernels.want_after_turns(
            turn_arrays(self._compiled), self._used, *nowhere, layout.pairs, asked.states, asked.rivals,
            asked.difference, wanted,
        )  # fmt: skip
        return self._play_back(layout, turns, wanted, pool)

    def _play_back(
        self, layout: Layout, turns: int, wanted: npt.NDArray[np.int32], pool: ThreadPoolExecutor | None
    ) -> PairValues:
        """The wanted values of a depth above 0, before at least one turn."""
        depth, pairs = layout.depth, layout.pairs
        if turns > 1 and depth > 1:
            before, needed = self._lay_out(depth - 1), self._nothing(depth - 1)
            nowhere = self._nowhere(depth - 1, mover=False)
            kernels.want_before_turn(
                turn_arrays(self._compiled), self._used, nowhere, pairs, before.pairs, wanted, needed
            )
            after = self._play_back(before, turns - 1, needed, pool)
        else:
            after = self.after_turn(depth - 1, pool)
        model = turn_arrays(self._compiled, kernels.SINGLE_LANES)
        values = np.zeros(layout.values, np.float32)  # what nobody reads takes no memory

        def work(low: int, high: int) -> None:
            block = block_of(model.block_start, pairs.mover + low // pairs.opponents)
            kernels.solve_pairs(model, after.layout.pairs, pairs, low, high, block, layout.start, values, wanted)

        run_ranges(pool, work, 0, len(pairs.within), STEP)
        return _held(layout, values)

    def _lay_out(self, depth: int) -> Layout:
        return lay_out(self._compiled, self._ranges, depth)

    def _nothing(self, depth: int) -> npt.NDArray[np.int32]:
        """[pair, first and last difference] of a depth: none wanted."""
        sizes, turns = np.diff(self._compiled.states.layer_start), len(self.chances.game.categories)
        pairs = int(sizes[turns - (depth + 1) // 2] * sizes[turns - depth // 2])
        return np.tile(np.array([NEVER_LEAST, NEVER_MOST], np.int32), (pairs, 1))

    def _nowhere(self, depth: int, *, mover: bool) -> kernels.Curves:
        """The first state of the mover's or the opponent's layer at a depth."""
        layer = len(self.chances.game.categories) - (depth + mover) // 2
        return no_curves(int(self._compiled.states.layer_start[layer]))

    def _evaluate(self, layout: Layout, values: npt.NDArray[np.float32], pool: ThreadPoolExecutor | None) -> None:
        pairs, turns = layout.pairs, len(self.chances.game.categories)
        mine, first, end = self._curves(turns - (layout.depth + 1) // 2)
        theirs, *_ = self._curves(turns - layout.depth // 2)
        # The chances of the highest scores may have been rounded to 0, so that curves end before what can be reached.
        most, scores = int(self._ranges.most_to_come.max()), theirs.shape[1]
        # Entry `most` is for ending at the opponent's present score; further down nothing is won, further up all is.
        worth = np.zeros((len(theirs), 2 * most + scores + mine.shape[1] + 2 * kernels.SINGLE_LANES), np.float32)
        worth[:, most + scores - 1 :] = 1.0
        if self.by_target:
            worth[:, most : most + scores] = 1 - theirs
        else:
            mine = mine[:, :-1] - mine[:, 1:]
            worth[:, most : most + scores - 1] = 1 - 0.5 * (theirs[:, :-1] + theirs[:, 1:])
        rows = np.ascontiguousarray(mine, np.float32), first, end, worth

        def work(low: int, high: int) -> None:
            kernels.fill_leaves(pairs, *rows, most, self.by_target, low, high, layout.start, values)

        run_ranges(pool, work, 0, len(pairs.within), STEP)

    def _curves(self, layer: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """[state, points]: the chance of at least 0, 1, … points to come; and the range of points that can matter."""
        curves = self.chances.curves(layer)
        length = np.diff(curves.offset)
        most = int((curves.low + length).max())
        at_least = np.empty((len(length), most + 1))
        which = np.arange(len(length))
        kernels.fill_curves(curves, which, np.zeros(len(length), np.int32), 0, at_least)
        first = np.maximum(curves.low - 1, 0).astype(np.int64)
        return at_least, first, np.minimum(curves.low + length, most).astype(np.int64)
