"""Softened turns: every move has weight e^(firmness · (value - best)), where values assume perfect play afterwards.

With firmness 0 all moves are equally likely. States are processed one at a time: first the values of all keeps, then
only the weights that are needed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.outcomes import find_outcomes, outcome_values
from yatzy.kernels.plan import TurnGoal, roll_kept
from yatzy.kernels.play import TURNS, Groups, Table, end_turn, note
from yatzy.kernels.random import HALF, philox, roll_dice
from yatzy.kernels.turn import TurnArrays, joker_context

DRAW = np.int64(0x80000000)
"""Added to the third word of the random generator's counter, to draw the move after that roll."""


class Choices(NamedTuple):
    """The firmness, and the keeps to choose from."""

    firmness: float
    part: Any
    """int32[entry]: the keeps of each roll, in the order of `keeps_of`"""
    part_start: Any
    """int32[roll + 1]"""


class SoftTurn(NamedTuple):
    """The turn of one state."""

    keep_value: Any
    """float64[rolls left - 1, keep]: the value of keeping these dice"""
    roll_value: Any
    """float64[rolls left, roll]: the value of the best choice"""
    value: Any
    """float64[outcome]"""
    to: Any
    points: Any
    bonus: Any
    weight: Any
    """float64[choice]: scratch buffer"""
    choice: Any
    """int64[choice]: scratch buffer for the outcomes of a roll"""


