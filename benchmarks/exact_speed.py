"""Exact computations that people wait for: distributions of strategies and endgames, beside the machine's best.

A turn that is planned takes the operations of solving it, with the choice noted beside every maximum, and following it
forward takes as many additions as the lattice has edges. The best time is that of these operations at the rate of the
yardstick (benchmarks/machine.py); for singles it counts twice, since a register holds twice as many. Pushing mass from
state to state is not counted. For a target, the turns are the states and scores that have any mass.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.machine import NEAR_ROWS, Operations, Yardstick
from benchmarks.report import Grid, Result, Settings, Value, seconds
from benchmarks.timing import Times
from yatzy.evaluation.evaluating import TurnResult, evaluate
from yatzy.evaluation.forward_pass import PassByPoints
from yatzy.games import Game, Position, load_game
from yatzy.matches.endgames import Endgames
from yatzy.model import compile_game
from yatzy.solver import Solver
from yatzy.strategies.base import Strategy
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.resources import Resources
from yatzy.values.threads import core_count

AIMS = {"distribution, expected": 4.0, "distribution, target": 45.0, "endgames": 45.0}
"""In seconds, on two cores of an AVX2 machine of 2021, for the full run."""
TARGETS = {"yatzy": "target:289", "yacht": "target:150"}
DEPTHS = {"yahtzee-pawlewicz": 4, "yacht": 3}


def run(settings: Settings) -> Result:
    near, solver = Yardstick(NEAR_ROWS), Solver()
    near.measure()
    rows: list[list[str]] = []
    data: dict[str, Value] = {}

    def note(what: str, turns: int, operations: float, best_rate: float, time: float) -> None:
        best = turns * operations / best_rate
        aim = "" if settings.quick else f"{AIMS[what.partition(':')[0].partition(' of')[0]]:.0f} s"
        rows.append([what, f"{turns:,}", f"{operations:,.0f}", seconds(time), seconds(best), f"{best / time:.0%}", aim])
        data[what] = {"turns": turns, "operations": operations, "seconds": time, "best_seconds": best}

    game = load_game("yacht" if settings.quick else "yatzy")
    _warm_up(solver)
    for kind, name, repeats in (("expected", "expected", 3), ("target", TARGETS[game.id], 1)):
        strategy, times = solver.strategy(game, name), Times()
        for _ in range(settings.repeats(repeats, 1)):
            times.add(lambda strategy=strategy: evaluate(strategy))  # type: ignore[misc]
        near.measure()
        operations, rate = _planning(game, near)
        turns = int(compile_game(game).states.layer_start[-2]) if kind == "expected" else _turns_with_mass(strategy)
        note(f"distribution, {kind} of {game.id}", turns, operations, rate, times.best)
    game = load_game("yacht" if settings.quick else "yahtzee-pawlewicz")
    with TemporaryDirectory() as folder:
        endgames = Endgames(game, DEPTHS[game.id], Resources(folder))
        near.measure()
        solving = Operations.of(compile_game(game))
        values = sum(table.layout.values for table in endgames.tables)
        note(f"endgames of {game.id} to depth {DEPTHS[game.id]}", values, solving.means + solving.bests + solving.rolls,
             2 * near.rate(solving), endgames.seconds)  # fmt: skip
    columns = ("", "turns", "operations a turn", "time", "at best", "of best", "the aim")
    return Result([Grid("Exact computations, and the best this machine can do", columns, rows)], data)


def _warm_up(solver: Solver) -> None:
    """Compile or load the kernels."""
    small = load_game("two-yatzy")
    for name in ("expected", "target:5"):
        evaluate(solver.strategy(small, name))
    with TemporaryDirectory() as folder:
        Endgames(small, 1, Resources(folder))


def _planning(game: Game, near: Yardstick) -> tuple[float, float]:
    """The operations to plan and follow a turn, and the best rate for them."""
    compiled = compile_game(game)
    model, solving = exact_turn_arrays(compiled), Operations.of(compiled)
    rolls = model.keeps - model.first_roll
    maxima = 2 * (solving.bests + len(model.roll_row))  # the value and the choice
    additions = 2 * solving.means + (model.rerolls + 1) * rolls
    return additions + maxima, (additions + maxima) / (additions / near.additions + maxima / near.maxima)


def _turns_with_mass(strategy: Strategy) -> int:
    """The number of states and scores that a strategy can reach before its last turn."""
    forward, found = PassByPoints(strategy), dict[int, int]()

    def count() -> None:
        found[forward.at_layer] = int(np.count_nonzero(forward.mass))

    forward.begin({TurnResult(Position.start(strategy.game).sheet): 1.0})
    count()
    with ThreadPoolExecutor(core_count()) as pool:
        forward.run(pool, count)
    return sum(found[layer] for layer in found if layer < forward.states.layers - 1)
