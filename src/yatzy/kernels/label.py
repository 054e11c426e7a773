"""The values of all moves of many positions, LANES turns at a time, and positions drawn at random.

Rows in the same situation form a group and share the computation of kernels/review.py.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.plan import BY_VALUE, TurnGoal
from yatzy.kernels.random import philox, roll_dice
from yatzy.kernels.review import fill_lane, make_lane_turns, solve_lanes
from yatzy.kernels.turn import TurnArrays
from yatzy.kernels.vectors import LANES

DRAWN_TURN = 0xFFFF
"""The turn in the counter of the generator when positions are drawn; no game has as many turns."""


class Asked(NamedTuple):
    """Positions, in groups."""

    order: Any
    """int64[index]: the rows, sorted by group"""
    begin: Any
    """int64[group + 1]: where each group begins in `order`"""
    state: Any
    """int64[row]: before the turn, counted from the first state of the game; equal within a group"""
    made: Any
    """int32[row]: points before the turn; with a target equal within a group"""
    roll: Any
    """int16[row]: the dice, as an index among the rolls"""
    left: Any
    """int8[row]: rolls left"""
    keep_start: Any
    """int32[roll + 1]: where the keeps of each roll begin in `keep_of`"""
    keep_of: Any
    """int16[entry]: the keeps of each roll"""
    option: Any
    """int16[row, category]: the outcome of scoring the dice in the category, -1 if it is not allowed"""


class Labels(NamedTuple):
    """The values of the moves of each row."""

    keeps: Any
    """float32[row, place]: of keeping, in the order of `keep_of`; NaN beyond the last, and with no roll left"""
    categories: Any
    """float32[row, category]: of filling; NaN if it is not allowed, and with rolls left"""
    value: Any
    """float64[row]: of the best move"""
    best: Any
    """int16[row]: the first of the best moves: a place among the keeps, or a category"""


@njit(cache=True, nogil=True, error_model="numpy")
def label_positions(model: TurnArrays, goal: TurnGoal, asked: Asked, low: int, high: int, labels: Labels) -> None:
    """Label the groups low … high, all of one layer; `model` comes from `exact_turn_arrays`."""
    turns = make_lane_turns(model)
    for group in range(low, high, LANES):
        lanes = min(LANES, high - group)
        for lane in range(lanes):
            row = asked.order[asked.begin[group + lane]]
            fill_lane(model, goal, asked.state[row], np.int64(asked.made[row]), lane, turns)
        solve_lanes(model, turns)
        for lane in range(lanes):
            for i in range(asked.begin[group + lane], asked.begin[group + lane + 1]):
                row = asked.order[i]
                before = np.float64(asked.made[row]) if goal.kind == BY_VALUE else 0.0
                if asked.left[row] > 0:
                    _label_keeps(asked, row, before, turns.kept[asked.left[row] - 1], lane, labels)
                else:
                    _label_categories(asked, row, before, turns.outcome[lane], labels)


@njit(cache=True, nogil=True, error_model="numpy")
def _label_keeps(asked: Asked, row: int, before: float, kept: Any, lane: int, labels: Labels) -> None:
    best, top, first = -1, -np.inf, asked.keep_start[asked.roll[row]]
    for place in range(asked.keep_start[asked.roll[row] + 1] - first):
        value = kept[asked.keep_of[first + place] * LANES + lane] + before
        labels.keeps[row, place] = value
        if value > top:
            best, top = place, value
    labels.value[row], labels.best[row] = top, best


@njit(cache=True, nogil=True, error_model="numpy")
def _label_categories(asked: Asked, row: int, before: float, outcome: Any, labels: Labels) -> None:
    best, top = -1, -np.inf
    for category in range(asked.option.shape[1]):
        place = asked.option[row, category]
        if place >= 0 and outcome[place] > -np.inf:
            value = outcome[place] + before
            labels.categories[row, category] = value
            if value > top:
                best, top = category, value
    labels.value[row], labels.best[row] = top, best


@njit(cache=True, nogil=True, error_model="numpy")
def draw_positions(model: TurnArrays, states: int, key_0: int, key_1: int, state: Any, roll: Any, left: Any) -> None:
    """Draw a state below `states`, the number of rolls left and a roll of all dice, for each row."""
    for row in range(len(state)):
        high, low, third, _ = philox(row, DRAWN_TURN, 0, 0, key_0, key_1)
        share = (np.float64(high) * 2.0**21 + np.float64(low >> 11)) / 2.0**53
        state[row] = np.int64(share * states)
        left[row] = (np.int64(third) * (model.rerolls + 1)) >> 32
        rolled = roll_dice(model.child, model.first_roll, model.faces, key_0, key_1, row, DRAWN_TURN, 1, 0)
        roll[row] = rolled - model.first_roll
