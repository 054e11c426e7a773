"""What a strategy loses against the optimum of two players, position by position, and the turns that are then played.

A *position* is a pair of states and a difference of points, before a turn of the mover; the games that are in it form
a group (`play.Groups`). LANES positions are judged together:

    1. the values of all outcomes of the turn, under optimal play and for the strategy, are swept back to those of all
       keeps, for every number of rolls left;
    2. after every roll the strategy takes its best move; among moves within `tie` of it, the one that promises the most
       points, and of those the first;
    3. the chances of all rolls, if it plays like that, weigh what its moves lose: the optimal value of the best move
       minus that of its own. So the loss of a turn is exact; only the positions are a sample;
    4. the games of the position are played.

Values between turns come from tables of pairs in the layout of `endgames.Pairs`: the complete solution, or the
evaluations of the leaves of a search.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import carray

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves
from yatzy.kernels.endgames import ANY_LENGTH, Pairs, singles, waiting_value, waiting_window
from yatzy.kernels.layers import Worth
from yatzy.kernels.outcomes import find_outcomes, outcome_values
from yatzy.kernels.play import Groups, Table, end_turn
from yatzy.kernels.random import roll_dice
from yatzy.kernels.search import list_exact_rows, play_sheet
from yatzy.kernels.turn import TurnArrays, joker_context
from yatzy.kernels.vectors import (
    LANES,
    SINGLE_LANES,
    add,
    aligned,
    broadcast,
    divide,
    fold_add,
    fold_maximum,
    load,
    load_indexed,
    maximum,
    multiply,
    row_base,
    store,
    where_greater,
)


class Rules(NamedTuple):
    """How a strategy chooses between moves of which it has the values."""

    part: Any
    """int32[entry]: the keeps of every roll, in the order of `keeps_of`"""
    part_start: Any
    """int32[roll + 1]"""
    worth: Worth
    promise: Any
    """float64[state of the next layer]: the points still to come that a state promises; the points of the turn are
    added"""
    by_promise: bool
    """Whether the promise breaks ties; otherwise the first of the best moves is taken"""
    tie: float
    error: float
    """A loss above this is an error."""


class Losses(NamedTuple):
    """What is found out about positions and games."""

    lost: Any
    """float64[position, roll of the turn]: the mean loss of the move after that roll"""
    erring: Any
    """float64[position, roll of the turn]: the chance of an error after that roll"""
    realised: Any
    """float64[game]: added to: the losses of the moves that were made"""


# Values of outcomes. value: float64[position - low, outcome], minus infinity where an outcome is closed


@njit(cache=True, nogil=True, error_model="numpy")
def look_ahead(
    model: TurnArrays, used: Any, nowhere: Curves, rivals_nowhere: Curves, after: Pairs, states: Any, rivals: Any,
    difference: Any, low: int, high: int, value: Any,
) -> None:  # fmt: skip
    """Like `endgames.look_up_outcomes`, one turn further: the values after the next turn of the rival are read.

    model: in singles, every category with exactly its points; used: bool[row], whether some roll leads to the row
    without a Joker; rivals_nowhere: the next layer of the rival; after: the pairs in which the mover is to move again.
    """
    outcomes = model.outcomes
    to, points, bonus = np.empty(outcomes, np.int64), np.empty(outcomes, np.int32), np.empty(outcomes, np.bool_)
    theirs, paid = np.empty(outcomes, np.int64), np.empty(outcomes, np.int32)
    link, lane_of = np.empty(outcomes, np.int32), np.empty(outcomes, np.int64)
    wide = -(-outcomes // SINGLE_LANES) * SINGLE_LANES
    space = aligned(outcomes * wide + wide, np.float32)
    rows = aligned(model.rows * SINGLE_LANES, np.float32)
    roll_row, roll_start = np.empty_like(model.roll_row), np.empty_like(model.roll_start)
    last = -1
    for position in range(low, high):
        block = np.searchsorted(model.block_start, states[position], side="right") - 1
        find_outcomes(model, nowhere, block, states[position] - model.block_start[block], to, points, bonus)
        lanes = 0
        for outcome in range(outcomes):
            lane_of[outcome] = -1
            if to[outcome] >= 0 and (outcome >= len(used) or used[outcome]):
                lane_of[outcome] = lanes
                lanes += 1
        rival = rivals[position]
        rival_block = np.searchsorted(model.block_start, rival, side="right") - 1
        if rival != last:
            last = rival
            find_outcomes(model, rivals_nowhere, rival_block, rival - model.block_start[rival_block], theirs, paid,
                          bonus)  # fmt: skip
            for outcome in range(outcomes):
                possible = theirs[outcome] >= 0 and (outcome >= len(used) or used[outcome])
                link[outcome] = outcome if possible else -1
            list_exact_rows(model, link, roll_row, roll_start)
        padded = -(-lanes // SINGLE_LANES) * SINGLE_LANES
        ends = space[: outcomes * padded].reshape(outcomes, padded)
        before = space[outcomes * padded : (outcomes + 1) * padded].reshape(1, padded)
        ends[:] = 0.0
        for outcome in range(outcomes):
            if lane_of[outcome] < 0:
                continue
            lane, row = lane_of[outcome], nowhere.first + to[outcome] - after.mover
            values, ahead = carray(singles(after.address[row]), ANY_LENGTH), points[outcome] - difference[position]
            known, first, length, pair = -1, 0, 0, np.int64(0)
            for end in range(outcomes):
                if link[end] < 0:
                    continue
                if theirs[end] != known:
                    known = theirs[end]
                    opponent = rivals_nowhere.first + known
                    first, length = waiting_window(after, after.mover + row, opponent)
                    pair = row * after.opponents + opponent - after.opponent
                ends[end, lane] = waiting_value(after.within, values, pair, first, length, ahead - paid[end])
        play_sheet(model, rival_block, link, roll_row, roll_start, ends, rows, before)
        for outcome in range(outcomes):
            lane = lane_of[outcome]
            value[position - low, outcome] = -np.inf if lane < 0 else 1.0 - before[0, lane]


@njit(cache=True, nogil=True, error_model="numpy")
def value_by_points(
    model: TurnArrays, nowhere: Curves, worth: Worth, values: Any, states: Any, low: int, high: int, value: Any
) -> None:
    """The values of the outcomes by one number for each state of the next layer; see `outcome_values`."""
    to, points = np.empty(model.outcomes, np.int64), np.empty(model.outcomes, np.int32)
    bonus = np.empty(model.outcomes, np.bool_)
    for position in range(low, high):
        block = np.searchsorted(model.block_start, states[position], side="right") - 1
        find_outcomes(model, nowhere, block, states[position] - model.block_start[block], to, points, bonus)
        outcome_values(model, worth, values, block, to, value[position - low])


# What a search reads of the values of pairs. wanted: int32[pair, 2], the first and the last difference of W; updated


@njit(cache=True, nogil=True, error_model="numpy")
def _list_ends(model: TurnArrays, used: Any, to: Any, points: Any, end: Any, least: Any, most: Any) -> int:
    """List the states that the outcomes lead to, each with its least and most points; return their number."""
    ends = 0
    for outcome in range(model.outcomes):
        if to[outcome] < 0 or (outcome < len(used) and not used[outcome]):
            continue
        if ends == 0 or end[ends - 1] != to[outcome]:
            end[ends], least[ends], most[ends] = to[outcome], points[outcome], points[outcome]
            ends += 1
        else:
            least[ends - 1] = min(least[ends - 1], points[outcome])
            most[ends - 1] = max(most[ends - 1], points[outcome])
    return ends


@njit(cache=True, nogil=True, error_model="numpy")
def want_after_turns(
    model: TurnArrays, used: Any, nowhere: Curves, rivals_nowhere: Curves, after: Pairs, states: Any, rivals: Any,
    difference: Any, wanted: Any,
) -> None:  # fmt: skip
    """Note what `look_ahead` reads in all positions; the other arguments are its own."""
    outcomes = model.outcomes
    to, points, bonus = np.empty(outcomes, np.int64), np.empty(outcomes, np.int32), np.empty(outcomes, np.bool_)
    ours, least, most = np.empty(outcomes, np.int64), np.empty(outcomes, np.int32), np.empty(outcomes, np.int32)
    theirs, lowest, highest = np.empty(outcomes, np.int64), np.empty(outcomes, np.int32), np.empty(outcomes, np.int32)
    last, last_rival, own, others = -1, -1, 0, 0
    for position in range(len(states)):
        if states[position] != last:
            last = states[position]
            block = np.searchsorted(model.block_start, last, side="right") - 1
            find_outcomes(model, nowhere, block, last - model.block_start[block], to, points, bonus)
            own = _list_ends(model, used, to, points, ours, least, most)
        if rivals[position] != last_rival:
            last_rival = rivals[position]
            block = np.searchsorted(model.block_start, last_rival, side="right") - 1
            find_outcomes(model, rivals_nowhere, block, last_rival - model.block_start[block], to, points, bonus)
            others = _list_ends(model, used, to, points, theirs, lowest, highest)
        for i in range(own):
            row = (nowhere.first + ours[i] - after.mover) * after.opponents
            for j in range(others):
                pair = row + rivals_nowhere.first + theirs[j] - after.opponent
                wanted[pair, 0] = min(wanted[pair, 0], least[i] - difference[position] - highest[j])
                wanted[pair, 1] = max(wanted[pair, 1], most[i] - difference[position] - lowest[j])


@njit(cache=True, nogil=True, error_model="numpy")
def want_before_turn(
    model: TurnArrays, used: Any, nowhere: Curves, here: Pairs, after: Pairs, wanted_here: Any, wanted: Any
) -> None:
    """Note what `solve_pairs` reads to fill what is wanted of the pairs of a depth; nowhere: the mover's next layer."""
    outcomes = model.outcomes
    to, points, bonus = np.empty(outcomes, np.int64), np.empty(outcomes, np.int32), np.empty(outcomes, np.bool_)
    ends, least, most = np.empty(outcomes, np.int64), np.empty(outcomes, np.int32), np.empty(outcomes, np.int32)
    last, count = -1, 0
    for pair in range(len(wanted_here)):
        first, end = wanted_here[pair, 0], wanted_here[pair, 1]
        if first > end:
            continue
        mover, opponent = pair // here.opponents, pair % here.opponents
        if mover != last:
            last = mover
            block = np.searchsorted(model.block_start, here.mover + mover, side="right") - 1
            rank = here.mover + mover - model.block_start[block]
            find_outcomes(model, nowhere, block, rank, to, points, bonus)
            count = _list_ends(model, used, to, points, ends, least, most)
        row = (here.opponent + opponent - after.mover) * after.opponents
        for i in range(count):
            read = row + nowhere.first + ends[i] - after.opponent
            wanted[read, 0] = min(wanted[read, 0], -end - most[i])
            wanted[read, 1] = max(wanted[read, 1], -first - least[i])


