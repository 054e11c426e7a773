"""The values of many positions of two between turns, by search down to endgame tables.

The search is full-width: all rolls, keeps and categories of the turns above the tables. Positions in which the mover
has the same state are searched together, as lanes of the same turns. With one position at a time, most of the time
would be spent outside the kernels, where only one thread can work.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.matches.endgames import Endgames
from yatzy.matches.leaves import SheetSet
from yatzy.matches.reach import Plan, ReachableSheets, TurnModel, TurnSearch
from yatzy.names.payoffs import match_points

TOGETHER = 32
"""Positions that are searched together at most: those of two vectors."""

IntArray = npt.NDArray[np.int64]


class DeepSearch:
    """Searches positions of one game, in any number of threads."""

    def __init__(self, endgames: Endgames) -> None:
        self.endgames, self._model = endgames, TurnModel(endgames.compiled)
        self._reach = lru_cache(maxsize=64)(self._new_reach)

    def values(self, depth: int, mover: IntArray, opponent: IntArray, difference: IntArray) -> npt.NDArray[np.float64]:
        """[position]: the mover's match points before its turn; fastest for positions that are sorted by the mover.

        depth: the open categories of both players together; mover, opponent: states; difference: the opponent's points
        minus the mover's. Positions that the tables hold are looked up.
        """
        turns = depth - self.endgames.depth
        if turns <= 0:
            table = self.endgames.tables[depth]
            positions = zip(mover.tolist(), opponent.tolist(), difference.tolist(), strict=True)
            return np.array([table.value(*one) for one in positions], np.float64)
        search = TurnSearch(None, self._model, match_points(2), Plan(turns, tables=True, exact=True), self.endgames)
        found = np.empty(len(mover), np.float64)
        begin = 0
        for end in (np.flatnonzero(np.diff(mover, append=-1)) + 1).tolist():
            for first in range(begin, end, TOGETHER):
                part = slice(first, min(first + TOGETHER, end))
                found[part] = self._together(search, int(mover[first]), opponent[part], difference[part])
            begin = end
        return found

    def _together(
        self, search: TurnSearch, mover: int, opponent: IntArray, difference: IntArray
    ) -> npt.NDArray[np.float32]:
        """Positions of one state of the mover."""
        points = max(0, -int(difference.min()))  # of the mover, so that no opponent has less than none
        mine = self._reach(mover)
        others = ReachableSheets(self._model, SheetSet(opponent, (difference + points).astype(np.int32)))
        after = search.values([mine.from_level(1, points), others], 1).reshape(-1, len(opponent))
        lanes = np.zeros((1, len(after), -(-len(opponent) // kernels.SINGLE_LANES) * kernels.SINGLE_LANES), np.float32)
        lanes[0, :, : len(opponent)] = after
        return np.asarray(self._model.back_up(mine, 0, lanes, None)[0, 0, : len(opponent)])

    def _new_reach(self, state: int) -> ReachableSheets:
        return ReachableSheets(self._model, SheetSet(np.array([state], np.int64), np.zeros(1, np.int32)))
