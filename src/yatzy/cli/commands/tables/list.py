"""List the tables with their sizes."""

from __future__ import annotations

from typing import Any

from yatzy.cli import terminal
from yatzy.cli.options import Json, Tables
from yatzy.report.document import Table
from yatzy.report.terminal import print_blocks
from yatzy.store import TableInfo, list_tables, tables_folder


def command(tables: Tables = None, json: Json = False) -> None:
    folder = tables_folder(tables)
    known = list_tables(folder)
    if json:
        terminal.print_json({"folder": str(folder), "tables": [_fields(info) for info in known]})
        return
    rows = []
    for info in known:
        layers, size = f"{info.layers_done}/{info.layers}", f"{info.size / 2**20:.1f} MiB"
        rows.append((info.name, info.game, info.objective, info.state.value, layers, size))
    head = ("name", "game", "objective", "state", "layers", "size")
    print_blocks([Table(head, tuple(rows), frozenset(range(4)), str(folder))])


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
