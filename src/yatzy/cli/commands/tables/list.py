"""List the tables with their sizes."""

from __future__ import annotations

from typing import Any

from yatzy.cli import terminal
from yatzy.cli.options import Json, Language, Tables
from yatzy.report.stored import stored_tables
from yatzy.report.terminal import print_blocks
from yatzy.store import TableInfo, list_tables, tables_folder
from yatzy.values.bounds import Measure, bound_of


def command(tables: Tables = None, language: Language = "en", json: Json = False) -> None:
    folder = tables_folder(tables)
    known = list_tables(folder)
    if json:
        terminal.print_json({"folder": str(folder), "tables": [_fields(info) for info in known]})
        return
    print_blocks([stored_tables(known, folder, language)])


def _bound(info: TableInfo) -> dict[str, Any] | None:
    bound = bound_of(info.game, info.game_hash, info.objective)
    if bound is None:
        return None
    measure = Measure.ABSOLUTE if bound.scale else bound.measure
    return {"bound": bound.shown, "measure": measure.value, "source": bound.source}


def _fields(info: TableInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "game": info.game,
        "objective": info.objective,
        "state": info.state.value,
        "layers": info.layers,
        "layers_done": info.layers_done,
        "bytes": info.size,
        "error_bound": _bound(info),
        "path": str(info.path),
    }
