"""Simulating games, compared with yatzy-solver's simulator. Runs alternate, so that disturbances affect both."""

from __future__ import annotations

from benchmarks import theirs
from benchmarks.report import Grid, Result, Settings, Value, seconds
from benchmarks.timing import Times
from yatzy.games import load_game
from yatzy.lab import simulate
from yatzy.solver import Solver, parse_strategy

AIM, AIM_RATIO, AIM_SECONDS = 1_000_000, 100, 20
OTHERS = ("molinder-bonus", "molinder-lower", "greedy", "random", "softened:1", "exp:0.02")
"""Strategies without a table of chances, which takes most of a minute to make."""


def run(settings: Settings) -> Result:
    rounds, ours, other_games = settings.repeats(3, 1), settings.repeats(1_000_000, 300_000), 10_000
    game, solver = load_game("yatzy"), Solver()
    strategy = parse_strategy("expected", game, solver)
    simulate(strategy, 1000, 1)  # compiles or loads the kernels
    rival = theirs.built("yatzy-scandinavian")
    mine, other = Times(), Times()
    for _ in range(rounds):
        mine.add(lambda: simulate(strategy, ours, 7))
        other.add(lambda: rival.simulate(other_games, 7))
    rate, other_rate = ours / mine.best, other_games / other.best
    ratio = f"{rate / other_rate:.0f}"
    rows = [["expected", f"{ours:,}", seconds(mine.best), f"{rate:,.0f}", f"{other_rate:,.0f}", ratio]]
    data: dict[str, Value] = {
        "expected": {"games": ours, "time": mine.data, "games_per_second": rate},
        "yatzy_solver": {"games": other_games, "time": other.data, "games_per_second": other_rate},
        "ratio": rate / other_rate,
    }
    for name in OTHERS:
        strategy, times, games = parse_strategy(name, game, solver), Times(), settings.repeats(100_000, 20_000)
        simulate(strategy, 100, 1)
        times.add(lambda strategy=strategy, games=games: simulate(strategy, games, 7))  # type: ignore[misc]
        rows.append([name, f"{games:,}", seconds(times.best), f"{games / times.best:,.0f}", "", ""])
        data[name] = {"games": games, "time": times.data, "games_per_second": games / times.best}
    grid = Grid(
        f"Playing Yatzy, this package and {theirs.PACKAGE} {theirs.package().SOLVER_VERSION} in turns",
        ("strategy", "games", "time", "games/s", "theirs, games/s", "ours / theirs"),
        rows,
        f"Best of {rounds}. The aims: {AIM:,} games a second by expected, {AIM_RATIO} times theirs;"
        f" 100,000 games by hand in {AIM_SECONDS} s.",
    )
    return Result([grid], data)
