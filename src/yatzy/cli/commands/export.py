"""Write a strategy to a file, one byte per decision; `--strategy file:FILE` plays from it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import lab_options, terminal
from yatzy.cli.opening import open_solver
from yatzy.cli.options import Json, Language, Tables
from yatzy.errors import Message
from yatzy.games import load_game
from yatzy.names import Origin
from yatzy.report.stored import exported_text
from yatzy.store.files import check_target, parts_folder
from yatzy.strategies.exported import check_exportable, export_size, export_strategy


def command(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    game: lab_options.GameName = "yatzy",
    strategy: lab_options.StrategyName = "expected",
    language: Language = "en",
    tables: Tables = None,
    json: Json = False,
) -> None:
    parts_folder(check_target(path, seekable=True))
    chosen, begun = load_game(game), time.perf_counter()
    with open_solver(tables) as solver:
        player = check_exportable(solver.strategy(chosen, strategy, Origin.PERSON))
        terminal.note(Message("{path} will have {size:,.1f} MiB", path=path, size=export_size(player) / 2**20))
        watch = solver.watch(Message("{game} as {strategy} plays it", game=chosen, strategy=player.name), "Exporting")
        export_strategy(player, path, watch, terminal.notes())
    size, seconds = path.stat().st_size, time.perf_counter() - begun
    if json:
        terminal.print_json(
            {"game": chosen.id, "strategy": player.name, "file": str(path), "bytes": size, "seconds": seconds}
        )
        return
    print(exported_text(path, chosen, player.name, size, seconds, language))
