"""The table of outlooks: what to expect of every category, and the distribution of the points to come."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from yatzy.evaluation.turn_endings import Endings, TurnEndings, add_up_by
from yatzy.games import Sheet
from yatzy.values.bounds import error_bound
from yatzy.values.turn import FloatArray
from yatzy.verification.results import Law, Place
from yatzy.verification.rows import Batch, TableRows
from yatzy.verification.turns import IntArray, sheets_of, state_text


@dataclass(frozen=True, eq=False, slots=True)
class _Layer:
    """The arrays of a layer."""

    features: FloatArray
    low: IntArray
    offset: IntArray
    mass: FloatArray


@dataclass(eq=False)
class OutlookRows(TableRows):
    """The outlook of every state under best play for points, followed turn by turn in NumPy."""

    usual = 1000

    def open(self) -> None:
        """Open the table, and that of the expected scores, which decides the moves."""
        bound = error_bound(self.game, self.objective)
        assert bound is not None
        self.bound, self.outlooks = bound, self.sources.solver.outlooks(self.game)
        self.expected = self.outlooks.expected
        shape = self.outlooks.table.shape
        self.values = sum(math.prod(shape(layer, name)) for layer in self.layers for name in ("features", "mass"))

    def _layer(self, layer: int) -> _Layer:
        read, states = self.outlooks.table.read, self.rows(layer)
        offset = read(layer, "offset", 0, states + 1)
        mass = read(layer, "mass", 0, int(offset[-1]))
        return _Layer(read(layer, "features", 0, states), read(layer, "low", 0, states), offset, mass)

    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """From the endings of a turn and what follows each of them."""
        states, top = self.compiled.states, self.compiled.states.layers - 1
        here, after = self._layer(layer), None if layer == top else self._layer(layer + 1)
        for row, sheet in zip(
            rows.tolist(), sheets_of(self.compiled, rows + int(states.layer_start[layer])), strict=True
        ):
            features, low, mass = _full(len(here.features[row])) if after is None else self._turn(sheet, after)
            begin, end = here.offset[row : row + 2].tolist()
            first = min(low, int(here.low[row]))
            last = max(low + len(mass), int(here.low[row]) + end - begin)
            stored, again = np.zeros(last - first), np.zeros(last - first)
            stored[here.low[row] - first :][: end - begin] = here.mass[begin:end]
            again[low - first :][: len(mass)] = mass

            def feature(at: int, sheet: Sheet = sheet) -> Place:
                return Place(layer, state_text(sheet), "feature", at)

            def score(at: int, sheet: Sheet = sheet, first: int = first) -> Place:
                return Place(layer, state_text(sheet), "score", first + at)

            self._check_mean(sheet, here.features[row].astype(np.float64), first, stored, score)
            yield Batch(here.features[row].astype(np.float64), features, feature, len(features))
            yield Batch(stored, again, score, end - begin)

    def _check_mean(
        self, sheet: Sheet, features: FloatArray, first: int, mass: FloatArray, where: Callable[[int], Place]
    ) -> None:
        """The chances add up to 1; the mean and the sum of the categories are the expected points to come."""
        value = self.expected.to_come(sheet)
        count = len(self.game.categories)
        bonus = self.game.bonus.points if self.game.bonus else 0
        by_category = features[count : 2 * count].sum() + features[-2] * bonus + features[-1]
        mean = float(mass @ np.arange(first, first + len(mass)))
        apart = max(abs(float(mass.sum()) - 1), *(abs(one - value) / (value or 1.0) for one in (mean, by_category)))
        expected = error_bound(self.game, self.expected.objective)
        assert expected is not None
        self.keep(Law.MEAN, self.bound.whole + expected.whole).add(apart, where)

    def _turn(self, sheet: Sheet, after: _Layer) -> tuple[FloatArray, int, FloatArray]:
        """The features, the fewest points to come, and the chances of the points from there on."""
        ends = TurnEndings(self.expected, sheet).ends((), self.game.rolls)
        features = _now(ends, len(self.game.categories)) + ends.chance @ after.features[ends.state].astype(np.float64)
        low = ends.points + after.low[ends.state]
        begin, end = after.offset[ends.state], after.offset[ends.state + 1]
        first = int(low.min())
        mass = np.zeros(int((low + end - begin).max()) - first)
        for at, chance in enumerate(ends.chance.tolist()):
            piece = after.mass[begin[at] : end[at]].astype(np.float64)
            mass[low[at] - first :][: len(piece)] += chance * piece
        return features, first, mass


def _now(ends: Endings, categories: int) -> FloatArray:
    """The features of the turn itself."""
    hits = add_up_by(ends.category, ends.chance * (ends.written > 0), categories)
    points = add_up_by(ends.category, ends.chance * ends.written, categories)
    return np.concatenate([hits, points, [float(ends.chance @ ends.bonus), float(ends.chance @ ends.jokers)]])


def _full(features: int) -> tuple[FloatArray, int, FloatArray]:
    """The outlook of a full sheet."""
    return np.zeros(features), 0, np.ones(1)
