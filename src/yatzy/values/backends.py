"""Backends: what fills the layers of a table in place of the threads of this process, by the name of a module.

A backend gives the bits of the CPU, so tables do not say where they were computed. It is imported when it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError
from yatzy.model import CompiledGame
from yatzy.names.base import CURVES, EXPECTED
from yatzy.workers.places import CPU as CPU
from yatzy.workers.places import GPU as GPU

BACKENDS = {GPU: "yatzy.gpu.filling"}
"""The modules with the functions `fill_expected` and `fill_chances`. The CPU needs none."""
FILLED = frozenset({EXPECTED, CURVES})
"""The tables that backends compute."""
SHARED = frozenset({CURVES})
"""The tables whose layers workers compute in pieces (values/curve_workers.py)."""

LayerFiller = Callable[[int, npt.NDArray[np.float64]], npt.NDArray[np.float64]]
"""Gives the values of a layer from those of the next layer."""
Filler = Callable[["kernels.Curves", int, int, npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[Any]], None]
"""Fills the windows of a whole layer: the curves of the next layer, the first state and the end of this layer, the
first score of each window, where each window begins (one more entry at the end), and the values to be written."""


def expected_filler(backend: str, compiled: CompiledGame) -> LayerFiller | None:
    """What fills layers of expected scores; None for the threads of this process."""
    found: LayerFiller | None = _function(backend, "fill_expected", compiled)
    return found


def chance_filler(backend: str, compiled: CompiledGame) -> Filler | None:
    """What fills layers of curves; None for the threads of this process."""
    found: Filler | None = _function(backend, "fill_chances", compiled)
    return found


def _function(backend: str, name: str, compiled: CompiledGame) -> Any:
    if backend == CPU:
        return None
    if backend not in BACKENDS:
        raise InputError(
            "backend: {backend} must be one of {names}", backend=backend, names=", ".join((CPU, *BACKENDS))
        )
    return getattr(import_module(BACKENDS[backend]), name)(compiled)
