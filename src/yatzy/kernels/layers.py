"""Values of whole layers, LANES states at a time: expected scores and exponential utilities.

Scoring p points turns the value v of the next state into v · scale(p) + gain(p): v + p for the expected score,
v · e^(θp) for an exponential utility. Otherwise the two are computed alike.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.turn import TurnArrays, best_placements, joker_context, sweep_turn
from yatzy.kernels.vectors import LANES, add, aligned, broadcast, load, multiply, row_base, store


class Worth(NamedTuple):
    """Gain and scale of the points, for every place where the model pays points."""

    upper_gain: Any
    """float64[class, slot, count]"""
    upper_scale: Any
    option_gain: Any
    """float64[option]"""
    option_scale: Any
    joker_gain: Any
    """float64[term]"""
    joker_scale: Any


@njit(cache=True, nogil=True, error_model="numpy")
def solve_states(model: TurnArrays, worth: Worth, values: Any, low: int, high: int, block: int) -> None:
    """Fill `values[low:high]`, states of one layer, from the values of the next layer.

    values: float64[state]; `block` is the block of state `low`.
    """
    rows = aligned(model.rows * LANES, values.dtype)
    for state in range(low, high, LANES):
        end = min(state + LANES, high)
        for i in range(model.upper_row * LANES, model.rows * LANES):
            rows[i] = -np.inf
        here = state
        while here < end:
            stop = min(end, model.block_start[block + 1])
            _fill_rows(model, worth, values, block, here - model.block_start[block], rows, here - state, stop - here)
            if stop == model.block_start[block + 1]:
                block += 1
            here = stop
        _fill_options(model, worth, rows)
        best_placements(model, model.roll_row, model.roll_start, row_base(rows))
        sweep_turn(model, row_base(rows), None)
        for i in range(end - state):
            values[state + i] = rows[i]


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_rows(
    model: TurnArrays, worth: Worth, values: Any, block: int, rank: int, rows: Any, lane: int, length: int
) -> None:
    """Write the value after filling each category, for `length` consecutive states of a block, from `lane` on."""
    u, box, size = model.block[block, 0], model.block[block, 1], model.block[block, 2]
    for slot in range(model.slots):
        if model.upper_next[u, slot, 0] < 0:
            continue
        for count in range(model.counts):
            first = model.start[model.upper_next[u, slot, count], box, size]
            if first < 0:
                continue
            first += rank
            gain, scale = worth.upper_gain[u, slot, count], worth.upper_scale[u, slot, count]
            row = (model.upper_row + slot * model.counts + count) * LANES + lane
            for i in range(length):
                rows[row + i] = values[first + i] * scale + gain
    if size < model.rest:
        first = model.start[u, box, size + 1]
        if first >= 0:
            for category in range(model.rest):
                row = (model.rest_row + category) * LANES + lane
                member = model.rest_first[size] + rank
                for i in range(length):
                    to = model.rest_next[category, member + i]
                    if to >= 0:
                        rows[row + i] = values[first + to]
    if model.jokers:
        _fill_box_rows(model, values, u, box, size, rank, rows, lane, length)
        _fill_joker_rows(model, worth, block, rows, lane, length)


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_box_rows(
    model: TurnArrays, values: Any, u: int, box: int, size: int, rank: int, rows: Any, lane: int, length: int
) -> None:
    """Write the rows of the Joker box: filled with 0, and with its points."""
    if box != 0:
        return
    for status in range(1, 3):
        first = model.start[u, status, size]
        if first >= 0:
            row = (model.box_row + status - 1) * LANES + lane
            for i in range(length):
                rows[row + i] = values[first + rank + i]


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_joker_rows(model: TurnArrays, worth: Worth, block: int, rows: Any, lane: int, length: int) -> None:
    """Write the best placement of equal dice of each face; the allowed placements depend only on the block."""
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        row = (model.joker_row + face) * LANES + lane
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            source = model.joker_term_row[term] * LANES + lane
            gain, scale = worth.joker_gain[term], worth.joker_scale[term]
            for i in range(length):
                rows[row + i] = max(rows[row + i], rows[source + i] * scale + gain)


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_options(model: TurnArrays, worth: Worth, rows: Any) -> None:
    """Write the rest categories with each number of points that they can pay."""
    base = row_base(rows)
    for option in range(len(model.option_source)):
        source = load(base, model.option_source[option] * LANES)
        value = add(
            multiply(source, broadcast(base, worth.option_scale[option])), broadcast(base, worth.option_gain[option])
        )
        store(base, (model.option_row + option) * LANES, value)