# Leaves of a search, in the layout of `Pairs`


@njit(cache=True, nogil=True, error_model="numpy")
def fill_leaves(
    here: Pairs, mine: Any, first: Any, end: Any, worth: Any, most: int, by_target: bool, low: int, high: int,
    start: Any, value: Any,
) -> None:  # fmt: skip
    """Evaluate the leaves of pairs low … high in the layout of their windows.

    mine: float32[mover, points to come], the mass of the mover's curve or, by target, the curve; first, end:
    int64[mover], the range of points to use; worth: float32[opponent, points + most], what it is worth to end this many
    points above the opponent's present score, with a vector to spare; start: int64[mover], the offset of its values in
    value: float32[…].
    """
    own, theirs, out = row_base(mine), row_base(worth), aligned(SINGLE_LANES, np.float32)
    to, stride = row_base(out), worth.shape[1]
    for pair in range(low, high):
        mover, opponent = pair // here.opponents, pair % here.opponents
        begin, length = waiting_window(here, here.mover + mover, here.opponent + opponent)
        at = start[mover] + here.within[pair]
        for done in range(0, length, SINGLE_LANES):
            shift = opponent * stride + most + begin + done
            total = broadcast(own, 0.0)
            for points in range(first[mover], end[mover]):
                share = broadcast(own, np.float64(mine[mover, points]))
                product = multiply(share, load(theirs, shift + points))
                total = maximum(product, total) if by_target else add(product, total)
            store(to, 0, total)
            for i in range(min(SINGLE_LANES, length - done)):
                value[at + done + i] = np.float32(1.0) - out[i]


