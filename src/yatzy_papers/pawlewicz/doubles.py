"""Curves in double precision, rounded to 0 or 1 near these values, also inside turns."""

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
    """Replaces a table on disk: stores only the last layer, with its values cut."""

    def __init__(self, layers: int, cut: float) -> None:
        self.missing, self._cut = tuple(range(layers)), cut
        self.arrays: dict[str, npt.NDArray[Any]] = {}
        self.values = 0
        """The number of values in all layers so far."""

    def array(self, layer: int, name: str) -> npt.NDArray[Any]:
        """An array of the last layer."""
        return self.arrays[name]

    def append(self, layer: int, arrays: Mapping[str, npt.ArrayLike]) -> None:
        """Store the next layer in place of the last."""
        low, offset, chance = (np.asarray(arrays[name]) for name in ("low", "offset", "chance"))
        certain, never = chance > 1 - self._cut, chance < self._cut
        kept = ~(certain | never)
        # Curves never rise: certain scores come first, impossible ones last.
        self.arrays = {
            "low": (low + _per_state(certain, offset)).astype(low.dtype),
            "offset": np.concatenate([[0], np.cumsum(_per_state(kept, offset))]).astype(np.int64),
            "chance": chance[kept],
        }
        self.values += len(self.arrays["chance"])


def _per_state(marked: npt.NDArray[np.bool_], offset: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The number of marked values of each state."""
    counted = np.concatenate([[0], np.cumsum(marked)])
    return np.asarray(counted[offset[1:]] - counted[offset[:-1]], np.int64)


@dataclass(frozen=True, slots=True)
class CutCurves:
    """The curves of a game after cutting."""

    start: Curve
    """The curve of the start."""
    values: int
    """The number of values to store, over all states."""


@lru_cache(maxsize=2)
def cut_curves(game: Game, run: PaperRun, cut: float) -> CutCurves:
    """The best chances of all scores, where values within `cut` of 0 or 1 are rounded to these after every die."""
    compiled = compile_game(game)
    memory = _Memory(compiled.states.layers, cut)
    watch = run.watch(f"{game.name()} for every score in double precision", "Solving")
    build_chances(compiled, memory, run.solver.threads, watch, np.float64, cut)
    return CutCurves(Curve(int(memory.arrays["low"][0]), memory.arrays["chance"]), memory.values)
