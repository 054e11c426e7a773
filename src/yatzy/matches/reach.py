"""Searches whole turns of a match: the sheets each player can reach, and their values played back to the present.

No player changes another's sheet, so a search of d turns needs only *sets*: the sheets that each player can have after
k turns. From the start of Yahtzee a set has about 120 members after one turn and 8,000 after two. The leaves are all
combinations of members and are evaluated with matrix products (leaves.py). Then the turns are played back, last one
first, each for all sheets before it and, in lanes, for all combinations of the others' sheets:

    V(sheet before, lane) = the turn of its player q, in which every ending is worth V(sheet after, lane)

With two players and a constant sum one value is enough: q maximises it, or the sum minus it. The same holds if all
others play against the searching player (`Plan.against`): the one value is that player's, and everyone else minimises
it. Otherwise everyone plays for themselves: the values of all players who move are carried, and q chooses by its own.
Moves of equal value to q may differ for the others: q takes the one that is worst for the searching player, and the
searching player the one that is worst for the next player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import SizeError
from yatzy.matches.leaves import Leaves, SheetCurves, SheetSet
from yatzy.model import CompiledGame
from yatzy.names.payoffs import Payoff
from yatzy.values.arrays import turn_arrays
from yatzy.values.curves import BestChances
from yatzy.values.goals import no_curves
from yatzy.values.threads import physical_memory, run_ranges, worker_pool

CHUNK = 512
"""Lanes evaluated together."""
ENVY = 1e-8
"""The weight of another player's value in breaking ties between moves."""

FloatArray = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """How to search a position."""

    depth: int
    by_target: bool = False
    tables: bool = False
    """Whether the leaves are evaluated with exact endgames"""
    exact: bool = False
    against: bool = False
    """Whether the others minimise the payoff of the searching player instead of maximising their own"""


class ExactValues(Protocol):
    """Exact endgames of two players for match points."""

    depth: int
    """The most open categories of both players together"""

    def lookup(
        self, movers: npt.NDArray[np.int64], opponents: npt.NDArray[np.int64], x: npt.NDArray[np.int32], /
    ) -> npt.NDArray[np.float32]:
        """[mover, opponent]: the value to the mover of each pair of states; x: opponent's points minus mover's."""
        ...


