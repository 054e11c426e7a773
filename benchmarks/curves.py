"""The table of curves of chances: building it, opening it, and querying it in the middle of a turn."""

from __future__ import annotations

import resource
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.machine import NEAR_ROWS, Operations, Yardstick
from benchmarks.report import Grid, Result, Settings, Value, seconds, size
from benchmarks.timing import Times
from yatzy.games import Position, load_game
from yatzy.model import compile_game
from yatzy.solver import Solver
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.values.resources import Resources

GAMES = ("yahtzee-pawlewicz", "yatzy")
QUICK_GAMES = ("yacht",)
TARGET = {"yahtzee-pawlewicz": 300, "yatzy": 300, "yacht": 200}


def run(settings: Settings) -> Result:
    near = Yardstick(NEAR_ROWS)
    near.measure()
    BestChances(load_game("two-yatzy"))  # compiles or loads the kernels
    rows: list[list[str]] = []
    data: dict[str, Value] = {}
    for id in QUICK_GAMES if settings.quick else GAMES:
        with TemporaryDirectory() as folder:
            rows.append(_measure(id, folder, near, data))
    columns = (
        "game",
        "values",
        "time",
        "values/s",
        "10⁹ op/s",
        "of the best",
        "on disk",
        "memory",
        "open",
        "target",
        "chance",
    )
    caption = (
        "values: scores of all states with 0 < P < 1. of best: operations per second against rows in the first-level"
        " cache. memory: the most this process has had. target, chance: all moves of a first roll on a"
        " table just opened, median of 20."
    )
    return Result([Grid("Curves of chances", columns, rows, caption)], data)


def _measure(id: str, folder: str, near: Yardstick, data: dict[str, Value]) -> list[str]:
    game = load_game(id)
    compiled = compile_game(game)
    ExpectedScore(game, Resources(folder))
    made = BestChances(game, Resources(folder)).table
    sizes = np.diff(compiled.states.layer_start).tolist()
    values = sum(int(made.read(layer, "offset", n, n + 1)[0]) for layer, n in enumerate(sizes))
    near.measure()
    operations = Operations.of(compiled)
    rate = values * operations.total / made.seconds
    opening, target, chance = Times(), Times(), Times()
    position = Position.start(game).roll((1, 3, 3, 5, 6))
    for _ in range(20):
        opening.add(lambda: BestChances(game, Resources(folder)))
        for times, objective in ((target, f"target:{TARGET[id]}"), (chance, "chance:0.5")):
            solution = Solver(folder).build(game, objective)
            times.add(lambda solution=solution: solution.moves(position))  # type: ignore[misc]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    best = rate / near.rate(operations)
    data[id] = {
        "values": values,
        "seconds": made.seconds,
        "operations_per_value": operations.total,
        "operations_per_s": rate,
        "of_the_best": best,
        "bytes": made.size,
        "peak_memory": memory,
        "open_seconds": opening.median,
        "target_seconds": target.median,
        "chance_seconds": chance.median,
    }
    return [
        id,
        f"{values:,}",
        seconds(made.seconds),
        f"{values / made.seconds:,.0f}",
        f"{rate / 1e9:.1f}",
        f"{best:.0%}",
        size(made.size),
        size(memory),
        seconds(opening.median),
        seconds(target.median),
        seconds(chance.median),
    ]
