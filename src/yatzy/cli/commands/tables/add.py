"""Add the tables of a pack, after checking everything; if one check fails, nothing is added."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import Json, Language, Tables
from yatzy.errors import Message
from yatzy.report.stored import added_blocks
from yatzy.report.terminal import print_blocks
from yatzy.sharing import add_tables
from yatzy.store import tables_folder


def command(
    pack: Annotated[Path, typer.Argument(metavar="PACK", help="A folder or ZIP file made by 'yatzy tables pack'.")],
    tables: Tables = None,
    language: Language = "en",
    json: Json = False,
) -> None:
    folder = tables_folder(tables)
    with terminal.watching() as watch:
        added = add_tables(pack, folder, watch(Message("{path}", path=pack), "Checking"), terminal.notes())
    if json:
        found = [{"name": one.path.stem, "path": str(one.path), "there": one.there} for one in added]
        terminal.print_json({"folder": str(folder), "tables": found})
        return
    print_blocks(added_blocks(added, folder, language))
