"""Two samples side by side, against numbers worked by hand, against enumeration, and against the exact comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yatzy import ExpectedScore, load_game
from yatzy.errors import InputError
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.evaluating import evaluate
from yatzy.lab import SimulatedGames, simulate
from yatzy.lab.comparison import Comparison, compare, compare_exactly
from yatzy.solver import solve
from yatzy.values.evaluator import Solution

Solved = Callable[[str], ExpectedScore]
ERRORS = 4
"""Standard errors that a simulated number may be off. The seeds are fixed, so nothing here fails by chance."""


def games_of(
    totals: Sequence[int] | npt.NDArray[np.int64], stream: int = 0, seed: int = 1, first: int = 0
) -> SimulatedGames:
    """Games of which only the final scores matter."""
    total = np.array(totals, np.int32)
    none = np.zeros(len(total), np.int32)
    points = np.zeros((len(total), 1), np.int16)
    return SimulatedGames(load_game("two-yatzy"), "made-up", seed, first, stream, total, none, none > 0, none, points)


def numbers(comparison: Comparison) -> tuple[float, ...]:
    estimates = (comparison.wins, comparison.draws, comparison.losses, comparison.difference,
                 comparison.total_variation, comparison.overlap)  # fmt: skip
    pairs = [number for one in estimates for number in (one.value, one.error)]
    return (*pairs, comparison.difference_sd, comparison.noise)


def test_four_games_worked_by_hand() -> None:
    """3 5 5 2 against 3 4 5 6."""
    one, other, same_dice = [3, 5, 5, 2], games_of([3, 4, 5, 6], stream=1), games_of([3, 4, 5, 6])
    paired, apart = compare(games_of(one), same_dice, paired=True), compare(games_of(one), other, paired=False)
    for comparison in (paired, apart):
        shares = (comparison.wins, comparison.draws, comparison.losses)
        assert [share.value for share in shares] == [1 / 4, 2 / 4, 1 / 4]
        assert comparison.wins.error == pytest.approx(math.sqrt(3 / 16 / 4))
        assert comparison.difference.value == -3 / 4
        assert comparison.total_variation.value == (1 + 0 + 1 + 1 + 1) / 8
        assert comparison.overlap.value == 1 / 2
        assert comparison.overlap.error == comparison.total_variation.error > 0
    # The differences 0 1 0 -4 have the variance 59/16; the scores have 27/16 and 20/16.
    assert paired.difference_sd == pytest.approx(math.sqrt(59 / 16))
    assert apart.difference_sd == pytest.approx(math.sqrt(47 / 16))
    assert paired.difference.error == pytest.approx(math.sqrt(59 / 16 / 4))
    assert apart.difference.error == pytest.approx(math.sqrt(47 / 16 / 4))
    # 2, 4, 5 and 6 come once each with the other score different; of all eight scores 5 comes 3 times, 3 twice.
    assert paired.noise == pytest.approx(4 * math.sqrt(1 / 4 / (8 * math.pi)))
    pooled = 3 * math.sqrt(1 * 7 / 64) + math.sqrt(2 * 6 / 64) + math.sqrt(3 * 5 / 64)
    assert apart.noise == pytest.approx(pooled / math.sqrt(4 * math.pi))


def test_a_sample_against_itself_is_all_draws() -> None:
    games = games_of([4, 7, 1])
    same = compare(games, games, paired=True)
    assert numbers(same) == (0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0)


weights = st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any)


@given(weights, weights)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_exact_comparison_is_the_enumeration(first: list[int], second: list[int]) -> None:
    p, q = ([Fraction(weight, sum(one)) for weight in one] for one in (first, second))
    wins = draws = losses = difference = Fraction(0)
    for s, t in product(range(len(p)), range(len(q))):
        both = p[s] * q[t]
        wins, draws, losses = wins + both * (s > t), draws + both * (s == t), losses + both * (s < t)
        difference += both * (s - t)
    width = max(len(p), len(q))
    wide_p, wide_q = ([*one, *[Fraction(0)] * (width - len(one))] for one in (p, q))
    variation = sum((abs(a - b) for a, b in zip(wide_p, wide_q, strict=True)), Fraction(0)) / 2
    exact = compare_exactly(*(Distribution(np.array(one, np.float64)) for one in (p, q)))
    assert exact.wins == pytest.approx(float(wins), abs=1e-14)
    assert exact.draws == pytest.approx(float(draws), abs=1e-14)
    assert exact.losses == pytest.approx(float(losses), abs=1e-14)
    assert exact.difference == pytest.approx(float(difference), abs=1e-13)
    assert exact.total_variation == pytest.approx(float(variation), abs=1e-14)
    assert exact.overlap == pytest.approx(float(1 - variation), abs=1e-14)


def test_exchanging_the_two_exchanges_wins_and_losses(solved: Solved) -> None:
    yacht, forced = (simulate(solved(id), 3000, 5) for id in ("yacht", "yatzy-forced-order"))
    there, back = compare(yacht, forced, paired=True), compare(forced, yacht, paired=True)
    assert there.wins.value > 0.7
    assert (there.wins, there.draws, there.losses) == (back.losses, back.draws, back.wins)
    assert there.difference.value == -back.difference.value
    assert there.difference.error == back.difference.error
    assert (there.total_variation.value, there.noise) == (back.total_variation.value, back.noise)
    assert there.total_variation.error == pytest.approx(back.total_variation.error, rel=0.3)
    exact, other = (compare_exactly(evaluate(solved(a)).score, evaluate(solved(b)).score)
                    for a, b in [("yacht", "yatzy-forced-order"), ("yatzy-forced-order", "yacht")])  # fmt: skip
    assert (exact.wins, exact.draws, exact.losses) == (other.losses, other.draws, other.wins)
    assert (exact.difference, exact.overlap) == (-other.difference, other.overlap)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("two-yatzy expected", "two-yatzy expected"),
        ("yacht expected", "yatzy-forced-order expected"),
        ("yatzy-forced-order expected", "yatzy-forced-order exp:-0.05"),
    ],
)
def test_simulated_agrees_with_exact(first: str, second: str) -> None:
    solutions = [_solution(*one.split()) for one in (first, second)]
    samples = [simulate(solution, 40_000, 11, stream=stream) for stream, solution in enumerate(solutions)]
    seen = compare(samples[0], samples[1], paired=False)
    exact = compare_exactly(*(evaluate(solution).score for solution in solutions))
    for name in ("wins", "draws", "losses", "difference"):
        estimate = getattr(seen, name)
        assert 0 < estimate.error < 0.01 * max(1, samples[0].sd.value)
        assert abs(estimate.value - getattr(exact, name)) < ERRORS * estimate.error
    margin = ERRORS * seen.total_variation.error
    assert -margin < seen.total_variation.value - exact.total_variation < seen.noise + margin


def _solution(id: str, objective: str) -> Solution:
    return solve(load_game(id), objective)


def test_the_same_dice_tell_small_differences_better() -> None:
    plain, careful = _solution("yatzy-forced-order", "expected"), _solution("yatzy-forced-order", "exp:-0.002")
    one, same_dice = simulate(plain, 40_000, 3), simulate(careful, 40_000, 3)
    paired = compare(one, same_dice, paired=True)
    apart = compare(one, simulate(careful, 40_000, 3, stream=1), paired=False)
    exact = compare_exactly(evaluate(plain).score, evaluate(careful).score)
    assert 0 < paired.difference.error < apart.difference.error / 2
    assert paired.noise < apart.noise
    assert paired.total_variation.error < apart.total_variation.error
    for comparison in (paired, apart):
        assert abs(comparison.difference.value - exact.difference) < ERRORS * comparison.difference.error


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("equal", [False, True])
def test_errors_and_noise_are_those_of_many_samples(paired: bool, equal: bool) -> None:
    """Of 300 comparisons of 1,000 games: the spread, and with equal distributions the mean."""
    random = np.random.default_rng(7)
    chances = [0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4] if equal else [0.3, 0.3, 0.3, 0.1]
    comparisons = []
    for _ in range(300):
        # With the same dice both scores come from one number for nine games in ten.
        shares = random.random((2, 1000))
        if paired:
            shares[1, 100:] = shares[0, 100:]
        totals = [np.searchsorted(np.cumsum(p)[:-1], share) for p, share in zip(chances, shares, strict=True)]
        comparisons.append(compare(games_of(totals[0]), games_of(totals[1], stream=int(not paired)), paired))
    varied = np.array([one.total_variation.value for one in comparisons])
    if equal:
        noise = np.mean([one.noise for one in comparisons])
        assert abs(varied.mean() - noise) < ERRORS * varied.std() / math.sqrt(300)
    else:
        error = np.mean([one.total_variation.error for one in comparisons])
        assert error == pytest.approx(varied.std(), rel=ERRORS / math.sqrt(2 * 300))
    differences = np.array([one.difference.value for one in comparisons])
    error = np.mean([one.difference.error for one in comparisons])
    assert error == pytest.approx(differences.std(), rel=ERRORS / math.sqrt(2 * 300))


@pytest.mark.parametrize("paired", [False, True])
def test_a_comparison_comes_out_the_same_again(paired: bool) -> None:
    random = np.random.default_rng(1)
    one, other = random.integers(0, 9, (2, 500))
    stream = int(not paired)
    here = numbers(compare(games_of(one), games_of(other, stream), paired))
    assert here == numbers(compare(games_of(one), games_of(other, stream), paired))
    elsewhere = numbers(compare(games_of(one, seed=2), games_of(other, stream, seed=2), paired))
    assert [a == b for a, b in zip(here, elsewhere, strict=True)].count(False) == 2  # both errors of the bootstrap


def test_samples_that_do_not_match_are_refused() -> None:
    three, four = games_of([1, 2, 3]), games_of([1, 2, 3, 4])
    with pytest.raises(InputError, match="3 and 4 are different numbers"):
        compare(three, four, paired=True)
    for other in (games_of([1, 2, 3], stream=1), games_of([1, 2, 3], seed=2), games_of([1, 2, 3], first=3)):
        assert not compare(three, other, paired=False).paired
        with pytest.raises(InputError, match="do not have the same seed, stream and first game"):
            compare(three, other, paired=True)
    for other in (three, games_of([1, 2, 3], first=2)):
        with pytest.raises(InputError, match="have dice in common"):
            compare(three, other, paired=False)
