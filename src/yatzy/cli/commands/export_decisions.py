"""Write the moves of a strategy in all positions to a Parquet or NumPy file, with columns that people can read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import lab_options, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import GameArgument, Json, Language, Tables, Threads
from yatzy.errors import Message
from yatzy.games import load_game
from yatzy.names import Origin
from yatzy.report.stored import values_text
from yatzy.sharing.decisions import check_decisions, check_decisions_file, strategy_decisions, write_decisions


def command(
    game: GameArgument,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write: .parquet or .npz.")],
    strategy: lab_options.StrategyName = "expected",
    open_: Annotated[
        str | None,
        typer.Option("--open", metavar="N-M", help="Only sheets with this many open categories, such as 1-3."),
    ] = None,
    language: Language = "en",
    tables: Tables = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    chosen = load_game(game)
    check_decisions_file(out)
    span = None if open_ is None else lab_options.read_span(open_, "--open", "1-3")
    with open_solver(tables, threads) as solver:
        player = solver.strategy(chosen, strategy, Origin.PERSON)
        count = check_decisions(player, span)
        watch = solver.watch(
            Message("{count:,} decisions of {strategy} in {game}", count=count, strategy=player.name, game=chosen),
            "Exporting",
        )
        found = strategy_decisions(player, span, watch)
    write_decisions(found, out)
    size = out.stat().st_size
    if json:
        terminal.print_json({"game": chosen.id, "strategy": player.name, "file": str(out), "rows": len(found),
                             "bytes": size})  # fmt: skip
        return
    print(values_text(out, chosen, len(found), size, language))
