"""Check what 'yatzy match solve' keeps: sampled positions by search on the CPU, and by games of two optimal players.

Every sampled position is searched again down to small endgame tables, which are built for this. If it is interrupted,
finished results are kept, and the same command resumes.
"""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy import verification
from yatzy.cli import lab_options, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import GameArgument, Json, Language, OnWorkers, Tables, Threads
from yatzy.errors import TableDamaged
from yatzy.games import load_game
from yatzy.report.answers.verification import solution_answer
from yatzy.report.terminal import print_blocks
from yatzy.report.verification import solution_blocks

GAMES = 100_000
MOST_GAMES = 10_000_000


def command(
    game: GameArgument = "yacht",
    depth: Annotated[
        int | None,
        typer.Option("--depth", metavar="N", help="The last depth to check (default: 4 turns above the endgames)."),
    ] = None,
    endgames: Annotated[
        int | None,
        typer.Option("--endgames", metavar="D", help="Depth of the endgame tables below the search (default: 4)."),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            min=0,
            max=MOST_GAMES,
            help="Games of two optimal players, from the deepest sampled positions with tables; 0 for none.",
        ),
    ] = GAMES,
    seed: lab_options.Seed = 1,
    on: OnWorkers = None,
    language: Language = "en",
    threads: Threads = None,
    tables: Tables = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    with open_solver(tables, threads, on) as solver:
        found = verification.check_solution(chosen, depth, endgames, games, seed, solver)
    if json:
        terminal.print_json(solution_answer(found))
    else:
        print_blocks(solution_blocks(found, language))
    if found.complaint is not None:
        raise TableDamaged("{problem}", problem=found.complaint)
