"""The best chance of at least s more points, for all s of a state, many scores at a time.

A state stores P(s) for its window low ≤ s ≤ high; below the window P is 1, above it 0. After scoring p points the next
state is read at s − p, so the rows of a turn are shifted pieces of the next layer's curves. The sweeps of the turn are
the same as for expected scores.

Cost of `yatzy`, with 173 values a state on average: 188 ns a value on one core of an AMD EPYC 9004 that is busy with
other work too. Of these the sweeps take about 98, the best placements 50 to 75, filling the rows 5, and what is
prepared once for a state 32: the copies of up to 45 functions, and the open rows of every roll. When each of up to 130
rows looked for the end of its window, and the sweeps were not written out, it took 290 ns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.turn import TurnArrays, best_placements, joker_context, open_rows, sweep_turn
from yatzy.kernels.vectors import (
    LANES,
    advance,
    aligned,
    broadcast,
    copy_number,
    lane_count,
    load_for,
    load_indexed,
    maximum,
    row_base,
    store,
    store_indexed,
)


class Curves(NamedTuple):
    """The curves of one layer."""

    first: int
    """The first state of the layer."""
    low: Any
    """int32[state of the layer]"""
    offset: Any
    """int64[state of the layer + 1]: where the window begins in `chance`; its length determines `high`"""
    chance: Any
    """float32 or float64[value]"""


@njit(cache=True, nogil=True, error_model="numpy")
def find_sources(model: TurnArrays, after: Curves, block: int, rank: int, source: Any, shift: Any) -> None:
    """For one state, find the next layer's curve that each row reads (-1 if closed) and the points the row adds.

    source: int64[row], shift: int32[row]; rows are counted from the first upper row.
    """
    u, box, size = model.block[block, 0], model.block[block, 1], model.block[block, 2]
    source[:] = -1
    shift[:] = 0
    for slot in range(model.slots):
        for count in range(model.counts):
            to = model.upper_next[u, slot, count]
            if to >= 0 and model.start[to, box, size] >= 0:
                row = slot * model.counts + count
                source[row] = model.start[to, box, size] + rank - after.first
                shift[row] = model.upper_shift[u, slot, count]
    if size < model.rest and model.start[u, box, size + 1] >= 0:
        for category in range(model.rest):
            to = model.rest_next[category, model.rest_first[size] + rank]
            if to >= 0:
                source[model.rest_row - model.upper_row + category] = model.start[u, box, size + 1] + to - after.first
    if model.jokers and box == 0:
        for status in range(1, 3):
            if model.start[u, status, size] >= 0:
                source[model.box_row - model.upper_row + status - 1] = model.start[u, status, size] + rank - after.first


@njit(cache=True, nogil=True, error_model="numpy")
def top_of(curves: Curves, curve: int) -> int:
    """The highest score with a chance above 0."""
    return curves.low[curve] + curves.offset[curve + 1] - curves.offset[curve] - 1


@njit(cache=True, nogil=True, error_model="numpy")
def find_windows(model: TurnArrays, after: Curves, low: int, high: int, block: int, least: Any, most: Any) -> None:
    """Bound the windows of states low … high of a layer.

    least: int32[state - low], the first score where P can be below 1; most: int32[state - low], the last score where P
    is above 0.
    """
    rows = model.zero_row - model.upper_row
    first_rest, box = model.rest_row - model.upper_row, model.box_row - model.upper_row
    source, shift = np.empty(rows, np.int64), np.empty(rows, np.int32)
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        find_sources(model, after, block, state - model.block_start[block], source, shift)
        bottom, top = 1, 0
        for row in range(rows):
            if source[row] >= 0:
                top = max(top, top_of(after, source[row]) + shift[row])
                # Any roll can be scored in an open category, so a score that is certain after a 0 there is certain now.
                if row == box or first_rest <= row < box or (row < first_rest and row % model.counts == 0):
                    bottom = max(bottom, after.low[source[row]])
        for option in range(len(model.option_source)):
            to = source[model.option_source[option] - model.upper_row]
            if to >= 0:
                top = max(top, top_of(after, to) + model.option_shift[option])
        for face in range(model.jokers):
            certain = 1
            context = joker_context(model, block, face)
            for term in range(model.joker_start[context], model.joker_start[context + 1]):
                row = model.joker_term_row[term] - model.upper_row
                if source[row] >= 0:
                    points = shift[row] + model.joker_shift[term]
                    top = max(top, top_of(after, source[row]) + points)
                    certain = max(certain, after.low[source[row]] + points)
            bottom = min(bottom, certain)  # a Joker may not be allowed in every open category
        least[state - low], most[state - low] = bottom, top


class Pieces(NamedTuple):
    """What the rows of a state read: pieces of the functions that follow its open categories.

    Each function is copied once for SPAN scores, with ones before and zeros after its window. A row at any score is
    then one load, with no question of where the window ends.
    """

    stride: int
    """The distance between two copies."""
    row: Any
    """int64[function]: the row after which it is named, counted from the first upper row"""
    reach: Any
    """int32[function]: it is copied from this many scores earlier, for the options and Jokers that pay more"""
    function: Any
    """int64[row]: the function of an open row"""
    to: Any
    """uint32[piece]: the offset of the row that is written"""
    begin: Any
    """uint32[piece]: where it begins in the copies, for the first score"""
    joker: Any
    """int64[face + 2]: the first piece of each Joker row; before the first one each row has a single piece"""


SPAN = 512
"""Scores for which functions are copied at a time; a multiple of LANES."""


@njit(cache=True, nogil=True, error_model="numpy")
def make_pieces(model: TurnArrays) -> Pieces:
    """Buffers for the pieces of a state."""
    rows, reach = model.zero_row - model.upper_row, 0
    for points in model.option_shift:
        reach = max(reach, points)
    for points in model.joker_shift:
        reach = max(reach, points)
    most = rows + len(model.option_source) + len(model.joker_term_row)
    return Pieces(
        SPAN + reach + LANES,
        np.empty(rows, np.int64),
        np.empty(rows, np.int32),
        np.empty(rows, np.int64),
        np.empty(most, np.uint32),
        np.empty(most, np.uint32),
        np.empty(model.jokers + 2, np.int64),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def find_pieces(model: TurnArrays, block: int, source: Any, pieces: Pieces) -> int:
    """List the pieces of a state; returns the number of functions.

    source: int64[row], negative where closed; rows are counted from the first upper row.
    """
    count = 0
    for row in range(len(source)):
        if source[row] >= 0:
            pieces.row[count], pieces.reach[count], pieces.function[row] = row, 0, count
            count += 1
    for option in range(len(model.option_source)):
        row = model.option_source[option] - model.upper_row
        if source[row] >= 0:
            function = pieces.function[row]
            pieces.reach[function] = max(pieces.reach[function], model.option_shift[option])
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            row = model.joker_term_row[term] - model.upper_row
            if source[row] >= 0:
                function = pieces.function[row]
                pieces.reach[function] = max(pieces.reach[function], model.joker_shift[term])
    piece = 0
    for function in range(count):
        piece = _add_piece(model, pieces, piece, model.upper_row + pieces.row[function], function, 0)
    for option in range(len(model.option_source)):
        row = model.option_source[option] - model.upper_row
        if source[row] >= 0:
            to, points = model.option_row + option, model.option_shift[option]
            piece = _add_piece(model, pieces, piece, to, pieces.function[row], points)
    for face in range(model.jokers):
        pieces.joker[face] = piece
        context = joker_context(model, block, face)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            row = model.joker_term_row[term] - model.upper_row
            if source[row] >= 0:
                to, points = model.joker_row + face, model.joker_shift[term]
                piece = _add_piece(model, pieces, piece, to, pieces.function[row], points)
    pieces.joker[model.jokers :] = piece
    return count


@njit(inline="always")
def _add_piece(model: TurnArrays, pieces: Pieces, piece: int, row: int, function: int, points: int) -> int:
    pieces.to[piece] = row * model.lanes
    pieces.begin[piece] = function * pieces.stride + pieces.reach[function] - points
    return piece + 1


@njit(inline="always")
def copy_function(low: int, size: int, values: Any, begin: int, score: int, length: int, copies: Any, to: int) -> None:
    """Copy `length` values of a function, from `score` on, to `to` of the rows at `copies`, in whole vectors.

    The window of `size` values begins at `low` and is stored from `begin` of the rows at `values` on; the function is 1
    before it and 0 after it. A vector may reach over the end of what it writes, and is overwritten by the next.
    """
    lanes = lane_count(copies)
    first, last = min(max(low - score, 0), length), min(max(low + size - score, 0), length)
    for i in range(0, first, lanes):
        store(copies, to + i, broadcast(copies, 1.0))
    begin += score - low
    for i in range(first, last - lanes + 1, lanes):
        store(copies, to + i, load_for(copies, values, begin + i))
    if last - first >= lanes:
        store(copies, to + last - lanes, load_for(copies, values, begin + last - lanes))
    else:
        for i in range(first, last):
            copy_number(copies, to + i, values, begin + i)
    for i in range(last, length, lanes):
        store(copies, to + i, broadcast(copies, 0.0))


@njit(cache=True, nogil=True, error_model="numpy")
def fill_rows(model: TurnArrays, pieces: Pieces, copies: Any, score: int, base: Any) -> None:
    """Write the rows that follow a placement, for the scores from `score` on, counted from the first that was copied.

    Closed rows keep minus infinity.
    """
    to, begin, joker = pieces.to.ctypes.data, pieces.begin.ctypes.data, pieces.joker
    piece = 0
    while piece < joker[0]:
        store_indexed(base, to, piece, load_indexed(advance(copies, score), begin, piece))
        piece += 1
    for face in range(model.jokers):
        if piece < joker[face + 1]:
            best = load_indexed(advance(copies, score), begin, piece)
            while piece + 1 < joker[face + 1]:
                piece += 1
                best = maximum(best, load_indexed(advance(copies, score), begin, piece))
            store_indexed(base, to, piece, best)
            piece += 1


@njit(cache=True, nogil=True, error_model="numpy")
def solve_curves(
    model: TurnArrays, after: Curves, low: int, high: int, block: int, least: Any, most: Any, offset: Any, chance: Any,
    cut: float | None = None,
) -> None:  # fmt: skip
    """Fill the windows of states low … high.

    least, most: int32[state - low]; offset: int64[state - low], where the window begins in `chance` (as in `Curves`);
    cut: as for `sweep_turn`.
    """
    lanes = model.lanes
    rows = aligned(model.rows * lanes, chance.dtype)
    sources = model.zero_row - model.upper_row
    source, shift = np.empty(sources, np.int64), np.empty(sources, np.int32)
    pieces = make_pieces(model)
    copies = aligned(sources * pieces.stride, chance.dtype)
    base, values = row_base(rows), row_base(after.chance)
    roll_row, roll_start = np.empty_like(model.roll_row), np.empty_like(model.roll_start)
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        find_sources(model, after, block, state - model.block_start[block], source, shift)
        open_rows(model, source, roll_row, roll_start)
        functions = find_pieces(model, block, source, pieces)
        for row in range(model.upper_row, model.rows):
            store(base, row * lanes, broadcast(base, -np.inf))
        here = offset[state - low]
        for first in range(least[state - low], most[state - low] + 1, SPAN):
            scores = min(SPAN, most[state - low] + 1 - first)
            for function in range(functions):
                row, reach = pieces.row[function], pieces.reach[function]
                curve, length = source[row], reach + -(-scores // lanes) * lanes
                begin, score = after.offset[curve], first - shift[row] - reach
                copy_function(after.low[curve], after.offset[curve + 1] - begin, values, begin, score, length,
                              row_base(copies), function * pieces.stride)  # fmt: skip
            for done in range(0, scores, lanes):
                fill_rows(model, pieces, row_base(copies), done, base)
                best_placements(model, roll_row, roll_start, base)
                sweep_turn(model, base, cut)
                for i in range(min(lanes, scores - done)):
                    chance[here + done + i] = rows[i]
            here += scores


@njit(cache=True, nogil=True, error_model="numpy")
def trim_windows(least: Any, most: Any, offset: Any, chance: Any, low: Any) -> None:
    """Find where each window really begins: after its leading values of 1.

    low: int32[state]; the other arguments as in `solve_curves`.
    """
    for state in range(len(least)):
        score = least[state]
        while score <= most[state] and chance[offset[state] + score - least[state]] >= 1.0:
            score += 1
        low[state] = score


@njit(cache=True, nogil=True, error_model="numpy")
def pack_windows(least: Any, low: Any, from_offset: Any, to_offset: Any, chance: Any) -> None:
    """Move the trimmed windows together, in place: no window moves to the right."""
    for state in range(len(least)):
        begin = from_offset[state] + low[state] - least[state]
        for i in range(to_offset[state + 1] - to_offset[state]):
            chance[to_offset[state] + i] = chance[begin + i]