@njit(cache=True, nogil=True, error_model="numpy")
def expected_worths(mass: Any, worth: Any, value: Any) -> None:
    """The sums over scores of mass(x) · worth(x).

    mass: float64[row, score]; worth: float64[score, lane]; value: float64[row, lane]. The number of lanes must be a
    multiple of LANES.
    """
    worths, out = row_base(worth), row_base(value)
    scores, stride = worth.shape
    for first in range(0, stride, LANES):
        for row in range(len(mass)):
            total = broadcast(out, 0.0)
            for score in range(scores):
                share = broadcast(out, mass[row, score])
                total = add(total, multiply(share, load(worths, score * stride + first)))
            store(out, row * stride + first, total)


# Turns


class _Lanes(NamedTuple):
    """The turns of LANES positions."""

    best: Any
    """float64[row · LANES]: rows as in `TurnArrays`: values under optimal play; the next two likewise"""
    own: Any
    promise: Any
    best_keep: Any
    """float64[(rolls left - 1) · keeps · LANES]: the value of keeping these dice; the next two likewise"""
    own_keep: Any
    promise_keep: Any
    best_roll: Any
    """float64[rolls left · rolls · LANES]: the value of the best move"""
    chosen: Any
    """float64[rolls left · rolls · LANES]: the keep or, with no roll left, the outcome that the strategy takes"""
    loss: Any
    """float64[rolls left · rolls · LANES]"""
    mass: Any
    """float64[keep · LANES]: the chance of these dice"""
    to: Any
    """int64[lane, outcome]; this and the next two as in `LanePlans`"""
    points: Any
    bonus: Any
    joker: Any
    """float64[face · LANES]: the outcome that the strategy takes with equal dice under a Joker rule"""
    joker_loss: Any
    """float64[face · LANES]"""
    value: Any
    """float64[outcome]: scratch buffer"""


