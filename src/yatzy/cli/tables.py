"""`yatzy tables`: list, verify and remove what has been solved."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from yatzy.cli import show
from yatzy.cli.options import Json, Tables
from yatzy.errors import InputError, TableDamaged

app = typer.Typer(help="List, verify and remove the tables on disk.", invoke_without_command=True)
Names = Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Names as listed; all by default.")]


@app.callback()
def _default(context: typer.Context, tables: Tables = None, json: Json = False) -> None:
    if context.invoked_subcommand is None:
        list_(tables, json)


@app.command("list")
def list_(tables: Tables = None, json: Json = False) -> None:
    """List the tables with their sizes."""
    from yatzy.store import list_tables, tables_folder

    folder = tables_folder(tables)
    known = list_tables(folder)
    if json:
        show.print_json({"folder": str(folder), "tables": [_fields(info) for info in known]})
        return
    from rich.table import Table

    table = Table("name", "game", "objective", "state", title=str(folder))
    for column in ("layers", "size"):
        table.add_column(column, justify="right")
    for info in known:
        layers = f"{info.layers_done}/{info.layers}"
        table.add_row(info.name, info.game, info.objective, info.state.value, layers, f"{info.size / 2**20:.1f} MiB")
    show.print_table(table)


def _fields(info: Any) -> dict[str, Any]:
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


@app.command()
def verify(names: Names = None, tables: Tables = None, json: Json = False) -> None:
    """Read tables whole and compare every checksum."""
    from yatzy.store import TableState, list_tables, tables_folder, verify_table

    folder = tables_folder(tables)
    known = [info for info in list_tables(folder) if info.state is not TableState.UNFINISHED]
    if unknown := set(names or []) - {info.name for info in known}:
        raise InputError(f"there is no finished table {sorted(unknown)[0]!r} in {folder}; 'yatzy tables' lists them")
    results = []
    for info in known:
        if names and info.name not in names:
            continue
        damage = verify_table(info.path)
        results.append({"name": info.name, "sound": not damage, "damage": damage})
        if not json:
            print(f"{info.name}: {'sound' if not damage else '; '.join(damage)}")
    if json:
        show.print_json({"folder": str(folder), "tables": results})
    if damaged := [str(result["name"]) for result in results if not result["sound"]]:
        raise TableDamaged(f"{', '.join(damaged)}: damaged; the next use rebuilds what is wrong")


@app.command()
def remove(
    names: Names = None,
    all_: Annotated[bool, typer.Option("--all", help="Remove every table.")] = False,
    tables: Tables = None,
    json: Json = False,
) -> None:
    """Remove tables; they are made again when needed."""
    from yatzy.store import list_tables, remove_tables, tables_folder

    folder = tables_folder(tables)
    if bool(names) == all_:
        raise InputError("say which tables to remove, or --all; 'yatzy tables' lists them")
    removed = remove_tables(folder, names or sorted({info.name for info in list_tables(folder)}))
    if json:
        show.print_json({"folder": str(folder), "removed": [str(path) for path in removed]})
        return
    print(f"removed {len(removed)} file{'' if len(removed) == 1 else 's'} from {folder}")
