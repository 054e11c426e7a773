"""Results of an exact evaluation: distributions of points, and the results of a strategy by category."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from yatzy.games import Category, Game
from yatzy.notebook import amount, table_html

FloatArray = npt.NDArray[np.float64]

BONUS = "bonus"
"""The event that the upper bonus is won. Every other event is the id of a category: points are scored there."""
MOST_EVENTS = 2
"""The most events by which games are split. Each doubles the memory."""
PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)
"""The percentiles of scores that results show."""


@dataclass(frozen=True, eq=False)
class Distribution:
    """A distribution of final scores."""

    mass: FloatArray
    """[score]: the chance of exactly this score."""

    @cached_property
    def mean(self) -> float:
        """The expected score."""
        return float(self.mass @ np.arange(len(self.mass)))

    @cached_property
    def sd(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(self.mass @ (np.arange(len(self.mass)) - self.mean) ** 2))

    @property
    def mode(self) -> int:
        """The most frequent score."""
        return int(np.argmax(self.mass))

    @property
    def lowest(self) -> int:
        """The lowest score that can occur."""
        return int(np.flatnonzero(self.mass)[0])

    @property
    def highest(self) -> int:
        """The highest score that can occur."""
        return int(np.flatnonzero(self.mass)[-1])

    @cached_property
    def tails(self) -> FloatArray:
        """[score]: the chance of at least this score."""
        return np.minimum(np.cumsum(self.mass[::-1])[::-1], 1.0)

    def at_least(self, score: int) -> float:
        """The chance of at least `score` points."""
        return float(self.mass[max(score, 0) :].sum())

    def percentile(self, percent: float) -> int:
        """The lowest score s such that the chance of at most s is at least this percentage."""
        below = np.cumsum(self.mass)
        return int(np.searchsorted(below, percent / 100 * below[-1] * (1 - 1e-15)))

    def _repr_html_(self) -> str:
        percentiles = [(f"{percent} % score at most", self.percentile(percent)) for percent in (10, 25, 50, 75, 90)]
        rows = [("Mean", amount(self.mean)), ("Standard deviation", amount(self.sd)), ("Lowest", self.lowest),
                *percentiles, ("Highest", self.highest)]  # fmt: skip
        return table_html("Distribution", ("Figure", "Points"), rows)

    def __len__(self) -> int:
        return len(self.mass)


@dataclass(frozen=True, eq=False)
class CategoryResult:
    """The result of a strategy in one category."""

    category: Category
    points: Distribution

    @property
    def mean(self) -> float:
        """The mean points in the category."""
        return self.points.mean

    @property
    def hit(self) -> float:
        """The chance of scoring points there."""
        return self.points.at_least(1)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The exact result of a strategy in a game."""

    game: Game
    """The rules."""
    strategy: str
    """The name of the strategy."""
    score: Distribution
    """The distribution of the final score."""
    bonus: float
    """The chance of the upper bonus."""
    categories: tuple[CategoryResult, ...]
    """The categories that were open."""
    events: tuple[str, ...] = ()
    """The events by which the games were split: the upper bonus, or points in a category."""
    parts: tuple[FloatArray, ...] = ()
    """[part][score]: the mass, if a split was requested. Event i happened in the games of part p if bit i of p is set:
    without and with one event, or with none, the first, the second and both of two."""
