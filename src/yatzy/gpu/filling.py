"""The GPU as a backend of tables of one player: functions that fill whole layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from yatzy.gpu.curves import CurveSolver
from yatzy.gpu.device import open_device
from yatzy.gpu.expected import ExpectedSolver
from yatzy.model import CompiledGame


def fill_expected(compiled: CompiledGame) -> Callable[..., Any]:
    """Fills a layer of expected scores; a `LayerFiller` of `values.backends`."""
    return ExpectedSolver(open_device(), compiled).fill


def fill_chances(compiled: CompiledGame) -> Callable[..., Any]:
    """Fills a layer of curves; a `Filler` of `values.backends`."""
    return CurveSolver(open_device(), compiled).fill
