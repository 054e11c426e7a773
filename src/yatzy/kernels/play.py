"""One turn of many games at once, with dice from kernels/random.py.

Games in the same situation form a *group* and share a plan. A group may be split between threads; then its plan is
computed twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves
from yatzy.kernels.outcomes import find_outcomes
from yatzy.kernels.plan import TurnGoal, choose_lanes, fill_lane, make_lane_plans
from yatzy.kernels.random import roll_dice
from yatzy.kernels.turn import TurnArrays
from yatzy.kernels.vectors import LANES


class Groups(NamedTuple):
    """Games grouped by state and, where they matter, points so far."""

    order: Any
    """int32[index]: the games, sorted by group"""
    begin: Any
    """int64[group + 1]: where each group begins in `order`"""
    state: Any
    """int64[group]: counted from the first state of the game"""
    made: Any
    """int32[group]: points so far; 0 where they do not matter"""


class Table(NamedTuple):
    """The games being played: the keys of their dice, and the arrays that record the results."""

    key_0: int
    """The seed, low word first"""
    key_1: int
    first_game: int
    """The number of game 0 of these arrays in the random generator's counter"""
    turn: int
    """The second word of the random generator's counter: the turn and its player"""
    upper_bonus: int
    category: Any
    """int32[outcome]"""
    state: Any
    """int32[game]: the state, counted from the first of its layer; this and the following arrays are updated"""
    made: Any
    """int32[game]: points so far; empty where they do not matter"""
    points: Any
    """int16[game, category]"""
    jokers: Any
    """int32[game]: Joker bonuses, in points"""
    trace: Any
    """int16[game, turn, 2 · rolls]: each roll, as an index among the rolls, and the choice made: a keep, or after the
    last roll an outcome. Empty if no trace is wanted, but of the same type, so that the kernel is compiled once"""


TURNS = 0xFFFF
"""Mask for the turn in `Table.turn`."""


@njit(cache=True, nogil=True, error_model="numpy")
def sort_games(state: Any, begin: Any, order: Any) -> None:
    """Stable sort of the games by state: those of state s are `order[begin[s] : begin[s + 1]]`.

    state: int32[game], begin: int64[state + 1], order: int32[game]
    """
    begin[:] = 0
    for here in state:
        begin[here + 1] += 1
    for here in range(len(begin) - 1):
        begin[here + 1] += begin[here]
    cursor = begin[:-1].copy()
    for game in range(len(state)):
        order[cursor[state[game]]] = game
        cursor[state[game]] += 1


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def end_turn(
    game: int, outcome: int, to: Any, brought: Any, bonus: Any, written: Any, category: Any, upper_bonus: int,
    state: Any, made: Any, points: Any, jokers: Any,
) -> None:  # fmt: skip
    """Record the outcome of a turn; to, brought, bonus: [outcome]; the other arrays as in `Table`."""
    extra = brought[outcome] - written[outcome]
    if extra != 0:
        jokers[game] += extra - (upper_bonus if bonus[outcome] else 0)
    points[game, category[outcome]] = written[outcome]
    if len(made):
        made[game] += brought[outcome]
    state[game] = to[outcome]


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def note(trace: Any, game: int, turn: int, number: int, roll: int, done: int) -> None:
    """Write a roll of a turn, and the choice made after it, to a trace."""
    trace[game, turn, 2 * number] = roll
    trace[game, turn, 2 * number + 1] = done


