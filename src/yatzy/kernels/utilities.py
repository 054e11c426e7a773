"""The best expected utility of the final score, for all points made so far, LANES of them at a time.

A state stores V(x) for 0 ≤ x < width, where x is the points made. After scoring p the next state is read at x + p.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from yatzy.kernels.cache import njit
from yatzy.kernels.curves import Curves, find_sources
from yatzy.kernels.turn import TurnArrays, best_placements, joker_context, open_rows, sweep_turn
from yatzy.kernels.vectors import LANES, aligned, broadcast, load_for, maximum, row_base, store


@njit(cache=True, nogil=True, error_model="numpy")
def solve_utilities(model: TurnArrays, after: Curves, low: int, high: int, block: int, offset: Any, value: Any) -> None:
    """Fill the values of states low … high.

    offset: int64[state - low + 1]; value: float32[…]; `after.low` is not used, because every state begins at 0 points.
    """
    rows = aligned(model.rows * LANES, np.float64)
    sources = model.zero_row - model.upper_row
    source, shift = np.empty(sources, np.int64), np.empty(sources, np.int32)
    base, scratch = row_base(rows), np.empty(LANES)
    roll_row, roll_start = np.empty_like(model.roll_row), np.empty_like(model.roll_start)
    for state in range(low, high):
        while state >= model.block_start[block + 1]:
            block += 1
        find_sources(model, after, block, state - model.block_start[block], source, shift)
        open_rows(model, source, roll_row, roll_start)
        for i in range(model.upper_row * LANES, model.rows * LANES):
            rows[i] = -np.inf
        begin = offset[state - low]
        width = offset[state - low + 1] - begin
        for points in range(0, width, LANES):
            _fill_rows(model, after, block, source, shift, points, base, scratch)
            best_placements(model, roll_row, roll_start, base)
            sweep_turn(model, base, None)
            for i in range(min(LANES, width - points)):
                value[begin + points + i] = rows[i]


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_rows(
    model: TurnArrays, after: Curves, block: int, source: Any, shift: Any, points: int, base: Any, scratch: Any
) -> None:
    for row in range(len(source)):
        if source[row] >= 0:
            store(base, (model.upper_row + row) * LANES, _piece(base, after, source[row], points + shift[row], scratch))
    for option in range(len(model.option_source)):
        to = source[model.option_source[option] - model.upper_row]
        if to >= 0:
            piece = _piece(base, after, to, points + model.option_shift[option], scratch)
            store(base, (model.option_row + option) * LANES, piece)
    for face in range(model.jokers):
        context = joker_context(model, block, face)
        best = broadcast(base, -np.inf)
        for term in range(model.joker_start[context], model.joker_start[context + 1]):
            row = model.joker_term_row[term] - model.upper_row
            if source[row] >= 0:
                made = points + shift[row] + model.joker_shift[term]
                best = maximum(best, _piece(base, after, source[row], made, scratch))
        store(base, (model.joker_row + face) * LANES, best)


@njit(cache=True, nogil=True, error_model="numpy")
def _piece(base: Any, after: Curves, curve: int, points: int, scratch: Any) -> Any:
    """LANES values from `points` on; beyond the end the last value is repeated."""
    begin = after.offset[curve]
    width = after.offset[curve + 1] - begin
    if points + LANES <= width:
        return load_for(base, row_base(after.chance), begin + points)
    for i in range(LANES):
        scratch[i] = after.chance[begin + min(points + i, width - 1)]
    return load_for(base, row_base(scratch), 0)
