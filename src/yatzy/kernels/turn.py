"""One turn for LANES states at once: from the values after the turn to the value before it.

The work per state, for five six-sided dice, three rolls and the 15 categories of Yatzy: 2 · 1,260 additions, 2 · 1,260
maxima over lattice edges, about 1,800 maxima over placements and 252 multiply-adds, 7,100 in all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from yatzy.kernels.vectors import (
    LANES,
    add,
    broadcast,
    fold_add,
    fold_maximum,
    load,
    load_indexed,
    maximum,
    multiply,
    store,
)


class TurnArrays(NamedTuple):
    """A compiled game as the kernel wants it. Offsets count doubles from the first row: row · LANES."""

    rerolls: int
    faces: int
    keeps: int
    first_roll: int
    child: Any
    """uint32[keep with fewer than n dice · face]: offset of the row with one die more."""
    parent: Any
    """uint32[edge]: offset of the row with one die less."""
    parent_start: Any
    """int32[keep + 1]"""
    weight: Any
    """float64[roll]"""
    roll_row: Any
    """uint32[entry]: offset of a row that pays for the roll."""
    roll_start: Any
    """int32[roll + 1]"""
    slots: int
    """Upper categories."""
    counts: int
    """Numbers of dice that can show a face: n + 1."""
    rest: int
    """Categories of the rest."""
    upper_row: int
    """The first row of each kind, as rows; see model/placing.py."""
    rest_row: int
    box_row: int
    zero_row: int
    option_row: int
    joker_row: int
    rows: int
    option_source: Any
    """int32[option]: row"""
    option_points: Any
    """float64[option]"""
    jokers: int
    """Faces in a game with Joker, else 0."""
    joker_start: Any
    """int32[context · face + 1]"""
    joker_term_row: Any
    """int32[term]: row"""
    joker_gain: Any
    """float64[term]"""
    joker_upper: Any
    """int64[face]: the bit of its upper category, 0 without one"""
    upper_filled: Any
    """int64[class]"""
    upper_next: Any
    """int32[class, slot, count]"""
    upper_gain: Any
    """float64[class, slot, count]"""
    rest_next: Any
    """int32[rest category, rest set]"""
    rest_first: Any
    """int64[size + 1]"""
    start: Any
    """int64[class, box, size]"""
    block: Any
    """int32[block, 3]"""
    block_start: Any
    """int64[block + 1]"""


@njit(cache=True, nogil=True, error_model="numpy")
def solve_states(model: TurnArrays, values: Any, low: int, high: int, block: int) -> None:
    """Fill `values[low:high]`, states of one layer, from the values of the next layer.

    values: float64[state]; `block` is the block of state `low`.
    """
    buffer = np.empty(model.rows * LANES + 8)
    skip = (-buffer.ctypes.data % 64) // 8  # rows on cache lines: a load that straddles two costs double
    rows = buffer[skip : skip + model.rows * LANES]
    for state in range(low, high, LANES):
        end = min(state + LANES, high)
        for i in range(model.upper_row * LANES, model.rows * LANES):
            rows[i] = -np.inf
        here = state
        while here < end:
            stop = min(end, model.block_start[block + 1])
            _fill_rows(model, values, block, here - model.block_start[block], rows, here - state, stop - here)
            if stop == model.block_start[block + 1]:
                block += 1
            here = stop
        _turn(model, rows)
        for i in range(end - state):
            values[state + i] = rows[i]


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_rows(model: TurnArrays, values: Any, block: int, rank: int, rows: Any, lane: int, length: int) -> None:
    """Write what follows each category for `length` neighbours in a block, the first of them in `lane`."""
    u, box, size = model.block[block, 0], model.block[block, 1], model.block[block, 2]
    open_rest = False
    for slot in range(model.slots):
        if model.upper_next[u, slot, 0] < 0:
            continue
        for count in range(model.counts):
            first = model.start[model.upper_next[u, slot, count], box, size]
            if first < 0:
                continue
            first += rank
            gain = model.upper_gain[u, slot, count]
            row = (model.upper_row + slot * model.counts + count) * LANES + lane
            for i in range(length):
                rows[row + i] = values[first + i] + gain
    if size < model.rest:
        open_rest = True
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
        _fill_joker_rows(model, u, box, open_rest, rows, lane, length)


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_box_rows(
    model: TurnArrays, values: Any, u: int, box: int, size: int, rank: int, rows: Any, lane: int, length: int
) -> None:
    """The Joker box, filled with nothing and with its points."""
    if box != 0:
        return
    for status in range(1, 3):
        first = model.start[u, status, size]
        if first >= 0:
            row = (model.box_row + status - 1) * LANES + lane
            for i in range(length):
                rows[row + i] = values[first + rank + i]


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_joker_rows(model: TurnArrays, u: int, box: int, open_rest: bool, rows: Any, lane: int, length: int) -> None:
    """The best place for equal dice of each face; what is allowed depends on the block alone."""
    lower_open = 1 if open_rest or box == 0 else 0
    for face in range(model.jokers):
        bit = model.joker_upper[face]
        upper_open = 1 if bit and not model.upper_filled[u] & bit else 0
        context = (box * 4 + upper_open * 2 + lower_open) * model.jokers + face
        row = (model.joker_row + face) * LANES + lane
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            source = model.joker_term_row[term] * LANES + lane
            gain = model.joker_gain[term]
            for i in range(length):
                rows[row + i] = max(rows[row + i], rows[source + i] + gain)


@njit(cache=True, nogil=True, error_model="numpy")
def _turn(model: TurnArrays, rows: Any) -> None:
    """From the rows of `_fill_rows` to the value of the states, left in row 0."""
    base = rows.ctypes.data
    _place(model, base)
    child, parent = model.child.ctypes.data, model.parent.ctypes.data
    share = broadcast(1.0 / model.faces)
    faces = model.faces
    for _ in range(model.rerolls):
        for keep in range(model.first_roll - 1, -1, -1):
            entry = keep * faces
            total = fold_add(load_indexed(base, child, entry), base, child, entry + 1, faces - 1)
            store(base, keep * LANES, multiply(total, share))
        entry = 0
        for keep in range(1, model.keeps):
            count = model.parent_start[keep + 1] - entry
            store(base, keep * LANES, fold_maximum(load(base, keep * LANES), base, parent, entry, count))
            entry += count
    mean = broadcast(0.0)
    for roll in range(model.keeps - model.first_roll):
        value = load(base, (model.first_roll + roll) * LANES)
        mean = add(mean, multiply(value, broadcast(model.weight[roll])))
    store(base, 0, mean)


@njit(cache=True, nogil=True, error_model="numpy")
def _place(model: TurnArrays, base: int) -> None:
    """The value of every roll when no roll is left."""
    zero = broadcast(-np.inf)
    for slot in range(model.slots):
        zero = maximum(zero, load(base, (model.upper_row + slot * model.counts) * LANES))
    for row in range(model.rest_row, model.rest_row + model.rest + 1):  # the rest and the empty box
        zero = maximum(zero, load(base, row * LANES))
    store(base, model.zero_row * LANES, zero)
    for option in range(len(model.option_source)):
        source = load(base, model.option_source[option] * LANES)
        value = add(source, broadcast(model.option_points[option]))
        store(base, (model.option_row + option) * LANES, value)
    roll_row = model.roll_row.ctypes.data
    entry = 0
    for roll in range(model.keeps - model.first_roll):
        count = model.roll_start[roll + 1] - entry
        value = fold_maximum(load_indexed(base, roll_row, entry), base, roll_row, entry + 1, count - 1)
        store(base, (model.first_roll + roll) * LANES, value)
        entry += count
