"""Play-offs in all orders of the seats: symmetry, exact results of small games, and runs that resume."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.small_games import CHANCE, PAIR, RUN

from yatzy.errors import InputError
from yatzy.evaluation.evaluating import evaluate
from yatzy.games import Game, Move, Position
from yatzy.lab import play_all_orders, seat_orders, table_exactly
from yatzy.lab.duel import Duellist, parse_duellist, play_seats
from yatzy.lab.seat_orders import orders_of
from yatzy.names.payoffs import Payoff
from yatzy.solver import Solver

THREE = Game("three-boxes", 2, 3, 2, (PAIR, CHANCE, RUN))
ONE = Game("one-chance", 2, 4, 2, (CHANCE,))
"""A die is never worth the mean of a roll, so that no choice of those who play for points is a tie."""
ERRORS = 4


@pytest.fixture
def solver(tmp_path: Path) -> Solver:
    return Solver(tmp_path / "tables")


def players(names: Sequence[str], game: Game, solver: Solver) -> list[Duellist]:
    return [parse_duellist(name, game, solver) for name in names]


def test_orders_are_all_those_that_differ() -> None:
    assert orders_of([0, 0, 1]) == ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    assert len(orders_of(range(4))) == 24
    assert len(orders_of([0, 0, 0, 1, 1, 1])) == 20


@pytest.mark.parametrize(("payoff", "total"), [("match-points", 3), ("6,3,1", 10), ("5,0,0", 5)])
def test_the_same_strategy_in_all_seats_shares_equally(payoff: str, total: float, solver: Solver) -> None:
    found = play_all_orders(players(["greedy"] * 3, THREE, solver), 200, 5, payoff, solver)
    (standing,) = found.standings
    assert (standing.seats, found.matches, len(found.orders)) == (3, 200, 1)
    assert standing.payoff.value == pytest.approx(total / 3, abs=1e-12)
    assert standing.payoff.error == pytest.approx(0, abs=1e-12)
    assert sum(seat.value for seat in found.by_seat) == pytest.approx(total)


def test_seats_are_taken_equally_often_and_payoffs_add_up(solver: Solver) -> None:
    found = play_all_orders(
        players(["greedy", "expected", "greedy", "random"], THREE, solver), 100, 5, "7,3,1,0", solver
    )
    assert (len(found.orders), found.matches) == (12, 108)  # whole sets
    for seat in range(4):
        assert [sum(order[seat] == one for order in found.orders) for one in range(3)] == [6, 3, 3]
    assert [(one.strategy, one.seats) for one in found.standings] == [("greedy", 2), ("expected", 1), ("random", 1)]
    assert sum(one.seats * one.payoff.value for one in found.standings) == pytest.approx(11)


def test_points_and_places_of_three_are_the_exact_ones(solver: Solver) -> None:
    names = ("expected", "greedy", "random")
    found = play_all_orders(players(names, THREE, solver), 12_000, 3, solver=solver)
    scores = [evaluate(solver.strategy(THREE, name)).score for name in names]
    exactly = table_exactly(scores).seats
    for standing, exact, score in zip(found.standings, exactly, scores, strict=True):
        assert abs(standing.payoff.value - exact.match_points) < ERRORS * standing.payoff.error
        assert abs(standing.wins.value - exact.outright) < ERRORS * standing.wins.error
        assert abs(standing.mean.value - score.mean) < ERRORS * standing.mean.error
    best, _, worst = found.standings
    assert best.payoff.value - worst.payoff.value > ERRORS * (best.payoff.error + worst.payoff.error)


Choose = Callable[[Position], Move]


def exact_payoffs(game: Game, seated: Sequence[Choose], payoff: Payoff) -> tuple[float, ...]:
    """[seat]: the expected payoff, over all rolls, when each seat chooses by its own rule."""

    @cache
    def values(position: Position) -> tuple[float, ...]:
        if position.over:
            return payoff.of_scores([sheet.points for sheet in position.sheets])
        if position.awaits_roll:
            missing = game.dice - len(position.dice)
            rolls = list(product(range(1, game.faces + 1), repeat=missing))
            found = [values(position.roll(position.dice + roll)) for roll in rolls]
            return tuple(sum(column) / len(rolls) for column in zip(*found, strict=True))
        return values(position.play(seated[position.mover](position)))

    return values(Position.start(game, len(seated)))


@pytest.mark.parametrize(("others", "payoff"), [(1, "match-points"), (2, "match-points"), (2, "win"), (2, "5,2,0")])
def test_nearly_best_play_gets_what_it_gets_exactly(others: int, payoff: str, solver: Solver) -> None:
    """EMP(1) against others who play for points, in all orders, by the kernels and position by position."""
    names = ("match:emp:1", *["expected"] * others)
    found = play_all_orders(players(names, ONE, solver), 60_000, 2, payoff, solver)
    nearly, points = solver.search(ONE, "match:emp:1", payoff).best, solver.expected(ONE).best
    exactly = [
        exact_payoffs(ONE, [points if one else nearly for one in order], found.payoff)[order.index(0)]
        for order in found.orders
    ]
    emp, other = found.standings
    assert emp.payoff.error < 0.01
    assert abs(emp.payoff.value - np.mean(exactly)) < ERRORS * emp.payoff.error
    assert emp.payoff.value > other.payoff.value


def test_results_depend_on_the_seed_alone_and_runs_resume(solver: Solver, tmp_path: Path,
                                                           monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    names, folder = ("match:emp:1", "softened:5:match:emp:1", "greedy"), tmp_path / "parts"
    table = players(names, ONE, solver)
    whole = play_all_orders(table, 60, 4, "win", Solver(solver.folder, threads=1))
    monkeypatch.setattr(seat_orders, "PART", 24)  # four sets
    kept = play_all_orders(table, 60, 4, "win", Solver(solver.folder, threads=2), folder)
    assert np.array_equal(whole.scores, kept.scores)
    files = sorted(folder.glob("*.kept"))
    assert len(files) == 3
    assert not np.array_equal(play_all_orders(table, 60, 5, "win", solver).scores, whole.scores)
    files[0].write_bytes(files[0].read_bytes()[:-1])  # interrupted, damaged: this part is played again, and no other
    played = list[int]()

    def count(*arguments: Any, **more: Any) -> Any:
        played.append(more["first_game"])
        return play_seats(*arguments, **more)

    monkeypatch.setattr(seat_orders, "play_seats", count)
    assert np.array_equal(play_all_orders(table, 60, 4, "win", solver, folder).scores, whole.scores)
    assert len(played) == 6
    assert len(set(played)) == 1


def test_progress_counts_all_matches_also_those_that_workers_play(
    solver: Solver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_orders, "PART", 24)
    told, table = list[tuple[int, int]](), players(["match:emp:1", "greedy"], ONE, solver)
    expected = play_all_orders(table, 60, 4, "win", solver).scores
    with ThreadPoolExecutor(2) as pool:
        for executor in (None, pool):
            for again in (False, True):
                told.clear()
                watched = Solver(
                    solver.folder, executor=executor, progress=lambda *_: lambda *counts: told.append(counts)
                )
                folder = tmp_path / ("here" if executor is None else "there")
                assert np.array_equal(play_all_orders(table, 60, 4, "win", watched, folder).scores, expected)
                steps = np.diff([0, *(count for count, _ in told)]).tolist()
                assert sorted(steps) == [12, 24, 24], (executor, again)  # in any order
                assert {total for _, total in told} == {60}


def test_tables_that_are_too_small_or_too_large_are_refused(solver: Solver) -> None:
    (greedy,) = players(["greedy"], ONE, solver)
    for count in (1, 7):
        with pytest.raises(InputError, match=f"2 to 6 players, not {count}"):
            play_all_orders([greedy] * count, 10, 1, solver=solver)
    with pytest.raises(InputError, match="3 places, but there are 4 players"):
        play_all_orders([greedy] * 4, 10, 1, "6,3,1", solver)
    with pytest.raises(InputError, match="matches: 0"):
        play_all_orders([greedy] * 3, 0, 1, solver=solver)
