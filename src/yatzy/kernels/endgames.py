"""Optimal two-player endgames: the values of a pair of states for all score differences, one vector at a time.

Let V_ab(x) be the best expected match points of a mover in state a whose opponent, in state b, is x points ahead, and

    W_ab(x) = 1 − V_ab(−x)

the same from the view of the waiting player, who is x points behind. When the mover scores p points and reaches state
a', the mover becomes the waiting player, x − p points behind. So V_ab is an ordinary turn on the functions
W_ba'(x − p), and W is what is stored. Like the curves of chances, W never rises, is 1 below its window and 0 above it,
and is shifted by scoring, so rows are filled with the same code. A pair of states depends only on pairs with one open
category less.

The window of a pair is that of matches/counting.py, seen from the waiting side. Outside it either the game is decided
or the difference cannot occur. An impossible difference is read only when 0 is written where the dice would pay, which
is never better; the value read there is 0, so the move is never chosen.

Cost: with five dice and three rolls, a value takes 5,292 operations in the sweeps and about 230 for the best of the one
or two open categories. Each value is written once (4 bytes). A vector of 32 values reads 30 to 60 pieces of functions,
mostly from cache: about 200 bytes a value, or 1 GB/s. So the kernel is bound by arithmetic. A core with AVX2 does at
most 2.2 · 10¹⁰ additions or maxima of doubles a second and, with rows in the L2 cache, reaches about 70 % of that
number in singles: 2.8 million values a second (measured; the curves reach the same). Depth 4 of Yahtzee, 4.5 · 10⁸
values, takes 160 seconds on one core.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves, fill_rows, find_sources
from yatzy.kernels.turn import TurnArrays, best_placements, open_rows, sweep_turn
from yatzy.kernels.vectors import aligned, row_base

ANY_LENGTH = 2**40
"""Nominal length of arrays known only by their address, large enough that bounds checks never fail."""


class Pairs(NamedTuple):
    """The pairs of one depth; pair = (mover − first mover) · opponents + opponent − first opponent."""

    mover: int
    """The first state of the mover's layer."""
    opponent: int
    """The first state of the opponent's layer."""
    opponents: int
    """The number of states in the opponent's layer."""
    least_to_come: Any
    """int32[state]; this and the next three cover the states of all layers"""
    most_to_come: Any
    """int32[state]"""
    least_made: Any
    """int32[state]"""
    most_made: Any
    """int32[state]"""
    within: Any
    """uint32[pair]: the offset of its window in the values of its mover"""
    address: Any
    """int64[mover]: the memory address of the mover's values; 0 if they are not loaded"""


@intrinsic
def _singles(_context: Any, address: Any) -> Any:
    """The pointer to single-precision numbers at an address."""

    def emit(_c: Any, builder: Any, _s: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], ir.FloatType().as_pointer())

    return types.CPointer(types.float32)(types.int64), emit


@njit(cache=True, nogil=True, error_model="numpy")
def waiting_window(pairs: Pairs, mover: int, opponent: int) -> Any:
    """The first difference of W that is stored for a pair, and the number of stored differences.

    If that number is 0, the mover loses at every difference below the first and wins at all others.
    """
    low = max(
        pairs.least_to_come[opponent] - pairs.most_to_come[mover],
        pairs.least_made[mover] - pairs.most_made[opponent],
    )
    high = min(
        pairs.most_to_come[opponent] - pairs.least_to_come[mover],
        pairs.most_made[mover] - pairs.least_made[opponent],
    )
    return min(low, high + 1), max(high - low + 1, 0)


@njit(cache=True, nogil=True, error_model="numpy")
def fill_within(pairs: Pairs, length: Any) -> None:
    """Lay out the windows of every mover contiguously: fill `pairs.within` and the number of values of each mover.

    length: int64[mover]
    """
    pair = 0
    for mover in range(len(length)):
        begin = 0
        for opponent in range(pairs.opponents):
            pairs.within[pair] = begin
            begin += waiting_window(pairs, pairs.mover + mover, pairs.opponent + opponent)[1]
            pair += 1
        length[mover] = begin


@njit(cache=True, nogil=True, error_model="numpy")
def solve_pairs(
    model: TurnArrays, after: Pairs, here: Pairs, low: int, high: int, block: int, start: Any, value: Any
) -> None:
    """Fill the windows of pairs low … high; `block` is the block of the first mover.

    after: the pairs with one open category less, all with an address; start: int64[mover], the offset of its values in
    value: float32[…].
    """
    lanes = model.lanes
    rows = aligned(model.rows * lanes, np.float32)
    base, scratch = row_base(rows), np.empty(lanes, np.float32)
    sources = model.zero_row - model.upper_row
    state, shift = np.empty(sources, np.int64), np.empty(sources, np.int32)
    # The functions that the rows read, stored as curves: row r reads curve 2 · r, which ends where 2 · r + 1 begins.
    source = np.empty(sources, np.int64)
    first, offset = np.zeros(2 * sources, np.int32), np.zeros(2 * sources + 1, np.int64)
    roll_row, roll_start = np.empty_like(model.roll_row), np.empty_like(model.roll_start)
    last = -1
    for pair in range(low, high):
        mover, opponent = pair // here.opponents, here.opponent + pair % here.opponents
        values = carray(_singles(after.address[opponent - after.mover]), ANY_LENGTH)
        curves = Curves(0, first, offset, values)
        if mover != last:
            last = mover
            while here.mover + mover >= model.block_start[block + 1]:
                block += 1
            find_sources(model, curves, block, here.mover + mover - model.block_start[block], state, shift)
            open_rows(model, state, roll_row, roll_start)
            for row in range(sources):
                source[row] = 2 * row if state[row] >= 0 else -1
            rows[model.upper_row * lanes :] = -np.inf
        begin, length = waiting_window(here, here.mover + mover, opponent)
        if length == 0:
            continue
        for row in range(sources):
            if state[row] >= 0:
                first[2 * row], size = waiting_window(after, opponent, state[row])
                offset[2 * row] = after.within[(opponent - after.mover) * after.opponents + state[row] - after.opponent]
                offset[2 * row + 1] = offset[2 * row] + size
        # The mover's differences ascend from −(begin + length − 1), so W is written from its end downwards.
        to = start[mover] + here.within[pair] + length - 1
        for done in range(0, length, lanes):
            fill_rows(model, curves, block, source, shift, 1 - begin - length + done, base, scratch)
            best_placements(model, roll_row, roll_start, base)
            sweep_turn(model, base, None)
            for i in range(min(lanes, length - done)):
                value[to - done - i] = np.float32(1.0) - rows[i]


@njit(cache=True, nogil=True, error_model="numpy")
def look_up(pairs: Pairs, movers: Any, opponents: Any, difference: Any, out: Any) -> None:
    """The mover's expected match points for every mover and every opponent.

    movers: int64[n], opponents: int64[m], difference: int32[n, m], the opponent's points minus the mover's;
    out: float32[n, m]
    """
    for i in range(len(movers)):
        row = movers[i] - pairs.mover
        values = carray(_singles(pairs.address[row]), ANY_LENGTH)
        for j in range(len(opponents)):
            first, length = waiting_window(pairs, movers[i], opponents[j])
            at = -difference[i, j] - first
            if at < 0:
                out[i, j] = 0.0
            elif at >= length:
                out[i, j] = 1.0
            else:
                begin = pairs.within[row * pairs.opponents + opponents[j] - pairs.opponent]
                out[i, j] = np.float32(1.0) - values[begin + at]
