"""The size of the optimal solution for two players: pairs of sheets, and the score differences stored for each pair.

Between turns the mover has filled the same number of categories as the opponent, or one fewer. Let x be the opponent's
points minus the mover's. A pair of sheets needs a value for every x that can occur and at which the result is still
open. Let p⁻ … p⁺ be the range of points that a sheet in this state can have scored, bonuses included, and o⁻ … o⁺ the
range of points still to come. Then

    x can occur          p⁻(opponent) − p⁺(mover) ≤ x ≤ p⁺(opponent) − p⁻(mover)
    the game is open     o⁻(mover) − o⁺(opponent) ≤ x ≤ o⁺(mover) − o⁻(opponent)

Every x in both intervals is counted, including values in between that no play reaches. A tie counts as open.

A turn can end with any roll in any category that allows it. Over the moves (gain g, next state s')

    o⁻(s) = min g + o⁻(s'),  o⁺(s) = max g + o⁺(s'),  p⁻(s') = min p⁻(s) + g,  p⁺(s') = max p⁺(s) + g

with 0 for full sheets and at the start. States are merged: all sums of an upper class have the same moves and gains,
so they share o, and p is the smallest interval that covers them all.

The points of the two sheets are independent, so sheets with equal (o⁻, o⁺, p⁻, p⁺) form one kind, and only pairs of
kinds are counted. The counts agree with those of J. Pawlewicz, "Nearly optimal computer play in multi-player
Yahtzee" (2010).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.model import CompiledGame, compile_game
from yatzy.values.arrays import turn_arrays
from yatzy.values.goals import no_curves
from yatzy.values.resources import Progress

NEVER_LEAST, NEVER_MOST = 2**30, -(2**30)
"""Start values for a running minimum and maximum; no game scores this many points."""


@dataclass(frozen=True, eq=False)
class PointRanges:
    """The range of points that each state can still score and can already have scored.

    For a state that no play reaches, `least_made > most_made`.
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
        """The score differences (opponent's points minus mover's) to store for a pair of states."""
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
    """The pairs of sheets with given numbers of filled categories, and the number of values to store for them."""

    mover: int
    """Filled categories of the player to move."""
    opponent: int
    pairs: int
    values: int


@dataclass(frozen=True)
class MatchCounts:
    """The size of the optimal solution for two players of a game."""

    game: Game
    rows: tuple[PairCount, ...]
    """In order of depth 0, 1, 2, …: from two full sheets back to the start."""

    @property
    def pairs(self) -> int:
        """The number of pairs of sheets."""
        return sum(row.pairs for row in self.rows)

    @property
    def values(self) -> int:
        """The number of values to store."""
        return sum(row.values for row in self.rows)

    def depth(self, row: PairCount) -> int:
        """The number of open categories of both players together."""
        return 2 * len(self.game.categories) - row.mover - row.opponent

    def depth_rows(self, depth: int) -> tuple[PairCount, ...]:
        """The rows with at most `depth` open categories of both players together."""
        return tuple(row for row in self.rows if self.depth(row) <= depth)

    def up_to_depth(self, depth: int) -> tuple[int, int]:
        """The number of pairs and of values up to this depth."""
        rows = self.depth_rows(depth)
        return sum(row.pairs for row in rows), sum(row.values for row in rows)

    def size(self, dtype: npt.DTypeLike = np.float64, depth: int | None = None) -> int:
        """The size of the values in bytes, in total or up to a depth."""
        values = self.values if depth is None else self.up_to_depth(depth)[1]
        return values * np.dtype(dtype).itemsize


def point_ranges(compiled: CompiledGame) -> PointRanges:
    """The minimum and maximum of the points to come and of the points scored, for every state."""
    made, to_come = _nothing(len(compiled.states)), _nothing(len(compiled.states))
    model, plain = turn_arrays(compiled), _plain_gains(compiled)
    nowhere = no_curves(0)
    made.least[0] = made.most[0] = 0
    last = int(compiled.states.layer_start[-2])
    to_come.least[last:] = to_come.most[last:] = 0
    blocks = np.searchsorted(compiled.states.block_start, compiled.states.layer_start)
    layers = list(pairwise(blocks[:-1].tolist()))
    for low, high in layers:
        kernels.fill_made(model, nowhere, plain, low, high, made)
    for low, high in reversed(layers):
        kernels.fill_to_come(model, nowhere, plain, low, high, to_come)
    return PointRanges(to_come.least, to_come.most, made.least, made.most)


def _nothing(states: int) -> kernels.Ranges:
    return kernels.Ranges(np.full(states, NEVER_LEAST, np.int32), np.full(states, NEVER_MOST, np.int32))


def _plain_gains(compiled: CompiledGame) -> kernels.PlainGains:
    """The least and the most points that any roll without a Joker adds, by row of the following state."""
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
    return kernels.PlainGains(least, most)


@dataclass(frozen=True, eq=False)
class _Kinds:
    """The distinct quadruples (o⁻, o⁺, p⁻, p⁺) of a layer."""

    points: npt.NDArray[np.int32]
    """[kind, index in the quadruple]"""
    weight: npt.NDArray[np.int64]
    """[kind]: the number of states of this kind"""

    @property
    def states(self) -> int:
        return int(self.weight.sum())


def check_depth(game: Game, depth: int) -> int:
    """The depth, refused if two sheets of the game have fewer categories."""
    most = 2 * len(game.categories)
    if not 0 <= depth <= most:
        raise InputError(
            "depth: {depth} is not from 0 to {most}, the categories of two sheets of {game}",
            depth=depth,
            most=most,
            game=game.id,
        )
    return depth


def count_match(game: Game, progress: Progress | None = None) -> MatchCounts:
    """Count the pairs of sheets and the values of the optimal solution for two players.

    States that no play reaches (some exist with a single die) are left out.
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
    # Paired in two steps, so that each key fits into 64 bits for any number of points.
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
    kernels.count_open(mover.points, opponent.points, opponent.weight, values)
    # For one kind of mover the sum stays below 2^50; the total may exceed 2^63, so it is summed with Python integers.
    total = sum(map(int.__mul__, mover.weight.tolist(), values.tolist()))
    return PairCount(filled, opponent_filled, mover.states * opponent.states, total)
