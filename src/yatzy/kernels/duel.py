"""One turn of many matches by EMP(1) or by optimal play: every outcome is valued against the sheets of the rivals.

Optimal play reads the values of outcomes from the endgame tables (kernels/endgames.py). For EMP(1), let P(x) be the
mover's best chance of finishing with at least x points, Q(x) the rival's. Finishing with x is worth

    g(x) = 1 − ½ (Q(x) + Q(x + 1)).

With several rivals, or another payoff, g is given for every game. EMP(1) values an outcome at
Σ (P(x) − P(x + 1)) g(x). Summation by parts turns this into g just before the window of P plus Σ P(x) (g(x) − g(x − 1))
over the window: a dot product of a stored curve with one vector per game. At the start of a game a turn takes about 150
such products.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves
from yatzy.kernels.outcomes import chance_of, find_outcomes
from yatzy.kernels.plan import LanePlans, choose_lanes, make_lane_plans, write_lane
from yatzy.kernels.play import Groups, Table, end_turn
from yatzy.kernels.random import roll_dice
from yatzy.kernels.soften import (
    Choices,
    SoftTurn,
    draw,
    draw_share,
    keep_weights,
    make_soft_turn,
    outcome_weights,
    sweep_values,
)
from yatzy.kernels.turn import TurnArrays
from yatzy.kernels.vectors import LANES

NOTHING = np.float32(1e-9)
"""Steps of the worth up to this size are ignored: a thousand of them do not matter in single precision."""


class Rivals(NamedTuple):
    """The other player of every game; or, with several others, what final scores are worth."""

    curves: Curves
    """The curves of the rivals' layer"""
    state: Any
    """int32[game]: counted from the first state of that layer"""
    made: Any
    """int32[game]: points so far"""
    scores: int
    """One more than any final score"""
    worth: Any
    """float32[game, score + 1]: the worth of every score, entry x + 1 for x points; no rows if there is one rival"""


@njit(cache=True, nogil=True, error_model="numpy")
def find_worths(rivals: Rivals, game: int, worth: Any, step: Any) -> Any:
    """Fill the worth of finishing with x points against one rival, and its step from x - 1 to x.

    worth, step: float32[score + 1]; entry x + 1 is for x points, entry 0 for a score below 0. Returns the first entry
    whose step is not negligible, and the entry after the last such one.
    """
    if len(rivals.worth):
        worth[:] = rivals.worth[game]
    else:
        curve, made = rivals.state[game], rivals.made[game]
        here = chance_of(rivals.curves, curve, -1 - made)
        for x in range(-1, rivals.scores):
            above = chance_of(rivals.curves, curve, x + 1 - made)
            worth[x + 1] = np.float32(1.0 - 0.5 * (here + above))
            here = above
    step[0] = 0.0
    first, end = len(step), 0
    for x in range(1, len(step)):
        step[x] = worth[x] - worth[x - 1]
        if step[x] > NOTHING:
            first, end = min(first, x), x + 1
    return first, end


@njit(cache=True, nogil=True, error_model="numpy", fastmath=True)
def _product(one: Any, other: Any) -> Any:
    total = np.float32(0.0)
    for i in range(len(one)):  # from 0: otherwise Numba checks for negative indices and does not vectorise
        total += one[i] * other[i]
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def judge_outcomes(
    after: Curves, to: Any, points: Any, made: int, worth: Any, step: Any, low: int, high: int, value: Any
) -> None:
    """Value each outcome by EMP(1); low, high: the range of steps to use; to, points, value: [outcome]."""
    for outcome in range(len(to)):
        value[outcome] = -np.inf
        if to[outcome] >= 0:
            begin, end = after.offset[to[outcome]], after.offset[to[outcome] + 1]
            first = made + points[outcome] + after.low[to[outcome]]
            from_, till = max(first + 1, low), min(first + 1 + end - begin, high)
            first = min(first, len(worth) - 1)  # a curve in a manipulated table may begin beyond all scores
            value[outcome] = worth[first]
            if till > from_:
                shift = begin - first - 1
                value[outcome] += _product(after.chance[from_ + shift : till + shift], step[from_:till])


@njit(cache=True, nogil=True, error_model="numpy")
def play_emp(
    model: TurnArrays, after: Curves, rivals: Rivals, groups: Groups, low: int, high: int, table: Table
) -> None:
    """Play a turn of the groups low … high. The games of a group share a state; each has its own rival."""
    plans, held, each = make_lane_plans(model), np.empty(LANES, np.int32), np.arange(LANES + 1)
    worth, step = np.empty(rivals.scores + 1, np.float32), np.empty(rivals.scores + 1, np.float32)
    lanes = np.int64(0)
    for group in range(low, high):
        here = groups.state[group]
        block = np.searchsorted(model.block_start, here, side="right") - 1
        for place in range(groups.begin[group], groups.begin[group + 1]):
            game = groups.order[place]
            to, points, bonus = plans.to[lanes], plans.points[lanes], plans.bonus[lanes]
            find_outcomes(model, after, block, here - model.block_start[block], to, points, bonus)
            from_, till = find_worths(rivals, game, worth, step)
            judge_outcomes(after, to, points, table.made[game], worth, step, from_, till, plans.value)
            write_lane(model, block, lanes, plans)
            held[lanes] = game
            lanes += 1
            if lanes == LANES:
                _play_lanes(model, plans, held, each, 0, lanes, table)
                lanes = np.int64(0)
    if lanes:
        _play_lanes(model, plans, held, each, 0, lanes, table)


