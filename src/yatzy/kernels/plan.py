"""Plan the choices of LANES turns at a time from the values of their outcomes.

Choices are indices of keeps and outcomes, stored as doubles so that they use the same lanes as values. Ties go to the
first outcome and to the largest keep.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.borrowed import borrowed
from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves, top_of
from yatzy.kernels.layers import Worth
from yatzy.kernels.outcomes import chance_of, find_outcomes, outcome_values
from yatzy.kernels.turn import TurnArrays, joker_context
from yatzy.kernels.vectors import (
    LANES,
    add,
    aligned,
    broadcast,
    divide,
    fold_add,
    load,
    load_indexed,
    maximum,
    multiply,
    row_base,
    store,
    where_greater,
)

BY_VALUE, BY_TARGET, BY_UTILITY = 0, 1, 2
"""Kinds of goals: maximise the values themselves, the chance of a target, or a utility of the final score."""

NEAR = 1e-12
"""Tie-break by expected score: a point of expected score counts as this fraction of the best chance."""


class TurnGoal(NamedTuple):
    """What a turn maximises, given by values of the states of the next layer."""

    kind: int
    """BY_VALUE, BY_TARGET or BY_UTILITY"""

    worth: Worth
    values: Any
    """float64[state of the next layer]: expected points to come, or their utility as defined by `worth`"""
    target: int
    """A final score; 0 without a target"""
    here: Curves
    """With a target: the curves of this layer"""
    after: Curves
    """The next layer: its first state; with a target its chances, for a utility its values by points made"""


class AssumedRolls(NamedTuple):
    """Chances of rolls for a plan that assumes other dice than fair ones."""

    start: Any
    """int64[keep with fewer than n dice + 1]: its first pair"""
    row: Any
    """uint32[pair]: offset of the row of a roll that the keep can become"""
    chance: Any
    """float64[pair]: the assumed chance of that roll"""
    first: Any
    """float64[roll]: its assumed chance at the start of a turn"""


class LanePlans(NamedTuple):
    """The turns of LANES states: values, choices and next states."""

    rows: Any
    """float64[row · LANES]: the rows of `TurnArrays`, updated in place"""
    keep: Any
    """float64[(rolls left - 1) · keeps · LANES]: the keep chosen from these dice"""
    place: Any
    """float64[roll · LANES]: the outcome chosen with no roll left"""
    joker: Any
    """float64[face · LANES]: the outcome chosen for equal dice under a Joker rule"""
    to: Any
    """int64[lane, outcome]: the next state, counted from the first of the next layer"""
    points: Any
    """int32[lane, outcome]: its points, bonuses included"""
    bonus: Any
    """bool[lane, outcome]: whether the points include the upper bonus"""
    value: Any
    """float64[outcome]: scratch buffer"""


@njit(cache=True, nogil=True, error_model="numpy")
def make_lane_plans(model: TurnArrays) -> LanePlans:
    """Allocate buffers for LANES plans."""
    shape = (LANES, model.outcomes)
    return LanePlans(
        rows=_zeros(model.rows * LANES),
        keep=_zeros(model.rerolls * model.keeps * LANES),
        place=_zeros((model.keeps - model.first_roll) * LANES),
        joker=_zeros(model.jokers * LANES),
        to=np.empty(shape, np.int64),
        points=np.empty(shape, np.int32),
        bonus=np.empty(shape, np.bool_),
        value=np.empty(model.outcomes),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _zeros(length: int) -> Any:
    """Aligned doubles, set to 0 so that unused lanes hold numbers."""
    numbers = aligned(length, np.float64)
    numbers[:] = 0.0
    return numbers


@njit(cache=True, nogil=True, error_model="numpy")
def fill_lane(
    model: TurnArrays, goal: TurnGoal, block: int, state: int, made: int, lane: int, plans: LanePlans
) -> None:
    """Write the outcomes of a state, and their values with `made` points so far, into a lane."""
    model, goal, plans = borrowed(model), borrowed(goal), borrowed(plans)
    to, points, value = plans.to[lane], plans.points[lane], plans.value
    find_outcomes(model, goal.after, block, state - model.block_start[block], to, points, plans.bonus[lane])
    if goal.kind == BY_UTILITY:
        _utilities(goal.after, to, points, made, value)
    else:
        outcome_values(model, goal.worth, goal.values, block, to, value)
        if goal.kind == BY_TARGET:
            _chances(goal, state, to, points, made, value)
    write_lane(model, block, lane, plans)


@njit(cache=True, nogil=True, error_model="numpy")
def write_lane(model: TurnArrays, block: int, lane: int, plans: LanePlans) -> None:
    """Copy the values of the outcomes from `plans.value` into a lane."""
    value, rows = plans.value, plans.rows
    for row in range(model.upper_row, model.joker_row):
        rows[row * LANES + lane] = value[row - model.upper_row]
    if model.jokers:
        write_joker_lane(model, block, lane, plans)


@njit(cache=True, nogil=True, error_model="numpy")
def write_joker_lane(model: TurnArrays, block: int, lane: int, plans: LanePlans) -> None:
    """Find the best outcome for equal dice of each face, from the values of the outcomes in `plans.value`."""
    value, rows = plans.value, plans.rows
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
def _utilities(after: Curves, to: Any, points: Any, made: int, value: Any) -> None:
    for outcome in range(len(to)):
        value[outcome] = -np.inf
        if to[outcome] >= 0:
            begin, end = after.offset[to[outcome]], after.offset[to[outcome] + 1]
            value[outcome] = after.chance[min(begin + made + points[outcome], end - 1)]


@njit(cache=True, nogil=True, error_model="numpy")
def _chances(goal: TurnGoal, state: int, to: Any, points: Any, made: int, value: Any) -> None:
    """Replace the expected points in `value` by the chances of the target; the points only break ties.

    If the target has been reached or is out of reach, only the expected points count.
    """
    here = state - goal.here.first
    if goal.target <= made or goal.target > made + top_of(goal.here, here):
        return
    near = NEAR * chance_of(goal.here, here, goal.target - made)
    for outcome in range(len(to)):
        if to[outcome] >= 0:
            value[outcome] = near * value[outcome] + chance_of(
                goal.after, to[outcome], goal.target - made - points[outcome]
            )


@njit(cache=True, nogil=True, error_model="numpy")
def choose_lanes(model: TurnArrays, plans: LanePlans) -> None:
    """Find the best choices of the turns whose outcomes have been written."""
    _choose_places(model, plans)
    _choose_keeps(model, plans)


@njit(cache=True, nogil=True, error_model="numpy")
def _choose_places(model: TurnArrays, plans: LanePlans) -> None:
    """Find the best outcome of every roll when no roll is left, and its value."""
    base, place, joker = row_base(plans.rows), row_base(plans.place), row_base(plans.joker)
    for roll in range(model.keeps - model.first_roll):
        best, chosen = broadcast(base, -np.inf), broadcast(base, -1.0)
        for entry in range(model.roll_start[roll], model.roll_start[roll + 1]):
            row = np.int64(model.roll_row[entry]) // LANES
            value = load(base, row * LANES)
            if model.jokers and row >= model.joker_row:  # the only row of its roll
                best, chosen = value, load(joker, (row - model.joker_row) * LANES)
            else:
                chosen = where_greater(value, best, broadcast(base, np.float64(row - model.upper_row)), chosen)
                best = maximum(value, best)
        store(base, (model.first_roll + roll) * LANES, best)
        store(place, roll * LANES, chosen)


@njit(cache=True, nogil=True, error_model="numpy")
def _choose_keeps(model: TurnArrays, plans: LanePlans) -> None:
    """Find the best keep from any dice, for every number of rolls left."""
    base, kept, child = row_base(plans.rows), row_base(plans.keep), model.child.ctypes.data
    faces = model.faces
    for left in range(model.rerolls):
        skip = left * model.keeps * LANES
        for keep in range(model.first_roll - 1, -1, -1):
            entry = keep * faces
            total = fold_add(load_indexed(base, child, entry), base, child, entry + 1, faces - 1)
            store(base, keep * LANES, divide(total, broadcast(base, np.float64(faces))))
        _best_keeps(model, base, kept, skip)


@njit(inline="always")
def _best_keeps(model: TurnArrays, base: Any, kept: Any, skip: int) -> None:
    """Replace the value of keeping dice by that of the best keep from them, and write that keep at `kept`."""
    for keep in range(model.keeps):
        best, chosen = load(base, keep * LANES), broadcast(base, np.float64(keep))
        for entry in range(model.parent_start[keep], model.parent_start[keep + 1]):
            parent = np.int64(model.parent[entry])
            value = load(base, parent)
            chosen = where_greater(value, best, load(kept, skip + parent), chosen)
            best = maximum(value, best)
        store(base, keep * LANES, best)
        store(kept, skip + keep * LANES, chosen)


@njit(cache=True, nogil=True, error_model="numpy")
def _choose_assumed(model: TurnArrays, rolls: AssumedRolls, plans: LanePlans) -> None:
    """Find the best choices if rolls had the assumed chances; leaves the value before the turn in row 0."""
    _choose_places(model, plans)
    base, kept, row = row_base(plans.rows), row_base(plans.keep), rolls.row.ctypes.data
    for left in range(model.rerolls):
        for keep in range(model.first_roll):
            total = broadcast(base, 0.0)
            for pair in range(rolls.start[keep], rolls.start[keep + 1]):
                value = load_indexed(base, row, pair)
                total = add(total, multiply(value, broadcast(base, rolls.chance[pair])))
            store(base, keep * LANES, total)
        _best_keeps(model, base, kept, left * model.keeps * LANES)
    total = broadcast(base, 0.0)
    for roll in range(model.keeps - model.first_roll):
        value = load(base, (model.first_roll + roll) * LANES)
        total = add(total, multiply(value, broadcast(base, rolls.first[roll])))
    store(base, 0, total)


@njit(cache=True, nogil=True, error_model="numpy")
def roll_kept(model: TurnArrays, kept: Any) -> None:
    """Roll the dice not kept: turn the chances of the keeps into those of the rolls, in place; kept: float64[keep]."""
    for k in range(model.first_roll):
        if kept[k] > 0.0:
            share = kept[k] / model.faces
            for entry in range(k * model.faces, (k + 1) * model.faces):
                kept[model.child[entry] // model.lanes] += share


@njit(cache=True, nogil=True, error_model="numpy")
def write_plans(
    model: TurnArrays,
    goal: TurnGoal,
    rolls: AssumedRolls | None,
    states: Any,
    made: Any,
    keep: Any,
    place: Any,
    before: Any,
) -> None:
    """Plan the turns of some states of one layer, each with its points so far.

    rolls: the chances that the plans assume; None for fair dice. states: int64[turn], counted from the first state of
    the game; keep: int16[turn, rolls left - 1, roll]; place: int16[turn, roll]; before: float64[turn], the assumed
    value before the turn, not written for fair dice.
    """
    plans = make_lane_plans(model)
    for first in range(0, len(states), LANES):
        lanes = min(LANES, len(states) - first)
        for lane in range(lanes):
            state = states[first + lane]
            block = np.searchsorted(model.block_start, state, side="right") - 1
            fill_lane(model, goal, block, state, np.int64(made[first + lane]), lane, plans)
        if rolls is None:
            choose_lanes(model, plans)
        else:
            _choose_assumed(model, rolls, plans)
            before[first : first + lanes] = plans.rows[:lanes]
        for lane in range(lanes):
            for roll in range(model.keeps - model.first_roll):
                place[first + lane, roll] = np.int64(plans.place[roll * LANES + lane])
                for left in range(model.rerolls):
                    kept = plans.keep[(left * model.keeps + model.first_roll + roll) * LANES + lane]
                    keep[first + lane, left, roll] = np.int64(kept)
