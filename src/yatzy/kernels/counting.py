"""The ranges of points made and points to come of every state, and the number of open differences of two sheets.

Rows are those of model/placing.py. A move into a row gains between `least` and `most` points, not counting the points
of an upper row; `least > most` means that no roll leads to the row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves, find_sources
from yatzy.kernels.turn import TurnArrays, joker_context


class PlainGains(NamedTuple):
    """The gains of the rolls to which no Joker rule applies."""

    least: Any
    """int32[row]"""
    most: Any
    """int32[row]"""


class Ranges(NamedTuple):
    """The least and the most points of every state."""

    least: Any
    """int32[state]"""
    most: Any
    """int32[state]"""


@njit(cache=True, nogil=True, error_model="numpy")
def fill_made(model: TurnArrays, nowhere: Curves, plain: PlainGains, low: int, high: int, made: Ranges) -> None:
    """Propagate the points made from the states of blocks low … high, all of one layer, to the next layer.

    `made` must be complete for these states. Of `nowhere` only `first` is used, which must be 0.
    """
    least, most = np.empty_like(plain.least), np.empty_like(plain.most)
    source, shift = np.empty(len(least), np.int64), np.empty(len(least), np.int32)
    for block in range(low, high):
        _block_gains(model, plain, block, least, most)
        for state in range(model.block_start[block], model.block_start[block + 1]):
            if made.least[state] > made.most[state]:
                continue
            find_sources(model, nowhere, block, state - model.block_start[block], source, shift)
            for row in range(len(source)):
                to = source[row]
                if to >= 0 and least[row] <= most[row]:
                    made.least[to] = min(made.least[to], made.least[state] + shift[row] + least[row])
                    made.most[to] = max(made.most[to], made.most[state] + shift[row] + most[row])


@njit(cache=True, nogil=True, error_model="numpy")
def fill_to_come(model: TurnArrays, nowhere: Curves, plain: PlainGains, low: int, high: int, to_come: Ranges) -> None:
    """Compute the points to come of blocks low … high, all of one layer, from those of the next layer."""
    least, most = np.empty_like(plain.least), np.empty_like(plain.most)
    source, shift = np.empty(len(least), np.int64), np.empty(len(least), np.int32)
    for block in range(low, high):
        _block_gains(model, plain, block, least, most)
        for state in range(model.block_start[block], model.block_start[block + 1]):
            find_sources(model, nowhere, block, state - model.block_start[block], source, shift)
            for row in range(len(source)):
                to = source[row]
                if to >= 0 and least[row] <= most[row]:
                    to_come.least[state] = min(to_come.least[state], to_come.least[to] + shift[row] + least[row])
                    to_come.most[state] = max(to_come.most[state], to_come.most[to] + shift[row] + most[row])


@njit(cache=True, nogil=True, error_model="numpy")
def _block_gains(model: TurnArrays, plain: PlainGains, block: int, least: Any, most: Any) -> None:
    """Compute the gains of all rolls in a block: the plain ones and those of equal dice under a Joker rule."""
    least[:], most[:] = plain.least, plain.most
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            row = model.joker_term_row[term] - model.upper_row
            least[row] = min(least[row], model.joker_shift[term])
            most[row] = max(most[row], model.joker_shift[term])


@njit(cache=True, nogil=True, error_model="numpy")
def count_open(mover: Any, opponent: Any, weight: Any, out: Any) -> None:
    """Count, for every kind of mover's sheet, the open differences against all opponents together.

    mover, opponent: int32[kind, (o⁻, o⁺, p⁻, p⁺)] as defined in matches/counting.py, the opponent's sorted;
    weight: int64[opponent's kind], the number of sheets of that kind; out: int64[mover's kind].

    The differences that can occur run from p⁻ − p⁺(mover) to p⁺ − p⁻(mover). The number of them below y is
    max(y + p⁺(mover) − p⁻, 0) − max(y − 1 + p⁻(mover) − p⁺, 0), two functions of one number each. Opponents with
    equal o share the window of open differences, so each function is tabulated once for them and used for all movers.
    """
    width = 2
    for i in range(len(mover)):
        width = max(width, mover[i, 1] + mover[i, 3] + 2)
    above_least, above_most = np.empty(width, np.int64), np.empty(width, np.int64)
    out[:] = 0
    first = 0
    while first < len(opponent):
        last = first
        while (
            last < len(opponent) and opponent[last, 0] == opponent[first, 0] and opponent[last, 1] == opponent[first, 1]
        ):
            last += 1
        _sum_above(opponent, weight, first, last, 2, above_least)
        _sum_above(opponent, weight, first, last, 3, above_most)
        for i in range(len(mover)):
            low, end = mover[i, 0] - opponent[first, 1], mover[i, 1] - opponent[first, 0] + 1
            out[i] += above_least[max(end + mover[i, 3], 0)] - above_least[max(low + mover[i, 3], 0)]
            out[i] -= above_most[max(end - 1 + mover[i, 2], 0)] - above_most[max(low - 1 + mover[i, 2], 0)]
        first = last


@njit(cache=True, nogil=True, error_model="numpy")
def _sum_above(kinds: Any, weight: Any, first: int, last: int, column: int, table: Any) -> None:
    """Table[y] = Σ weight · max(y − points, 0) over some kinds, computed as the cumulative sum taken twice."""
    table[:] = 0
    for kind in range(first, last):
        if kinds[kind, column] + 1 < len(table):
            table[kinds[kind, column] + 1] += weight[kind]
    for _ in range(2):
        for y in range(1, len(table)):
            table[y] += table[y - 1]
