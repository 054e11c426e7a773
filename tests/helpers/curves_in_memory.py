"""Curves of chances of a whole game in memory, by the kernels or by a solver of another kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.games import Game
from yatzy.gpu.curves import CurveSolver
from yatzy.model import compile_game
from yatzy.values.curve_layers import build_chances


class Memory:
    """Layers of curves in memory."""

    def __init__(self, layers: int) -> None:
        self.layers: dict[int, Mapping[str, Any]] = {}
        self.missing = tuple(range(layers))

    def array(self, layer: int, name: str) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = self.layers[layer][name]
        return found

    def append(self, layer: int, arrays: Mapping[str, Any]) -> None:
        self.layers[layer] = arrays


def build(game: Game, solver: CurveSolver | None) -> Memory:
    compiled = compile_game(game)
    memory = Memory(compiled.states.layers)
    build_chances(compiled, memory, 1, filler=None if solver is None else solver.fill)
    return memory


def differences(one: Memory, other: Memory) -> list[int]:
    """The layers that differ in any bit."""
    return [
        layer
        for layer, arrays in one.layers.items()
        if any(not np.array_equal(arrays[name], other.layers[layer][name]) for name in ("low", "offset", "chance"))
    ]
