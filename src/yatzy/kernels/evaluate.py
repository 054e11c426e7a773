"""The distribution of a strategy's final score, propagated forward through the layers of a game.

Each state of a layer holds the chance of being there with x points, for 0 ≤ x < width: `mass` float64[part, index].
If games are split by events (bonus won, category hit), part p holds the games in which event i has happened if bit i of
p is set.
A strategy that depends only on the state is planned once per state (`value_chances`, `plan_chances`, then `push_mass`).
One that plays for a final score is planned for every x with any mass (`push_scores`).
`total` float64[outcome + 1] sums the frequency of each outcome; its last entry is for the upper bonus.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves
from yatzy.kernels.outcomes import find_outcomes
from yatzy.kernels.plan import TurnGoal, choose_lanes, fill_lane, lane_chances, make_lane_plans, roll_kept
from yatzy.kernels.turn import TurnArrays
from yatzy.kernels.vectors import LANES


@njit(cache=True, nogil=True, error_model="numpy")
def value_chances(
    model: TurnArrays, goal: TurnGoal, low: int, high: int, block: int, weight: Any, chance: Any, to: Any, points: Any,
    bonus: Any,
) -> None:  # fmt: skip
    """For states low … high, compute the chance of each outcome under the strategy that maximises `goal`.

    weight: float64[state - low], the mass of each state; states without mass are skipped. chance, to, points, bonus:
    [state - low, outcome].
    """
    plans = make_lane_plans(model)
    mass, kept = np.empty(model.keeps), np.empty(model.keeps)
    held = np.empty(LANES, np.int64)
    lanes = np.int64(0)  # not 0, for which Numba would compile `fill_lane` once more
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        if weight[state - low] > 0.0:
            fill_lane(model, goal, block, state, np.int64(0), lanes, plans)
            held[lanes] = state - low
            lanes += 1
        else:
            chance[state - low, :] = 0.0
        if lanes == LANES or (state == high - 1 and lanes):
            choose_lanes(model, plans)
            for lane in range(lanes):
                at = held[lane]
                lane_chances(model, plans, lane, mass, kept, chance[at])
                to[at], points[at], bonus[at] = plans.to[lane], plans.points[lane], plans.bonus[lane]
            lanes = np.int64(0)


@njit(cache=True, nogil=True, error_model="numpy")
def plan_chances(model: TurnArrays, aim: Any, keep: Any, place: Any, chance: Any) -> None:
    """The chance of each outcome of planned turns; aim, keep, place: as in `Plans`; chance: [turn, outcome].

    A negative keep ends the turn with the outcome ~keep.
    """
    aims, rolls = place.shape[1], model.keeps - model.first_roll
    kept, mass = np.empty(model.keeps), np.empty(rolls)
    for turn in range(len(aim)):
        chance[turn, :] = 0.0
        for chosen in range(aims):
            for roll in range(rolls):
                mass[roll] = model.weight[roll] if aim[turn, roll] == chosen else 0.0
            if not np.any(mass):
                continue
            for left in range(model.rerolls - 1, -1, -1):
                kept[:] = 0.0
                for roll in range(rolls):
                    if mass[roll] > 0.0:
                        choice = np.int64(keep[turn, left, chosen, roll])
                        if choice < 0:
                            chance[turn, ~choice] += mass[roll]
                        else:
                            kept[choice] += mass[roll]
                roll_kept(model, kept)
                mass[:] = kept[model.first_roll :]
            for roll in range(rolls):
                if mass[roll] > 0.0:
                    chance[turn, place[turn, chosen, roll]] += mass[roll]


@njit(cache=True, nogil=True, error_model="numpy")
def state_outcomes(model: TurnArrays, after: Curves, low: int, high: int, to: Any, points: Any, bonus: Any) -> None:
    """The outcomes of states low … high; to, points, bonus: [state - low, outcome]."""
    block = np.searchsorted(model.block_start, low, side="right") - 1
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        at = state - low
        find_outcomes(model, after, block, state - model.block_start[block], to[at], points[at], bonus[at])


@njit(cache=True, nogil=True, error_model="numpy")
def push_mass(
    mass: Any, offset: Any, chance: Any, to: Any, points: Any, bonus: Any, marks: Any, next_mass: Any,
    next_offset: Any, total: Any,
) -> None:  # fmt: skip
    """Move the mass of some states to the next layer.

    marks: int64[outcome + 1], the events of each outcome as bits; the last entry is for the upper bonus.
    """
    for part in range(len(mass)):
        for at in range(len(chance)):
            first, last = offset[at], offset[at + 1]
            while first < last and mass[part, first] == 0.0:
                first += 1
            while last > first and mass[part, last - 1] == 0.0:
                last -= 1
            if first == last:
                continue
            here = 0.0
            for x in range(first, last):
                here += mass[part, x]
            for outcome in range(chance.shape[1]):
                p = chance[at, outcome]
                if p > 0.0:
                    total[outcome] += p * here
                    if bonus[at, outcome]:
                        total[-1] += p * here
                    into = part | marks[outcome] | (marks[-1] if bonus[at, outcome] else 0)
                    shift = next_offset[to[at, outcome]] + points[at, outcome] - offset[at]
                    for x in range(first, last):
                        next_mass[into, x + shift] += p * mass[part, x]


@njit(cache=True, nogil=True, error_model="numpy")
def push_scores(
    model: TurnArrays, goal: TurnGoal, low: int, high: int, block: int, mass: Any, offset: Any, marks: Any,
    next_mass: Any, next_offset: Any, total: Any,
) -> None:  # fmt: skip
    """Move the mass of states low … high to the next layer, for a `goal` that depends on the points so far."""
    plans, chance = make_lane_plans(model), np.empty(model.outcomes)
    work, kept = np.empty(model.keeps), np.empty(model.keeps)
    held, made = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    lanes = np.int64(0)  # not 0, for which Numba would compile `fill_lane` once more
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        at = state - low
        width = offset[at + 1] - offset[at]
        for x in range(width):
            if np.any(mass[:, offset[at] + x]):
                fill_lane(model, goal, block, state, x, lanes, plans)
                held[lanes], made[lanes] = offset[at] + x, x
                lanes += 1
            if lanes == LANES or (state == high - 1 and x == width - 1 and lanes):
                choose_lanes(model, plans)
                for lane in range(lanes):
                    lane_chances(model, plans, lane, work, kept, chance)
                    to, points, bonus = plans.to[lane], plans.points[lane], plans.bonus[lane]
                    for part in range(len(mass)):
                        m = mass[part, held[lane]]
                        if m > 0.0:
                            _push(chance, part, m, made[lane], to, points, bonus, marks, next_mass, next_offset, total)
                lanes = np.int64(0)


@njit(cache=True, nogil=True, error_model="numpy")
def _push(
    chance: Any, part: int, m: float, made: int, to: Any, points: Any, bonus: Any, marks: Any, next_mass: Any,
    next_offset: Any, total: Any,
) -> None:  # fmt: skip
    for outcome in range(len(chance)):
        if chance[outcome] > 0.0:
            into = part | marks[outcome] | (marks[-1] if bonus[outcome] else 0)
            next_mass[into, next_offset[to[outcome]] + made + points[outcome]] += m * chance[outcome]
            total[outcome] += m * chance[outcome]
            if bonus[outcome]:
                total[-1] += m * chance[outcome]
