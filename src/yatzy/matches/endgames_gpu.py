"""Endgame tables and complete solutions on a GPU: the same rows as `matches.endgames`, from the same layouts."""

from __future__ import annotations

import ctypes
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.gpu.device import Device, open_device
from yatzy.gpu.pairs import HostPairs, PairSolver, Rows
from yatzy.matches.endgames import Layout
from yatzy.model import CompiledGame

_solving = Lock()
_kept = dict[str, Any]()
"""The solver of the last game, and the last layer that it read: the blocks of a layer all read the same one."""


def solve_rows(
    compiled: CompiledGame, layout: Layout, before: Layout | None, low: int, high: int
) -> npt.NDArray[np.float32]:
    """The stored values of the movers low … high of a depth.

    before: the layout with one open category less, whose pairs all have an address; None for depth 0.
    """
    with _solving:
        return solve_on(open_device(), compiled, layout, before, low, high)


def solve_on(
    device: Device,
    compiled: CompiledGame,
    layout: Layout,
    before: Layout | None,
    low: int,
    high: int,
    memory: int | None = None,
) -> npt.NDArray[np.float32]:
    """The same on a given device; memory: the most bytes to use there."""
    values = np.empty(int(layout.start[high] - layout.start[low]), np.float32)
    if before is None:
        values[:] = 0.5  # both sheets are full: wins and losses lie outside the windows
        return values
    pairs = layout.pairs
    solver, after = _opened(device, compiled, before, memory)
    solver.solve_rows(after, range(pairs.mover + low, pairs.mover + high), values)
    return values


def _opened(device: Device, compiled: CompiledGame, before: Layout, memory: int | None) -> tuple[PairSolver, HostPairs]:
    made_for = (device, compiled, memory)
    if _kept.get("solver for") != made_for:
        _kept.clear()
        _kept["solver"] = PairSolver(device, compiled, before.ranges.arrays, memory)
        _kept["solver for"] = made_for
    if _kept.get("pairs for") is not before:
        _kept["pairs"], _kept["pairs for"] = host_pairs(before), before
    return _kept["solver"], _kept["pairs"]


def host_pairs(layout: Layout) -> HostPairs:
    """The pairs of a layout whose rows all have an address."""
    pairs = layout.pairs
    movers = range(pairs.mover, pairs.mover + len(layout.start) - 1)
    return HostPairs(movers, range(pairs.opponent, pairs.opponent + pairs.opponents), layout.start, _rows(layout))


def _rows(layout: Layout) -> Rows:
    """Copies rows from their addresses. The rows of a piece of a table are consecutive, those of two pieces are not."""

    def read(low: int, high: int) -> npt.NDArray[np.float32]:
        start = layout.start[low : high + 1] - layout.start[low]
        address = layout.pairs.address[low:high]
        out = np.empty(int(start[-1]), np.float32)
        breaks = np.flatnonzero(address[1:] != address[:-1] + 4 * np.diff(start[:-1])) + 1
        for a, b in zip([0, *breaks], [*breaks, high - low], strict=True):
            begin, end = int(start[a]), int(start[b])
            if end > begin:
                out[begin:end] = _at(int(address[a]), end - begin)
        return out

    return read


def _at(address: int, count: int) -> npt.NDArray[np.float32]:
    return np.ctypeslib.as_array((ctypes.c_float * count).from_address(address))
