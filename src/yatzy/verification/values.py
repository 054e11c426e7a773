"""Tables with one number per state: the expected score, and exponential utilities."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from yatzy.games import Position, Sheet
from yatzy.lab.simulation import simulate
from yatzy.names import Exponential
from yatzy.solver import parse_objective
from yatzy.values.bounds import error_bound
from yatzy.values.evaluator import Solution
from yatzy.values.goals import read_values
from yatzy.values.resources import Progress
from yatzy.values.turn import FloatArray
from yatzy.verification.results import Identity, Place
from yatzy.verification.rows import Batch, TableRows
from yatzy.verification.turns import IntArray, SheetsTurn, alike, sheets_of, state_text

MOST_SKEWED = 2.0
"""Up to this number of standard deviations of the exponent, the sampling error of an exponential can be estimated."""


@dataclass(eq=False)
class ValueRows(TableRows):
    """A table of a solution with one number per state."""

    usual = 3000

    def open(self) -> None:
        """Open the solution."""
        bound = error_bound(self.game, self.objective)
        assert bound is not None
        self.bound, self.values = bound, len(self.compiled.states)
        self.solution: Solution = self.sources.solver.build(self.game, parse_objective(self.objective))

    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """By plain turns of sheets that share one."""
        states, top = self.compiled.states, self.compiled.states.layers - 1
        stored = read_values(self.compiled, self.solution.table, layer)[rows]
        sheets = sheets_of(self.compiled, rows + int(states.layer_start[layer]))
        after = None if layer == top else read_values(self.compiled, self.solution.table, layer + 1)
        first = 0 if after is None else int(states.layer_start[layer + 1])

        def worth(sheet: Sheet, place: int) -> FloatArray:
            assert after is not None
            return np.array([self.worth(float(after[states.find(sheet) - first]), sheet.points)])

        for run in alike(sheets, [1] * len(sheets)):
            here = sheets[run]
            again = np.full(len(here), self.end) if after is None else SheetsTurn(self.compiled, here, worth).before()

            def where(at: int, here: list[Sheet] = here) -> Place:
                return Place(layer, state_text(here[at]))

            yield Batch(stored[run], again, where, len(here))

    @property
    def end(self) -> float:
        """The number of a full sheet."""
        return 0.0

    def worth(self, value: float, points: int) -> float:
        """The worth of points in a turn, followed by a state with this value."""
        return value + points

    def simulate(self, games: int, seed: int, progress: Progress | None) -> Identity | None:
        """The mean score of the best player."""
        sample = simulate(self.solution, games, seed, progress=progress)
        mean, sd = float(sample.total.mean()), float(sample.total.std())
        return self.simulated(mean, sd / math.sqrt(games), self.solution.value(Position.start(self.game)), games)


class ExponentialRows(ValueRows):
    """E[e^(theta · points to come)], negated for theta < 0."""

    @property
    def theta(self) -> float:
        """The factor of the exponent."""
        assert isinstance(self.solution.name, Exponential)
        return self.solution.name.theta

    @property
    def end(self) -> float:
        """Nothing to come: e^0."""
        return math.copysign(1.0, self.theta)

    def worth(self, value: float, points: int) -> float:
        """Points are a factor."""
        return value * math.exp(self.theta * points)

    def simulate(self, games: int, seed: int, progress: Progress | None) -> Identity | None:
        """The certainty equivalent of the scores of the best player."""
        sample = simulate(self.solution, games, seed, progress=progress)
        scores = sample.total.astype(np.float64)
        if abs(self.theta) * scores.std() > MOST_SKEWED:
            return None
        middle = float(scores.mean())
        utility = np.exp(self.theta * (scores - middle))
        mean = float(utility.mean())
        # The certainty equivalent is ln(mean) / theta, whose error is that of the mean divided by mean and theta.
        sure, error = middle + math.log(mean) / self.theta, float(utility.std()) / mean / abs(self.theta)
        return self.simulated(sure, error / math.sqrt(games), self.solution.value(Position.start(self.game)), games)