class TurnModel:
    """A game in the form used by the search kernels, in single and in double precision."""

    def __init__(self, compiled: CompiledGame) -> None:
        placing, keeps = compiled.placing, len(compiled.lattice.keeps)
        self.of_size = {}
        for size, lanes in ((4, kernels.SINGLE_LANES), (8, kernels.LANES)):
            # Every category with exactly its points: with several players, more points may be worse.
            offsets = ((placing.exact_row + keeps) * lanes).astype(np.uint32)
            model = turn_arrays(compiled, lanes)
            self.of_size[size] = model._replace(roll_row=offsets, roll_start=placing.exact_start)
        self._nowhere = no_curves(0)
        self.used = np.zeros(placing.rows.total, np.bool_)
        self.used[placing.exact_row] = True

    def next_level(self, sheets: SheetSet) -> tuple[npt.NDArray[np.int32], SheetSet]:
        """The sheets that one turn reaches: the links [sheet, outcome], and the sheets after the turn."""
        shape = (len(sheets), self.of_size[4].outcomes)
        to, points = np.empty(shape, np.int64), np.empty(shape, np.int32)
        kernels.find_next(self.of_size[4], self._nowhere, self.used, sheets.states, to, points)
        happens = to >= 0
        key = to[happens] << 32 | (points + sheets.points[:, None])[happens]
        members, which = np.unique(key, return_inverse=True)
        link = np.full(shape, -1, np.int32)
        link[happens] = which
        return link, SheetSet(members >> 32, (members & 0xFFFFFFFF).astype(np.int32))

    def back_up(
        self, reach: ReachableSheets, level: int, after: FloatArray, pool: ThreadPoolExecutor | None
    ) -> FloatArray:
        """Play a turn back: [channel, sheet after it, lane] to [channel, sheet before it, lane].

        The first channel decides the choices. The number of lanes must be a multiple of the vector width.
        """
        states, link = reach.levels[level].states, reach.links[level]
        model = self.of_size[after.itemsize]
        before = np.empty((len(after), len(states), after.shape[2]), after.dtype)

        def work(low: int, high: int) -> None:
            if len(after) == 1:
                kernels.back_up(model, states, link, after[0], low, high, before[0])
            else:
                kernels.back_up_all(model, states, link, after, low, high, before)

        run_ranges(pool, work, 0, len(states), max(1, 64 * 32 // after.shape[2]))
        return before

    def keep_values(self, reach: ReachableSheets, after: FloatArray, rolls_left: int) -> FloatArray:
        """[keep, lane]: the values of keeping dice in the first turn of the only sheet of a reach, with rolls left.

        after: [sheet after the turn, lane]. The number of lanes must be a multiple of the vector width.
        """
        model = self.of_size[after.itemsize]._replace(rerolls=rolls_left - 1)
        value = np.empty((model.keeps, after.shape[1]), after.dtype)
        kernels.keep_values(model, int(reach.levels[0].states[0]), reach.links[0][0], after, value)
        return value


class ReachableSheets:
    """The sheets that a player can have after 0, 1, 2, … more turns, and the links between them."""

    def __init__(self, model: TurnModel, sheets: SheetSet) -> None:
        self._model, self.levels = model, [sheets]
        self._working = Lock()  # a server calls from many threads
        self.links: list[npt.NDArray[np.int32]] = []
        """By level: int32[sheet, outcome], the index of the sheet in the next level, or -1 if it cannot happen."""

    def level(self, turns: int) -> SheetSet:
        """The sheets after this number of turns."""
        with self._working:
            while len(self.levels) <= turns:
                link, sheets = self._model.next_level(self.levels[-1])
                self.links.append(link)
                self.levels.append(sheets)
        return self.levels[turns]

    def from_level(self, turns: int, points: int) -> ReachableSheets:
        """The sheets from a level on, with more points so far. What is known is not computed again."""
        self.level(turns)
        with self._working:
            found = ReachableSheets(self._model, self.levels[turns])
            found.levels = [SheetSet(one.states, one.points + np.int32(points)) for one in self.levels[turns:]]
            found.links = self.links[turns:]
        return found


class TurnSearch:
    """Searches the turns after the present turn of the searching player, player 0, to the leaves of a plan."""

    def __init__(
        self,
        chances: BestChances | None,
        model: TurnModel,
        payoff: Payoff,
        plan: Plan,
        exact: ExactValues | None,
        curves_of: Callable[[SheetSet], SheetCurves] | None = None,
    ) -> None:
        """`chances` may be None if the leaves are exact.

        `curves_of` provides the curves of sheets, if several searches share them.
        """

        def read_curves(sheets: SheetSet) -> SheetCurves:
            assert chances is not None
            return SheetCurves(chances, sheets)

        self._model, self._payoff, self._plan = model, payoff, plan
        self._curves_of = curves_of or read_curves
        self._exact = exact if plan.tables else None
        self._constant = zero_sum(payoff)
        self._one_value = self._constant or plan.against
        self._total = payoff.values[0] + payoff.values[-1]
        """What one value and its opposite add up to; the sum of both payoffs if there are two players."""
        # One value in single precision, or one per moving player in double, to distinguish ties from rounding.
        self._dtype = np.float32 if self._one_value else np.float64
        self._channels = [0] if self._one_value else list(range(min(plan.depth, payoff.players)))

    def values(self, reaches: Sequence[ReachableSheets], threads: int) -> FloatArray:
        """[sheet that player 0 may have after the present turn]: its value to player 0.

        The reach of player 0 starts with these sheets, that of the others, in the order of play, with their present
        sheets.
        """
        players, depth = len(reaches), self._plan.depth
        levels = turns_of(players, depth)
        levels[0] -= 1
        sets = [reach.level(level) for reach, level in zip(reaches, levels, strict=True)]
        self._refuse_if_too_large([len(one) for one in sets])
        with worker_pool(threads if depth > 1 else 1) as pool:  # one turn is done before a thread has started
            q = (depth - 1) % players
            leaf = self._leaves(sets, q, pool)
            chunks = []
            lanes = prod(len(one) for i, one in enumerate(sets) if i != q)
            for first in range(0, lanes, CHUNK):
                size = min(CHUNK, lanes - first)
                value = leaf(np.minimum(np.arange(first, first + _padded(size)), lanes - 1))
                if depth > 1:
                    value = self._model.back_up(reaches[q], levels[q] - 1, value, pool)
                chunks.append(value[:, :, :size])
            if depth > 1:
                levels[q] -= 1
            shape = [len(reach.levels[level]) for reach, level in zip(reaches, levels, strict=True)]
            value = self._unfold(np.concatenate(chunks, axis=2), q, shape)
            for turn in range(depth - 2, 0, -1):
                q = turn % players
                folded = self._model.back_up(reaches[q], levels[q] - 1, self._fold(value, q), pool)
                levels[q] -= 1
                shape[q] = len(reaches[q].levels[levels[q]])
                value = self._unfold(folded, q, shape)
        return np.asarray(value[0].ravel(), np.float64)

    def _leaves(
        self, sets: Sequence[SheetSet], q: int, pool: ThreadPoolExecutor | None
    ) -> Callable[[npt.NDArray[np.int64]], FloatArray]:
        """The values of the leaves: a function of lanes that returns [channel with q's first, sheet of q, lane]."""
        exact, other = self._exact, sets[1 - q]
        if exact is not None:

            def look_up(lanes: npt.NDArray[np.int64]) -> FloatArray:
                x = sets[q].points - other.points[lanes][:, None]
                return np.ascontiguousarray(1 - exact.lookup(other.states[lanes], sets[q].states, x).T)[None]

            return look_up
        curves = [self._curves_of(one) for one in sets]
        by_target = self._plan.by_target and not self._plan.exact
        judge = Leaves(self._payoff, curves, q, by_target=by_target, dtype=self._dtype, pool=pool)
        if self._constant and by_target:  # the next player to move picks the target
            return lambda lanes: self._total - judge.values([1 - q], lanes)
        if self._constant:
            return lambda lanes: judge.values([q], lanes)
        if self._plan.against:
            return lambda lanes: self._total - judge.values([0], lanes) if q else judge.values([0], lanes)

        def judged(lanes: npt.NDArray[np.int64]) -> FloatArray:
            value = judge.values(self._channels, lanes)
            asking = value[0].copy()
            if len(value) > 1:
                value[0] -= ENVY * value[1]
                value[1:] -= ENVY * asking
            return value[self._first(q)]

        return judged

    def _first(self, q: int) -> list[int]:
        """The channels with q's first. Applying this permutation twice restores the order."""
        order = list(self._channels)
        order[0], order[q] = order[q], order[0]
        return order

    def _fold(self, value: FloatArray, q: int) -> FloatArray:
        """[channel, sheet of each player …] to [channel with q's first, sheet of q, lane], as q sees it."""
        folded = np.moveaxis(value, 1 + q, 1).reshape(len(value), value.shape[1 + q], -1)
        lanes = folded.shape[2]
        padded = np.zeros((*folded.shape[:2], _padded(lanes)), folded.dtype)
        if not self._one_value:
            folded = folded[self._first(q)]
        elif q:
            folded = self._total - folded
        padded[:, :, :lanes] = folded
        return padded

    def _unfold(self, folded: FloatArray, q: int, shape: Sequence[int]) -> FloatArray:
        """The inverse of `_fold`; `shape`: the number of sheets of each player."""
        others = [size for i, size in enumerate(shape) if i != q]
        folded = folded[:, :, : prod(others)].reshape(len(folded), shape[q], *others)
        if not self._one_value:
            folded = folded[self._first(q)]
        elif q:
            folded = self._total - folded
        return np.moveaxis(folded, 1, 1 + q)

    def _refuse_if_too_large(self, sizes: Sequence[int]) -> None:
        q = (self._plan.depth - 1) % len(sizes)
        lanes = prod(size for i, size in enumerate(sizes) if i != q)
        size = np.dtype(self._dtype).itemsize
        need = size * len(self._channels) * (sizes[q] * (1500 + CHUNK) + 2 * lanes)
        if need > physical_memory() // 2:
            raise SizeError(
                "searching {depth} turns for {count} players from here would take about {need:,.1f} GiB of memory;"
                " search fewer",
                depth=self._plan.depth,
                count=len(sizes),
                need=need / 2**30,
            )


def zero_sum(payoff: Payoff) -> bool:
    """Whether one player's gain is the other's loss, so that the others have no choice but to play against you."""
    return payoff.players == 2 and payoff.total is not None


def turns_of(players: int, depth: int) -> list[int]:
    """How many of the next turns belong to each player, starting with the player to move."""
    return [len(range(player, depth, players)) for player in range(players)]


def _padded(lanes: int) -> int:
    return -(-lanes // kernels.SINGLE_LANES) * kernels.SINGLE_LANES
