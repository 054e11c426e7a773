"""What a strategy does in one turn: its choices from the values of what follows, and the chances of every outcome.

An *outcome* is a category with the points it gets, numbered in model/placing.py. Values come in pairs (value, second):
the second decides between equal values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from yatzy.kernels.chances import joker_context
from yatzy.kernels.turn import TurnArrays


@njit(cache=True, nogil=True, error_model="numpy")
def better(value: float, second: float, than: float, than_second: float) -> bool:
    """Whether the first pair beats the second pair."""
    return value > than or (value == than and second > than_second)


@njit(cache=True, nogil=True, error_model="numpy")
def choose_turn(model: TurnArrays, block: int, value: Any, second: Any, place: Any, keep: Any, work: Any) -> None:
    """The choices of a turn that does best by (value, second).

    value, second: float64[outcome], minus infinity where closed; `model` must name rows exactly (`exact_turn_arrays`).
    place: int32[roll], the outcome chosen with no roll left; keep: int32[rolls left - 1, keep], what is kept of those
    dice (of interest for rolls). work: float64[4, keep].
    """
    now, now2, best, best2 = work[0], work[1], work[2], work[3]
    _choose_places(model, block, value, second, place, now, now2)
    faces = model.faces
    for left in range(model.rerolls):
        for k in range(model.first_roll - 1, -1, -1):
            total, total2 = 0.0, 0.0
            for entry in range(k * faces, (k + 1) * faces):
                child = model.child[entry] // model.lanes
                total += now[child]
                total2 += now2[child]
            now[k], now2[k] = total / faces, total2 / faces
        for k in range(model.keeps):
            best[k], best2[k] = now[k], now2[k]
            keep[left, k] = k
            for entry in range(model.parent_start[k], model.parent_start[k + 1]):
                parent = model.parent[entry] // model.lanes
                if better(best[parent], best2[parent], best[k], best2[k]):
                    best[k], best2[k] = best[parent], best2[parent]
                    keep[left, k] = keep[left, parent]
        for k in range(model.first_roll, model.keeps):
            now[k], now2[k] = best[k], best2[k]


@njit(cache=True, nogil=True, error_model="numpy")
def _choose_places(model: TurnArrays, block: int, value: Any, second: Any, place: Any, now: Any, now2: Any) -> None:
    """The best outcome of every roll when no roll is left."""
    for roll in range(model.keeps - model.first_roll):
        chosen, top, top2 = -1, -np.inf, -np.inf
        first, last = model.roll_start[roll], model.roll_start[roll + 1]
        row = model.roll_row[first] // model.lanes - model.upper_row
        joker = row - (model.joker_row - model.upper_row)
        if model.jokers and joker >= 0:
            context = joker_context(model, block, joker)
            first, last = model.joker_start[context], model.joker_start[context + 1]
            for term in range(first, last):
                outcome = model.joker_outcome[term]
                if value[outcome] > -np.inf and (chosen < 0 or better(value[outcome], second[outcome], top, top2)):
                    chosen, top, top2 = outcome, value[outcome], second[outcome]
        else:
            for entry in range(first, last):
                outcome = model.roll_row[entry] // model.lanes - model.upper_row
                if value[outcome] > -np.inf and (chosen < 0 or better(value[outcome], second[outcome], top, top2)):
                    chosen, top, top2 = outcome, value[outcome], second[outcome]
        place[roll] = chosen
        now[model.first_roll + roll], now2[model.first_roll + roll] = top, top2


@njit(cache=True, nogil=True, error_model="numpy")
def outcome_chances(model: TurnArrays, place: Any, keep: Any, mass: Any, kept: Any, chance: Any) -> None:
    """The chance of every outcome of a turn played by these choices.

    place, keep: as `choose_turn` leaves them; mass, kept: float64[keep] to work in; chance: float64[outcome].
    """
    rolls = model.keeps - model.first_roll
    chance[:] = 0.0
    for roll in range(rolls):
        mass[model.first_roll + roll] = model.weight[roll]
    for left in range(model.rerolls - 1, -1, -1):
        kept[:] = 0.0
        for k in range(model.first_roll, model.keeps):
            kept[keep[left, k]] += mass[k]
        for k in range(model.first_roll):
            if kept[k] > 0.0:
                share = kept[k] / model.faces
                for entry in range(k * model.faces, (k + 1) * model.faces):
                    kept[model.child[entry] // model.lanes] += share
        for k in range(model.first_roll, model.keeps):
            mass[k] = kept[k]
    for roll in range(rolls):
        chance[place[roll]] += mass[model.first_roll + roll]
