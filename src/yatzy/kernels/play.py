"""One turn of many games at once, each played by the strategy that is best by the values of what follows.

Games in the same state play by the same plan, so they come sorted by state, and LANES states are planned together.
A plan is the one of `plan.choose_turn`, to the last bit: the same sums in the same order, the same choice between
equals. Choices are numbers of keeps and outcomes, held as doubles so that they go through the same lanes as values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from yatzy.kernels.chances import Curves, joker_context
from yatzy.kernels.evaluate import _outcome_values, find_outcomes
from yatzy.kernels.layers import Worth
from yatzy.kernels.plan import choose_turn
from yatzy.kernels.random import roll_dice
from yatzy.kernels.turn import TurnArrays
from yatzy.kernels.vectors import (
    LANES,
    broadcast,
    divide,
    fold_add,
    load,
    load_indexed,
    maximum,
    row_base,
    store,
    where_greater,
)


class Plans(NamedTuple):
    """The turns of LANES states: what is worth what, what is chosen, and where it leads."""

    rows: Any
    """float64[row · LANES]: the rows of `TurnArrays`, worked through in place"""
    keep: Any
    """float64[(rolls left - 1) · keeps · LANES]: what is kept of these dice"""
    place: Any
    """float64[roll · LANES]: the outcome chosen with no roll left"""
    joker: Any
    """float64[face · LANES]: the outcome chosen for equal dice under a Joker rule"""
    to: Any
    """int64[lane, outcome]: the state after it, counted from the first of the next layer"""
    points: Any
    """int32[lane, outcome]: the points it brings, bonuses included"""
    bonus: Any
    """bool[lane, outcome]: whether the upper bonus is among them"""
    value: Any
    """float64[outcome]: to work in"""


@njit(cache=True, nogil=True, error_model="numpy")
def sort_games(state: Any, begin: Any, order: Any) -> None:
    """Sort games by state: those of state s are `order[begin[s] : begin[s + 1]]`, in their own order.

    state: int32[game], begin: int64[state + 1], order: int32[game]
    """
    begin[:] = 0
    for here in state:
        begin[here + 1] += 1
    for here in range(len(begin) - 1):
        begin[here + 1] += begin[here]
    cursor = begin[:-1].copy()
    for game in range(len(state)):
        order[cursor[state[game]]] = game
        cursor[state[game]] += 1


@njit(cache=True, nogil=True, error_model="numpy")
def play_turn(
    model: TurnArrays, worth: Worth, values: Any, after: Curves, first: int, begin: Any, order: Any, low: int,
    high: int, category: Any, upper_bonus: int, key_0: int, key_1: int, turn: int, state: Any, points: Any,
    jokers: Any,
) -> None:  # fmt: skip
    """Play a turn of the games `order[low:high]`, sorted by `sort_games`; `model` must name rows exactly.

    values: float64[state of the next layer]; first: the first state of this layer; category: int32[outcome];
    upper_bonus: its points. Written for each game: its next state, int32[game]; the points of the category that it
    fills, int16[game, category]; Joker bonuses, int32[game], are added.
    """
    plans = _make_plans(model)
    child, first_roll, faces, rerolls, keeps = model.child, model.first_roll, model.faces, model.rerolls, model.keeps
    kept, placed, to, brought, bonus = plans.keep, plans.place, plans.to, plans.points, plans.bonus
    written = model.outcome_points
    begins, ends = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    here = np.searchsorted(begin, low, side="right") - 1
    block = np.searchsorted(model.block_start, first + here, side="right") - 1
    while low < high:
        lanes = 0
        while lanes < LANES and low < high:
            end = min(begin[here + 1], high)
            if end > low:
                while first + here >= model.block_start[block + 1]:
                    block += 1
                rank = first + here - model.block_start[block]
                _fill_lane(model, worth, values, after, block, rank, lanes, plans)
                begins[lanes], ends[lanes] = low, end
                lanes += 1
                low = end
            here += 1
        _choose_places(model, plans)
        _choose_keeps(model, plans)
        for lane in range(lanes):
            for i in range(begins[lane], ends[lane]):
                game = order[i]
                roll = roll_dice(child, first_roll, faces, key_0, key_1, game, turn, 0, 0)
                for left in range(rerolls - 1, -1, -1):
                    keep = np.int64(kept[(left * keeps + roll) * LANES + lane])
                    roll = roll_dice(child, first_roll, faces, key_0, key_1, game, turn, rerolls - left, keep)
                outcome = np.int64(placed[(roll - first_roll) * LANES + lane])
                extra = brought[lane, outcome] - written[outcome]
                if extra != 0:
                    jokers[game] += extra - (upper_bonus if bonus[lane, outcome] else 0)
                points[game, category[outcome]] = written[outcome]
                state[game] = to[lane, outcome]


@njit(cache=True, nogil=True, error_model="numpy")
def plan_turn(
    model: TurnArrays, worth: Worth, values: Any, after: Curves, state: int, block: int, place: Any, keep: Any,
    to: Any, points: Any,
) -> None:  # fmt: skip
    """The plan of one state alone: place and keep as `plan.choose_turn` leaves them, to and points by outcome."""
    value, second, bonus = np.empty(len(to)), np.zeros(len(to)), np.empty(len(to), np.bool_)
    find_outcomes(model, after, block, state - model.block_start[block], to, points, bonus)
    _outcome_values(model, worth, values, block, to, value)
    choose_turn(model, block, value, second, place, keep, np.empty((4, model.keeps)))


@njit(cache=True, nogil=True, error_model="numpy")
def _make_plans(model: TurnArrays) -> Plans:
    shape = (LANES, model.outcomes)
    return Plans(
        rows=_aligned(model.rows * LANES),
        keep=_aligned(model.rerolls * model.keeps * LANES),
        place=_aligned((model.keeps - model.first_roll) * LANES),
        joker=_aligned(model.jokers * LANES),
        to=np.empty(shape, np.int64),
        points=np.empty(shape, np.int32),
        bonus=np.empty(shape, np.bool_),
        value=np.empty(model.outcomes),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _aligned(length: int) -> Any:
    """Doubles that begin on a cache line: a load that straddles two costs double. Lanes not in use hold 0."""
    buffer = np.zeros(length + 8)
    skip = (-buffer.ctypes.data % 64) // 8
    return buffer[skip : skip + length]


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_lane(
    model: TurnArrays, worth: Worth, values: Any, after: Curves, block: int, rank: int, lane: int, plans: Plans
) -> None:
    """Write the outcomes of one state, and what they are worth, into a lane."""
    to, value, rows = plans.to[lane], plans.value, plans.rows
    find_outcomes(model, after, block, rank, to, plans.points[lane], plans.bonus[lane])
    _outcome_values(model, worth, values, block, to, value)
    for row in range(model.upper_row, model.joker_row):
        rows[row * LANES + lane] = value[row - model.upper_row]
    for face in range(model.jokers):
        best, chosen = -np.inf, -1
        context = joker_context(model, block, face)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            outcome = model.joker_outcome[term]
            if value[outcome] > best:
                best, chosen = value[outcome], outcome
        rows[(model.joker_row + face) * LANES + lane] = best
        plans.joker[face * LANES + lane] = chosen


@njit(cache=True, nogil=True, error_model="numpy")
def _choose_places(model: TurnArrays, plans: Plans) -> None:
    """The best outcome of every roll when no roll is left, and what it is worth."""
    base, place, joker = row_base(plans.rows), row_base(plans.place), row_base(plans.joker)
    for roll in range(model.keeps - model.first_roll):
        best, chosen = broadcast(base, -np.inf), broadcast(base, -1.0)
        for entry in range(model.roll_start[roll], model.roll_start[roll + 1]):
            row = np.int64(model.roll_row[entry]) // LANES
            value = load(base, row * LANES)
            if model.jokers and row >= model.joker_row:  # stands alone
                best, chosen = value, load(joker, (row - model.joker_row) * LANES)
            else:
                chosen = where_greater(value, best, broadcast(base, np.float64(row - model.upper_row)), chosen)
                best = maximum(value, best)
        store(base, (model.first_roll + roll) * LANES, best)
        store(place, roll * LANES, chosen)


@njit(cache=True, nogil=True, error_model="numpy")
def _choose_keeps(model: TurnArrays, plans: Plans) -> None:
    """What is best kept of all dice, for every number of rolls left."""
    base, kept, child = row_base(plans.rows), row_base(plans.keep), model.child.ctypes.data
    faces = model.faces
    for left in range(model.rerolls):
        skip = left * model.keeps * LANES
        for keep in range(model.first_roll - 1, -1, -1):
            entry = keep * faces
            total = fold_add(load_indexed(base, child, entry), base, child, entry + 1, faces - 1)
            store(base, keep * LANES, divide(total, broadcast(base, np.float64(faces))))
        for keep in range(model.keeps):
            best, chosen = load(base, keep * LANES), broadcast(base, np.float64(keep))
            for entry in range(model.parent_start[keep], model.parent_start[keep + 1]):
                parent = np.int64(model.parent[entry])
                value = load(base, parent)
                chosen = where_greater(value, best, load(kept, skip + parent), chosen)
                best = maximum(value, best)
            store(base, keep * LANES, best)
            store(kept, skip + keep * LANES, chosen)
