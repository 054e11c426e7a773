"""Measure what strategies lose in whole games of two against the optimum, in match points a game and a move.

The complete solution must be there: `yatzy match solve GAME --keep all` makes it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy import lab, report
from yatzy.cli import lab_options, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import GameArgument, Json, Language, OnWorkers, Tables, Threads
from yatzy.games import load_game
from yatzy.lab.regret import FEWEST, MOST
from yatzy.report.answers.regret import regret_answer
from yatzy.report.terminal import print_blocks

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
            min=FEWEST,
            max=MOST,
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
        terminal.print_json(regret_answer(result))
        return
    print_blocks(report.regret_blocks(result, language))
