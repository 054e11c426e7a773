"""The optimum of two near the end: for all differences of a pair of states, LANES of them at a time.

Let V_ab(x) be the best expected match points of a mover in state a whose opponent, in state b, is x points ahead, and

    W_ab(x) = 1 − V_ab(−x)

the same seen by the player who waits and is x points behind. Scoring p points and going over to a' makes the mover the
one who waits, x − p points behind: V_ab is an ordinary turn on the functions W_ba'(x − p), and W is what is stored.
W never rises, is 1 below its window and 0 above it, and scoring shifts it, just as the curves of chances are and do; so
the rows are filled as theirs. A pair of states needs only pairs with one open category less.

The window of a pair is that of match/counting.py, seen from the waiting side. Outside of it the game is decided, or
the difference cannot occur. The latter is asked for only by writing 0 where the dice would pay, never better:
what is read then is 0, so that it is never taken.

Work: a value of a game with five dice and three rolls takes 5,292 operations of the sweeps and about 230 for the best
of the one or two open categories. It is written once, 4 bytes; the pieces of functions that 32 values at a time come
from, some 30 to 60, are read from the caches mostly, about 200 bytes a value or 1 GB a second. So arithmetic decides:
a core with AVX2 does 2.2 · 10¹⁰ additions or maxima of doubles a second at best and, rows being in the second-level
cache, about 70 % of that number in singles, which is 2.8 million values (measured; as curves do). Depth 4 of Yahtzee,
4.5 · 10⁸ values, takes 160 seconds of one core.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import carray, njit, types
from numba.extending import intrinsic

from yatzy.kernels.curves import Curves, fill_rows, find_sources
from yatzy.kernels.turn import TurnArrays, best_placements, open_rows, sweep_turn
from yatzy.kernels.vectors import aligned, row_base

ANY_LENGTH = 2**40
"""For arrays known by their address alone: bounds checks must not stop at a length that was made up."""


class Pairs(NamedTuple):
    """The pairs of one depth; pair = (mover − first mover) · opponents + opponent − first opponent."""

    mover: int
    """The first state of the mover's layer."""
    opponent: int
    """The first state of the opponent's layer."""
    opponents: int
    """The states of the opponent's layer."""
    least_to_come: Any
    """int32[state]; these four are of all states"""
    most_to_come: Any
    """int32[state]"""
    least_made: Any
    """int32[state]"""
    most_made: Any
    """int32[state]"""
    within: Any
    """uint32[pair]: where its window begins among the values of its mover"""
    address: Any
    """int64[mover]: where the values of a mover lie in memory; 0 if they have not been asked for"""


@intrinsic
def _singles(_context: Any, address: Any) -> Any:
    """The pointer to single-precision numbers at an address."""

    def emit(_c: Any, builder: Any, _s: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], ir.FloatType().as_pointer())

    return types.CPointer(types.float32)(types.int64), emit


@njit(cache=True, nogil=True, error_model="numpy")
def waiting_window(pairs: Pairs, mover: int, opponent: int) -> Any:
    """The first difference of W that is stored for a pair, and how many there are.

    Where there are none, differences below the first are lost for the mover and the others won.
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
    """Lay the windows of every mover one behind the other: `pairs.within`, and how many values each mover has.

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
    """Fill the windows of pairs low … high; `block` is that of the first mover.

    after: the pairs of one open category less, all with an address; start: int64[mover], where its values begin in
    value: float32[…].
    """
    lanes = model.lanes
    rows = aligned(model.rows * lanes, np.float32)
    base, scratch = row_base(rows), np.empty(lanes, np.float32)
    sources = model.zero_row - model.upper_row
    state, shift = np.empty(sources, np.int64), np.empty(sources, np.int32)
    # The functions that rows come from, as curves: row r is curve 2 · r, which ends where 2 · r + 1 begins.
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
        # The mover's difference runs from −(begin + length − 1) up, and W from its end down.
        to = start[mover] + here.within[pair] + length - 1
        for done in range(0, length, lanes):
            fill_rows(model, curves, block, source, shift, 1 - begin - length + done, base, scratch)
            best_placements(model, roll_row, roll_start, base)
            sweep_turn(model, base)
            for i in range(min(lanes, length - done)):
                value[to - done - i] = np.float32(1.0) - rows[i]


@njit(cache=True, nogil=True, error_model="numpy")
def look_up(pairs: Pairs, movers: Any, opponents: Any, difference: Any, out: Any) -> None:
    """The mover's expected match points for every mover and every opponent.

    movers: int64[n], opponents: int64[m], difference: int32[n, m], the opponent's points less the mover's;
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
