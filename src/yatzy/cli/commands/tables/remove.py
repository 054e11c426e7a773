"""Remove tables; they are built again when needed."""

from __future__ import annotations

from typing import Annotated

import typer

from yatzy.cli import terminal
from yatzy.cli.options import Json, Language, Tables
from yatzy.errors import InputError
from yatzy.report.stored import removed_text
from yatzy.store import list_tables, remove_tables, tables_folder


def command(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Names of tables, as listed.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Remove every table.")] = False,
    tables: Tables = None,
    language: Language = "en",
    json: Json = False,
) -> None:
    folder = tables_folder(tables)
    if bool(names) == all_:
        raise InputError("name the tables to remove, or use --all; 'yatzy tables' lists them")
    removed = remove_tables(folder, names or sorted({info.name for info in list_tables(folder)}))
    if json:
        terminal.print_json({"folder": str(folder), "removed": [str(path) for path in removed]})
        return
    print(removed_text(len(removed), folder, language))
