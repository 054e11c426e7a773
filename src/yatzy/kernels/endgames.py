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
or two open categories. The functions that follow the open categories are copied once for a pair of states: up to twelve
of some 300 numbers for 276 values on average, about 50 bytes read and written a value. From these copies a vector of 16
values reads 30 to 60 pieces, about 200 bytes a value, and each value is written once (4 bytes). So arithmetic decides.
On one core of an AMD EPYC 9004 that is busy with other work too, a value takes 150 ns: 95 in the sweeps, where the
limit is 83 (kernels/unrolled.py), 24 to 30 for the best categories, 5 for the rows and 10 for the copies. The rest is
the end of windows, whose last vector is half empty on average. Before the sweeps were written out, it took 235 ns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import SPAN, Curves, copy_function, fill_rows, find_pieces, find_sources, make_pieces
from yatzy.kernels.outcomes import find_outcomes
from yatzy.kernels.turn import TurnArrays, best_placements, open_rows, sweep_turn
from yatzy.kernels.vectors import aligned, broadcast, row_base, singles_at, store

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
def singles(_context: Any, address: Any) -> Any:
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
    model: TurnArrays, after: Pairs, here: Pairs, low: int, high: int, block: int, start: Any, value: Any,
    wanted: Any = None,
) -> None:  # fmt: skip
    """Fill the windows of pairs low … high; `block` is the block of the first mover.

    after: the pairs with one open category less, all with an address; start: int64[mover], the offset of its values in
    value: float32[…]; wanted: int32[pair, 2], the first and the last difference to fill, or None for whole windows.
    """
    lanes = model.lanes
    rows = aligned(model.rows * lanes, np.float32)
    sources = model.zero_row - model.upper_row
    state, shift = np.empty(sources, np.int64), np.empty(sources, np.int32)
    pieces = make_pieces(model)
    copies = aligned(sources * pieces.stride, np.float32)
    base = row_base(rows)
    nowhere = Curves(0, shift, state, copies)  # of which find_sources uses only that the first state is 0
    roll_row, roll_start = np.empty_like(model.roll_row), np.empty_like(model.roll_start)
    functions, last = 0, -1
    for pair in range(low, high):
        mover, opponent = pair // here.opponents, here.opponent + pair % here.opponents
        if mover != last:
            last = mover
            while here.mover + mover >= model.block_start[block + 1]:
                block += 1
            find_sources(model, nowhere, block, here.mover + mover - model.block_start[block], state, shift)
            open_rows(model, state, roll_row, roll_start)
            functions = find_pieces(model, block, state, pieces)
            for row in range(model.upper_row, model.rows):
                store(base, row * lanes, broadcast(base, -np.inf))
        begin, length = waiting_window(here, here.mover + mover, opponent)
        skip = np.int64(0)
        if wanted is not None:
            skip = np.int64(max(wanted[pair, 0] - begin, 0))
            length = min(length, wanted[pair, 1] - begin + 1) - skip
            begin += skip
        if length <= 0:
            continue
        values = singles_at(after.address[opponent - after.mover])
        within = (opponent - after.mover) * after.opponents - after.opponent
        # The mover's differences ascend from −(begin + length − 1), so W is written from its end downwards.
        to = start[mover] + here.within[pair] + skip + length - 1
        for done in range(0, length, SPAN):
            differences = min(SPAN, length - done)
            for function in range(functions):
                row, reach = pieces.row[function], pieces.reach[function]
                first, size = waiting_window(after, opponent, state[row])
                at, difference = after.within[within + state[row]], 1 - begin - length + done - shift[row] - reach
                copy_function(first, size, values, np.int64(at), difference, reach + -(-differences // lanes) * lanes,
                              row_base(copies), function * pieces.stride)  # fmt: skip
            for some in range(0, differences, lanes):
                fill_rows(model, pieces, row_base(copies), some, base)
                best_placements(model, roll_row, roll_start, base)
                sweep_turn(model, base, None)
                for i in range(min(lanes, differences - some)):
                    value[to - done - some - i] = np.float32(1.0) - rows[i]


@njit(cache=True, nogil=True, error_model="numpy")
def waiting_value(within: Any, values: Any, pair: int, first: int, length: int, behind: int) -> Any:
    """W of a pair when the opponent, who waits, is `behind` points behind.

    values: float32[…], those of the mover; first, length: the window of the pair
    """
    at = behind - first
    if at < 0:
        return np.float32(1.0)
    if at >= length:
        return np.float32(0.0)
    return values[within[pair] + at]


@njit(cache=True, nogil=True, error_model="numpy")
def look_up(pairs: Pairs, movers: Any, opponents: Any, difference: Any, out: Any) -> None:
    """The mover's expected match points for every mover and every opponent.

    movers: int64[n], opponents: int64[m], difference: int32[n, m], the opponent's points minus the mover's;
    out: float32[n, m]
    """
    for i in range(len(movers)):
        row = movers[i] - pairs.mover
        values = carray(singles(pairs.address[row]), ANY_LENGTH)
        for j in range(len(opponents)):
            first, length = waiting_window(pairs, pairs.mover + row, opponents[j])
            pair = row * pairs.opponents + opponents[j] - pairs.opponent
            out[i, j] = np.float32(1.0) - waiting_value(pairs.within, values, pair, first, length, -difference[i, j])


@njit(cache=True, nogil=True, error_model="numpy")
def look_up_outcomes(
    model: TurnArrays, nowhere: Curves, after: Pairs, states: Any, rivals: Any, difference: Any, low: int, high: int,
    value: Any,
) -> None:  # fmt: skip
    """Read the mover's values of the outcomes of positions low … high.

    nowhere: the next layer of the mover; after: the pairs in which the rival is to move; states, rivals:
    int64[position]; difference: int32[position], the rival's points minus the mover's; value: float64[position - low,
    outcome], minus infinity where an outcome is closed.
    """
    to, points = np.empty(model.outcomes, np.int64), np.empty(model.outcomes, np.int32)
    bonus = np.empty(model.outcomes, np.bool_)
    for position in range(low, high):
        block = np.searchsorted(model.block_start, states[position], side="right") - 1
        find_outcomes(model, nowhere, block, states[position] - model.block_start[block], to, points, bonus)
        rival = rivals[position]
        row = rival - after.mover
        values = carray(singles(after.address[row]), ANY_LENGTH)
        last, first, length, pair = -1, 0, 0, np.int64(0)
        for outcome in range(model.outcomes):
            if to[outcome] < 0:
                value[position - low, outcome] = -np.inf
                continue
            if to[outcome] != last:
                last = to[outcome]
                first, length = waiting_window(after, rival, nowhere.first + last)
                pair = row * after.opponents + nowhere.first + last - after.opponent
            behind = difference[position] - points[outcome]
            value[position - low, outcome] = waiting_value(after.within, values, pair, first, length, behind)
