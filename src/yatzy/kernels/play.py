"""One turn of many games at once, with dice from kernels/random.py.

Games come in *groups* that are in the same situation and so play by the same plan. A group may be cut in two, for more
threads; then its plan is made twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from yatzy.kernels.curves import Curves
from yatzy.kernels.outcomes import find_outcomes
from yatzy.kernels.plan import TurnGoal, choose_lanes, fill_lane, make_lane_plans
from yatzy.kernels.random import roll_dice
from yatzy.kernels.turn import TurnArrays
from yatzy.kernels.vectors import LANES


class Groups(NamedTuple):
    """Games by what they have in common."""

    order: Any
    """int32[place]: the games, group after group"""
    begin: Any
    """int64[group + 1]: the first place of each"""
    state: Any
    """int64[group]: counted from the first state of all"""
    made: Any
    """int32[group]: points so far; 0 where they do not matter"""


class Table(NamedTuple):
    """Where games are played: their dice, and what is written down."""

    key_0: int
    """The seed, low word first"""
    key_1: int
    first_game: int
    """The number of game 0 here, for its dice"""
    turn: int
    """The second word of the counter of the dice: the turn, and who plays it"""
    upper_bonus: int
    category: Any
    """int32[outcome]"""
    state: Any
    """int32[game]: the state, counted from the first of its layer; here and below read and written"""
    made: Any
    """int32[game]: points so far; empty where they do not matter"""
    points: Any
    """int16[game, category]"""
    jokers: Any
    """int32[game]: Joker bonuses, in points"""
    trace: Any
    """int16[game, turn, 2 · rolls]: each roll of a turn, counted from the first roll, and what is done with it: a keep,
    after the last roll an outcome. Empty where nobody asks, yet of the same type: one kernel serves both"""


TURNS = 0xFFFF
"""The part of `Table.turn` that is the turn."""


@njit(cache=True, nogil=True, error_model="numpy")
def sort_games(state: Any, begin: Any, order: Any) -> None:
    """Sort games by state: those of state s are `order[begin[s] : begin[s + 1]]`, in their own order.

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
    """Write down the outcome of a turn; to, brought, bonus: [outcome], the others as in `Table`."""
    extra = brought[outcome] - written[outcome]
    if extra != 0:
        jokers[game] += extra - (upper_bonus if bonus[outcome] else 0)
    points[game, category[outcome]] = written[outcome]
    if len(made):
        made[game] += brought[outcome]
    state[game] = to[outcome]


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def note(trace: Any, game: int, turn: int, number: int, roll: int, done: int) -> None:
    """Write a roll of a turn, and what is done with it, into a trace."""
    trace[game, turn, 2 * number] = roll
    trace[game, turn, 2 * number + 1] = done


@njit(cache=True, nogil=True, error_model="numpy")
def play_goal(model: TurnArrays, goal: TurnGoal, groups: Groups, low: int, high: int, table: Table) -> None:
    """Play a turn of the groups low … high, each by the plan that is best by `goal`; `model` names rows exactly."""
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
            fill_lane(model, goal, block, here, groups.made[group + lane], lane, plans)
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

    plan: int64[group], which plan each plays by; chosen, keep, place: the aim, keep and place of `Plans`.
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
            aim = chosen[p, roll - first_roll]
            for left in range(rerolls - 1, -1, -1):
                kept = np.int64(keep[p, left, aim, roll - first_roll])
                if traced:
                    note(trace, game, row, rerolls - 1 - left, roll - first_roll, kept)
                roll = roll_dice(child, first_roll, faces, key_0, key_1, first + game, turn, rerolls - left, kept)
            outcome = np.int64(place[p, aim, roll - first_roll])
            if traced:
                note(trace, game, row, rerolls, roll - first_roll, outcome)
            end_turn(game, outcome, to, brought, bonus, written, category, upper_bonus, state, made, points, jokers)
