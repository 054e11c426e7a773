"""The outcomes of a turn from one state: the next state, the points and the value of each.

An *outcome* is a category with the points it gets, numbered in model/placing.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves, top_of
from yatzy.kernels.layers import Worth
from yatzy.kernels.turn import TurnArrays, joker_context


@njit(cache=True, nogil=True, error_model="numpy")
def find_outcomes(model: TurnArrays, after: Curves, block: int, rank: int, to: Any, points: Any, bonus: Any) -> None:
    """For one state, find the next state of each outcome (state of the next layer, -1 if closed) and its points.

    to: int64[outcome]; points: int32[outcome]; bonus: bool[outcome], whether the points include the upper bonus.
    """
    u, box, size = model.block[block, 0], model.block[block, 1], model.block[block, 2]
    start, upper_next, shift, written = model.start, model.upper_next, model.upper_shift, model.outcome_points
    ahead = rank - after.first
    row = 0
    for slot in range(model.slots):
        for count in range(model.counts):
            there, begin = upper_next[u, slot, count], np.int64(-1)
            if there >= 0:
                begin = start[there, box, size]
            to[row] = begin + ahead if begin >= 0 else -1
            paid = shift[u, slot, count] if begin >= 0 else np.int32(0)
            points[row] = paid
            bonus[row] = paid > written[row]
            row += 1
    begin = start[u, box, size + 1] if size < model.rest else np.int64(-1)
    for category in range(model.rest):
        next_rank = model.rest_next[category, model.rest_first[size] + rank] if begin >= 0 else np.int32(-1)
        to[row] = begin + next_rank - after.first if next_rank >= 0 else -1
        row += 1
    for status in range(1, 3):
        begin = start[u, status, size] if model.jokers and box == 0 else np.int64(-1)
        to[row] = begin + ahead if begin >= 0 else -1
        row += 1
    to[row] = -1  # the zero row
    for row in range(model.rest_row - model.upper_row, len(to)):
        points[row], bonus[row] = 0, False
    first_option = model.option_row - model.upper_row
    for option in range(len(model.option_source)):
        to[first_option + option] = to[model.option_source[option] - model.upper_row]
        points[first_option + option] = model.option_shift[option]
    for row in range(first_option + len(model.option_source), len(to)):
        to[row] = -1
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            row, outcome = model.joker_term_row[term] - model.upper_row, model.joker_outcome[term]
            to[outcome] = to[row]
            points[outcome] = points[row] + model.joker_shift[term]
            bonus[outcome] = bonus[row]


@njit(cache=True, nogil=True, error_model="numpy")
def outcome_values(model: TurnArrays, worth: Worth, values: Any, block: int, to: Any, value: Any) -> None:
    """The value of each outcome, from the values of the next layer; see `layers` for gain and scale."""
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
def chance_of(curves: Curves, curve: int, score: int) -> float:
    """The chance of at least `score` points."""
    if score < curves.low[curve]:
        return 1.0
    if score > top_of(curves, curve):
        return 0.0
    return curves.chance[curves.offset[curve] + score - curves.low[curve]]
