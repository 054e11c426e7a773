"""Tables of several players, against numbers worked by hand, against enumeration, and simulated against exact."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yatzy import ExpectedScore, load_game
from yatzy.errors import InputError
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.evaluating import evaluate
from yatzy.lab import SimulatedGames, simulate
from yatzy.lab.comparison import compare_exactly
from yatzy.lab.players import TableResult, play_table, table_exactly, table_of
from yatzy.solver import solve

Solved = Callable[[str], ExpectedScore]
ERRORS = 4
"""Standard errors that a simulated number may be off. The seeds are fixed, so nothing here fails by chance."""
NUMBERS = ("wins", "outright", "match_points", "rank")


def games_of(totals: Sequence[int], stream: int) -> SimulatedGames:
    """Games of which only the final scores matter."""
    total = np.array(totals, np.int32)
    none = np.zeros(len(total), np.int32)
    points = np.zeros((len(total), 1), np.int16)
    return SimulatedGames(load_game("two-yatzy"), "made-up", 1, 0, stream, total, none, none > 0, none, points)


def values(table: TableResult) -> list[tuple[float, ...]]:
    return [tuple(getattr(seat, name).value for name in NUMBERS) for seat in table.seats]


def test_three_games_worked_by_hand() -> None:
    """Three players: 10 10 5, then 1 2 3, then 4 4 4."""
    totals = [[10, 1, 4], [10, 2, 4], [5, 3, 4]]
    table = table_of([games_of(one, seat) for seat, one in enumerate(totals)])
    assert table.winner.tolist() == [10, 3, 4]
    assert table.winner.dtype == np.int32
    assert [seat.games.total.tolist() for seat in table.seats] == totals
    assert values(table) == [
        pytest.approx(((1 / 2 + 0 + 1 / 3) / 3, 0, (3 / 2 + 0 + 1) / 3, (1 + 3 + 1) / 3)),
        pytest.approx(((1 / 2 + 0 + 1 / 3) / 3, 0, (3 / 2 + 1 + 1) / 3, (1 + 2 + 1) / 3)),
        pytest.approx(((0 + 1 + 1 / 3) / 3, 1 / 3, (0 + 2 + 1) / 3, (3 + 1 + 1) / 3)),
    ]
    # The shares 1/2, 0, 1/3 have the squares 13/36 and the sum 5/6.
    assert table.seats[0].wins.error == pytest.approx(math.sqrt((13 / 36 / 3 - (5 / 18) ** 2) / 3))
    assert table.seats[2].outright.error == pytest.approx(math.sqrt(2 / 9 / 3))


weights = st.lists(st.integers(0, 4), min_size=1, max_size=5).filter(any)


@given(st.lists(weights, min_size=2, max_size=4))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_exact_table_is_the_enumeration(players: list[list[int]]) -> None:
    chances = [[Fraction(weight, sum(one)) for weight in one] for one in players]
    due = [[Fraction(0)] * 4 for _ in players]
    winner = [Fraction(0)] * max(len(one) for one in players)
    for scores in product(*(range(len(one)) for one in chances)):
        both = math.prod((one[score] for one, score in zip(chances, scores, strict=True)), start=Fraction(1))
        best = max(scores)
        winner[best] += both
        for own, sums in zip(scores, due, strict=True):
            if own == best:
                sums[0] += both / scores.count(best)
                sums[1] += both * (scores.count(best) == 1)
            sums[2] += both * (sum(score < own for score in scores) + Fraction(scores.count(own) - 1, 2))
            sums[3] += both * (1 + sum(score > own for score in scores))
    exact = table_exactly([Distribution(np.array(one, np.float64)) for one in chances])
    assert exact.winner.mass == pytest.approx(np.array(winner, np.float64), abs=1e-14)
    for seat, sums in zip(exact.seats, due, strict=True):
        assert [getattr(seat, name) for name in NUMBERS] == pytest.approx([float(one) for one in sums], abs=1e-13)


@pytest.mark.parametrize("players", [2, 3, 5, 64])
def test_equal_players_win_equally_often(solved: Solved, players: int) -> None:
    score = evaluate(solved("yacht")).score
    exact = table_exactly([score] * players)
    for seat in exact.seats:
        assert seat.wins == pytest.approx(1 / players, abs=1e-12)
        assert seat.match_points == pytest.approx((players - 1) / 2, abs=1e-11)
        assert 0 < seat.outright < seat.wins
        assert 1 < seat.rank < (players + 1) / 2
    # The winner has at most s if all have: the product of what the table adds up without subtracting.
    assert np.cumsum(exact.winner.mass) == pytest.approx(np.cumsum(score.mass) ** players, abs=1e-12)
    assert exact.winner.highest == score.highest
    assert exact.winner.mass[score.highest] == pytest.approx(players * score.mass[score.highest], rel=1e-9)


def test_a_table_of_two_is_a_comparison(solved: Solved) -> None:
    one, other = (evaluate(solved(id)).score for id in ("yacht", "yatzy-forced-order"))
    exact, comparison = table_exactly([one, other]), compare_exactly(one, other)
    assert exact.seats[0].outright == pytest.approx(comparison.wins, abs=1e-13)
    assert exact.seats[1].outright == pytest.approx(comparison.losses, abs=1e-13)
    assert exact.seats[0].wins == pytest.approx(comparison.wins + comparison.draws / 2, abs=1e-13)


@pytest.mark.parametrize(
    "players",
    [
        ["two-yatzy expected"] * 4,
        ["yatzy-forced-order expected"] * 2 + ["yatzy-forced-order exp:0.05", "yacht expected"],
    ],
)
def test_simulated_agrees_with_exact(players: list[str]) -> None:
    known = {name: solve(load_game(name.split()[0]), name.split()[1]) for name in players}
    table = play_table([known[name] for name in players], 40_000, 17)
    exact = table_exactly([evaluate(known[name]).score for name in players])
    for seat, due in zip(table.seats, exact.seats, strict=True):
        for name in NUMBERS:
            estimate = getattr(seat, name)
            assert 0 < estimate.error < 0.01
            assert abs(estimate.value - getattr(due, name)) < ERRORS * estimate.error
    assert sum(seat.wins.value for seat in table.seats) == pytest.approx(1)
    assert sum(seat.match_points.value for seat in table.seats) == pytest.approx(6)
    error = exact.winner.sd / math.sqrt(40_000)
    assert abs(table.winner.mean() - exact.winner.mean) < ERRORS * error
    assert np.array_equal(table.winner, np.max([seat.games.total for seat in table.seats], axis=0))


def test_every_seat_has_dice_of_its_own(solved: Solved) -> None:
    solution = solved("yacht")
    table = play_table([solution] * 3, 500, 9, threads=1)
    for stream, seat in enumerate(table.seats):
        assert seat.games.stream == stream
        assert np.array_equal(seat.games.points, simulate(solution, 500, 9, stream=stream).points)
    assert not np.array_equal(table.seats[0].games.total, table.seats[1].games.total)
    assert values(table) == values(play_table([solution] * 3, 500, 9, threads=2))
    assert values(table) != values(play_table([solution] * 3, 500, 10))


def test_progress_counts_the_games_of_all(solved: Solved) -> None:
    told: list[tuple[int, int]] = []
    play_table([solved("yacht"), solved("two-yatzy")], 300, 1, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 600)
    assert told[-1] == (600, 600)
    assert (300, 600) in told
    assert told == sorted(told)


def test_tables_that_cannot_be_are_refused(solved: Solved) -> None:
    one = games_of([1, 2], 0)
    score = evaluate(solved("two-yatzy")).score
    for players in (0, 1, 65):
        with pytest.raises(InputError, match=f"players: {players} is not from 2 to 64"):
            play_table([solved("two-yatzy")] * players, 10, 1)
        with pytest.raises(InputError, match=f"players: {players} is not from 2 to 64"):
            table_of([one] * players)
        with pytest.raises(InputError, match=f"players: {players} is not from 2 to 64"):
            table_exactly([score] * players)
    with pytest.raises(InputError, match="games: 2, 3 are different numbers"):
        table_of([one, games_of([1, 2, 3], 1)])
    with pytest.raises(InputError, match="players 2 and 3 have dice in common"):
        table_of([one, games_of([1, 2], 5), games_of([3, 4], 5)])
