"""Write tables of games as a folder or a ZIP file, with everything needed to read them without this program."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import Json, Language, Tables
from yatzy.errors import Message
from yatzy.games import load_game
from yatzy.report.stored import packed_blocks
from yatzy.report.terminal import print_blocks
from yatzy.sharing import pack_tables


def command(
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help="Presets or .toml files.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder, or a new file that ends in .zip.")],
    objective: Annotated[
        list[str] | None,
        typer.Option(
            "--objective", help="Only this table, as 'yatzy tables' lists it: expected or chances; may be repeated."
        ),
    ] = None,
    tables: Tables = None,
    language: Language = "en",
    json: Json = False,
) -> None:
    chosen = [load_game(game) for game in games]
    with terminal.watching() as watch:
        manifest = pack_tables(chosen, out, tables, objective or (), watch(Message("{path}", path=out), "Packing"))
    if json:
        terminal.print_json({"out": str(out), "tables": [asdict(one) for one in manifest.tables]})
        return
    print_blocks(packed_blocks(manifest.tables, out, language))
