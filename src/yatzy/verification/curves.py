"""Tables with a curve per state: the best chance of every score, and the worth for every number of points so far."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from yatzy.errors import Message
from yatzy.games import Position, Sheet
from yatzy.lab.simulation import simulate
from yatzy.values.bounds import error_bound
from yatzy.values.curves import Curve
from yatzy.values.resources import Progress
from yatzy.values.tables import SolvedTable
from yatzy.values.targets import TargetChance
from yatzy.values.turn import FloatArray
from yatzy.values.utility import UtilityScore, utility_columns, widths
from yatzy.verification.results import Identity, Law, Place
from yatzy.verification.rows import Batch, TableRows
from yatzy.verification.turns import IntArray, SheetsTurn, alike, sheets_of, state_text


@dataclass(eq=False)
class ChanceRows(TableRows):
    """The best chance of every score."""

    usual = 600

    def open(self) -> None:
        """Open the curves."""
        bound = error_bound(self.game, self.objective)
        assert bound is not None
        self.bound, self.chances = bound, self.sources.solver.chances(self.game)
        self.values = sum(self.chances.table.shape(layer, "chance")[0] for layer in self.layers)

    def _curves(self, layer: int, rows: Sequence[int]) -> list[Curve]:
        found = self.chances.curves(layer)
        ends = zip(found.low[rows].tolist(), found.offset[rows].tolist(), found.offset[np.add(rows, 1)].tolist(),
                   strict=True)  # fmt: skip
        return [Curve(low, found.chance[begin:end]) for low, begin, end in ends]

    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """From the last score at which the curve is 1 to the first at which it is 0.

        Curves never rise, so every score outside agrees if these two do.
        """
        states, top = self.compiled.states, self.compiled.states.layers - 1
        curves = self._curves(layer, rows.tolist())
        sheets = sheets_of(self.compiled, rows + int(states.layer_start[layer]))
        after = None if layer == top else self.chances.curves(layer + 1)
        ends = [(curve.low - 1, curve.high + 1) for curve in curves]

        def worth(sheet: Sheet, place: int) -> FloatArray:
            assert after is not None
            row = states.find(sheet) - after.first
            begin, end = after.offset[row : row + 2].tolist()
            first, last = ends[base + place]
            return Curve(int(after.low[row]), after.chance[begin:end]).between(
                first - sheet.points, last - sheet.points
            )

        for run in alike(sheets, [last - first + 1 for first, last in ends]):
            base = run.start
            here = range(run.start, run.stop)
            if after is None:
                found = np.concatenate([np.arange(ends[at][0], ends[at][1] + 1) <= 0 for at in here]).astype(float)
            else:
                found = SheetsTurn(self.compiled, sheets[run], worth).before()
            begin = 0
            for at in here:
                first, last = ends[at]
                stored = curves[at].between(first, last)

                def where(number: int, at: int = at, first: int = first) -> Place:
                    return Place(layer, state_text(sheets[at]), "score", first + number)

                rise = np.diff(stored)
                self.keep(Law.MONOTONE).add(float(rise.max()), where, int(rise.argmax()) + 1)
                yield Batch(stored, found[begin : begin + len(stored)], where, len(curves[at].chance))
                begin += len(stored)

    def simulate(self, games: int, seed: int, progress: Progress | None) -> Identity | None:
        """The share of games in which the best player for a target reaches it; the target nearest to a half."""
        start = self.chances.curve(Sheet.start(self.game))
        if not len(start.chance):
            return None
        target = start.low + int(np.abs(start.chance - 0.5).argmin())
        solver = self.sources.solver
        if not solver.on_disk(self.game, "expected"):
            return None  # it breaks the ties
        player = TargetChance(self.chances, solver.expected(self.game), target)
        share = float((simulate(player, games, seed, progress=progress).total >= target).mean())
        value = start.at(target)
        return self.simulated(share, math.sqrt(value * (1 - value) / games), value, games)


@dataclass(eq=False)
class UtilityRows(TableRows):
    """The best expected worth, for every number of points so far."""

    usual = 400

    def open(self) -> None:
        """Open the table; the utility itself is known only if it was given."""
        bound = error_bound(self.game, self.objective)
        assert bound is not None
        self.bound = bound
        known = [one for one in self.sources.utilities if f"utility:{one.digest}" == self.objective]
        self.utility = known[0] if known else None
        self.table = SolvedTable(
            self.compiled,
            self.objective,
            lambda writer: None,
            self.sources.solver.plain,
            utility_columns(self.compiled),
        )
        self.offsets = [np.concatenate([[0], np.cumsum(widths(self.compiled, layer))]) for layer in self.layers][::-1]
        self.values = sum(int(one[-1]) for one in self.offsets)
        self.left_out = (
            "" if self.utility else Message("the worths of the final scores; name their file with --utility")
        )
        self.largest = float(np.abs(self._values(self.compiled.states.layers - 1)).max())

    def _values(self, layer: int) -> FloatArray:
        """[number]: those of a layer; the offsets must be those of the game."""
        offset, right = self.table.read(layer, "offset", 0, len(self.offsets[layer])), self.offsets[layer]
        if not np.array_equal(offset, right):
            row = int(np.flatnonzero(offset != right)[0])
            raise self.table.wrong(
                layer,
                "offset",
                Message(
                    "has {offset} in row {row}, but must have {right}", offset=offset[row], row=row, right=right[row]
                ),
            )
        return self.table.read(layer, "value", 0, int(right[-1]))

    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """For all points that the filled categories can have scored."""
        states, top = self.compiled.states, self.compiled.states.layers - 1
        if layer == top and self.utility is None:
            self._values(layer)
            return
        values, offset = self._values(layer), self.offsets[layer]
        sheets = sheets_of(self.compiled, rows + int(states.layer_start[layer]))
        lanes = (offset[rows + 1] - offset[rows]).tolist()
        following = None if layer == top else self._values(layer + 1)

        def worth(sheet: Sheet, place: int) -> FloatArray:
            assert following is not None
            row = states.find(sheet) - int(states.layer_start[layer + 1])
            begin, end = self.offsets[layer + 1][row : row + 2].tolist()
            points = np.arange(lanes[base + place]) + sheet.points
            return np.asarray(following[begin + np.minimum(points, end - begin - 1)], np.float64)

        for run in alike(sheets, lanes):
            base = run.start
            here = range(run.start, run.stop)
            if following is None:
                assert self.utility is not None
                worths = [self.utility(np.arange(lanes[at])) for at in here]
                found = np.concatenate(worths).astype(np.float32).astype(np.float64)
            else:
                found = SheetsTurn(self.compiled, sheets[run], worth).before()
            begin = 0
            for at in here:
                stored = values[offset[rows[at]] : offset[rows[at] + 1]].astype(np.float64)

                def where(number: int, at: int = at) -> Place:
                    return Place(layer, state_text(sheets[at]), "points", number)

                yield Batch(stored, found[begin : begin + len(stored)], where, len(stored))
                begin += len(stored)

    def difference(self, batch: Batch) -> FloatArray:
        """Compared with the largest worth."""
        return super().difference(batch) / (self.largest or 1.0)

    def simulate(self, games: int, seed: int, progress: Progress | None) -> Identity | None:
        """The mean worth of the scores of the best player."""
        if self.utility is None:
            return None
        player = UtilityScore(self.game, self.utility, self.sources.solver.plain)
        worths = self.utility(simulate(player, games, seed, progress=progress).total.astype(np.int64))
        mean, error = float(worths.mean()), float(worths.std()) / math.sqrt(games)
        value = player.value(Position.start(self.game))
        found = self.simulated(mean, error, value, games)
        return Identity(found.law, games, found.difference, found.bound + self.bound.whole * self.largest)
