"""Tables computed again on a GPU, a whole layer at a time, from the stored values of the layer below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from yatzy.gpu.curves import CurveSolver
from yatzy.gpu.device import open_device
from yatzy.gpu.expected import ExpectedSolver
from yatzy.kernels import Curves
from yatzy.matches.blocks import locate
from yatzy.matches.endgames_gpu import solve_rows
from yatzy.values.curve_layers import fill_layer
from yatzy.values.goals import read_values
from yatzy.values.turn import FloatArray
from yatzy.verification.curves import ChanceRows
from yatzy.verification.endgames import EndgameRows
from yatzy.verification.results import Law, Place
from yatzy.verification.rows import Batch, TableRows
from yatzy.verification.turns import IntArray, sheets_of, state_text
from yatzy.verification.values import ValueRows

TOGETHER = 2**22
"""Numbers of curves that are compared at a time."""


class WholeLayers(TableRows):
    """Rows that are computed again a whole layer at a time."""

    step = 2**62

    def order(self, layer: int, rows: IntArray) -> IntArray:
        """All rows, as they are."""
        return rows

    def state(self, layer: int, row: int) -> str:
        """A state in words."""
        first = int(self.compiled.states.layer_start[layer])
        return state_text(*sheets_of(self.compiled, np.array([first + row])))


@dataclass(eq=False)
class GpuValueRows(WholeLayers, ValueRows):
    """Expected scores."""

    def open(self) -> None:
        """Open the solution, and the device."""
        super().open()
        self.solver = ExpectedSolver(open_device(), self.compiled)

    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """All states of the layer."""
        stored = read_values(self.compiled, self.solution.table, layer)
        if layer == self.compiled.states.layers - 1:
            again = np.full(len(stored), self.end)
        else:
            again = self.solver.fill(layer, read_values(self.compiled, self.solution.table, layer + 1))
        yield Batch(stored, again, lambda at: Place(layer, self.state(layer, at)), len(stored))


@dataclass(eq=False)
class GpuChanceRows(WholeLayers, ChanceRows):
    """The best chance of every score."""

    def open(self) -> None:
        """Open the curves, and the device."""
        super().open()
        self.solver = CurveSolver(open_device(), self.compiled)

    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """All curves of the layer, from the last score at which both are 1 to the first at which both are 0."""
        stored = self.chances.curves(layer)
        after = None if layer == self.compiled.states.layers - 1 else self.chances.curves(layer + 1)
        found = fill_layer(self.compiled, after, layer, self.solver.fill, self.sources.solver.threads)
        low = np.minimum(stored.low, found.low) - 1
        length = np.maximum(stored.low + np.diff(stored.offset), found.low + np.diff(found.offset)) - low + 1
        start = np.concatenate([[0], np.cumsum(length)])
        begin = 0
        while begin < len(low):
            end = max(int(np.searchsorted(start, start[begin] + TOGETHER, side="right")) - 1, begin + 1)
            yield self._compare(layer, stored, found, low[begin:end], start[begin : end + 1] - start[begin], begin)
            begin = end

    def _compare(self, layer: int, stored: Curves, found: Curves, low: IntArray, start: IntArray, first: int) -> Batch:
        """Some states from `first` on; low, start: the first score that is compared, and where it is in the batch."""
        row = np.repeat(np.arange(len(low)), np.diff(start))
        score = np.arange(start[-1]) - start[row] + low[row]
        ours, theirs = _chances(stored, first + row, score), _chances(found, first + row, score)

        def where(at: int) -> Place:
            return Place(layer, self.state(layer, first + int(row[at])), "score", int(score[at]))

        rise = np.where(np.diff(row) == 0, np.diff(ours), 0.0)
        if rise.size:
            at = int(rise.argmax())
            self.keep(Law.MONOTONE).add(max(float(rise[at]), 0.0), where, at + 1)
        return Batch(ours, theirs, where, int(stored.offset[first + len(low)] - stored.offset[first]))


def _chances(curves: Curves, row: IntArray, score: IntArray) -> FloatArray:
    """[number]: the curves of these rows at these scores."""
    at = score - curves.low[row]
    inside = (at >= 0) & (at < (curves.offset[row + 1] - curves.offset[row]))
    values = np.where(at < 0, 1.0, 0.0)
    values[inside] = curves.chance[(curves.offset[row] + at)[inside]]
    return values


@dataclass(eq=False)
class GpuEndgameRows(WholeLayers, EndgameRows):
    """The pairs of states of one depth. A layer is a piece of the table, and a row a mover."""

    @property
    def layers(self) -> range:
        """The pieces."""
        return range(self.here.layout.pieces)

    def rows(self, layer: int) -> int:
        """The movers of a piece."""
        low, high = self.here.layout.cut[layer : layer + 2].tolist()
        return int(high - low)

    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """All pairs of the movers of a piece, as the chances of the waiting opponent."""
        layout = self.here.layout
        low, high = layout.cut[layer : layer + 2].tolist()
        first = int(layout.start[low])
        stored = self.here.solved.read(layer, "waiting", 0, int(layout.start[high]) - first)
        before = None
        if self.below is not None:
            before = self.below.layout
            self.below.make_ready(np.arange(len(before.start) - 1))
        again = solve_rows(self.compiled, layout, before, low, high)

        def where(at: int) -> Place:
            sample = locate(layout, np.array([first + at]), stored[at : at + 1])
            pair = sheets_of(self.compiled, np.array([sample.mover[0], sample.opponent[0]], np.int64))
            return Place(layer, state_text(*pair), "difference", int(sample.difference[0]))

        # A window falls with the deficit of the waiting player; the first number of a window follows another window.
        pairs = layout.pairs
        begins = (layout.start[low:high, None] - first) + pairs.within.reshape(-1, pairs.opponents)[low:high]
        rise = np.diff(stored.astype(np.float64))
        begins = np.unique(begins)
        rise[begins[(begins > 0) & (begins <= len(rise))] - 1] = 0.0
        if rise.size:
            at = int(rise.argmax())
            self.keep(Law.MONOTONE).add(max(float(rise[at]), 0.0), where, at + 1)
        yield Batch(stored.astype(np.float64), again.astype(np.float64), where, len(stored))