@njit(cache=True, nogil=True, error_model="numpy")
def play_best(model: TurnArrays, nowhere: Curves, best: Any, groups: Groups, low: int, high: int, table: Table) -> None:
    """Play a turn of the groups low … high by the values of its outcomes; the games of a group share a position.

    nowhere: no curves, from the first state of the mover's next layer on; best: float64[group - low, outcome], as from
    `endgames.look_up_outcomes`.
    """
    plans = make_lane_plans(model)
    for first in range(low, high, LANES):
        lanes = min(LANES, high - first)
        for lane in range(lanes):
            here = groups.state[first + lane]
            block = np.searchsorted(model.block_start, here, side="right") - 1
            find_outcomes(model, nowhere, block, here - model.block_start[block], plans.to[lane], plans.points[lane],
                          plans.bonus[lane])  # fmt: skip
            plans.value[:] = best[first + lane - low]
            write_lane(model, block, lane, plans)
        _play_lanes(model, plans, groups.order, groups.begin, first, lanes, table)


@njit(cache=True, nogil=True, error_model="numpy")
def _play_lanes(
    model: TurnArrays, plans: LanePlans, order: Any, begin: Any, first: int, lanes: int, table: Table
) -> None:
    """Play one turn of games whose outcomes have been valued.

    order: int32[…], the games; begin: int64[…], those of a lane have the places begin[first + lane] …
    begin[first + lane + 1] in it
    """
    choose_lanes(model, plans)
    child, first_roll, faces, rerolls, keeps = model.child, model.first_roll, model.faces, model.rerolls, model.keeps
    key_0, key_1, turn = table.key_0, table.key_1, table.turn
    for lane in range(lanes):
        for place in range(begin[first + lane], begin[first + lane + 1]):
            game = order[place]
            number = table.first_game + game
            roll = roll_dice(child, first_roll, faces, key_0, key_1, number, turn, 0, 0)
            for left in range(rerolls - 1, -1, -1):
                keep = np.int64(plans.keep[(left * keeps + roll) * LANES + lane])
                roll = roll_dice(child, first_roll, faces, key_0, key_1, number, turn, rerolls - left, keep)
            outcome = np.int64(plans.place[(roll - first_roll) * LANES + lane])
            end_turn(game, outcome, plans.to[lane], plans.points[lane], plans.bonus[lane], model.outcome_points,
                     table.category, table.upper_bonus, table.state, table.made, table.points,
                     table.jokers)  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def play_soft_emp(
    model: TurnArrays, after: Curves, rivals: Rivals, choices: Choices, groups: Groups, low: int, high: int,
    table: Table, seen: Any,
) -> None:  # fmt: skip
    """Like `play_emp`, softened. seen: int16[game, roll of the turn], filled with the lattice index of the dice."""
    soft = make_soft_turn(model)
    worth, step = np.empty(rivals.scores + 1, np.float32), np.empty(rivals.scores + 1, np.float32)
    for group in range(low, high):
        here = groups.state[group]
        block = np.searchsorted(model.block_start, here, side="right") - 1
        find_outcomes(model, after, block, here - model.block_start[block], soft.to, soft.points, soft.bonus)
        for i in range(groups.begin[group], groups.begin[group + 1]):
            game = groups.order[i]
            from_, till = find_worths(rivals, game, worth, step)
            judge_outcomes(after, soft.to, soft.points, table.made[game], worth, step, from_, till, soft.value)
            sweep_values(model, choices, block, soft)
            outcome = _soft_outcome(model, choices, block, soft, game, table, seen)
            end_turn(game, outcome, soft.to, soft.points, soft.bonus, model.outcome_points, table.category,
                     table.upper_bonus, table.state, table.made, table.points, table.jokers)  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def _soft_outcome(
    model: TurnArrays, choices: Choices, block: int, soft: SoftTurn, game: int, table: Table, seen: Any
) -> Any:
    """Draw the moves of a turn and return its outcome."""
    child, first_roll, faces, rerolls = model.child, model.first_roll, model.faces, model.rerolls
    key_0, key_1, turn, number = table.key_0, table.key_1, table.turn, table.first_game + game
    roll = roll_dice(child, first_roll, faces, key_0, key_1, number, turn, 0, 0)
    for left in range(rerolls - 1, -1, -1):
        rolled = rerolls - 1 - left
        seen[game, rolled] = roll
        begin, end = choices.part_start[roll - first_roll], choices.part_start[roll - first_roll + 1]
        total = keep_weights(choices, left, roll - first_roll, soft)
        share = draw_share(key_0, key_1, number, turn, rolled)
        keep = np.int64(choices.part[begin + draw(soft.weight, end - begin, total, share)])
        roll = roll_dice(child, first_roll, faces, key_0, key_1, number, turn, rolled + 1, keep)
    seen[game, rerolls] = roll
    count, total = outcome_weights(model, choices, block, roll - first_roll, soft)
    return soft.choice[draw(soft.weight, count, total, draw_share(key_0, key_1, number, turn, rerolls))]
