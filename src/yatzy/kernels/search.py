"""Search a match turn by turn: the sheets that can come next, their curves, and backing up values through a turn.

A lane is one combination of the other players' sheets at the end of the turn. The rows are the sheets with which the
player to move can end the turn. Sheets are numbered *members* of a set; a link gives the member that an outcome of a
turn leads to.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves
from yatzy.kernels.outcomes import find_outcomes
from yatzy.kernels.turn import TurnArrays, joker_context, sweep_turn
from yatzy.kernels.vectors import (
    add,
    aligned,
    broadcast,
    fold_add,
    fold_maximum,
    lane_count,
    load,
    load_indexed,
    maximum,
    multiply,
    row_base,
    store,
    where_greater,
)


@njit(cache=True, nogil=True, error_model="numpy")
def find_next(model: TurnArrays, nowhere: Curves, used: Any, states: Any, to: Any, points: Any) -> None:
    """Find the next states and the points of the outcomes of a turn; the state is -1 if the outcome cannot happen.

    used: bool[row], whether some roll leads to the row without a Joker; states: int64[sheet];
    to: int64[sheet, outcome]; points: int32[sheet, outcome].
    """
    bonus = np.empty(model.outcomes, np.bool_)
    for i in range(len(states)):
        block = np.searchsorted(model.block_start, states[i], side="right") - 1
        find_outcomes(model, nowhere, block, states[i] - model.block_start[block], to[i], points[i], bonus)
        for row in range(len(used)):
            if not used[row]:
                to[i, row] = -1


@njit(cache=True, nogil=True, error_model="numpy")
def fill_curves(curves: Curves, which: Any, made: Any, first: int, at_least: Any) -> None:
    """Fill the chances of finishing with at least first, first + 1, … points.

    which: int64[sheet], its curve; made: int32[sheet], points so far; at_least: float[sheet, score - first].
    """
    width = at_least.shape[1]
    for i in range(len(which)):
        begin, end = curves.offset[which[i]], curves.offset[which[i] + 1]
        skip = curves.low[which[i]] + made[i] - first  # where the window begins
        ones = min(max(skip, 0), width)
        stop = min(max(skip + end - begin, 0), width)
        at_least[i, :ones] = 1.0
        for x in range(ones, stop):
            at_least[i, x] = curves.chance[begin + x - skip]
        at_least[i, stop:] = 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def curve_ranges(curves: Curves, which: Any, made: Any, first: int, most: Any, least: Any) -> None:
    """Update the maximum and minimum, over some sheets, of the chances of at least first, first + 1, … points.

    most, least: float[score - first], with their start values; the other arguments as in `fill_curves`.
    """
    width = len(most)
    for i in range(len(which)):
        begin, end = curves.offset[which[i]], curves.offset[which[i] + 1]
        skip = curves.low[which[i]] + made[i] - first
        ones = min(max(skip, 0), width)
        stop = min(max(skip + end - begin, 0), width)
        for x in range(ones):
            most[x] = 1.0
        for x in range(ones, stop):
            most[x] = max(most[x], curves.chance[begin + x - skip])
            least[x] = min(least[x], curves.chance[begin + x - skip])
        for x in range(stop, width):
            least[x] = 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def best_targets(at_least: Any, base: Any, gain: Any, low: int, high: int, value: Any) -> None:
    """For members low … high, find the maximum over x of base(x) + at_least(x) · gain(x).

    at_least: float[member, score]; base, gain: float[score, lane]; value: float[member, lane].
    """
    lanes_base, gains, out = row_base(base), row_base(gain), row_base(value)
    width, stride = at_least.shape[1], base.shape[1]
    for first in range(0, stride, lane_count(out)):
        for member in range(low, high):
            best = broadcast(out, -np.inf)
            for x in range(width):
                chance = broadcast(out, np.float64(at_least[member, x]))
                worth = add(load(lanes_base, x * stride + first), multiply(chance, load(gains, x * stride + first)))
                best = maximum(worth, best)
            store(out, member * stride + first, best)


@njit(cache=True, nogil=True, error_model="numpy")
def list_exact_rows(model: TurnArrays, link: Any, roll_row: Any, roll_start: Any) -> None:
    """List the rows of each roll, leaving out closed categories; see `turn.open_rows`."""
    entry = 0
    for roll in range(model.keeps - model.first_roll):
        roll_start[roll] = entry
        for e in range(model.roll_start[roll], model.roll_start[roll + 1]):
            row = model.roll_row[e] // model.lanes
            if (model.jokers and row >= model.joker_row) or link[row - model.upper_row] >= 0:
                roll_row[entry] = model.roll_row[e]
                entry += 1
    roll_start[model.keeps - model.first_roll] = entry


@njit(cache=True, nogil=True, error_model="numpy")
def back_up(model: TurnArrays, states: Any, link: Any, after: Any, low: int, high: int, before: Any) -> None:
    """Compute the values before the turn of sheets low … high from the values after it.

    states: int64[sheet]; link: int32[sheet, outcome], -1 for outcomes that cannot happen; after: float[member, lane];
    before: float[sheet, lane]. The number of lanes must be a multiple of the model's.
    """
    rows = aligned(model.rows * model.lanes, after.dtype)
    roll_row, roll_start = np.empty_like(model.roll_row), np.empty_like(model.roll_start)
    for sheet in range(low, high):
        block = np.searchsorted(model.block_start, states[sheet], side="right") - 1
        list_exact_rows(model, link[sheet], roll_row, roll_start)
        play_sheet(model, block, link[sheet], roll_row, roll_start, after, rows, before[sheet])


@njit(cache=True, nogil=True, error_model="numpy")
def play_sheet(
    model: TurnArrays, block: int, link: Any, roll_row: Any, roll_start: Any, after: Any, rows: Any, before: Any
) -> None:
    """The turn of one sheet. The caller owns `rows`: Numba may free an array that is used only by its address."""
    base, out, stride = row_base(rows), row_base(before), after.shape[1]
    for first in range(0, stride, lane_count(base)):
        _value_rolls(model, block, link, roll_row, roll_start, after, first, rows)
        sweep_turn(model, base, None)
        store(out, first, load(base, 0))


@njit(cache=True, nogil=True, error_model="numpy")
def _value_rolls(
    model: TurnArrays, block: int, link: Any, roll_row: Any, roll_start: Any, after: Any, first: int, rows: Any
) -> None:
    """The values of the rolls of a sheet when no roll is left, in the lanes from `first` on."""
    base, source, stride = row_base(rows), row_base(after), after.shape[1]
    lanes, named = lane_count(base), roll_row.ctypes.data
    for row in range(model.upper_row, model.joker_row):
        member = link[row - model.upper_row]
        if member >= 0:
            store(base, row * lanes, load(source, member * stride + first))
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        best = broadcast(base, -np.inf)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            member = link[model.joker_outcome[term]]
            if member >= 0:
                best = maximum(load(source, member * stride + first), best)
        store(base, (model.joker_row + face) * lanes, best)
    for roll in range(model.keeps - model.first_roll):
        entry, count = roll_start[roll], roll_start[roll + 1] - roll_start[roll]
        value = fold_maximum(load_indexed(base, named, entry), base, named, entry + 1, count - 1)
        store(base, (model.first_roll + roll) * lanes, value)


@njit(cache=True, nogil=True, error_model="numpy")
def keep_values(model: TurnArrays, state: int, link: Any, after: Any, value: Any) -> None:
    """Compute the values of all keeps of one sheet from the values after its turn.

    There is one roll left more than the model has rerolls. link: int32[outcome], -1 for outcomes that cannot happen;
    after: float[member, lane]; value: float[keep, lane]. The number of lanes must be a multiple of the model's.
    """
    rows = aligned(model.rows * model.lanes, after.dtype)
    roll_row, roll_start = np.empty_like(model.roll_row), np.empty_like(model.roll_start)
    block = np.searchsorted(model.block_start, state, side="right") - 1
    list_exact_rows(model, link, roll_row, roll_start)
    _sweep_keeps(model, block, link, roll_row, roll_start, after, rows, value)


@njit(cache=True, nogil=True, error_model="numpy")
def _sweep_keeps(
    model: TurnArrays, block: int, link: Any, roll_row: Any, roll_start: Any, after: Any, rows: Any, value: Any
) -> None:
    """The keeps of one sheet; the caller owns `rows`."""
    base, out, stride = row_base(rows), row_base(value), after.shape[1]
    lanes, faces, child = lane_count(base), model.faces, model.child.ctypes.data
    for first in range(0, stride, lanes):
        _value_rolls(model, block, link, roll_row, roll_start, after, first, rows)
        sweep_turn(model, base, None)
        for keep in range(model.first_roll - 1, -1, -1):
            entry = keep * faces
            total = fold_add(load_indexed(base, child, entry), base, child, entry + 1, faces - 1)
            store(base, keep * lanes, total)
            store(out, keep * stride + first, multiply(total, broadcast(base, model.share[keep])))
        for keep in range(model.first_roll, model.keeps):
            store(out, keep * stride + first, load(base, keep * lanes))


@njit(cache=True, nogil=True, error_model="numpy")
def back_up_all(model: TurnArrays, states: Any, link: Any, after: Any, low: int, high: int, before: Any) -> None:
    """Like `back_up`, with a channel of values per player: the first channel chooses, the others are evaluated.

    after: float[channel, member, lane]; before: float[channel, sheet, lane]; the other arguments as in `back_up`.
    """
    rows = aligned(len(after) * model.rows * model.lanes, after.dtype)
    roll_row, roll_start = np.empty_like(model.roll_row), np.empty_like(model.roll_start)
    for sheet in range(low, high):
        block = np.searchsorted(model.block_start, states[sheet], side="right") - 1
        list_exact_rows(model, link[sheet], roll_row, roll_start)
        _play_sheet_all(model, block, link[sheet], roll_row, roll_start, after, rows, sheet, before)


@njit(cache=True, nogil=True, error_model="numpy")
def _play_sheet_all(
    model: TurnArrays,
    block: int,
    link: Any,
    roll_row: Any,
    roll_start: Any,
    after: Any,
    rows: Any,
    sheet: int,
    before: Any,
) -> None:
    """The turn of one sheet in all channels."""
    channels, members, stride = after.shape
    sheets, size = before.shape[1], model.rows * model.lanes
    base, source, out = row_base(rows), row_base(after), row_base(before)
    lanes = lane_count(base)
    for first in range(0, stride, lanes):
        for channel in range(channels):
            for row in range(model.upper_row, model.joker_row):
                member = link[row - model.upper_row]
                if member >= 0:
                    value = load(source, (channel * members + member) * stride + first)
                    store(base, channel * size + row * lanes, value)
        for face in range(model.jokers):
            context, at = joker_context(model, block, face), (model.joker_row + face) * lanes
            for channel in range(channels):
                store(base, channel * size + at, broadcast(base, -np.inf))
            for term in range(model.joker_start[context], model.joker_start[context + 1]):
                member = link[model.joker_outcome[term]]
                if member >= 0:
                    _take_better(base, at, size, source, member * stride + first, members * stride, channels)
        for roll in range(model.keeps - model.first_roll):
            at, entry = (model.first_roll + roll) * lanes, roll_start[roll]
            for channel in range(channels):
                store(base, channel * size + at, load(base, channel * size + np.int64(roll_row[entry])))
            for e in range(entry + 1, roll_start[roll + 1]):
                _take_better(base, at, size, base, np.int64(roll_row[e]), size, channels)
        _sweep_all(model, base, size, channels)
        for channel in range(channels):
            store(out, (channel * sheets + sheet) * stride + first, load(base, channel * size))


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def _take_better(base: Any, at: int, size: int, other: Any, other_at: int, other_size: int, channels: int) -> None:
    """Replace a row by another, in all channels, in the lanes where the other is better in the first channel."""
    have, offer = load(base, at), load(other, other_at)
    for channel in range(1, channels):
        value = where_greater(
            offer, have, load(other, other_at + channel * other_size), load(base, at + channel * size)
        )
        store(base, at + channel * size, value)
    store(base, at, maximum(offer, have))


@njit(cache=True, nogil=True, error_model="numpy")
def _sweep_all(model: TurnArrays, base: Any, size: int, channels: int) -> None:
    """Like `turn.sweep_turn`, for all channels; the first channel chooses."""
    lanes, faces = lane_count(base), model.faces
    for _ in range(model.rerolls):
        for channel in range(channels):
            for keep in range(model.first_roll - 1, -1, -1):
                total = broadcast(base, 0.0)
                for face in range(faces):
                    total = add(total, load(base, channel * size + np.int64(model.child[keep * faces + face])))
                mean = multiply(total, broadcast(base, 1.0 / faces))
                store(base, channel * size + keep * lanes, mean)
        for keep in range(model.keeps):
            for edge in range(model.parent_start[keep], model.parent_start[keep + 1]):
                _take_better(base, keep * lanes, size, base, np.int64(model.parent[edge]), size, channels)
    for channel in range(channels):
        mean = broadcast(base, 0.0)
        for keep in range(model.first_roll, model.keeps):
            weight = broadcast(base, model.weight[keep - model.first_roll])
            mean = add(mean, multiply(load(base, channel * size + keep * lanes), weight))
        store(base, channel * size, mean)