@njit(cache=True, nogil=True, error_model="numpy")
def play_goal(model: TurnArrays, goal: TurnGoal, groups: Groups, low: int, high: int, table: Table) -> None:
    """Play a turn of the groups low … high by the best plan for `goal`; `model` comes from `exact_turn_arrays`."""
    plans = make_lane_plans(model)
    child, first_roll, faces, rerolls, keeps = model.child, model.first_roll, model.faces, model.rerolls, model.keeps
    kept, placed, written, order = plans.keep, plans.place, model.outcome_points, groups.order
    key_0, key_1, turn, first = table.key_0, table.key_1, table.turn, table.first_game
    category, upper_bonus = table.category, table.upper_bonus
    state, made, points, jokers = table.state, table.made, table.points, table.jokers
    trace, traced, row = table.trace, len(table.trace) > 0, turn & TURNS
    block = np.searchsorted(model.block_start, groups.state[low], side="right") - 1
    for group in range(low, high, LANES):
        lanes = min(LANES, high - group)
        for lane in range(lanes):
            here = groups.state[group + lane]
            while here >= model.block_start[block + 1]:
                block += 1
            fill_lane(model, goal, block, here, np.int64(groups.made[group + lane]), lane, plans)
        choose_lanes(model, plans)
        for lane in range(lanes):
            to, brought, bonus = plans.to[lane], plans.points[lane], plans.bonus[lane]
            for i in range(groups.begin[group + lane], groups.begin[group + lane + 1]):
                game = order[i]
                roll = roll_dice(child, first_roll, faces, key_0, key_1, first + game, turn, 0, 0)
                for left in range(rerolls - 1, -1, -1):
                    keep = np.int64(kept[(left * keeps + roll) * LANES + lane])
                    if traced:
                        note(trace, game, row, rerolls - 1 - left, roll - first_roll, keep)
                    roll = roll_dice(child, first_roll, faces, key_0, key_1, first + game, turn, rerolls - left, keep)
                outcome = np.int64(placed[(roll - first_roll) * LANES + lane])
                if traced:
                    note(trace, game, row, rerolls, roll - first_roll, outcome)
                end_turn(game, outcome, to, brought, bonus, written, category, upper_bonus, state, made, points, jokers)


@njit(cache=True, nogil=True, error_model="numpy")
def play_plans(
    model: TurnArrays, after: Curves, plan: Any, chosen: Any, keep: Any, place: Any, groups: Groups, low: int,
    high: int, table: Table,
) -> None:  # fmt: skip
    """Play a turn of the groups low … high by given plans.

    plan: int64[group], the index of its plan; chosen, keep, place: the aim, keep and place of `Plans`. A negative keep
    ends the turn with the outcome ~keep: all dice are kept until the last roll.
    """
    to, brought = np.empty(model.outcomes, np.int64), np.empty(model.outcomes, np.int32)
    bonus = np.empty(model.outcomes, np.bool_)
    child, first_roll, faces, rerolls = model.child, model.first_roll, model.faces, model.rerolls
    written, order, plan_of = model.outcome_points, groups.order, plan
    key_0, key_1, turn, first = table.key_0, table.key_1, table.turn, table.first_game
    category, upper_bonus = table.category, table.upper_bonus
    state, made, points, jokers = table.state, table.made, table.points, table.jokers
    trace, traced, row = table.trace, len(table.trace) > 0, turn & TURNS
    for group in range(low, high):
        here, p = groups.state[group], plan_of[group]
        block = np.searchsorted(model.block_start, here, side="right") - 1
        find_outcomes(model, after, block, here - model.block_start[block], to, brought, bonus)
        for i in range(groups.begin[group], groups.begin[group + 1]):
            game = order[i]
            roll = roll_dice(child, first_roll, faces, key_0, key_1, first + game, turn, 0, 0)
            aim, outcome = chosen[p, roll - first_roll], np.int64(-1)
            for left in range(rerolls - 1, -1, -1):
                kept = np.int64(keep[p, left, aim, roll - first_roll])
                if kept < 0 and outcome < 0:
                    outcome = ~kept
                if outcome >= 0:
                    kept = np.int64(roll)
                if traced:
                    note(trace, game, row, rerolls - 1 - left, roll - first_roll, kept)
                roll = roll_dice(child, first_roll, faces, key_0, key_1, first + game, turn, rerolls - left, kept)
            if outcome < 0:
                outcome = np.int64(place[p, aim, roll - first_roll])
            if traced:
                note(trace, game, row, rerolls, roll - first_roll, outcome)
            end_turn(game, outcome, to, brought, bonus, written, category, upper_bonus, state, made, points, jokers)
