"""Solving a whole game, compared with yatzy-solver. Runs alternate, so that disturbances affect both."""

from __future__ import annotations

from benchmarks import theirs
from benchmarks.ours import solve_from_scratch, start_value
from benchmarks.report import Grid, Result, Settings, Value, seconds
from benchmarks.timing import Times
from yatzy.model import compile_game
from yatzy.values.expected import solve_in_memory

AIM = 20


def run(settings: Settings) -> Result:
    rounds, per_round = settings.repeats(3, 1), settings.repeats(5, 3)
    theirs.package()
    rows: list[list[str]] = []
    data: dict[str, Value] = {}
    for pair in theirs.MAIN:
        game = pair.game
        start_value(game)  # compiles or loads the kernel
        warm, scratch, other = Times(), Times(), Times()
        for _ in range(rounds):
            for _ in range(per_round):
                scratch.add(lambda game=game: solve_from_scratch(game))  # type: ignore[misc]
                warm.add(lambda game=game: solve_in_memory(game))  # type: ignore[misc]
            other.add(lambda variant=pair.theirs: theirs.build(variant))  # type: ignore[misc]
        ratio = {"best": other.best / scratch.best, "median": other.median / scratch.median}
        rows.append([pair.name, "best", *map(seconds, (warm.best, scratch.best, other.best)), f"{ratio['best']:.1f}"])
        rows.append(
            ["", "median", *map(seconds, (warm.median, scratch.median, other.median)), f"{ratio['median']:.1f}"]
        )
        data[pair.name] = {
            "theirs": pair.theirs,
            "states": len(compile_game(game).states),
            "warm": warm.data,
            "from_scratch": scratch.data,
            "yatzy_solver": other.data,
            "ratio_best": ratio["best"],
            "ratio_median": ratio["median"],
        }
    grid = Grid(
        f"Solving, this package and {theirs.PACKAGE} {theirs.package().SOLVER_VERSION} in turns",
        ("game", "", "ours, warm", "ours, from scratch", "theirs", "theirs / ours"),
        rows,
        f"The ratio takes ours from scratch; the aim is {AIM}. {rounds * per_round} runs of ours, {rounds} of theirs.",
    )
    return Result([grid], data)
