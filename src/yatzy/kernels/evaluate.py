"""The distribution of a strategy's final score, propagated forward through the layers of a game.

Each state of a layer holds the chance of being there with x points, for 0 ≤ x < width: `mass` float64[part, index].
If games are split by events (bonus won, category hit), part p holds the games in which event i has happened if bit i of
p is set.
A strategy that depends only on the state is planned once per state (`value_chances`, `plan_chances`, then `push_mass`).
One that plays for a final score is planned for every x with any mass (scores.py).
`total` float64[outcome + 1] sums the frequency of each outcome; its last entry is for the upper bonus.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves
from yatzy.kernels.follow import follow_lanes, make_lane_chances
from yatzy.kernels.outcomes import find_outcomes
from yatzy.kernels.plan import TurnGoal, choose_lanes, fill_lane, make_lane_plans, roll_kept
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
    plans, chances = make_lane_plans(model), make_lane_chances(model)
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
            follow_lanes(model, plans, lanes, chances)
            for lane in range(lanes):
                at = held[lane]
                for outcome in range(model.outcomes):
                    chance[at, outcome] = chances.chance[outcome * LANES + lane]
                    to[at, outcome] = plans.to[lane, outcome]
                    points[at, outcome] = plans.points[lane, outcome]
                    bonus[at, outcome] = plans.bonus[lane, outcome]
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
def measure_mass(mass: Any, offset: Any, first: Any, last: Any, here: Any) -> None:
    """The part of each state's scores that has mass, and its sum; first, last: int64, here: float64[part, state]."""
    for part in range(len(mass)):
        for at in range(len(offset) - 1):
            begin, end = offset[at], offset[at + 1]
            while begin < end and mass[part, begin] == 0.0:
                begin += 1
            while end > begin and mass[part, end - 1] == 0.0:
                end -= 1
            total = 0.0
            for x in range(begin, end):
                total += mass[part, x]
            first[part, at], last[part, at], here[part, at] = begin, end, total


@njit(cache=True, nogil=True, error_model="numpy")
def push_mass(
    mass: Any, offset: Any, first: Any, last: Any, here: Any, chance: Any, to: Any, points: Any, bonus: Any,
    marks: Any, next_mass: Any, next_offset: Any, total: Any, piece: int, pieces: int,
) -> None:  # fmt: skip
    """Move the mass of some states to one in `pieces` states of the next layer: to `piece`, `piece + pieces` and so on.

    Pieces may run at the same time, since each writes other numbers. Every number is summed in the order of the states,
    whatever the number of pieces, which is a power of 2. first, last, here: from `measure_mass`; marks:
    int64[outcome + 1], the events of each outcome as bits; the last entry is for the upper bonus.
    """
    among = pieces - 1
    for part in range(len(mass)):
        for at in range(len(chance)):
            begin, end = first[part, at], last[part, at]
            if begin == end:
                continue
            there = mass[part, begin:end]
            for outcome in range(chance.shape[1]):
                p = chance[at, outcome]
                if p > 0.0:
                    if outcome & among == piece:
                        total[outcome] += p * here[part, at]
                    if bonus[at, outcome] and piece == 0:
                        total[-1] += p * here[part, at]
                    state = to[at, outcome]
                    if state & among == piece:
                        into = part | marks[outcome] | (marks[-1] if bonus[at, outcome] else 0)
                        shift = next_offset[state] + points[at, outcome] - offset[at]
                        _add_scaled(p, there, next_mass[into, begin + shift : end + shift])


@njit(cache=True, nogil=True, error_model="numpy")
def _add_scaled(scale: float, from_: Any, to: Any) -> None:
    for i in range(len(from_)):  # from 0: otherwise Numba checks for negative indices and does not vectorise
        to[i] += scale * from_[i]
