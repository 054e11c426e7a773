"""Endgame tables and complete solutions on a GPU: the same values as `matches.endgames`, from the same layouts.

A complete solution keeps its two current layers in the memory of the device if they fit there (`LayersOnDevice`).
Otherwise `solve_rows` solves it block by block, from files.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.gpu.device import Device, open_device
from yatzy.gpu.game import LANES
from yatzy.gpu.pairs import HostPairs, LoadedPairs, PairSolver, Rows
from yatzy.gpu.solver import CHUNK_BYTES, slices
from yatzy.matches.counting import PairCount, PointRanges
from yatzy.matches.endgames import Layout
from yatzy.model import CompiledGame

LAYER_INDEX_BYTES = 24
"""Memory for the index of a pair of a layer on the device, the arrays in between included."""

COPY = 2**26
"""Values copied from the device at a time: 256 MiB of pinned memory, unless one block has more."""

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


class LayersOnDevice:
    """A layer of a complete solution in the memory of a device, which the next layer replaces."""

    def __init__(self, compiled: CompiledGame, ranges: PointRanges, device: Device | None = None) -> None:
        self.device = device or open_device()
        self._solver = PairSolver(self.device, compiled, ranges.arrays)
        self._layer: LoadedPairs | None = None
        self._buffer = self.device.host_buffer(0)

    def fits(self, counts: Sequence[PairCount]) -> bool:
        """Whether any two neighbours of these layers fit into the memory, with all that solving needs beside them."""
        chunks = CHUNK_BYTES * self._solver.launch // LANES
        sizes = [4 * count.values + LAYER_INDEX_BYTES * count.pairs for count in counts]
        return max(map(sum, pairwise([0, *sizes]))) + chunks <= self._solver.memory

    def load(self, layout: Layout) -> None:
        """Copy a layer whose pairs have addresses to the device."""
        pairs, xp = host_pairs(layout), self.device.arrays
        value = xp.empty(layout.values, np.float32)
        for rows in slices(np.diff(pairs.start), COPY):  # the host may not have room for a second layer
            begin, end = pairs.start[[rows.start, rows.stop]].tolist()
            value[begin:end] = xp.asarray(pairs.rows(rows.start, rows.stop))
        index = self._solver.lay_out(pairs.movers, pairs.opponents)
        self._layer = LoadedPairs(pairs.movers, pairs.opponents, index, value)

    def solve(self, layout: Layout, done: Callable[[int], None]) -> None:
        """Replace the layer by the one of a layout, with one open category more; `done` is told how many values."""
        if layout.depth == 0:
            self._layer = self._solver.full_sheets()
            done(layout.values)
            return
        assert self._layer is not None
        movers = range(layout.pairs.mover, layout.pairs.mover + len(layout.start) - 1)
        after, self._layer = self._layer, None
        self._layer = self._solver.solve_layer(after, movers, done)

    def blocks(self, layout: Layout) -> Iterator[tuple[range, list[npt.NDArray[np.float32]]]]:
        """All blocks of the layer with their values, several at a time; values are valid until the next step."""
        assert self._layer is not None
        for blocks in slices(np.diff(layout.start[layout.cut]), COPY):
            ends = layout.start[layout.cut[blocks.start : blocks.stop + 1]]
            count = int(ends[-1] - ends[0])
            if len(self._buffer) < count:
                self._buffer = self.device.host_buffer(count)
            values = self.device.to_host(self._layer.value[int(ends[0]) : int(ends[-1])], self._buffer[:count])
            yield blocks, np.split(values, (ends[1:-1] - ends[0]).tolist())
