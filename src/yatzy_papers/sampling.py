"""Statistics of a sample from an exact distribution: the expected figure, and how far a sample may deviate from it."""

from __future__ import annotations

import math

import numpy as np

from yatzy import Distribution
from yatzy_papers.claims import SIGMAS, Computed

UNLIKELY = 0.5e-4
"""The chance that an extreme of a sample lies beyond one end of its range."""


def sampled_mean(score: Distribution, games: int) -> Computed:
    """The mean of a sample."""
    return Computed(score.mean, sampling_error=score.sd / math.sqrt(games))


def sampled_sd(score: Distribution, games: int) -> Computed:
    """The standard deviation of a sample. Its error is that of the variance, √((m₄ − σ⁴) / n), over 2σ."""
    off = np.arange(len(score)) - score.mean
    fourth = float(score.mass @ off**4)
    return Computed(score.sd, sampling_error=math.sqrt((fourth - score.sd**4) / games) / (2 * score.sd))


def sampled_share(share: float, games: int) -> Computed:
    """A share of the games of a sample."""
    return Computed(share, sampling_error=math.sqrt(max(share * (1 - share), 0.0) / games))


def sampled_percentile(score: Distribution, percent: float, games: int) -> Computed:
    """A percentile of a sample. Its range goes SIGMAS standard errors of the share to both sides."""
    share = percent / 100
    around = 100 * SIGMAS * math.sqrt(share * (1 - share) / games)
    low, high = (float(score.percentile(min(max(percent + shift, 0.0), 100.0))) for shift in (-around, around))
    return Computed(score.percentile(percent), range=(low, high))


def sampled_highest(score: Distribution, games: int) -> Computed:
    """The median of the highest score of a sample, and its range."""
    below = np.cumsum(score.mass) / score.mass.sum()
    median, low, high = _extreme(np.log(np.maximum(below, 1e-300)) * games)
    return Computed(median, range=(float(low), float(high)))


def sampled_lowest(score: Distribution, games: int) -> Computed:
    """The median of the lowest score of a sample, and its range."""
    top = len(score) - 1
    above = np.cumsum(score.mass[::-1]) / score.mass.sum()
    median, low, high = _extreme(np.log(np.maximum(above, 1e-300)) * games)
    return Computed(top - median, range=(float(top - high), float(top - low)))


def _extreme(log_chance: np.ndarray) -> tuple[int, int, int]:
    """Median and range of an extreme, from the logarithm of its distribution function, [score]."""
    median, low, high = (int(np.searchsorted(log_chance, math.log(q))) for q in (0.5, UNLIKELY, 1 - UNLIKELY))
    return median, low, high
