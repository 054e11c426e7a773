"""Measure what strategies lose in whole games of two against the optimum, in match points a game and a move.

The complete solution must be there: `yatzy match solve GAME --keep all` makes it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from yatzy import lab, report
from yatzy.cli import lab_options, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import GameArgument, Json, Language, OnWorkers, Tables, Threads
from yatzy.games import load_game
from yatzy.report.terminal import print_blocks

if TYPE_CHECKING:
    from yatzy.lab import RegretResult, SeatRegret, StrategyRegret

STRATEGIES = "expected,match:emp:0,match:emp:1,match:emp:2"


def command(
    game: GameArgument = "yacht",
    strategies: Annotated[
        str,
        typer.Option("--strategies", metavar="A,B,…", help="Strategies: expected, match:emp:D, match:dyns:D."),
    ] = STRATEGIES,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            min=2,
            max=2**30,
            help="Number of games of each strategy, an even number: in half of them it begins.",
        ),
    ] = 10_000,
    seed: lab_options.Seed = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Keep finished parts in this folder; an interrupted run resumes there."
        ),
    ] = None,
    on: OnWorkers = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    names = [name.strip() for name in strategies.split(",") if name.strip()]
    with open_solver(tables, threads, on) as solver:
        result = lab.measure_regret(chosen, names, games, seed, out, solver)
    if json:
        terminal.print_json(fields(result))
        return
    print_blocks(report.regret_blocks(result, language))


def fields(result: RegretResult) -> dict[str, Any]:
    """The result as one JSON object."""
    return {
        "game": result.game.id,
        "games": result.games,
        "seed": result.seed,
        "value": result.value,
        "strategies": {one.strategy: _strategy(one) for one in result.strategies},
    }


def _strategy(found: StrategyRegret) -> dict[str, Any]:
    return {
        "loss": found.loss,
        "moves": found.moves,
        "rolls": found.rolls,
        "erring": found.erring,
        "result": found.result,
        "without_luck": found.without_luck,
        "foreseen": found.foreseen,
        "apart": found.apart,
        "first": _seat(found.first),
        "second": _seat(found.second),
    }


def _seat(found: SeatRegret) -> dict[str, Any]:
    names = ("games", "value", "loss", "turns", "rolls", "erring", "result", "without_luck", "foreseen")
    return {name: getattr(found, name) for name in names}