@njit(cache=True, nogil=True, error_model="numpy")
def _make_lanes(model: TurnArrays) -> _Lanes:
    rows, rolls = model.rows * LANES, (model.rerolls + 1) * (model.keeps - model.first_roll) * LANES
    keeps, shape = model.rerolls * model.keeps * LANES, (LANES, model.outcomes)
    return _Lanes(
        _zeros(rows), _zeros(rows), _zeros(rows), _zeros(keeps), _zeros(keeps), _zeros(keeps), _zeros(rolls),
        _zeros(rolls), _zeros(rolls), _zeros(model.keeps * LANES), np.empty(shape, np.int64),
        np.empty(shape, np.int32), np.empty(shape, np.bool_), _zeros(model.jokers * LANES),
        _zeros(model.jokers * LANES), np.empty(model.outcomes),
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def _zeros(length: int) -> Any:
    numbers = aligned(length, np.float64)
    numbers[:] = 0.0
    return numbers


@njit(cache=True, nogil=True, error_model="numpy")
def judge_turns(
    model: TurnArrays, nowhere: Curves, rules: Rules, best: Any, own: Any, own_keep: Any, groups: Groups, low: int,
    high: int, table: Table, losses: Losses,
) -> None:  # fmt: skip
    """Judge a turn of the strategy in positions low … high, and play it.

    model: `exact_turn_arrays`; best, own: float64[position - low, outcome], under optimal play and for the strategy;
    own_keep: float64[rolls left - 1, keep, position - low], if the strategy does not judge keeps by the values of what
    can follow, with positions padded to LANES; otherwise of no positions.
    """
    lanes = _make_lanes(model)
    for first in range(low, high, LANES):
        count = min(LANES, high - first)
        for lane in range(count):
            state = groups.state[first + lane]
            block = np.searchsorted(model.block_start, state, side="right") - 1
            find_outcomes(model, nowhere, block, state - model.block_start[block], lanes.to[lane], lanes.points[lane],
                          lanes.bonus[lane])  # fmt: skip
            if rules.by_promise:
                outcome_values(model, rules.worth, rules.promise, block, lanes.to[lane], lanes.value)
            else:
                lanes.value[:] = 0.0
            _write_lane(model, rules, block, lane, best[first + lane - low], own[first + lane - low], lanes)
        _best_places(model, rules, lanes)
        _sweep(model, lanes.best, lanes.best_keep, lanes.best_roll)
        _sweep(model, lanes.promise, lanes.promise_keep, None)
        if own_keep.shape[2]:
            _copy_keeps(model, own_keep, first - low, lanes.own_keep)
        else:
            _sweep(model, lanes.own, lanes.own_keep, None)
        _best_keeps(model, rules, lanes)
        _weigh(model, rules, lanes, first, count, losses)
        for lane in range(count):
            for place in range(groups.begin[first + lane], groups.begin[first + lane + 1]):
                _play(model, lanes, lane, groups.order[place], table, losses.realised)


@njit(cache=True, nogil=True, error_model="numpy")
def _write_lane(model: TurnArrays, rules: Rules, block: int, lane: int, best: Any, own: Any, lanes: _Lanes) -> None:
    """Copy the values of the outcomes of a position into a lane, and choose the places of equal dice with a Joker."""
    for row in range(model.upper_row, model.joker_row):
        outcome = row - model.upper_row
        lanes.best[row * LANES + lane] = best[outcome]
        lanes.own[row * LANES + lane] = own[outcome]
        lanes.promise[row * LANES + lane] = lanes.value[outcome]
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        begin, end = model.joker_start[context], model.joker_start[context + 1]
        top, top_own, top_promise = -np.inf, -np.inf, -np.inf
        for term in range(begin, end):
            outcome = model.joker_outcome[term]
            top, top_own = max(top, best[outcome]), max(top_own, own[outcome])
            if own[outcome] > -np.inf:
                top_promise = max(top_promise, lanes.value[outcome])
        chosen, promised = -1, -np.inf
        for term in range(begin, end):
            outcome = model.joker_outcome[term]
            if own[outcome] > -np.inf and top_own - own[outcome] <= rules.tie and lanes.value[outcome] > promised:
                chosen, promised = outcome, lanes.value[outcome]
        at = (model.joker_row + face) * LANES + lane
        lanes.best[at], lanes.own[at], lanes.promise[at] = top, top_own, top_promise
        lanes.joker[face * LANES + lane] = chosen
        lanes.joker_loss[face * LANES + lane] = top - best[chosen] if chosen >= 0 else 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _best_places(model: TurnArrays, rules: Rules, lanes: _Lanes) -> None:
    """The best outcome of every roll when no roll is left, and what it loses."""
    best, own, promise = row_base(lanes.best), row_base(lanes.own), row_base(lanes.promise)
    out, chosen_at, loss_at = row_base(lanes.best_roll), row_base(lanes.chosen), row_base(lanes.loss)
    joker, joker_loss = row_base(lanes.joker), row_base(lanes.joker_loss)
    for roll in range(model.keeps - model.first_roll):
        top, top_own, top_promise = broadcast(best, -np.inf), broadcast(best, -np.inf), broadcast(best, -np.inf)
        begin, end = model.roll_start[roll], model.roll_start[roll + 1]
        for entry in range(begin, end):
            at = np.int64(model.roll_row[entry])
            top = maximum(load(best, at), top)
            top_own = maximum(load(own, at), top_own)
            top_promise = maximum(load(promise, at), top_promise)
        row = np.int64(model.roll_row[begin]) // LANES
        if model.jokers and row >= model.joker_row:  # the only row of its roll
            chosen, loss = (
                load(joker, (row - model.joker_row) * LANES),
                load(joker_loss, (row - model.joker_row) * LANES),
            )
        else:
            least = add(top_own, broadcast(best, -rules.tie))
            chosen, promised, taken = broadcast(best, -1.0), broadcast(best, -np.inf), broadcast(best, 0.0)
            for entry in range(begin, end):
                at = np.int64(model.roll_row[entry])
                # Equal to the limit counts as tied; a closed category has minus infinity and never does.
                tied = where_greater(least, load(own, at), broadcast(best, -np.inf), load(promise, at))
                number = broadcast(best, np.float64(at // LANES - model.upper_row))
                chosen = where_greater(tied, promised, number, chosen)
                taken = where_greater(tied, promised, load(best, at), taken)
                promised = maximum(tied, promised)
            loss = add(top, multiply(taken, broadcast(best, -1.0)))
        store(out, roll * LANES, top)
        store(chosen_at, roll * LANES, chosen)
        store(loss_at, roll * LANES, loss)
        store(best, (model.first_roll + roll) * LANES, top)
        store(own, (model.first_roll + roll) * LANES, top_own)
        store(promise, (model.first_roll + roll) * LANES, top_promise)


@njit(cache=True, nogil=True, error_model="numpy")
def _sweep(model: TurnArrays, rows: Any, keep_value: Any, roll_value: Any) -> None:
    """From the values of the rolls with no roll left, find those of all keeps, and of the rolls if asked for."""
    base, out = row_base(rows), row_base(keep_value)
    child, parent, faces = model.child.ctypes.data, model.parent.ctypes.data, model.faces
    rolls = model.keeps - model.first_roll
    for left in range(model.rerolls):
        for keep in range(model.first_roll - 1, -1, -1):
            entry = keep * faces
            total = fold_add(load_indexed(base, child, entry), base, child, entry + 1, faces - 1)
            store(base, keep * LANES, divide(total, broadcast(base, np.float64(faces))))
        for keep in range(model.keeps):
            value = load(base, keep * LANES)
            store(out, (left * model.keeps + keep) * LANES, value)
            entry = model.parent_start[keep]
            store(base, keep * LANES, fold_maximum(value, base, parent, entry, model.parent_start[keep + 1] - entry))
        if roll_value is not None:
            to = row_base(roll_value)
            for roll in range(rolls):
                store(to, ((left + 1) * rolls + roll) * LANES, load(base, (model.first_roll + roll) * LANES))


@njit(cache=True, nogil=True, error_model="numpy")
def _copy_keeps(model: TurnArrays, given: Any, first: int, out: Any) -> None:
    source, to, width = row_base(given), row_base(out), given.shape[2]
    for keep in range(model.rerolls * model.keeps):
        store(to, keep * LANES, load(source, keep * width + first))


@njit(cache=True, nogil=True, error_model="numpy")
def _best_keeps(model: TurnArrays, rules: Rules, lanes: _Lanes) -> None:
    """The best keep of every roll, for every number of rolls left, and what it loses."""
    best, own, promise = row_base(lanes.best_keep), row_base(lanes.own_keep), row_base(lanes.promise_keep)
    tops, chosen_at, loss_at = row_base(lanes.best_roll), row_base(lanes.chosen), row_base(lanes.loss)
    part, part_start, rolls = rules.part, rules.part_start, model.keeps - model.first_roll
    for left in range(model.rerolls):
        skip = left * model.keeps
        for roll in range(rolls):
            begin, end = part_start[roll], part_start[roll + 1]
            top_own = broadcast(own, -np.inf)
            for entry in range(begin, end):
                top_own = maximum(load(own, (skip + part[entry]) * LANES), top_own)
            least = add(top_own, broadcast(own, -rules.tie))
            chosen, promised, taken = broadcast(own, -1.0), broadcast(own, -np.inf), broadcast(own, 0.0)
            for entry in range(begin, end):
                at = (skip + part[entry]) * LANES
                tied = where_greater(least, load(own, at), broadcast(own, -np.inf), load(promise, at))
                chosen = where_greater(tied, promised, broadcast(own, np.float64(part[entry])), chosen)
                taken = where_greater(tied, promised, load(best, at), taken)
                promised = maximum(tied, promised)
            at = ((left + 1) * rolls + roll) * LANES
            store(chosen_at, at, chosen)
            store(loss_at, at, add(load(tops, at), multiply(taken, broadcast(own, -1.0))))


@njit(cache=True, nogil=True, error_model="numpy")
def _weigh(model: TurnArrays, rules: Rules, lanes: _Lanes, first: int, count: int, losses: Losses) -> None:
    """Weigh the losses with the chances of the rolls before them, and write the means of the positions."""
    mass, rolls, faces = lanes.mass, model.keeps - model.first_roll, model.faces
    base = row_base(mass)
    mass[: model.first_roll * LANES] = 0.0
    for roll in range(rolls):
        store(base, (model.first_roll + roll) * LANES, broadcast(base, model.weight[roll]))
    for left in range(model.rerolls, -1, -1):
        number, skip = model.rerolls - left, left * rolls * LANES
        losses.lost[first : first + count, number] = 0.0
        losses.erring[first : first + count, number] = 0.0
        for roll in range(rolls):
            at = (model.first_roll + roll) * LANES
            for lane in range(count):
                loss = lanes.loss[skip + roll * LANES + lane]
                losses.lost[first + lane, number] += mass[at + lane] * loss
                if loss > rules.error:
                    losses.erring[first + lane, number] += mass[at + lane]
        if left == 0:
            return
        for roll in range(rolls - 1, -1, -1):
            at = (model.first_roll + roll) * LANES
            for lane in range(count):
                share = mass[at + lane]
                kept = np.int64(lanes.chosen[skip + roll * LANES + lane])
                if kept < model.first_roll:  # to keep all dice is to have the same roll again
                    mass[at + lane] = 0.0
                    mass[kept * LANES + lane] += share
        for keep in range(model.first_roll):
            share = divide(load(base, keep * LANES), broadcast(base, np.float64(faces)))
            store(base, keep * LANES, broadcast(base, 0.0))
            for entry in range(keep * faces, (keep + 1) * faces):
                more = np.int64(model.child[entry])
                store(base, more, add(load(base, more), share))


@njit(cache=True, nogil=True, error_model="numpy")
def _play(model: TurnArrays, lanes: _Lanes, lane: int, game: int, table: Table, realised: Any) -> None:
    """Play a turn of a game in the position of a lane."""
    first_roll, rolls = model.first_roll, model.keeps - model.first_roll
    key_0, key_1, turn, number = table.key_0, table.key_1, table.turn, table.first_game + game
    roll = roll_dice(model.child, first_roll, model.faces, key_0, key_1, number, turn, 0, 0)
    for left in range(model.rerolls, 0, -1):
        at = (left * rolls + roll - first_roll) * LANES + lane
        realised[game] += lanes.loss[at]
        kept = np.int64(lanes.chosen[at])
        roll = roll_dice(
            model.child, first_roll, model.faces, key_0, key_1, number, turn, model.rerolls - left + 1, kept
        )
    at = (roll - first_roll) * LANES + lane
    realised[game] += lanes.loss[at]
    end_turn(game, np.int64(lanes.chosen[at]), lanes.to[lane], lanes.points[lane], lanes.bonus[lane],
             model.outcome_points, table.category, table.upper_bonus, table.state, table.made, table.points,
             table.jokers)  # fmt: skip
