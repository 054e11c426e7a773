"""Played games and their statistics, each with its standard error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.evaluation.distribution import BONUS
from yatzy.games import Game

COLUMNS = ("total", "upper", "bonus", "jokers", "points")
"""The arrays of `SimulatedGames`."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number estimated from a sample, with its standard error."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class SimulatedGames:
    """Played games, one row each."""

    game: Game
    """The rules."""
    strategy: str
    """The name of the strategy."""
    seed: int
    """Together with the stream, it determines all dice."""
    first: int
    """The number of the first game."""
    stream: int
    """The dice stream of the seed: players at one table have different streams."""
    total: npt.NDArray[np.int32]
    """[game]: the final score."""
    upper: npt.NDArray[np.int32]
    """[game]: the sum of the upper categories."""
    bonus: npt.NDArray[np.bool_]
    """[game]: whether the upper bonus was won."""
    jokers: npt.NDArray[np.int32]
    """[game]: the Joker bonuses, in points."""
    points: npt.NDArray[np.int16]
    """[game, category]: the points scored there."""

    def __len__(self) -> int:
        return len(self.total)

    @classmethod
    def join(cls, pieces: Sequence[SimulatedGames]) -> SimulatedGames:
        """Joins consecutive pieces of one run."""
        arrays = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in COLUMNS}
        one = pieces[0]
        return cls(one.game, one.strategy, one.seed, one.first, one.stream, **arrays)

    @property
    def mass(self) -> npt.NDArray[np.float64]:
        """[score]: the share of games with exactly this score."""
        return np.bincount(self.total) / len(self)

    @cached_property
    def mean(self) -> Estimate:
        """The mean of the final score."""
        return mean_of(self.total)

    @cached_property
    def sd(self) -> Estimate:
        """The standard deviation of the final score."""
        off = self.total - self.total.mean()
        variance = float(np.mean(off**2))
        if variance == 0:
            return Estimate(0.0, 0.0)
        # The sample variance has variance (m₄ − σ⁴) / n; by the delta method, the error of σ is 1 / 2σ times its error.
        spread = max(float(np.mean(off**4)) - variance**2, 0.0)
        return Estimate(math.sqrt(variance), math.sqrt(spread / len(self)) / (2 * math.sqrt(variance)))

    @property
    def variance(self) -> Estimate:
        """The variance of the final score."""
        return Estimate(self.sd.value**2, 2 * self.sd.value * self.sd.error)

    @property
    def mode(self) -> int:
        """The most frequent final score; the lowest of them in a tie."""
        return int(np.argmax(np.bincount(self.total)))

    @property
    def lowest(self) -> int:
        """The lowest final score."""
        return int(self.total.min())

    @property
    def highest(self) -> int:
        """The highest final score."""
        return int(self.total.max())

    def percentile(self, percent: float) -> Estimate:
        """The lowest score that at least this percentage of the games does not exceed.

        Its error is half the distance between the scores one standard error of that share to either side.
        """
        n, share = len(self), percent / 100
        around = math.sqrt(n * share * (1 - share))
        ranks = [math.ceil(n * share * (1 - 1e-15) + shift) - 1 for shift in (0, -around, around)]
        here, below, above = (int(self._sorted[min(max(rank, 0), n - 1)]) for rank in ranks)
        return Estimate(here, (above - below) / 2)

    def at_least(self, score: int) -> Estimate:
        """The share of games with at least `score` points."""
        return share_of(self.total >= score)

    @property
    def bonus_share(self) -> Estimate:
        """The share of games that won the upper bonus."""
        return share_of(self.bonus)

    @property
    def yatzy_share(self) -> Estimate | None:
        """The share of games with points for all dice equal; None in a game without such a category."""
        category = self.game.yatzy_category
        return None if category is None else share_of(self.points[:, category] > 0)

    def having(self, event: str) -> npt.NDArray[np.bool_]:
        """[game]: whether it won the upper bonus (`"bonus"`), or has points in the category with this id."""
        return self.bonus if event == BONUS else self.points[:, self.game.category_index[event]] > 0

    def category_mean(self, category: str) -> Estimate:
        """The mean of the points in the category with this id."""
        return mean_of(self.points[:, self.game.category_index[category]])

    def category_hit(self, category: str) -> Estimate:
        """The share of games with points in the category with this id."""
        return share_of(self.points[:, self.game.category_index[category]] > 0)

    @cached_property
    def _sorted(self) -> npt.NDArray[np.int32]:
        return np.sort(self.total)


def mean_of(numbers: npt.NDArray[Any]) -> Estimate:
    """The mean over games."""
    return Estimate(float(numbers.mean()), float(numbers.std()) / math.sqrt(len(numbers)))


def share_of(which: npt.NDArray[np.bool_]) -> Estimate:
    """The share of games."""
    share = float(which.mean())
    return Estimate(share, math.sqrt(share * (1 - share) / len(which)))
