"""The values of the rolls and moves of played turns, LANES turns at a time.

A row is one played turn. Rows in the same situation form a group and share one computation. It starts from the values
of the outcomes and, unlike kernels/plan.py, keeps all intermediate values:

    rolled[0, roll] = value of the best outcome of the roll
    kept[i, keep]   = mean of rolled[i] over the rolls of the dice not kept
    rolled[i, roll] = best kept[i - 1] over the keeps of the roll
    start           = mean of the last rolled over the first roll
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.outcomes import chance_of, find_outcomes, outcome_values
from yatzy.kernels.plan import BY_VALUE, LanePlans, TurnGoal, make_lane_plans, write_lane
from yatzy.kernels.turn import TurnArrays, best_placements
from yatzy.kernels.vectors import LANES, broadcast, divide, fold_add, fold_maximum, load, load_indexed, row_base, store


class Played(NamedTuple):
    """Turns that were played, in groups."""

    order: Any
    """int64[index]: the rows, sorted by group"""
    begin: Any
    """int64[group + 1]: where each group begins in `order`"""
    state: Any
    """int64[row]: before the turn, counted from the first state of the game; equal within a group"""
    made: Any
    """int32[row]: points before the turn; with a target equal within a group"""
    rolls: Any
    """int16[row, roll]: all dice after each roll, as an index among the rolls"""
    keeps: Any
    """int16[row, roll - 1]: what was kept, as a lattice index"""
    outcome: Any
    """int16[row]"""
    keep_start: Any
    """int32[roll + 1]: where the keeps of each roll begin in `keep_of`"""
    keep_of: Any
    """int16[entry]: the keeps of each roll"""
    option: Any
    """int16[row, category]: the outcome of scoring the last dice in the category, -1 if it is not allowed"""


class Worths(NamedTuple):
    """The values of each row; see the module docstring."""

    start: Any
    """float64[row]"""
    rolled: Any
    """float64[row, roll]"""
    chosen: Any
    """float64[row, roll]: the value of the keep that was played; for the last roll, of the outcome"""
    best: Any
    """int16[row, roll]: the first of the best keeps; for the last roll, of the best categories"""


class LaneTurns(NamedTuple):
    """The turns of LANES groups."""

    plans: LanePlans
    """Scratch buffers"""
    outcome: Any
    """float64[lane, outcome]"""
    kept: Any
    """float64[rolls left - 1, keep · LANES]"""
    rolled: Any
    """float64[rolls left, roll · LANES]"""
    start: Any
    """float64[lane]"""


@njit(cache=True, nogil=True, error_model="numpy")
def review_turns(model: TurnArrays, goal: TurnGoal, played: Played, low: int, high: int, worths: Worths) -> None:
    """Review the groups low … high, all of one layer; `model` comes from `exact_turn_arrays`."""
    turns, last = make_lane_turns(model), model.rerolls
    for group in range(low, high, LANES):
        lanes = min(LANES, high - group)
        for lane in range(lanes):
            row = played.order[played.begin[group + lane]]
            fill_lane(model, goal, played.state[row], np.int64(played.made[row]), lane, turns)
        solve_lanes(model, turns)
        for lane in range(lanes):
            for i in range(played.begin[group + lane], played.begin[group + lane + 1]):
                _write_row(played, played.order[i], last, goal.kind == BY_VALUE, turns, lane, worths)


@njit(cache=True, nogil=True, error_model="numpy")
def make_lane_turns(model: TurnArrays) -> LaneTurns:
    """Buffers for the turns of LANES groups."""
    rolls, last = model.keeps - model.first_roll, model.rerolls
    return LaneTurns(make_lane_plans(model), np.empty((LANES, model.outcomes)), np.empty((last, model.keeps * LANES)),
                     np.empty((last + 1, rolls * LANES)), np.empty(LANES))  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def fill_lane(model: TurnArrays, goal: TurnGoal, state: int, made: int, lane: int, turns: LaneTurns) -> None:
    """Write the values of the outcomes of a state into a lane."""
    plans = turns.plans
    to, points, value = plans.to[lane], plans.points[lane], plans.value
    block = np.searchsorted(model.block_start, state, side="right") - 1
    find_outcomes(model, goal.after, block, state - model.block_start[block], to, points, plans.bonus[lane])
    if goal.kind == BY_VALUE:
        outcome_values(model, goal.worth, goal.values, block, to, value)
    else:
        for outcome in range(len(to)):
            value[outcome] = -np.inf
            if to[outcome] >= 0:
                value[outcome] = chance_of(goal.after, to[outcome], goal.target - made - points[outcome])
    write_lane(model, block, lane, plans)
    turns.outcome[lane] = value


@njit(cache=True, nogil=True, error_model="numpy")
def solve_lanes(model: TurnArrays, turns: LaneTurns) -> None:
    """Compute the values of all rolls and keeps, in place, with two sweeps per roll; see model/lattice.py."""
    rows, faces = turns.plans.rows, model.faces
    base, child, parent = row_base(rows), model.child.ctypes.data, model.parent.ctypes.data
    first_roll, length = model.first_roll * LANES, model.keeps * LANES
    best_placements(model, model.roll_row, model.roll_start, base)
    turns.rolled[0] = rows[first_roll:length]
    for left in range(model.rerolls):
        for keep in range(model.first_roll - 1, -1, -1):
            entry = keep * faces
            total = fold_add(load_indexed(base, child, entry), base, child, entry + 1, faces - 1)
            store(base, keep * LANES, divide(total, broadcast(base, np.float64(faces))))
        turns.kept[left] = rows[:length]
        for keep in range(model.keeps):
            entry = model.parent_start[keep]
            count = model.parent_start[keep + 1] - entry
            store(base, keep * LANES, fold_maximum(load(base, keep * LANES), base, parent, entry, count))
        turns.rolled[left + 1] = rows[first_roll:length]
    turns.start[:] = 0.0
    first = turns.rolled[model.rerolls]
    for roll in range(len(model.weight)):
        for lane in range(LANES):
            turns.start[lane] += model.weight[roll] * first[roll * LANES + lane]


@njit(cache=True, nogil=True, error_model="numpy")
def _write_row(
    played: Played, row: int, last: int, add_points: bool, turns: LaneTurns, lane: int, worths: Worths
) -> None:
    before = np.float64(played.made[row]) if add_points else 0.0
    worths.start[row] = turns.start[lane] + before
    for roll in range(last + 1):
        here = played.rolls[row, roll] * LANES + lane
        worths.rolled[row, roll] = turns.rolled[last - roll, here] + before
        if roll < last:
            keep = played.keeps[row, roll] * LANES + lane
            worths.chosen[row, roll] = turns.kept[last - roll - 1, keep] + before
            worths.best[row, roll] = _best_keep(played, played.rolls[row, roll], turns.kept[last - roll - 1], lane)
    worths.chosen[row, last] = turns.outcome[lane, played.outcome[row]] + before
    worths.best[row, last] = _best_category(played.option[row], turns.outcome[lane])


@njit(cache=True, nogil=True, error_model="numpy")
def _best_keep(played: Played, roll: int, kept: Any, lane: int) -> int:
    best, top = -1, -np.inf
    for entry in range(played.keep_start[roll], played.keep_start[roll + 1]):
        keep = played.keep_of[entry]
        if kept[keep * LANES + lane] > top:
            best, top = keep, kept[keep * LANES + lane]
    return best


@njit(cache=True, nogil=True, error_model="numpy")
def _best_category(option: Any, outcome: Any) -> int:
    best, top = -1, -np.inf
    for category in range(len(option)):
        if option[category] >= 0 and outcome[option[category]] > top:
            best, top = category, outcome[option[category]]
    return best
