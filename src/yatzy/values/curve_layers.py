"""Builds the curves of best chances, layer by layer from the end of the game to its start.

    P(s) = 1 for s ≤ 0 and 0 above, when all categories are filled; else, separately for each s,
    choices take the maximum, rolls the mean, and scoring p points uses P(s − p) of the following state.

Curves are solved and stored in single precision, only where 0 < P < 1. Sums are arranged so that absolute and relative
rounding errors stay below a millionth; a test and a benchmark check this against curves in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import Message, SizeError
from yatzy.games import Game
from yatzy.model import CompiledGame, compile_game, most_points
from yatzy.store.disk import free_space
from yatzy.values.arrays import turn_arrays
from yatzy.values.backends import CPU, Filler, chance_filler
from yatzy.values.resources import Progress, Resources
from yatzy.values.tables import Column, LayerWriter, block_of, curve_columns, missing_layers
from yatzy.values.threads import core_count, physical_memory, run_ranges

STEP = 256
"""States per unit of work."""
CHANCES = (-1e-3, 1 + 1e-3)
"""The range of a stored chance, with a margin for rounding."""
LayerSolver = Callable[[int, "kernels.Curves", Callable[[int], None]], "kernels.Curves"]
"""Solves a layer: its number, the curves of the next layer, and what to call with each number of states done."""


def chance_columns(compiled: CompiledGame) -> Callable[[int], dict[str, Column]]:
    """The required arrays of each layer."""
    most, sizes = most_points(compiled.game), np.diff(compiled.states.layer_start).tolist()
    return lambda layer: curve_columns(sizes[layer], "chance", most, shortest=0, least_low=1, range_=CHANCES)


def estimated_bytes(game: Game) -> int:
    """The approximate size of a game's table: half of the maximum score, for every state, in single precision."""
    most = sum(int(compile_game(game).placing.points[:, i].max()) for i in range(len(game.categories)))
    most += game.bonus.points if game.bonus else 0
    jokers = game.joker.points * len(game.categories) * 2 // 3 if game.joker else 0
    return len(compile_game(game).states) * (most + jokers) // 2 * 4


def estimated_layers(compiled: CompiledGame) -> npt.NDArray[np.float64]:
    """The approximate size of each layer in bytes: most points, by the share of open categories, for every state."""
    states = compiled.states
    open_share = 1 - np.arange(states.layers) / (states.layers - 1)
    found: npt.NDArray[np.float64] = np.diff(states.layer_start) * (4 * open_share * most_points(compiled.game))
    return found


def refuse_if_too_large(game: Game, folder: Path, done: int = 0) -> None:
    """Refuse a table that does not fit on the disk or into memory; the error says how large it would be.

    done: bytes of it that are on the disk.
    """
    size = estimated_bytes(game)
    disk, memory = free_space(folder), physical_memory()
    if size - done > disk or size // 2 > memory:  # the two layers in memory are less than half of the table
        raise SizeError(
            "the table of distributions of {game} would take about {size:,.1f} GiB on disk and half of that in"
            " memory; there are {disk:,.1f} and {memory:,.1f} GiB",
            game=game.id,
            size=size / 2**30,
            disk=disk / 2**30,
            memory=memory / 2**30,
        )


def has_workers(resources: Resources) -> bool:
    """Whether layers are solved by workers, who share a folder."""
    return resources.executor is not None and resources.backend == CPU


def build_where(
    compiled: CompiledGame, writer: LayerWriter, resources: Resources, shared: Path, beside: int = 0
) -> None:
    """Build the missing layers where the resources say: in threads, on a backend, or by workers.

    shared: the folder of the workers, which the caller removes. beside: bytes that are written to its disk besides.
    """
    watch = resources.watch(Message("{game} for every score", game=compiled.game))
    if not has_workers(resources):
        build_chances(compiled, writer, resources.threads, watch, filler=chance_filler(resources.backend, compiled))
        return
    from yatzy.values.curve_workers import CurveWorkers  # imports what threads do not need

    workers = CurveWorkers(compiled, shared, resources, beside)
    build_chances(compiled, writer, resources.threads, watch, solver=workers.solve)


def build_chances(
    compiled: CompiledGame,
    writer: LayerWriter,
    threads: int | None = None,
    progress: Progress | None = None,
    dtype: Any = np.float32,
    cut: float | None = None,
    filler: Filler | None = None,
    solver: LayerSolver | None = None,
) -> None:
    """Build the layers that the table does not have yet.

    cut: inside turns, chances closer than this to 0 or 1 are rounded to 0 or 1; no rounding by default.
    filler: computes the values in place of the threads, in single precision and without a cut; see gpu/curves.py.
    solver: solves whole layers in place of the threads, also without a cut; see values/curve_workers.py.
    """
    meter = Meter(compiled, progress)
    arrays = turn_arrays(compiled, kernels.SINGLE_LANES if dtype is np.float32 else kernels.LANES)
    starts, top = compiled.states.layer_start, compiled.states.layers - 1
    with ThreadPoolExecutor(threads or core_count()) as pool:
        for layer in missing_layers(writer):
            meter.begin(layer)
            if layer == top:
                curves = _full_sheets(compiled, dtype)
            else:
                after = kernels.Curves(
                    int(starts[layer + 1]), *(writer.array(layer + 1, n) for n in ("low", "offset", "chance"))
                )
                if solver is not None:
                    curves = solver(layer, after, meter.add)
                else:
                    first, end = starts[layer : layer + 2].tolist()
                    curves = _solve_layer(arrays, after, first, end, pool, meter, dtype, cut, filler)
            writer.append(layer, {"low": curves.low, "offset": curves.offset, "chance": curves.chance})


