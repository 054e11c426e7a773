"""What a sample of so many games shows of an exact distribution: a number, and how far a sample may lie from it."""

from __future__ import annotations

import math

import numpy as np

from yatzy.evaluation.distribution import Distribution
from yatzy_papers.claims import SIGMAS, Figure

UNLIKELY = 0.5e-4
"""The chance of an extreme beyond either end of its room."""


def sampled_mean(score: Distribution, games: int) -> Figure:
    """The mean."""
    return Figure(score.mean, spread=score.sd / math.sqrt(games))


def sampled_sd(score: Distribution, games: int) -> Figure:
    """The standard deviation; its error is that of the variance, (m₄ − σ⁴) / n, over 2σ."""
    off = np.arange(len(score)) - score.mean
    fourth = float(score.mass @ off**4)
    return Figure(score.sd, spread=math.sqrt((fourth - score.sd**4) / games) / (2 * score.sd))


def sampled_share(share: float, games: int) -> Figure:
    """A share of games."""
    return Figure(share, spread=math.sqrt(max(share * (1 - share), 0.0) / games))


def sampled_percentile(score: Distribution, percent: float, games: int) -> Figure:
    """A percentile: its room is between the percentiles that lie SIGMAS standard errors of the share to both sides."""
    share = percent / 100
    around = 100 * SIGMAS * math.sqrt(share * (1 - share) / games)
    room = tuple(float(score.percentile(min(max(percent + shift, 0.0), 100.0))) for shift in (-around, around))
    return Figure(score.percentile(percent), room=(room[0], room[1]))


def sampled_highest(score: Distribution, games: int) -> Figure:
    """The highest score of a sample: the median of it, and its room."""
    below = np.cumsum(score.mass) / score.mass.sum()
    return _extreme(np.log(np.maximum(below, 1e-300)) * games)


def sampled_lowest(score: Distribution, games: int) -> Figure:
    """The lowest score of a sample: the median of it, and its room."""
    top = len(score) - 1
    above = np.cumsum(score.mass[::-1]) / score.mass.sum()
    found = _extreme(np.log(np.maximum(above, 1e-300)) * games)
    assert found.room is not None
    return Figure(top - int(found.value), room=(top - found.room[1], top - found.room[0]))


def _extreme(log_chance: np.ndarray) -> Figure:
    """The quantiles of an extreme from the logarithm of its distribution function, [score]."""
    places = [int(np.searchsorted(log_chance, math.log(q))) for q in (0.5, UNLIKELY, 1 - UNLIKELY)]
    return Figure(places[0], room=(float(places[1]), float(places[2])))
