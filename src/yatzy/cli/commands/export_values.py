"""Write the value of every state of a game to a Parquet or NumPy file, with columns that people can read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import GameArgument, Json, Language, Tables, Threads
from yatzy.games import load_game
from yatzy.report.stored import values_text
from yatzy.sharing.values import check_file, state_values, write_values


def command(
    game: GameArgument,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write: .parquet or .npz.")],
    language: Language = "en",
    tables: Tables = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    check_file(out)
    with open_solver(tables, threads) as solver:
        found = state_values(solver.expected(chosen))
    write_values(found, out)
    size = out.stat().st_size
    if json:
        terminal.print_json({"game": chosen.id, "objective": found.objective, "file": str(out), "rows": len(found),
                             "bytes": size})  # fmt: skip
        return
    print(values_text(out, chosen, len(found), size, language))
