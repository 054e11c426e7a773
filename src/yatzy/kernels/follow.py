"""Follow planned turns forward, LANES turns at a time: from the choices to the chance of every outcome.

Operations per turn, with five six-sided dice and three rolls: 2 · 1,260 additions and 2 · 210 divisions in vectors,
and 3 · 252 additions in single lanes, because every lane keeps other dice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.borrowed import borrowed
from yatzy.kernels.cache import njit
from yatzy.kernels.plan import LanePlans
from yatzy.kernels.turn import TurnArrays
from yatzy.kernels.vectors import LANES, aligned, broadcast, divide, fold_add, load, row_base, store

ROW = np.uint64(LANES)


class LaneChances(NamedTuple):
    """The chances of the outcomes of LANES turns, and buffers."""

    mass: Any
    """float64[keep · LANES]: the chance of these dice; only those of rolls are used"""
    kept: Any
    """float64[keep · LANES]: the chance of keeping these dice"""
    share: Any
    """float64[keep with fewer than n dice · LANES]: the chance of these dice and of any one face of the next die"""
    parent: Any
    """uint32[edge]: as in `TurnArrays`, but ascending, so that sums are rounded as in `roll_kept`"""
    chance: Any
    """float64[outcome · LANES]"""


@njit(cache=True, nogil=True, error_model="numpy")
def make_lane_chances(model: TurnArrays) -> LaneChances:
    """Allocate buffers for LANES turns."""
    parent = np.empty_like(model.parent)
    for keep in range(model.keeps):
        begin, end = model.parent_start[keep], model.parent_start[keep + 1]
        parent[begin:end] = np.sort(model.parent[begin:end])
    return LaneChances(
        mass=aligned(model.keeps * LANES, np.float64),
        kept=aligned(model.keeps * LANES, np.float64),
        share=aligned(model.first_roll * LANES, np.float64),
        parent=parent,
        chance=aligned(model.outcomes * LANES, np.float64),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def follow_lanes(model: TurnArrays, plans: LanePlans, lanes: int, chances: LaneChances) -> None:
    """Fill the chances of the outcomes of the first `lanes` planned turns."""
    model, plans, chances = borrowed(model), borrowed(plans), borrowed(chances)
    first_roll, keeps = model.first_roll, model.keeps
    mass, kept, chance, keep, place = chances.mass, chances.kept, chances.chance, plans.keep, plans.place
    mass_base = row_base(mass)
    for roll in range(keeps - first_roll):
        store(mass_base, (first_roll + roll) * LANES, broadcast(mass_base, model.weight[roll]))
    for left in range(model.rerolls - 1, -1, -1):
        kept[:] = 0.0
        skip = left * keeps * LANES
        for at in range(first_roll * LANES, keeps * LANES, LANES):
            for lane in range(lanes):  # indices are unsigned, so that Numba does not check whether they are negative
                kept[np.uint32(keep[skip + at + lane]) * ROW + np.uint64(lane)] += mass[at + lane]
        _roll_lanes(model, chances.parent, row_base(kept), row_base(chances.share), mass_base)
    chance[:] = 0.0
    for at in range(0, (keeps - first_roll) * LANES, LANES):
        for lane in range(lanes):
            chance[np.uint32(place[at + lane]) * ROW + np.uint64(lane)] += mass[first_roll * LANES + at + lane]


@njit(inline="always")
def _roll_lanes(model: TurnArrays, parent: Any, kept: Any, share: Any, mass: Any) -> None:
    """Roll the dice not kept: any dice receive the shares of those with one die less."""
    index, faces, entry = parent.ctypes.data, broadcast(kept, np.float64(model.faces)), 0
    for keep in range(model.keeps):
        count = model.parent_start[keep + 1] - entry
        total = fold_add(load(kept, keep * LANES), share, index, entry, count)
        if keep < model.first_roll:
            store(share, keep * LANES, divide(total, faces))
        else:
            store(mass, keep * LANES, total)
        entry += count
