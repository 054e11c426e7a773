"""Curves in double precision, with values near 0 and 1 cut everywhere, inside turns as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import Game
from yatzy.model import compile_game
from yatzy.values import Curve, build_chances
from yatzy_papers.run import PaperRun


class _Memory:
    """Takes the place of a table that is written: only the last layer is kept, cut."""

    def __init__(self, layers: int, cut: float) -> None:
        self.missing, self._cut = tuple(range(layers)), cut
        self.arrays: dict[str, npt.NDArray[Any]] = {}
        self.values = 0
        """Of all layers so far."""

    def array(self, layer: int, name: str) -> npt.NDArray[Any]:
        """An array of the layer that came last."""
        return self.arrays[name]

    def append(self, layer: int, arrays: Mapping[str, npt.ArrayLike]) -> None:
        """Take the next layer."""
        low, offset, chance = (np.asarray(arrays[name]) for name in ("low", "offset", "chance"))
        certain, never = chance > 1 - self._cut, chance < self._cut
        kept = ~(certain | never)
        # Curves never rise, so what is certain lies in front and what never happens behind.
        self.arrays = {
            "low": (low + _per_state(certain, offset)).astype(low.dtype),
            "offset": np.concatenate([[0], np.cumsum(_per_state(kept, offset))]).astype(np.int64),
            "chance": chance[kept],
        }
        self.values += len(self.arrays["chance"])


def _per_state(marked: npt.NDArray[np.bool_], offset: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many values of each state are marked."""
    counted = np.concatenate([[0], np.cumsum(marked)])
    return np.asarray(counted[offset[1:]] - counted[offset[:-1]], np.int64)


@dataclass(frozen=True, slots=True)
class CutCurves:
    """What is left of the curves of a game."""

    start: Curve
    """Of the start."""
    values: int
    """How many there are to store, of all states."""


@lru_cache(maxsize=2)
def cut_curves(game: Game, run: PaperRun, cut: float) -> CutCurves:
    """The best chances of all scores when values within `cut` of 0 and 1 are taken for these, after every die."""
    compiled = compile_game(game)
    memory = _Memory(compiled.states.layers, cut)
    watch = run.watch(f"{game.name()} for every score in double precision", "Solving")
    build_chances(compiled, memory, run.solver.threads, watch, np.float64, cut)
    return CutCurves(Curve(int(memory.arrays["low"][0]), memory.arrays["chance"]), memory.values)
