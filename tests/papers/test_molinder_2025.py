"""Molinder 2025: two strategies for Yatzy written by hand, 100,000 games of each."""

from __future__ import annotations

from functools import cache

import pytest

from yatzy import load_game
from yatzy.evaluation.distribution import Evaluation
from yatzy.evaluation.evaluating import evaluate
from yatzy.lab import SimulatedGames, simulate
from yatzy.lab.comparison import compare_exactly
from yatzy.solver import parse_strategy

pytestmark = pytest.mark.slow

GAMES = 100_000
BONUS, LOWER = "molinder-bonus", "molinder-lower"
PERCENTS = (1, 5, 10, 25, 50, 75, 90, 95, 99)
MEAN = {BONUS: 193.1, LOWER: 167.6}
BONUS_RATE = {BONUS: 0.955, LOWER: 0.025}
YATZY_RATE = {BONUS: 0.164, LOWER: 0.465}
PERCENTILES = {
    BONUS: (92, 144, 156, 170, 190, 214, 243, 260, 284),
    LOWER: (100, 114, 122, 138, 167, 197, 213, 221, 239),
}
SHARES = {  # in the order of the sheet, yatzy left out
    BONUS: (0.976, 0.981, 0.984, 0.988, 0.990, 0.993, 0.999, 0.953, 0.504, 0.476, 0.050, 0.137, 0.607, 1.000),
    LOWER: (0.833, 0.920, 0.944, 0.961, 0.973, 0.977, 1.000, 0.998, 1.000, 0.974, 0.373, 0.554, 0.983, 1.000),
}


@cache
def _played(name: str) -> SimulatedGames:
    return simulate(parse_strategy(name, load_game("yatzy")), GAMES, 2025)


@cache
def _exact(name: str) -> Evaluation:
    return evaluate(parse_strategy(name, load_game("yatzy")))


@pytest.mark.parametrize("name", [BONUS, LOWER])
def test_mean_bonus_and_yatzy(name: str) -> None:
    games, exact = _played(name), _exact(name)
    assert games.yatzy_share is not None
    for mean, bonus, yatzy in (
        (games.mean.value, games.bonus_share.value, games.yatzy_share.value),
        (exact.score.mean, exact.bonus, exact.categories[-1].hit),
    ):
        assert mean == pytest.approx(MEAN[name], abs=0.5)
        assert bonus == pytest.approx(BONUS_RATE[name], abs=0.01)
        assert yatzy == pytest.approx(YATZY_RATE[name], abs=0.01)


@pytest.mark.parametrize("name", [BONUS, LOWER])
def test_percentiles(name: str) -> None:
    for percent, score in zip(PERCENTS, PERCENTILES[name], strict=True):
        assert _played(name).percentile(percent).value == pytest.approx(score, abs=2)
        assert _exact(name).score.percentile(percent) == pytest.approx(score, abs=2)


@pytest.mark.parametrize("name", [BONUS, LOWER])
def test_shares_of_games_with_points(name: str) -> None:
    for result, share in zip(_exact(name).categories, SHARES[name], strict=False):
        assert result.hit == pytest.approx(share, abs=0.01)
        assert _played(name).category_hit(result.category.id).value == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize("name", [BONUS, LOWER])
def test_the_simulation_agrees_with_the_exact_distribution(name: str) -> None:
    games, exact = _played(name), _exact(name)
    assert abs(games.mean.value - exact.score.mean) < 4 * games.mean.error
    assert abs(games.sd.value - exact.score.sd) < 4 * games.sd.error
    for score in range(100, 300, 20):
        share = games.at_least(score)
        assert abs(share.value - exact.score.at_least(score)) < 4 * share.error


def test_strategy_1_wins_about_two_thirds_of_independent_games_and_draws_are_rare() -> None:
    found = compare_exactly(_exact(BONUS).score, _exact(LOWER).score)
    assert found.wins == pytest.approx(2 / 3, abs=0.02)
    assert found.draws < 0.01