def fill_layer(
    compiled: CompiledGame, after: kernels.Curves | None, layer: int, filler: Filler, threads: int | None = None
) -> kernels.Curves:
    """The curves of one layer by a filler; after: those of the next layer, None if this is the last."""
    if after is None:
        return _full_sheets(compiled, np.float32)
    first, end = compiled.states.layer_start[layer : layer + 2].tolist()
    arrays, meter = turn_arrays(compiled, kernels.SINGLE_LANES), Meter(compiled, None)
    with ThreadPoolExecutor(threads or core_count()) as pool:
        found: kernels.Curves = _solve_layer(arrays, after, first, end, pool, meter, np.float32, None, filler)
        return found


def solve_range(compiled: CompiledGame, after: kernels.Curves, first: int, end: int) -> kernels.Curves:
    """The curves of some consecutive states of a layer, in this thread; after: those of the next layer."""
    arrays = turn_arrays(compiled, kernels.SINGLE_LANES)
    found: kernels.Curves = _solve_layer(arrays, after, first, end, None, Meter(compiled, None), np.float32, None, None)
    return found


def _full_sheets(compiled: CompiledGame, dtype: Any) -> kernels.Curves:
    """The curves of the last layer: no points are to come."""
    first, end = compiled.states.layer_start[-2:].tolist()
    return kernels.Curves(
        first, np.ones(end - first, np.int32), np.zeros(end - first + 1, np.int64), np.empty(0, dtype)
    )


def _solve_layer(
    arrays: Any, after: Any, first: int, end: int, pool: ThreadPoolExecutor | None, meter: Meter, dtype: Any,
    cut: float | None, filler: Filler | None,
) -> Any:  # fmt: skip
    """The curves of consecutive states of a layer: find the windows, fill them, trim their leading ones, pack them."""
    least, most = np.empty(end - first, np.int32), np.empty(end - first, np.int32)

    def window(low: int, high: int) -> None:
        piece = slice(low - first, high - first)
        kernels.find_windows(arrays, after, low, high, block_of(arrays.block_start, low), least[piece], most[piece])

    run_ranges(pool, window, first, end, STEP * 16)
    offset = np.concatenate([[0], np.cumsum(most - least + 1, dtype=np.int64)])
    chance = np.empty(int(offset[-1]), dtype)

    def fill(low: int, high: int) -> None:
        piece = slice(low - first, high - first)
        block = block_of(arrays.block_start, low)
        kernels.solve_curves(arrays, after, low, high, block, least[piece], most[piece], offset[piece], chance, cut)
        meter.add(high - low)

    if filler is None:
        run_ranges(pool, fill, first, end, STEP)
    else:
        filler(after, first, end, least, offset, chance)
        meter.add(end - first)
    low = np.empty(end - first, np.int32)

    def trim(a: int, b: int) -> None:
        kernels.trim_windows(least[a:b], most[a:b], offset[a:b], chance, low[a:b])

    run_ranges(pool, trim, 0, end - first, STEP * 16)
    packed_offset = np.concatenate([[0], np.cumsum(most - low + 1, dtype=np.int64)])
    for a in range(0, end - first, STEP * 16):  # in this order: each piece moves over the one before it
        piece = slice(a, a + STEP * 16)
        kernels.pack_windows(least[piece], low[piece], offset[piece], packed_offset[a : a + STEP * 16 + 1], chance)
    return kernels.Curves(first, low, packed_offset, chance[: int(packed_offset[-1])])


class Meter:
    """Progress in states, weighted by open categories, because the length of a curve is about proportional to them."""

    def __init__(self, compiled: CompiledGame, progress: Progress | None) -> None:
        sizes = np.diff(compiled.states.layer_start)
        self._weight = [compiled.states.layers - 1 - layer for layer in range(len(sizes))]
        self._total = int(sizes @ np.array(self._weight))
        self._progress, self._done, self._counting = progress, 0, Lock()
        self._sizes, self._layer = sizes, 0
        if progress is not None:
            progress(0, self._total)

    def begin(self, layer: int) -> None:
        """Start counting states of this layer; all later layers are done."""
        self._layer = layer
        self._done = sum(int(self._sizes[i]) * self._weight[i] for i in range(layer + 1, len(self._sizes)))

    def add(self, states: int) -> None:
        """Count further states of the layer as done."""
        with self._counting:
            self._done += states * self._weight[self._layer]
            if self._progress is not None:
                self._progress(self._done, self._total)
