"""Compares two strategies: who wins, by how much, and how different their scores are.

Let X and Y be the scores of the first and the second, p(s) and q(s) the chances of the score s. Besides the chances of
X > Y, X = Y and X < Y and the mean of X − Y, there is the distance of the two distributions, independent of the
pairing:

    total variation  ½ Σ |p(s) − q(s)|        overlap  Σ min(p(s), q(s)) = 1 − total variation

The total variation of two samples is biased upward, because noise counts as difference. Even if p = q, n games each
differ at s by a number with variance v(s) / n, where v(s) is the chance that exactly one of X and Y is s, and the mean
absolute value of a normal variable is √(2/π) standard deviations. Summed up, this is the

    noise            Σ √(v(s) / 2πn)          v(s) = 2 p(s) (1 − p(s)) with independent dice,

about √(scores / πn) at most. A distance not well above its noise is not significant.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError
from yatzy.evaluation.distribution import Distribution
from yatzy.lab.sample import Estimate, SimulatedGames, share_of

REPLICATES = 200
"""Bootstrap samples; they give the standard error to within a twentieth."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two samples with the same number of games, game k of one against game k of the other."""

    first: SimulatedGames
    """The sample whose wins are counted."""
    second: SimulatedGames
    """The sample of the opponent."""
    paired: bool
    """Whether game k of both had the same dice."""
    wins: Estimate
    """The share of games in which the first has more points."""
    draws: Estimate
    """The share of tied games."""
    losses: Estimate
    """The share of games in which the first has fewer."""
    difference: Estimate
    """The mean of the first score minus the second."""
    difference_sd: float
    """The standard deviation of that difference over games."""
    total_variation: Estimate
    """The distance of the two distributions of scores; too large by up to `noise`."""
    noise: float
    """The expected total variation between two such samples of the same distribution."""

    @property
    def overlap(self) -> Estimate:
        """One minus the total variation; too small by up to `noise`."""
        return Estimate(1 - self.total_variation.value, self.total_variation.error)


def compare(first: SimulatedGames, second: SimulatedGames, paired: bool) -> Comparison:
    """Compare two samples, played with the same dice (`paired`) or with independent ones.

    With the same dice, common luck cancels in the difference, which is then known much more precisely. The samples may
    be of different games, such as one with an extra roll.
    """
    games = len(first)
    if games != len(second):
        raise InputError("games: {first:,} and {second:,} are different numbers", first=games, second=len(second))
    if paired and (first.seed, first.stream, first.first) != (second.seed, second.stream, second.first):
        raise InputError("paired: the two samples do not have the same seed, stream and first game")
    if not paired and share_dice(first, second):
        raise InputError("paired: the two samples have dice in common; play one of them with another stream")
    off = first.total - second.total
    variance = float(off.var()) if paired else float(first.total.var() + second.total.var())
    width = max(first.highest, second.highest) + 1
    counts = [np.bincount(sample.total, minlength=width) for sample in (first, second)]
    if paired:
        apart = np.concatenate([first.total[off != 0], second.total[off != 0]])
        one_only = np.bincount(apart, minlength=width) / games
    else:
        both = (counts[0] + counts[1]) / (2 * games)
        one_only = 2 * both * (1 - both)
    replicates = _paired_replicates(first, second, width) if paired else _replicates(first, second, counts)
    varied = np.array([_variation(once, games) for once in replicates])
    return Comparison(
        first,
        second,
        paired,
        wins=share_of(off > 0),
        draws=share_of(off == 0),
        losses=share_of(off < 0),
        difference=Estimate(float(first.total.mean() - second.total.mean()), math.sqrt(variance / games)),
        difference_sd=math.sqrt(variance),
        total_variation=Estimate(_variation(counts[0] - counts[1], games), float(varied.std(ddof=1))),
        noise=float(np.sqrt(one_only / (2 * math.pi * games)).sum()),
    )


def share_dice(first: SimulatedGames, second: SimulatedGames) -> bool:
    """Whether any game of one had the dice of a game of the other, so that the samples are not independent."""
    return (
        (first.seed, first.stream) == (second.seed, second.stream)
        and first.first < second.first + len(second)
        and second.first < first.first + len(first)
    )


@dataclass(frozen=True, slots=True)
class ExactComparison:
    """Two distributions of scores compared exactly, for players with independent dice."""

    wins: float
    """The chance that the first has more points."""
    draws: float
    """The chance of a tie."""
    losses: float
    """The chance that the first has fewer."""
    difference: float
    """The mean of the first score minus the second."""
    total_variation: float
    overlap: float


def compare_exactly(first: Distribution, second: Distribution) -> ExactComparison:
    """Compare two distributions."""
    width = max(len(first), len(second))
    p, q = (np.pad(one.mass, (0, width - len(one))) for one in (first, second))
    return ExactComparison(
        # Sums over lower scores, not differences from 1, to keep the smallest chances accurate.
        wins=float(p[1:] @ np.cumsum(q)[:-1]),
        draws=float(p @ q),
        losses=float(q[1:] @ np.cumsum(p)[:-1]),
        difference=first.mean - second.mean,
        total_variation=float(np.abs(p - q).sum()) / 2,
        overlap=float(np.minimum(p, q).sum()),
    )


def _variation(off: npt.NDArray[np.int64], games: int) -> float:
    return int(np.abs(off).sum()) / (2 * games)


def _generator(first: SimulatedGames, second: SimulatedGames) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(key=first.seed | second.seed << 64))


def _replicates(
    first: SimulatedGames, second: SimulatedGames, counts: list[npt.NDArray[np.int64]]
) -> Iterator[npt.NDArray[np.int64]]:
    """Bootstrap samples: [score], the games of the first minus those of the second, with both samples resampled."""
    random, games = _generator(first, second), len(first)
    for _ in range(REPLICATES):
        yield random.multinomial(games, counts[0] / games) - random.multinomial(games, counts[1] / games)


def _paired_replicates(first: SimulatedGames, second: SimulatedGames, width: int) -> Iterator[npt.NDArray[np.int64]]:
    """The same with pairs of games resampled, so that scores made with the same dice stay together."""
    random, games = _generator(first, second), len(first)
    pairs, often = np.unique(first.total.astype(np.int64) * width + second.total, return_counts=True)
    one, other = pairs // width, pairs % width
    for _ in range(REPLICATES):
        drawn = random.multinomial(games, often / games)
        # With weights, bincount returns floats; the counts are integers below 2^53.
        off = np.bincount(one, drawn, width) - np.bincount(other, drawn, width)
        yield off.astype(np.int64)
