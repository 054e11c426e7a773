"""Write a strategy to a file, a byte for every decision; `--strategy file:FILE` plays from it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import sampled, show
from yatzy.cli.options import Json, Tables
from yatzy.cli.solved import open_solver
from yatzy.games import load_game


def command(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    game: sampled.GameName = "yatzy",
    strategy: sampled.StrategyName = "expected",
    tables: Tables = None,
    json: Json = False,
) -> None:
    from yatzy.store.files import check_target, parts_folder
    from yatzy.strategies.exported import check_exportable, export_size, export_strategy

    parts_folder(check_target(path, seekable=True))
    chosen, begun = load_game(game), time.perf_counter()
    with open_solver(tables) as solver:
        player = check_exportable(sampled.open_strategy(strategy, chosen, solver))
        show.note(f"{path} will have {export_size(player) / 2**20:,.1f} MiB")
        watch = solver.watch(f"{chosen.name()} as {player.name} plays it", "Exporting")
        export_strategy(player, path, watch, show.note)
    size, seconds = path.stat().st_size, time.perf_counter() - begun
    if json:
        show.print_json(
            {"game": chosen.id, "strategy": player.name, "file": str(path), "bytes": size, "seconds": seconds}
        )
        return
    print(f"{path}: {chosen.name()} by {player.name}, {size:,} bytes, written in {seconds:.1f} s")
