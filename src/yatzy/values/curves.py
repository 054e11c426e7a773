"""The best chance of at least s more points, for every state and every s at once.

This is not the distribution of any strategy: each s is played for separately. One table of these curves answers every
target from every state.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.games import Game, Sheet
from yatzy.model import compile_game
from yatzy.store import TableWriter
from yatzy.values.curve_layers import build_where, chance_columns, estimated_bytes, refuse_if_too_large
from yatzy.values.kinds import CURVES
from yatzy.values.resources import DEFAULTS, Resources
from yatzy.values.tables import SolvedTable

OBJECTIVE = CURVES.name


@dataclass(frozen=True, eq=False)
class Curve:
    """P(s) of one state: 1 below `low`, `chance[s - low]` in the window, 0 above."""

    low: int
    chance: npt.NDArray[Any]

    @property
    def high(self) -> int:
        """The highest score with a positive chance."""
        return self.low + len(self.chance) - 1

    def at(self, score: int) -> float:
        """The chance of at least `score` points."""
        if score < self.low:
            return 1.0
        return float(self.chance[score - self.low]) if score <= self.high else 0.0

    def take(self, scores: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The chances of at least each of these scores."""
        values = np.where(scores < self.low, 1.0, 0.0)
        inside = (scores >= self.low) & (scores <= self.high)
        values[inside] = self.chance[scores[inside] - self.low]
        return values

    def between(self, first: int, last: int) -> npt.NDArray[np.float64]:
        """The chances of at least `first`, …, `last` points."""
        values = np.zeros(last - first + 1)
        values[: max(self.low - first, 0)] = 1.0
        begin, end = max(first, self.low), min(last, self.high) + 1
        if begin < end:
            values[begin - first : end - first] = self.chance[begin - self.low : end - self.low]
        return values


class BestChances:
    """The table of curves of a game."""

    def __init__(self, game: Game, resources: Resources = DEFAULTS) -> None:
        self.game = game
        self.compiled = compile_game(game)

        def build(writer: TableWriter) -> None:
            refuse_if_too_large(game, writer.path.parent, writer.size)
            rest = max(estimated_bytes(game) - writer.size, 0)
            build_where(self.compiled, writer, resources, writer.work, rest)

        self.table = SolvedTable(self.compiled, OBJECTIVE, build, resources, chance_columns(self.compiled))
        # A turn reads the same curve once for each number of points that leads to it.
        self._curve = lru_cache(maxsize=1024)(self._read_curve)

    def curve(self, sheet: Sheet) -> Curve:
        """The best chances of points still to come, from a sheet between turns."""
        return self._curve(*self.compiled.states.locate(sheet))

    def curves(self, layer: int) -> kernels.Curves:
        """The curves of all states of a layer, in the form used by the kernels."""
        first, end = self.compiled.states.layer_start[layer : layer + 2].tolist()
        read = self.table.read
        offset = read(layer, "offset", 0, end - first + 1)
        return kernels.Curves(
            first, read(layer, "low", 0, end - first), offset, read(layer, "chance", 0, int(offset[-1]))
        )

    def _read_curve(self, layer: int, at: int) -> Curve:
        begin, end = self.table.read(layer, "offset", at, at + 2).tolist()
        low = int(self.table.read(layer, "low", at, at + 1)[0])
        return Curve(low, self.table.read(layer, "chance", begin, end))
