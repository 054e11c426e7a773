"""How large the optimum for two is: pairs of sheets, and the differences to store with each of them.

Between turns the mover has filled as many categories as the opponent or one fewer. Let x be the opponent's points less
the mover's. A pair of sheets needs a value for every x that can occur and at which the game is still open. With
p⁻ … p⁺ the points that a sheet of this state can have made, bonuses included, and o⁻ … o⁺ those still to come,

    x can occur          p⁻(opponent) − p⁺(mover) ≤ x ≤ p⁺(opponent) − p⁻(mover)
    the game is open     o⁻(mover) − o⁺(opponent) ≤ x ≤ o⁺(mover) − o⁻(opponent)

and all x in both intervals are counted, those between that no play leads to as well. A tie counts as open.

A turn can end with any roll in any category that may take it, so that over the moves (gain g, next state s')

    o⁻(s) = min g + o⁻(s'),  o⁺(s) = max g + o⁺(s'),  p⁻(s') = min p⁻(s) + g,  p⁺(s') = max p⁺(s) + g

with 0 at the full sheets and at the start. States are merged: the sums of an upper class have all moves and gains in
common, so o is one for all of them, and p runs over the smallest interval that covers them all.

The points of two sheets do not depend on each other, so sheets that agree in (o⁻, o⁺, p⁻, p⁺) are one kind, and only
pairs of kinds are looked at. The counts are those of J. Pawlewicz, "Nearly optimal computer play in multi-player
Yahtzee" (2010).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from yatzy.games import Game
from yatzy.kernels.counting import PlainGains, Ranges, count_open, fill_made, fill_to_come
from yatzy.kernels.curves import Curves
from yatzy.model import CompiledGame, compile_game
from yatzy.values.arrays import turn_arrays
from yatzy.values.tables import Progress

NEVER_LEAST, NEVER_MOST = 2**30, -(2**30)
"""The least and the most of nothing; no game pays as much."""


@dataclass(frozen=True, eq=False)
class PointRanges:
    """The points that every state can still make and can have made.

    A state that no play reaches has `least_made > most_made`.
    """

    least_to_come: npt.NDArray[np.int32]
    """[state]"""
    most_to_come: npt.NDArray[np.int32]
    """[state]"""
    least_made: npt.NDArray[np.int32]
    """[state]: bonuses included, over all upper sums of the class"""
    most_made: npt.NDArray[np.int32]
    """[state]"""

    def open_differences(self, mover: int, opponent: int) -> range:
        """The differences (opponent's points less mover's) to store for a pair of states."""
        o_least, o_most, p_least, p_most = (array[[mover, opponent]].tolist() for array in self.arrays)
        low = max(o_least[0] - o_most[1], p_least[1] - p_most[0])
        high = min(o_most[0] - o_least[1], p_most[1] - p_least[0])
        return range(low, max(high + 1, low))

    @property
    def arrays(self) -> tuple[npt.NDArray[np.int32], ...]:
        """o⁻, o⁺, p⁻, p⁺, each by state."""
        return self.least_to_come, self.most_to_come, self.least_made, self.most_made


@dataclass(frozen=True, slots=True)
class PairCount:
    """The pairs of sheets with so many filled categories, and the values to store for them."""

    mover: int
    """Filled categories of the player to move."""
    opponent: int
    pairs: int
    values: int


@dataclass(frozen=True)
class MatchCounts:
    """How large the optimum for two players of a game is."""

    game: Game
    rows: tuple[PairCount, ...]
    """From two full sheets to the start: depth 0, 1, 2, …"""

    @property
    def pairs(self) -> int:
        """All pairs of sheets."""
        return sum(row.pairs for row in self.rows)

    @property
    def values(self) -> int:
        """All values to store."""
        return sum(row.values for row in self.rows)

    def depth(self, row: PairCount) -> int:
        """Open categories of both players together."""
        return 2 * len(self.game.categories) - row.mover - row.opponent

    def depth_rows(self, depth: int) -> tuple[PairCount, ...]:
        """The rows of the endgame: at most so many open categories of both together."""
        return tuple(row for row in self.rows if self.depth(row) <= depth)

    def up_to_depth(self, depth: int) -> tuple[int, int]:
        """Pairs and values of the endgame."""
        rows = self.depth_rows(depth)
        return sum(row.pairs for row in rows), sum(row.values for row in rows)

    def size(self, dtype: npt.DTypeLike = np.float64, depth: int | None = None) -> int:
        """The bytes that the values take, all of them or those of the endgame."""
        values = self.values if depth is None else self.up_to_depth(depth)[1]
        return values * np.dtype(dtype).itemsize


def point_ranges(compiled: CompiledGame) -> PointRanges:
    """The points to come and the points made, least and most, of every state."""
    made, to_come = _nothing(len(compiled.states)), _nothing(len(compiled.states))
    model, plain = turn_arrays(compiled), _plain_gains(compiled)
    nowhere = Curves(0, np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros(0))
    made.least[0] = made.most[0] = 0
    last = int(compiled.states.layer_start[-2])
    to_come.least[last:] = to_come.most[last:] = 0
    blocks = np.searchsorted(compiled.states.block_start, compiled.states.layer_start)
    layers = list(pairwise(blocks[:-1].tolist()))
    for low, high in layers:
        fill_made(model, nowhere, plain, low, high, made)
    for low, high in reversed(layers):
        fill_to_come(model, nowhere, plain, low, high, to_come)
    return PointRanges(to_come.least, to_come.most, made.least, made.most)


def _nothing(states: int) -> Ranges:
    return Ranges(np.full(states, NEVER_LEAST, np.int32), np.full(states, NEVER_MOST, np.int32))


def _plain_gains(compiled: CompiledGame) -> PlainGains:
    """The least and the most that any roll without a Joker brings to each row of what follows."""
    placing, rows = compiled.placing, compiled.placing.rows
    row = placing.exact_row[placing.exact_row < rows.joker]
    option = row >= rows.option
    gain = np.zeros(len(row), np.int32)
    gain[option] = placing.option_points[row[option] - rows.option]
    to = row.copy()
    to[option] = placing.option_source[row[option] - rows.option]
    least, most = _nothing(rows.zero)
    np.minimum.at(least, to, gain)
    np.maximum.at(most, to, gain)
    return PlainGains(least, most)


@dataclass(frozen=True, eq=False)
class _Kinds:
    """The different quadruples (o⁻, o⁺, p⁻, p⁺) of a layer."""

    points: npt.NDArray[np.int32]
    """[kind, number of the quadruple]"""
    weight: npt.NDArray[np.int64]
    """[kind]: how many states have it"""

    @property
    def states(self) -> int:
        return int(self.weight.sum())


def count_match(game: Game, progress: Progress | None = None) -> MatchCounts:
    """Count the pairs of sheets and the values of the optimum for two.

    States that no play reaches (there are some with a single die) are left out.
    """
    compiled = compile_game(game)
    ranges, start = point_ranges(compiled), compiled.states.layer_start
    kinds = [_kinds(ranges, slice(low, high)) for low, high in pairwise(start.tolist())]
    pairs = [(layer, other) for layer in range(compiled.states.layers) for other in (layer, layer + 1)][:-1]
    total = sum(len(kinds[mover].weight) * len(kinds[opponent].weight) for mover, opponent in pairs)
    rows, done = [], 0
    for mover, opponent in reversed(pairs):
        if progress is not None:
            progress(done, total)
        rows.append(_count_pairs(mover, opponent, kinds[mover], kinds[opponent]))
        done += len(kinds[mover].weight) * len(kinds[opponent].weight)
    if progress is not None:
        progress(done, total)
    return MatchCounts(game, tuple(rows))


def _kinds(ranges: PointRanges, layer: slice) -> _Kinds:
    o_least, o_most, p_least, p_most = (array[layer] for array in ranges.arrays)
    reached = p_least <= p_most
    # Two by two, so that each key fits 64 bits whatever the points.
    o, o_of = np.unique(_paired(o_least[reached], o_most[reached]), return_inverse=True)
    p, p_of = np.unique(_paired(p_least[reached], p_most[reached]), return_inverse=True)
    both, weight = np.unique(o_of * len(p) + p_of, return_counts=True)
    of_o, of_p = o[both // len(p)], p[both % len(p)]
    points = np.stack([of_o >> 32, of_o & 0xFFFFFFFF, of_p >> 32, of_p & 0xFFFFFFFF], axis=1)
    return _Kinds(points.astype(np.int32), weight.astype(np.int64))


def _paired(least: npt.NDArray[np.int32], most: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return least.astype(np.int64) << 32 | most.astype(np.int64)


def _count_pairs(filled: int, opponent_filled: int, mover: _Kinds, opponent: _Kinds) -> PairCount:
    values = np.empty(len(mover.weight), np.int64)
    count_open(mover.points, opponent.points, opponent.weight, values)
    # Against one kind of mover the sum stays below 2^50; over all of them it may pass 2^63.
    total = sum(map(int.__mul__, mover.weight.tolist(), values.tolist()))
    return PairCount(filled, opponent_filled, mover.states * opponent.states, total)
