"""List the tables with their sizes."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from yatzy.cli import terminal
from yatzy.cli.options import Json, Tables
from yatzy.store import TableInfo, list_tables, tables_folder


def command(tables: Tables = None, json: Json = False) -> None:
    folder = tables_folder(tables)
    known = list_tables(folder)
    if json:
        terminal.print_json({"folder": str(folder), "tables": [_fields(info) for info in known]})
        return
    table = Table("name", "game", "objective", "state", title=str(folder))
    for column in ("layers", "size"):
        table.add_column(column, justify="right")
    for info in known:
        layers = f"{info.layers_done}/{info.layers}"
        table.add_row(info.name, info.game, info.objective, info.state.value, layers, f"{info.size / 2**20:.1f} MiB")
    terminal.print_table(table)


def _fields(info: TableInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "game": info.game,
        "objective": info.objective,
        "state": info.state.value,
        "layers": info.layers,
        "layers_done": info.layers_done,
        "bytes": info.size,
        "path": str(info.path),
    }
