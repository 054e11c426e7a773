"""Read every byte of the tables and compare all checksums."""

from __future__ import annotations

from yatzy.cli import terminal
from yatzy.cli.options import Json, Language, TableNames, Tables
from yatzy.errors import InputError, TableDamaged
from yatzy.report.problems import message_text
from yatzy.report.texts import text
from yatzy.store import TableState, list_tables, tables_folder, verify_table


def command(names: TableNames = None, tables: Tables = None, language: Language = "en", json: Json = False) -> None:
    folder = tables_folder(tables)
    known = [info for info in list_tables(folder) if info.state is not TableState.UNFINISHED]
    if unknown := set(names or []) - {info.name for info in known}:
        raise InputError(
            "there is no finished table {name!r} in {folder}; 'yatzy tables' lists them",
            name=sorted(unknown)[0],
            folder=folder,
        )
    results = []
    for info in known:
        if names and info.name not in names:
            continue
        damage = verify_table(info.path)
        results.append({"name": info.name, "sound": not damage, "damage": damage})
        if not json:
            told = "; ".join(message_text(one, language) for one in damage)
            print(f"{info.name}: {told or text(language, 'stored.sound')}")
    if json:
        terminal.print_json({"folder": str(folder), "tables": results})
    if damaged := [str(result["name"]) for result in results if not result["sound"]]:
        raise TableDamaged("{names}: damaged; the next use rebuilds what is wrong", names=", ".join(damaged))
