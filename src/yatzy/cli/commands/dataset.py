"""Write positions with the value of every legal move to a Parquet file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import lab_options, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import GameArgument, Json, Language, ObjectiveOption, Tables, Threads
from yatzy.errors import InputError, Message
from yatzy.games import load_game
from yatzy.names import Expected, Origin, Target, parse_objective, parse_strategy
from yatzy.report.stored import values_text
from yatzy.sharing.dataset import (
    MOST_ROWS,
    UNIFORM,
    check_file,
    label_positions,
    played_positions,
    uniform_positions,
    write_dataset,
)


def command(
    game: GameArgument,
    rows: Annotated[int, typer.Option("--rows", min=1, max=MOST_ROWS, help="Number of positions.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write: .parquet.")],
    positions: Annotated[
        str,
        typer.Option("--positions", help="A strategy that plays the games, or 'uniform': drawn uniformly over states."),
    ] = "expected",
    objective: ObjectiveOption = "expected",
    seed: lab_options.Seed = 1,
    language: Language = "en",
    tables: Tables = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    check_file(out)
    if not isinstance(parse_objective(objective), Expected | Target):
        raise InputError("{objective}: positions are labelled for expected and target:S only", objective=objective)
    player = None if positions == UNIFORM else parse_strategy(positions)
    begun = time.perf_counter()
    with open_solver(tables, threads) as solver:
        strategy = None if player is None else solver.strategy(chosen, player, Origin.PERSON)
        solution = solver.build(chosen, objective, Origin.PERSON)
        if strategy is None:
            found = uniform_positions(chosen, rows, seed)
        else:
            found = played_positions(strategy, rows, seed, threads)
        watch = solver.watch(Message("{positions:,} positions of {game}", positions=rows, game=chosen), "Labelling")
        labels = label_positions(found, solution, threads, watch)
    write_dataset(found, labels, solution.objective, out)
    size, seconds = out.stat().st_size, time.perf_counter() - begun
    if json:
        terminal.print_json({"game": chosen.id, "objective": solution.objective, "positions": positions, "seed": seed,
                             "file": str(out), "rows": len(found), "bytes": size, "seconds": seconds})  # fmt: skip
        return
    print(values_text(out, chosen, len(found), size, language))
