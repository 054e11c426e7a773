"""One turn of many games at once, with dice from kernels/random.py.

Games in the same situation form a *group* and share a plan. A group may be split between threads; then its plan is
computed twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.borrowed import borrowed
from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves
from yatzy.kernels.outcomes import find_outcomes
from yatzy.kernels.plan import LanePlans, TurnGoal, choose_lanes, fill_lane, make_lane_plans
from yatzy.kernels.random import BATCH, DiceBatch, make_dice_batch, roll_batch
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


class PlannedTurns(NamedTuple):
    """Given plans, and the turns of LANES groups that follow them."""

    chosen: Any
    """uint8[plan, roll]: the aim; this and the next two as in `Plans`"""
    keep: Any
    place: Any
    plan: Any
    """int64[lane]: the plan of the group"""
    to: Any
    """int64[lane, outcome]; this and the next two as in `LanePlans`"""
    points: Any
    bonus: Any


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
    model, goal, groups, table = borrowed(model), borrowed(goal), borrowed(groups), borrowed(table)
    plans, lane_of = make_lane_plans(model), np.empty(BATCH, np.int64)
    batch = make_dice_batch(model.child, model.first_roll, model.faces, model.keeps)
    block = np.searchsorted(model.block_start, groups.state[low], side="right") - 1
    for group in range(low, high, LANES):
        lanes = min(LANES, high - group)
        for lane in range(lanes):
            here = groups.state[group + lane]
            while here >= model.block_start[block + 1]:
                block += 1
            fill_lane(model, goal, block, here, np.int64(groups.made[group + lane]), lane, plans)
        choose_lanes(model, plans)
        lane, end = 0, groups.begin[group + lanes]
        for begin in range(groups.begin[group], end, BATCH):
            games = min(BATCH, end - begin)
            for i in range(games):
                while begin + i >= groups.begin[group + lane + 1]:
                    lane += 1
                lane_of[i] = lane
            _play_batch(model, plans, groups.order[begin : begin + games], lane_of, batch, table)


@njit(cache=True, nogil=True, error_model="numpy")
def _play_batch(model: TurnArrays, plans: LanePlans, order: Any, lane_of: Any, batch: DiceBatch, table: Table) -> None:
    """Play a turn of some games by the plans of their lanes."""
    model, plans, batch, table = borrowed(model), borrowed(plans), borrowed(batch), borrowed(table)
    first_roll, faces, rerolls, keeps, bits = model.first_roll, model.faces, model.rerolls, model.keeps, batch.bits
    kept, placed, to, points, bonus = plans.keep, plans.place, plans.to, plans.points, plans.bonus
    key_0, key_1, turn, dice, games = table.key_0, table.key_1, table.turn, batch.dice, len(order)
    trace, traced, row = table.trace, len(table.trace) > 0, table.turn & TURNS
    for i in range(games):
        batch.number[i], dice[i] = table.first_game + order[i], 0
    roll_batch(batch, faces, key_0, key_1, turn, 0, games)
    for left in range(rerolls - 1, -1, -1):
        for i in range(games):
            roll = np.int64(dice[i] >> bits)
            keep = np.int64(kept[(left * keeps + roll) * LANES + lane_of[i]])
            dice[i] = keep << bits
            if traced:
                note(trace, order[i], row, rerolls - 1 - left, roll - first_roll, keep)
        roll_batch(batch, faces, key_0, key_1, turn, rerolls - left, games)
    for i in range(games):
        roll, lane = np.int64(dice[i] >> bits) - first_roll, lane_of[i]
        outcome = np.int64(placed[roll * LANES + lane])
        if traced:
            note(trace, order[i], row, rerolls, roll, outcome)
        end_turn(order[i], outcome, to[lane], points[lane], bonus[lane], model.outcome_points, table.category,
                 table.upper_bonus, table.state, table.made, table.points, table.jokers)  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def play_plans(
    model: TurnArrays, after: Curves, plan: Any, chosen: Any, keep: Any, place: Any, groups: Groups, low: int,
    high: int, table: Table,
) -> None:  # fmt: skip
    """Play a turn of the groups low … high by given plans.

    plan: int64[group], the index of its plan; chosen, keep, place: the aim, keep and place of `Plans`. A negative keep
    ends the turn with the outcome ~keep: all dice are kept until the last roll.
    """
    model, groups, table = borrowed(model), borrowed(groups), borrowed(table)
    shape, lane_of = (LANES, model.outcomes), np.empty(BATCH, np.int64)
    turns = PlannedTurns(chosen, keep, place, np.empty(LANES, np.int64), np.empty(shape, np.int64),
                         np.empty(shape, np.int32), np.empty(shape, np.bool_))  # fmt: skip
    batch = make_dice_batch(model.child, model.first_roll, model.faces, model.keeps)
    for group in range(low, high, LANES):
        lanes = min(LANES, high - group)
        for lane in range(lanes):
            here = groups.state[group + lane]
            block = np.searchsorted(model.block_start, here, side="right") - 1
            rank = here - model.block_start[block]
            find_outcomes(model, after, block, rank, turns.to[lane], turns.points[lane], turns.bonus[lane])
            turns.plan[lane] = plan[group + lane]
        lane, end = 0, groups.begin[group + lanes]
        for begin in range(groups.begin[group], end, BATCH):
            games = min(BATCH, end - begin)
            for i in range(games):
                while begin + i >= groups.begin[group + lane + 1]:
                    lane += 1
                lane_of[i] = lane
            _play_planned(model, turns, groups.order[begin : begin + games], lane_of, batch, table)


@njit(cache=True, nogil=True, error_model="numpy")
def _play_planned(
    model: TurnArrays, turns: PlannedTurns, order: Any, lane_of: Any, batch: DiceBatch, table: Table
) -> None:
    """Play a turn of some games by given plans."""
    model, turns, batch, table = borrowed(model), borrowed(turns), borrowed(batch), borrowed(table)
    first_roll, faces, rerolls, bits, dice = model.first_roll, model.faces, model.rerolls, batch.bits, batch.dice
    key_0, key_1, turn, games = table.key_0, table.key_1, table.turn, len(order)
    trace, traced, row = table.trace, len(table.trace) > 0, table.turn & TURNS
    aim, outcome = np.empty(BATCH, np.int64), np.full(BATCH, np.int64(-1))
    for i in range(games):
        batch.number[i], dice[i] = table.first_game + order[i], 0
    roll_batch(batch, faces, key_0, key_1, turn, 0, games)
    for i in range(games):
        aim[i] = turns.chosen[turns.plan[lane_of[i]], np.int64(dice[i] >> bits) - first_roll]
    for left in range(rerolls - 1, -1, -1):
        for i in range(games):
            roll = np.int64(dice[i] >> bits)
            kept = np.int64(turns.keep[turns.plan[lane_of[i]], left, aim[i], roll - first_roll])
            if kept < 0 and outcome[i] < 0:
                outcome[i] = ~kept
            if outcome[i] >= 0:
                kept = roll
            dice[i] = kept << bits
            if traced:
                note(trace, order[i], row, rerolls - 1 - left, roll - first_roll, kept)
        roll_batch(batch, faces, key_0, key_1, turn, rerolls - left, games)
    for i in range(games):
        roll, lane = np.int64(dice[i] >> bits) - first_roll, lane_of[i]
        if outcome[i] < 0:
            outcome[i] = turns.place[turns.plan[lane], aim[i], roll]
        if traced:
            note(trace, order[i], row, rerolls, roll, outcome[i])
        end_turn(order[i], outcome[i], turns.to[lane], turns.points[lane], turns.bonus[lane], model.outcome_points,
                 table.category, table.upper_bonus, table.state, table.made, table.points, table.jokers)  # fmt: skip
