"""One turn in many lanes at once: compute the value before the turn from the values after it.

A lane is a state for expected scores and a score for distributions; the sweeps are the same.
Operations per state, with five six-sided dice, three rolls and the 15 categories of Yatzy: 2 · 1,260 additions,
2 · 1,260 maxima over lattice edges, about 1,600 maxima over placements and 252 multiply-adds, 6,900 in all.
The sweeps of five six-sided dice, which most games have, are written out in kernels/unrolled.py, with the same bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.unrolled import FACES, KEEPS, sweep_five_dice
from yatzy.kernels.vectors import (
    LANES,
    add,
    broadcast,
    fold_add,
    fold_maximum,
    lane_count,
    load,
    load_indexed,
    maximum,
    multiply,
    store,
    where_greater,
)


class TurnArrays(NamedTuple):
    """A compiled game in the layout of the kernels. Offsets are in numbers from the first row: row · lanes."""

    lanes: int
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
    share: Any
    """float64[keep with fewer than n dice]: 1 / the number of ways in which the dice not kept can fall"""
    weight: Any
    """float64[roll]"""
    roll_row: Any
    """uint32[entry]: offset of a row that the roll can use."""
    roll_start: Any
    """int32[roll + 1]"""
    slots: int
    """The number of upper categories."""
    counts: int
    """How many counts of a face a roll can have: n + 1."""
    rest: int
    """The number of rest categories."""
    upper_row: int
    """The first row of each kind, as a row index; see model/placing.py."""
    rest_row: int
    box_row: int
    zero_row: int
    option_row: int
    joker_row: int
    rows: int
    option_source: Any
    """int32[option]: row"""
    option_shift: Any
    """int32[option]: points"""
    jokers: int
    """Faces in a game with Joker, else 0."""
    joker_start: Any
    """int32[context · face + 1]"""
    joker_term_row: Any
    """int32[term]: row"""
    joker_shift: Any
    """int32[term]: points in addition to those of the row"""
    joker_outcome: Any
    """int32[term]: outcome; see model/placing.py"""
    outcomes: int
    outcome_points: Any
    """int32[outcome]: points written in the category"""
    joker_upper: Any
    """int64[face]: the bit of its upper category, 0 without one"""
    upper_filled: Any
    """int64[class]"""
    upper_next: Any
    """int32[class, slot, count]"""
    upper_shift: Any
    """int32[class, slot, count]: points, bonus included"""
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
def best_placements(model: TurnArrays, roll_row: Any, roll_start: Any, base: Any) -> None:
    """Fill the zero row, then every roll with the maximum of its rows.

    roll_row, roll_start: those of the model, or the result of `open_rows`.
    """
    lanes = lane_count(base)
    zero = broadcast(base, -np.inf)
    for slot in range(model.slots):
        zero = maximum(zero, load(base, (model.upper_row + slot * model.counts) * lanes))
    for row in range(model.rest_row, model.rest_row + model.rest + 1):  # rest categories, empty Joker box
        zero = maximum(zero, load(base, row * lanes))
    store(base, model.zero_row * lanes, zero)
    rows = roll_row.ctypes.data
    entry = 0
    for roll in range(model.keeps - model.first_roll):
        count = roll_start[roll + 1] - entry
        value = fold_maximum(load_indexed(base, rows, entry), base, rows, entry + 1, count - 1)
        store(base, (model.first_roll + roll) * lanes, value)
        entry += count


@njit(cache=True, nogil=True, error_model="numpy")
def open_rows(model: TurnArrays, source: Any, roll_row: Any, roll_start: Any) -> None:
    """For one state, list the rows of each roll, leaving out closed categories, which are never the best.

    source: int64[row from the first upper row], negative where closed; roll_row, roll_start: as in the model.
    """
    is_open = np.ones(model.rows - model.upper_row, np.int64)
    for row in range(len(source)):
        is_open[row] = source[row] >= 0
    for option in range(len(model.option_source)):
        row = model.option_source[option] - model.upper_row
        is_open[model.option_row - model.upper_row + option] = source[row] >= 0
    first, entry = model.upper_row * LANES, 0  # LANES, which every model has, so that the division is a shift
    before = np.empty(len(model.roll_row) + 1, np.int32)  # the number of open entries before each
    for e in range(len(model.roll_row)):
        before[e] = entry
        roll_row[entry] = model.roll_row[e]  # overwritten by the next one if it is closed
        entry += is_open[(model.roll_row[e] - first) // LANES]
    before[len(model.roll_row)] = entry
    for roll in range(len(roll_start)):
        roll_start[roll] = before[model.roll_start[roll]]


@njit(cache=True, nogil=True, error_model="numpy")
def joker_context(model: TurnArrays, block: int, face: int) -> int:
    """The index of a joker row in `joker_start`."""
    u, box, size = model.block[block, 0], model.block[block, 1], model.block[block, 2]
    bit = model.joker_upper[face]
    upper_open = 1 if bit and not model.upper_filled[u] & bit else 0
    lower_open = 1 if size < model.rest or box == 0 else 0
    return (box * 4 + upper_open * 2 + lower_open) * model.jokers + face


@njit(inline="always")  # to pass all arrays of the model to a function takes 6 % of a turn
def sweep_turn(model: TurnArrays, base: Any, cut: float | None) -> None:
    """Compute the value before the turn, in row 0, from the values of the rolls when no roll is left.

    cut: for chances only; after every die, chances within `cut` of 0 or 1 are rounded to 0 or 1. With None, the code
    for it is not compiled.
    """
    if cut is None:  # noqa: SIM102 - Numba leaves out the code in it only if this is the whole condition
        if model.faces == FACES and model.keeps == KEEPS and model.rerolls > 0:
            sweep_five_dice(base, model.rerolls)
            return
    sweep_by_tables(model, base, cut)


@njit(cache=True, nogil=True, error_model="numpy")
def sweep_by_tables(model: TurnArrays, base: Any, cut: float | None) -> None:
    """Like `sweep_turn`, for any number of dice and faces."""
    lanes = lane_count(base)
    child, parent = model.child.ctypes.data, model.parent.ctypes.data
    faces = model.faces
    for _ in range(model.rerolls):
        # Add on the way down and scale on the way up: each keep is rounded by one multiplication, not one per level.
        for keep in range(model.first_roll - 1, -1, -1):
            entry = keep * faces
            total = fold_add(load_indexed(base, child, entry), base, child, entry + 1, faces - 1)
            if cut is not None:
                total = _cut(base, multiply(total, broadcast(base, 1 / faces)), cut)
            store(base, keep * lanes, total)
        entry = 0
        for keep in range(model.first_roll):
            count = model.parent_start[keep + 1] - entry
            mean = load(base, keep * lanes)
            if cut is None:
                mean = multiply(mean, broadcast(base, model.share[keep]))
            store(base, keep * lanes, fold_maximum(mean, base, parent, entry, count))
            entry += count
        for keep in range(model.first_roll, model.keeps):
            count = model.parent_start[keep + 1] - entry
            store(base, keep * lanes, fold_maximum(load(base, keep * lanes), base, parent, entry, count))
            entry += count
    mean = broadcast(base, 0.0)
    for first in range(model.first_roll, model.keeps, 16):  # in groups, to limit rounding errors
        group = broadcast(base, 0.0)
        for keep in range(first, min(first + 16, model.keeps)):
            weight = broadcast(base, model.weight[keep - model.first_roll])
            group = add(group, multiply(load(base, keep * lanes), weight))
        mean = add(mean, group)
    store(base, 0, mean)


@njit(inline="always")
def _cut(base: Any, chance: Any, cut: float) -> Any:
    """Round chances within `cut` of 0 or 1 to 0 or 1."""
    certain, never = broadcast(base, 1.0), broadcast(base, 0.0)
    chance = where_greater(chance, broadcast(base, 1 - cut), certain, chance)
    return where_greater(broadcast(base, cut), chance, never, chance)
