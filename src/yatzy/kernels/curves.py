"""The best chance of at least s more points, for all s of a state, many scores at a time.

A state stores P(s) for its window low ≤ s ≤ high; below the window P is 1, above it 0. After scoring p points the next
state is read at s − p, so the rows of a turn are shifted pieces of the next layer's curves. The sweeps of the turn are
the same as for expected scores.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.borrowed import borrowed
from yatzy.kernels.cache import njit
from yatzy.kernels.turn import TurnArrays, best_placements, joker_context, open_rows, sweep_turn
from yatzy.kernels.vectors import aligned, broadcast, lane_count, load_for, maximum, row_base, store


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


@njit(cache=True, nogil=True, error_model="numpy")
def solve_curves(
    model: TurnArrays, after: Curves, low: int, high: int, block: int, least: Any, most: Any, offset: Any, chance: Any,
    cut: float | None = None,
) -> None:  # fmt: skip
    """Fill the windows of states low … high.

    least, most: int32[state - low]; offset: int64[state - low], where the window begins in `chance` (as in `Curves`);
    cut: as for `sweep_turn`.
    """
    rows = aligned(model.rows * model.lanes, chance.dtype)
    sources = model.zero_row - model.upper_row
    source, shift = np.empty(sources, np.int64), np.empty(sources, np.int32)
    base, scratch = row_base(rows), np.empty(model.lanes, chance.dtype)
    roll_row, roll_start = np.empty_like(model.roll_row), np.empty_like(model.roll_start)
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        find_sources(model, after, block, state - model.block_start[block], source, shift)
        open_rows(model, source, roll_row, roll_start)
        for i in range(model.upper_row * model.lanes, model.rows * model.lanes):
            rows[i] = -np.inf
        here = offset[state - low]
        for score in range(least[state - low], most[state - low] + 1, model.lanes):
            fill_rows(model, after, block, source, shift, score, base, scratch)
            best_placements(model, roll_row, roll_start, base)
            sweep_turn(model, base, cut)
            for i in range(min(model.lanes, most[state - low] + 1 - score)):
                chance[here] = rows[i]
                here += 1


@njit(cache=True, nogil=True, error_model="numpy")
def fill_rows(
    model: TurnArrays, after: Curves, block: int, source: Any, shift: Any, score: int, base: Any, scratch: Any
) -> None:
    """Write the rows that follow a placement, for the scores from `score` on; closed rows keep minus infinity."""
    model, after = borrowed(model), borrowed(after)
    lanes = lane_count(base)
    for row in range(len(source)):
        if source[row] >= 0:
            piece = _piece(base, after, source[row], score - shift[row], scratch)
            store(base, (model.upper_row + row) * lanes, piece)
    for option in range(len(model.option_source)):
        to = source[model.option_source[option] - model.upper_row]
        if to >= 0:
            piece = _piece(base, after, to, score - model.option_shift[option], scratch)
            store(base, (model.option_row + option) * lanes, piece)
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        best = broadcast(base, -np.inf)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            row = model.joker_term_row[term] - model.upper_row
            if source[row] >= 0:
                points = shift[row] + model.joker_shift[term]
                best = maximum(best, _piece(base, after, source[row], score - points, scratch))
        store(base, (model.joker_row + face) * lanes, best)


@njit(cache=True, nogil=True, error_model="numpy")
def _piece(base: Any, curves: Curves, curve: int, score: int, scratch: Any) -> Any:
    """One vector of a curve's values, from `score` on."""
    lanes = lane_count(base)
    low = curves.low[curve]
    begin = curves.offset[curve]
    length = curves.offset[curve + 1] - begin
    if score + lanes <= low:
        return broadcast(base, 1.0)
    if score >= low + length:
        return broadcast(base, 0.0)
    if score >= low and score + lanes <= low + length:
        return load_for(base, row_base(curves.chance), begin + score - low)
    for i in range(lanes):
        at = score + i - low
        scratch[i] = 1.0 if at < 0 else 0.0 if at >= length else curves.chance[begin + at]
    return load_for(base, row_base(scratch), 0)


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
def pack_windows(least: Any, low: Any, from_offset: Any, chance: Any, to_offset: Any, packed: Any) -> None:
    """Copy the trimmed windows into one contiguous array."""
    for state in range(len(least)):
        begin = from_offset[state] + low[state] - least[state]
        for i in range(to_offset[state + 1] - to_offset[state]):
            packed[to_offset[state] + i] = chance[begin + i]
