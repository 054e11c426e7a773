"""Optimal play of two in many matches at once, from the endgame tables.

Matches in the same position, which is a pair of states and a difference of points, form a group and are valued once.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.lab.batch_player import BatchPlayer
from yatzy.matches.endgames import Endgames, Layout
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.goals import no_curves
from yatzy.values.threads import run_ranges

OPTIMUM = "optimum"
"""The name of a player of this kind"""
STEP = 512
"""Positions per unit of work: some tens of milliseconds."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions of many matches before a turn."""

    layer: int
    """The mover's filled categories."""
    rivals_layer: int
    groups: kernels.Groups
    rivals: npt.NDArray[np.int64]
    """[position]: the rival's state"""
    difference: npt.NDArray[np.int32]
    """[position]: the rival's points minus the mover's"""

    @classmethod
    def of(cls, mover: BatchPlayer, rival: BatchPlayer) -> Positions:
        """Group the matches, by the mover's state first; both players count points."""
        states, rivals, difference = mover.states, rival.states, rival.made - mover.made
        order = np.lexsort((difference, rivals, states)).astype(np.int32)
        columns = [column[order] for column in (states, rivals, difference)]
        differs = np.zeros(len(order), np.bool_)
        for column in columns:
            differs |= np.diff(column, prepend=column[0] - 1) != 0
        cuts = np.flatnonzero(differs)
        states, rivals, difference = (column[cuts] for column in columns)
        groups = kernels.Groups(order, np.append(cuts, len(order)), states.astype(np.int64), np.zeros(0, np.int32))
        return cls(mover.played, rival.played, groups, rivals.astype(np.int64), difference.astype(np.int32))

    def __len__(self) -> int:
        return len(self.rivals)

    @property
    def depth(self) -> int:
        """How many categories both players have filled."""
        return self.layer + self.rivals_layer


class OptimalPlay:
    """Optimal play in all positions that the tables hold after the turn."""

    def __init__(self, endgames: Endgames) -> None:
        self.endgames, self.compiled = endgames, endgames.compiled
        self.model = exact_turn_arrays(self.compiled)

    def depth_of(self, positions: Positions) -> int:
        """The open categories of both players."""
        return 2 * len(self.compiled.game.categories) - positions.depth

    def nowhere(self, layer: int) -> kernels.Curves:
        """The first state of a layer, for the kernels."""
        return no_curves(int(self.compiled.states.layer_start[layer]))

    def look_up(self, pairs: Layout, positions: Positions, low: int, high: int) -> FloatArray:
        """[position - low, outcome]: the mover's value of every outcome, from the pairs of one depth less."""
        value, groups = np.empty((high - low, self.model.outcomes)), positions.groups
        kernels.look_up_outcomes(
            self.model, self.nowhere(positions.layer + 1), pairs.pairs, groups.state, positions.rivals,
            positions.difference, low, high, value,
        )  # fmt: skip
        return value

    def after(self, positions: Positions) -> Layout:
        """The pairs after the turn, ready to be looked up."""
        table = self.endgames.tables[self.depth_of(positions) - 1]
        table.make_ready(np.unique(positions.rivals) - table.layout.pairs.mover)
        return table.layout

    def play(self, mover: BatchPlayer, rival: BatchPlayer, pool: ThreadPoolExecutor | None) -> None:
        """Play an optimal turn of all matches."""
        positions, table = Positions.of(mover, rival), mover.table(mover.played)
        after, nowhere = self.after(positions), self.nowhere(positions.layer + 1)

        def work(low: int, high: int) -> None:
            best = self.look_up(after, positions, low, high)
            kernels.play_best(self.model, nowhere, best, positions.groups, low, high, table)

        run_ranges(pool, work, 0, len(positions), STEP)
        mover.played += 1
