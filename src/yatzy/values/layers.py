"""Solves layer by layer from the end of the game to its start, for objectives with one number per state.

States of a layer depend only on the next layer, so a layer is the unit of parallel work, of progress and of what is
saved when a run is interrupted.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.model import CompiledGame
from yatzy.store import TableWriter
from yatzy.values.arrays import points_worth, turn_arrays
from yatzy.values.backends import LayerFiller
from yatzy.values.resources import Progress
from yatzy.values.tables import block_of, missing_layers
from yatzy.values.threads import core_count, run_ranges

STEP = 4096
"""States per unit of work: a few milliseconds, so that all cores finish a layer at about the same time."""

FloatArray = npt.NDArray[np.float64]


def solve_layers(
    compiled: CompiledGame,
    finish: Callable[[int, FloatArray], None],
    theta: float | None = None,
    known: tuple[int, FloatArray] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    filler: LayerFiller | None = None,
) -> FloatArray:
    """Solve from the last layer, or from the one before `known`, to the first; `finish` is called with each layer.

    The values are expected points to come or, with theta, the best E[e^(theta · points)], negated for theta < 0 so that
    more is better.

    filler: computes the expected points in place of the threads.
    """
    if progress is not None:
        progress(0, len(compiled.states))  # show progress at once: the first run compiles the kernel
    arrays, worth, starts = turn_arrays(compiled), points_worth(compiled, theta), compiled.states.layer_start
    values = np.empty(len(compiled.states))
    top = compiled.states.layers - 1
    if known is None:
        values[starts[top] :] = 0.0 if theta is None else np.sign(theta)
        finish(top, values[starts[top] :])
    else:
        top, last = known
        values[starts[top] : starts[top + 1]] = last
    done, counting = len(values) - int(starts[top]), Lock()

    def work(low: int, high: int) -> None:
        nonlocal done
        kernels.solve_states(arrays, worth, values, low, high, block_of(arrays.block_start, low))
        with counting:
            done += high - low
            if progress is not None:
                progress(done, len(values))

    with ThreadPoolExecutor(threads or core_count()) as pool:
        for layer in range(top - 1, -1, -1):
            low, high = int(starts[layer]), int(starts[layer + 1])
            if filler is None:
                run_ranges(pool, work, low, high, STEP)
            else:
                values[low:high] = filler(layer, values[high : int(starts[layer + 2])])
                if progress is not None:
                    progress(len(values) - low, len(values))
            finish(layer, values[low:high])
    return values


def build_layers(
    compiled: CompiledGame,
    writer: TableWriter,
    theta: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    filler: LayerFiller | None = None,
) -> None:
    """Build the layers that a table does not have yet; filler: as in `solve_layers`."""
    missing = missing_layers(writer)
    first = missing[0]
    known = None if first == compiled.states.layers - 1 else (first + 1, writer.array(first + 1, "value"))

    def finish(layer: int, values: FloatArray) -> None:
        if layer in missing:  # the other layers were recovered from a damaged table
            writer.append(layer, {"value": values})

    solve_layers(compiled, finish, theta, known, threads, progress, filler)
