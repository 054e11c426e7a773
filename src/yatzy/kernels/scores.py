"""The forward pass of a strategy whose moves depend on the points so far; see evaluate.py.

A turn is planned for every state and score with any mass, LANES at a time. The scores of a state share the outcomes of
the turn. With a target, all scores that have reached it, and all from which it cannot be reached, share one plan.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.borrowed import borrowed
from yatzy.kernels.cache import njit
from yatzy.kernels.curves import top_of
from yatzy.kernels.follow import LaneChances, follow_lanes, make_lane_chances
from yatzy.kernels.outcomes import chance_of, find_outcomes, outcome_values
from yatzy.kernels.plan import BY_TARGET, NEAR, LanePlans, TurnGoal, choose_lanes, make_lane_plans, write_joker_lane
from yatzy.kernels.turn import TurnArrays
from yatzy.kernels.vectors import LANES

SETTLED = -1
"""In place of a score: the scores for which the target does not matter any more."""


class ScoreLanes(NamedTuple):
    """The turns of LANES scores of one or more states."""

    made: Any
    """int64[lane]: the score, or SETTLED"""
    source: Any
    """int64[lane]: the first lane of its state, which has the outcomes"""
    begin: Any
    """int64[lane]: where the mass of its state begins"""
    range: Any
    """int64[lane, 3]: the first score that is not settled, the first after it that is, and the end of the scores"""
    near: Any
    """float64[lane]: how much a point of expected score counts"""
    value: Any
    """float64[outcome · LANES]"""


@njit(cache=True, nogil=True, error_model="numpy")
def push_scores(
    model: TurnArrays, goal: TurnGoal, low: int, high: int, block: int, mass: Any, offset: Any, marks: Any,
    next_mass: Any, next_offset: Any, total: Any,
) -> None:  # fmt: skip
    """Move the mass of states low … high to the next layer, for a `goal` that depends on the points so far."""
    plans, chances = make_lane_plans(model), make_lane_chances(model)
    lanes = ScoreLanes(np.empty(LANES, np.int64), np.empty(LANES, np.int64), np.empty(LANES, np.int64),
                       np.empty((LANES, 3), np.int64), np.empty(LANES), np.empty(model.outcomes * LANES))  # fmt: skip
    filled = np.int64(0)
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        begin = offset[state - low]
        width = offset[state - low + 1] - begin
        while width and not _any_mass(mass, begin + width - 1, begin + width):
            width -= 1
        first: Any = np.int64(0)
        last: Any = width
        if goal.kind == BY_TARGET:
            first = min(max(goal.target - top_of(goal.here, state - goal.here.first), 0), width)
            last = min(max(goal.target, first), width)
        own = filled
        for made in range(SETTLED, last):
            if made == SETTLED:
                if not (_any_mass(mass, begin, begin + first) or _any_mass(mass, begin + last, begin + width)):
                    continue
            elif made < first or not _any_mass(mass, begin + made, begin + made + 1):
                continue
            lanes.made[filled], lanes.source[filled], lanes.begin[filled] = made, own, begin
            lanes.range[filled, 0], lanes.range[filled, 1], lanes.range[filled, 2] = first, last, width
            filled += 1
            if filled == LANES:
                _fill_scores(model, goal, block, state, own, filled, lanes, plans)
                _push_lanes(model, filled, lanes, plans, chances, mass, marks, next_mass, next_offset, total)
                own = filled = np.int64(0)
        if filled > own:
            _fill_scores(model, goal, block, state, own, filled, lanes, plans)
    if filled:
        _push_lanes(model, filled, lanes, plans, chances, mass, marks, next_mass, next_offset, total)


@njit(cache=True, nogil=True, error_model="numpy")
def _any_mass(mass: Any, begin: int, end: int) -> bool:
    for part in range(len(mass)):
        for x in range(begin, end):
            if mass[part, x] > 0.0:
                return True
    return False


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_scores(
    model: TurnArrays, goal: TurnGoal, block: int, state: int, low: int, high: int, lanes: ScoreLanes, plans: LanePlans
) -> None:
    """Write the outcomes of a state, and their values with the scores of the lanes low … high."""
    model, goal, lanes, plans = borrowed(model), borrowed(goal), borrowed(lanes), borrowed(plans)
    to, points, made, near, after = plans.to[low], plans.points[low], lanes.made, lanes.near, goal.after
    find_outcomes(model, after, block, state - model.block_start[block], to, points, plans.bonus[low])
    if goal.kind == BY_TARGET:
        outcome_values(model, goal.worth, goal.values, block, to, plans.value)
        for lane in range(low, high):
            near[lane] = NEAR * chance_of(goal.here, state - goal.here.first, goal.target - made[lane])
    for outcome in range(model.outcomes):
        row, there = outcome * LANES, to[outcome]
        if there < 0:
            for lane in range(low, high):
                lanes.value[row + lane] = -np.inf
            continue
        begin, end = after.offset[there], after.offset[there + 1]
        if goal.kind == BY_TARGET:
            value, needed = plans.value[outcome], goal.target - points[outcome] - after.low[there]
            for lane in range(low, high):
                at = begin + needed - made[lane]
                if made[lane] == SETTLED:
                    lanes.value[row + lane] = value
                elif at < begin:
                    lanes.value[row + lane] = near[lane] * value + 1.0
                elif at >= end:
                    lanes.value[row + lane] = near[lane] * value + 0.0
                else:
                    lanes.value[row + lane] = near[lane] * value + after.chance[at]
        else:
            for lane in range(low, high):
                lanes.value[row + lane] = after.chance[min(begin + made[lane] + points[outcome], end - 1)]
    rows = plans.rows
    for outcome in range(model.joker_row - model.upper_row):
        for lane in range(low, high):
            rows[(model.upper_row + outcome) * LANES + lane] = lanes.value[outcome * LANES + lane]
    if model.jokers:
        for lane in range(low, high):
            for outcome in range(model.outcomes):
                plans.value[outcome] = lanes.value[outcome * LANES + lane]
            write_joker_lane(model, block, lane, plans)


@njit(cache=True, nogil=True, error_model="numpy")
def _push_lanes(
    model: TurnArrays, filled: int, lanes: ScoreLanes, plans: LanePlans, chances: LaneChances, mass: Any, marks: Any,
    next_mass: Any, next_offset: Any, total: Any,
) -> None:  # fmt: skip
    """Plan the turns of the lanes, and push their mass."""
    choose_lanes(model, plans)
    follow_lanes(model, plans, filled, chances)
    lanes, plans, chances = borrowed(lanes), borrowed(plans), borrowed(chances)
    mass, next_mass, total = borrowed(mass), borrowed(next_mass), borrowed(total)
    for lane in range(filled):
        own, made, begin = lanes.source[lane], lanes.made[lane], lanes.begin[lane]
        first, last, width = lanes.range[lane, 0], lanes.range[lane, 1], lanes.range[lane, 2]
        for outcome in range(model.outcomes):
            p = chances.chance[outcome * LANES + lane]
            if p > 0.0:
                won = plans.bonus[own, outcome]
                extra = marks[outcome] | (marks[-1] if won else 0)
                into = next_offset[plans.to[own, outcome]] + plans.points[own, outcome]
                moved = 0.0
                for part in range(len(mass)):
                    row = next_mass[part | extra]
                    if made == SETTLED:
                        moved += add_scaled(p, mass[part, begin : begin + first], row[into : into + first])
                        moved += add_scaled(
                            p, mass[part, begin + last : begin + width], row[into + last : into + width]
                        )
                    else:
                        more = p * mass[part, begin + made]
                        row[into + made] += more
                        moved += more
                total[outcome] += moved
                if won:
                    total[-1] += moved


@njit(cache=True, nogil=True, error_model="numpy")
def add_scaled(scale: float, from_: Any, to: Any) -> float:
    """Add `from_`, scaled, to `to`; returns the sum of what is added."""
    total = 0.0
    for i in range(len(from_)):  # from 0: otherwise Numba checks for negative indices and does not vectorise
        to[i] += scale * from_[i]
        total += from_[i]
    return scale * total
