"""The mass function of the final score of a strategy, pushed forward through the layers of a game.

Each state of a layer holds the chance of being there with x points, for 0 ≤ x < width. A strategy that looks at the
state alone is planned once a state (`plan_states`, then `push_mass`), one that plays for a score once for every x that
needs it (`push_target`). `total` float64[outcome + 1] adds up how often each outcome comes, and last the upper bonus.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from yatzy.kernels.chances import Curves, find_sources, joker_context, top_of
from yatzy.kernels.layers import Worth
from yatzy.kernels.plan import choose_turn, outcome_chances
from yatzy.kernels.turn import TurnArrays


@njit(cache=True, nogil=True, error_model="numpy")
def find_outcomes(model: TurnArrays, after: Curves, block: int, rank: int, to: Any, points: Any, bonus: Any) -> None:
    """For one state: where each outcome leads (state of the next layer, -1 if closed) and the points it brings.

    to: int64[outcome], points: int32[outcome]; bonus: bool[outcome], whether the upper bonus is among them.
    """
    rows, first_option = model.zero_row - model.upper_row, model.option_row - model.upper_row
    to[:] = -1
    bonus[:] = False
    find_sources(model, after, block, rank, to[:rows], points[:rows])
    for row in range(model.slots * model.counts):
        bonus[row] = points[row] > model.outcome_points[row]
    for option in range(len(model.option_source)):
        to[first_option + option] = to[model.option_source[option] - model.upper_row]
        points[first_option + option] = model.option_shift[option]
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            row, outcome = model.joker_term_row[term] - model.upper_row, model.joker_outcome[term]
            to[outcome] = to[row]
            points[outcome] = points[row] + model.joker_shift[term]
            bonus[outcome] = bonus[row]


@njit(cache=True, nogil=True, error_model="numpy")
def plan_states(
    model: TurnArrays, worth: Worth, values: Any, after: Curves, low: int, high: int, block: int, mass: Any,
    offset: Any, chance: Any, to: Any, points: Any, bonus: Any,
) -> None:  # fmt: skip
    """For states low … high: the chance of each outcome under the strategy that does best by `values`.

    values: float64[state of the next layer]; mass, offset: of this layer, states without mass are passed over;
    chance, to, points, bonus: [state - low, outcome].
    """
    outcomes = chance.shape[1]
    value, second = np.empty(outcomes), np.zeros(outcomes)
    place = np.empty(model.keeps - model.first_roll, np.int32)
    keep = np.empty((model.rerolls, model.keeps), np.int32)
    work, kept = np.empty((4, model.keeps)), np.empty(model.keeps)
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        at = state - low
        if not np.any(mass[offset[at] : offset[at + 1]]):
            chance[at, :] = 0.0
            continue
        find_outcomes(model, after, block, state - model.block_start[block], to[at], points[at], bonus[at])
        _outcome_values(model, worth, values, block, to[at], value)
        choose_turn(model, block, value, second, place, keep, work)
        outcome_chances(model, place, keep, work[0], kept, chance[at])


@njit(cache=True, nogil=True, error_model="numpy")
def _outcome_values(model: TurnArrays, worth: Worth, values: Any, block: int, to: Any, value: Any) -> None:
    """What each outcome is worth; see `layers` for gain and scale."""
    u = model.block[block, 0]
    first_option = model.option_row - model.upper_row
    for outcome in range(len(to)):
        value[outcome] = values[to[outcome]] if to[outcome] >= 0 else -np.inf
    for slot in range(model.slots):
        for count in range(model.counts):
            row = slot * model.counts + count
            if to[row] >= 0:
                value[row] = value[row] * worth.upper_scale[u, slot, count] + worth.upper_gain[u, slot, count]
    for option in range(len(model.option_source)):
        row = first_option + option
        if to[row] >= 0:
            value[row] = value[row] * worth.option_scale[option] + worth.option_gain[option]
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            source, outcome = model.joker_term_row[term] - model.upper_row, model.joker_outcome[term]
            if to[outcome] >= 0:
                value[outcome] = value[source] * worth.joker_scale[term] + worth.joker_gain[term]


@njit(cache=True, nogil=True, error_model="numpy")
def push_mass(
    mass: Any, offset: Any, chance: Any, to: Any, points: Any, bonus: Any, next_mass: Any, next_offset: Any, total: Any
) -> None:
    """Carry the mass of some states, planned by `plan_states`, to the next layer."""
    for at in range(len(chance)):
        first, last = offset[at], offset[at + 1]
        while first < last and mass[first] == 0.0:
            first += 1
        while last > first and mass[last - 1] == 0.0:
            last -= 1
        if first == last:
            continue
        here = 0.0
        for x in range(first, last):
            here += mass[x]
        for outcome in range(chance.shape[1]):
            p = chance[at, outcome]
            if p > 0.0:
                total[outcome] += p * here
                if bonus[at, outcome]:
                    total[-1] += p * here
                shift = next_offset[to[at, outcome]] + points[at, outcome] - offset[at]
                for x in range(first, last):
                    next_mass[x + shift] += p * mass[x]


@njit(cache=True, nogil=True, error_model="numpy")
def push_target(
    model: TurnArrays, worth: Worth, values: Any, here: Curves, after: Curves, target: int, low: int, high: int,
    block: int, mass: Any, offset: Any, next_mass: Any, next_offset: Any, total: Any,
) -> None:  # fmt: skip
    """Carry the mass of states low … high to the next layer, played for the best chance of `target` points in the end.

    Where the target has been reached or is out of reach, and between equal chances, the expected score decides.
    values: float64[state of the next layer], expected points to come; here, after: curves of this layer and the next.
    """
    outcomes = model.outcomes
    value, second, chance = np.empty(outcomes), np.empty(outcomes), np.empty(outcomes)
    expected, nothing = np.empty(outcomes), np.zeros(outcomes)
    to, points, bonus = np.empty(outcomes, np.int64), np.empty(outcomes, np.int32), np.empty(outcomes, np.bool_)
    place = np.empty(model.keeps - model.first_roll, np.int32)
    keep = np.empty((model.rerolls, model.keeps), np.int32)
    work, kept = np.empty((4, model.keeps)), np.empty(model.keeps)
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        at, planned = state - low, False
        top = top_of(here, state - here.first)
        for x in range(offset[at + 1] - offset[at]):
            m = mass[offset[at] + x]
            if m == 0.0:
                continue
            if not planned:
                find_outcomes(model, after, block, state - model.block_start[block], to, points, bonus)
                _outcome_values(model, worth, values, block, to, second)
                choose_turn(model, block, second, nothing, place, keep, work)
                outcome_chances(model, place, keep, work[0], kept, expected)
                planned = True
            if target <= x or target > x + top:
                _push(expected, m, x, to, points, bonus, next_mass, next_offset, total)
                continue
            for outcome in range(outcomes):
                value[outcome] = -np.inf
                if to[outcome] >= 0:
                    value[outcome] = _at(after, to[outcome], target - x - points[outcome])
            choose_turn(model, block, value, second, place, keep, work)
            outcome_chances(model, place, keep, work[0], kept, chance)
            _push(chance, m, x, to, points, bonus, next_mass, next_offset, total)


@njit(cache=True, nogil=True, error_model="numpy")
def _at(curves: Curves, curve: int, score: int) -> float:
    """The chance of at least `score` points."""
    if score < curves.low[curve]:
        return 1.0
    if score > top_of(curves, curve):
        return 0.0
    return curves.chance[curves.offset[curve] + score - curves.low[curve]]


@njit(cache=True, nogil=True, error_model="numpy")
def _push(
    chance: Any, m: float, x: int, to: Any, points: Any, bonus: Any, next_mass: Any, next_offset: Any, total: Any
) -> None:
    for outcome in range(len(chance)):
        if chance[outcome] > 0.0:
            next_mass[next_offset[to[outcome]] + x + points[outcome]] += m * chance[outcome]
            total[outcome] += m * chance[outcome]
            if bonus[outcome]:
                total[-1] += m * chance[outcome]