@njit(cache=True, nogil=True, error_model="numpy")
def make_soft_turn(model: TurnArrays) -> SoftTurn:
    """Allocate the buffers of a turn."""
    rolls, outcomes = model.keeps - model.first_roll, model.outcomes
    return SoftTurn(
        np.empty((model.rerolls, model.keeps)), np.empty((model.rerolls + 1, rolls)), np.empty(outcomes),
        np.empty(outcomes, np.int64), np.empty(outcomes, np.int32), np.empty(outcomes, np.bool_),
        np.empty(max(model.keeps, outcomes)), np.empty(outcomes, np.int64),
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def outcomes_of(model: TurnArrays, block: int, roll: int, value: Any, choice: Any) -> int:
    """Write the possible outcomes of a roll to `choice`, in order; return their number."""
    count = 0
    first, last = model.roll_start[roll], model.roll_start[roll + 1]
    row = np.int64(model.roll_row[first]) // model.lanes
    if model.jokers and row >= model.joker_row:
        context = joker_context(model, block, row - model.joker_row)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            if value[model.joker_outcome[term]] > -np.inf:
                choice[count] = model.joker_outcome[term]
                count += 1
        return count
    for entry in range(first, last):
        outcome = np.int64(model.roll_row[entry]) // model.lanes - model.upper_row
        if value[outcome] > -np.inf:
            choice[count] = outcome
            count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def fill_turn(model: TurnArrays, goal: TurnGoal, choices: Choices, state: int, turn: SoftTurn) -> Any:
    """Compute the turn of a state; return the state's block."""
    block = np.searchsorted(model.block_start, state, side="right") - 1
    find_outcomes(model, goal.after, block, state - model.block_start[block], turn.to, turn.points, turn.bonus)
    outcome_values(model, goal.worth, goal.values, block, turn.to, turn.value)
    sweep_values(model, choices, block, turn)
    return block


@njit(cache=True, nogil=True, error_model="numpy")
def sweep_values(model: TurnArrays, choices: Choices, block: int, turn: SoftTurn) -> None:
    """Compute the values of all rolls and keeps from those of the outcomes."""
    if choices.firmness == 0.0:  # values do not affect the weights
        turn.keep_value[:] = 0.0
        turn.roll_value[:] = 0.0
        return
    rolls, first_roll, faces = model.keeps - model.first_roll, model.first_roll, model.faces
    for roll in range(rolls):
        best = -np.inf
        for i in range(outcomes_of(model, block, roll, turn.value, turn.choice)):
            best = max(best, turn.value[turn.choice[i]])
        turn.roll_value[0, roll] = best
    for left in range(model.rerolls):
        value = turn.keep_value[left]
        value[first_roll:] = turn.roll_value[left]
        for k in range(first_roll - 1, -1, -1):
            total = 0.0
            for entry in range(k * faces, (k + 1) * faces):
                total += value[model.child[entry] // model.lanes]
            value[k] = total / faces
        for roll in range(rolls):
            best = -np.inf
            for entry in range(choices.part_start[roll], choices.part_start[roll + 1]):
                best = max(best, value[choices.part[entry]])
            turn.roll_value[left + 1, roll] = best


@njit(cache=True, nogil=True, error_model="numpy")
def keep_weights(choices: Choices, left: int, roll: int, turn: SoftTurn) -> float:
    """Write the weights of the keeps of a roll to `turn.weight`; return their sum."""
    total, first = 0.0, choices.part_start[roll]
    for entry in range(first, choices.part_start[roll + 1]):
        value = turn.keep_value[left, choices.part[entry]]
        weight = np.exp(choices.firmness * (value - turn.roll_value[left + 1, roll]))
        turn.weight[entry - first] = weight
        total += weight
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def outcome_weights(model: TurnArrays, choices: Choices, block: int, roll: int, turn: SoftTurn) -> Any:
    """Write the outcomes of a roll to `turn.choice` and their weights to `turn.weight`; return their number and sum."""
    total = 0.0
    count = outcomes_of(model, block, roll, turn.value, turn.choice)
    for i in range(count):
        weight = np.exp(choices.firmness * (turn.value[turn.choice[i]] - turn.roll_value[0, roll]))
        turn.weight[i] = weight
        total += weight
    return count, total


@njit(cache=True, nogil=True, error_model="numpy")
def draw(weight: Any, count: int, total: float, share: float) -> int:
    """The index at which the cumulative weight reaches `share`, in [0, 1), of the total."""
    left = share * total
    for i in range(count - 1):
        left -= weight[i]
        if left < 0.0:
            return i
    return count - 1


@njit(cache=True, nogil=True, error_model="numpy")
def draw_share(key_0: int, key_1: int, game: int, turn: int, roll: int) -> float:
    """A random number in [0, 1) for the move after a roll."""
    high, low, _, _ = philox(game, turn, roll + DRAW, 0, key_0, key_1)
    return (np.float64((np.uint64(high) << HALF) | np.uint64(low))) * 2.0**-64 * (1.0 - 2.0**-53)


@njit(cache=True, nogil=True, error_model="numpy")
def play_soft(
    model: TurnArrays, goal: TurnGoal, choices: Choices, groups: Groups, low: int, high: int, table: Table
) -> None:
    """Play a softened turn of the groups low … high."""
    soft = make_soft_turn(model)
    child, first_roll, faces, rerolls = model.child, model.first_roll, model.faces, model.rerolls
    key_0, key_1, turn, first = table.key_0, table.key_1, table.turn, table.first_game
    trace, traced, row = table.trace, len(table.trace) > 0, turn & TURNS
    for group in range(low, high):
        block = fill_turn(model, goal, choices, groups.state[group], soft)
        for i in range(groups.begin[group], groups.begin[group + 1]):
            game = groups.order[i]
            roll = roll_dice(child, first_roll, faces, key_0, key_1, first + game, turn, 0, 0)
            for left in range(rerolls - 1, -1, -1):
                rolled = rerolls - 1 - left
                begin, end = choices.part_start[roll - first_roll], choices.part_start[roll - first_roll + 1]
                total = keep_weights(choices, left, roll - first_roll, soft)
                share = draw_share(key_0, key_1, first + game, turn, rolled)
                keep = np.int64(choices.part[begin + draw(soft.weight, end - begin, total, share)])
                if traced:
                    note(trace, game, row, rolled, roll - first_roll, keep)
                roll = roll_dice(child, first_roll, faces, key_0, key_1, first + game, turn, rolled + 1, keep)
            count, total = outcome_weights(model, choices, block, roll - first_roll, soft)
            share = draw_share(key_0, key_1, first + game, turn, rerolls)
            outcome = soft.choice[draw(soft.weight, count, total, share)]
            if traced:
                note(trace, game, row, rerolls, roll - first_roll, outcome)
            end_turn(game, outcome, soft.to, soft.points, soft.bonus, model.outcome_points, table.category,
                     table.upper_bonus, table.state, table.made, table.points, table.jokers)  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def soft_chances(
    model: TurnArrays, goal: TurnGoal, choices: Choices, low: int, high: int, weight: Any, chance: Any, to: Any,
    points: Any, bonus: Any,
) -> None:  # fmt: skip
    """For states low … high, compute the chance of each outcome of a softened turn; arguments as in `value_chances`."""
    soft = make_soft_turn(model)
    rolls, first_roll = model.keeps - model.first_roll, model.first_roll
    mass, kept = np.empty(rolls), np.empty(model.keeps)
    for state in range(low, high):
        at = state - low
        chance[at, :] = 0.0
        if weight[at] == 0.0:
            continue
        block = fill_turn(model, goal, choices, state, soft)
        to[at], points[at], bonus[at] = soft.to, soft.points, soft.bonus
        mass[:] = model.weight
        for left in range(model.rerolls - 1, -1, -1):
            kept[:] = 0.0
            for roll in range(rolls):
                first = choices.part_start[roll]
                share = mass[roll] / keep_weights(choices, left, roll, soft)
                for entry in range(first, choices.part_start[roll + 1]):
                    kept[choices.part[entry]] += share * soft.weight[entry - first]
            roll_kept(model, kept)
            mass[:] = kept[first_roll:]
        for roll in range(rolls):
            count, total = outcome_weights(model, choices, block, roll, soft)
            for i in range(count):
                chance[at, soft.choice[i]] += mass[roll] / total * soft.weight[i]
