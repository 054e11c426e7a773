"""Simulated games as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from yatzy.evaluation.distribution import PERCENTILES
from yatzy.lab.sample import Estimate
from yatzy.report.answers.base import Answer

if TYPE_CHECKING:
    from yatzy.lab.sample import SimulatedGames


class CategoryMeasured(Answer):
    """The results of simulated games in a category."""

    mean: Estimate
    hit: Estimate
    """The share of games with any points there."""


class SampleAnswer(Answer):
    """The results of simulated games."""

    game: str
    strategy: str
    games: int
    seed: int
    mean: Estimate
    sd: Estimate
    variance: Estimate
    median: Estimate
    mode: int
    min: int
    max: int
    percentiles: dict[str, Estimate]
    at_least: dict[str, Estimate]
    """The share of games with at least so many points."""
    bonus: Estimate | None
    """The share of games with the upper bonus; null in a game without one."""
    yatzy: Estimate | None
    """The share of games with points for all dice equal; null in a game without that category."""
    categories: dict[str, CategoryMeasured]


def sample_answer(games: SimulatedGames, at_least: Iterable[int]) -> SampleAnswer:
    """The results of simulated games."""
    game = games.game
    return SampleAnswer(
        game=game.id,
        strategy=games.strategy,
        games=len(games),
        seed=games.seed,
        mean=games.mean,
        sd=games.sd,
        variance=games.variance,
        median=games.percentile(50),
        mode=games.mode,
        min=games.lowest,
        max=games.highest,
        percentiles={str(percent): games.percentile(percent) for percent in PERCENTILES},
        at_least={str(score): games.at_least(score) for score in at_least},
        bonus=games.bonus_share if game.bonus else None,
        yatzy=games.yatzy_share,
        categories={
            id: CategoryMeasured(mean=games.category_mean(id), hit=games.category_hit(id)) for id in game.category_index
        },
    )
