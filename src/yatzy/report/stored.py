"""Tables on disk in words: a list of them, and what was built, checked or removed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from yatzy.games import Game
from yatzy.report.document import Block, Table
from yatzy.report.numbers import bound_number, count, number
from yatzy.report.texts import text
from yatzy.report.words import strategy_label
from yatzy.values.bounds import bound_of

if TYPE_CHECKING:
    from yatzy.sharing import AddedTable, PackedTable
    from yatzy.store import TableInfo


def stored_tables(known: Sequence[TableInfo], folder: Path, language: str = "en") -> Table:
    """The tables in a folder."""
    rows = []
    for info in known:
        layers, size = f"{info.layers_done}/{info.layers}", f"{number(info.size / 2**20, 1, language)} MiB"
        state, bound = text(language, f"stored.{info.state.value}"), _table_bound(info, language)
        rows.append((info.name, info.game, info.objective, state, layers, size, bound))
    names = ("name", "game", "objective", "state", "layers", "size", "bound")
    head = tuple(text(language, f"stored.{name}") for name in names)
    return Table(head, tuple(rows), frozenset(range(4)), str(folder))


def _table_bound(info: TableInfo, language: str) -> str:
    """The error bound of a table, if the game and the kind are known."""
    bound = bound_of(info.game, info.game_hash, info.objective)
    if bound is None:
        return ""
    shown = bound_number(bound.shown, language)
    return shown if bound.scale else text(language, f"stored.bound_{bound.measure.name.lower()}", bound=shown)


def removed_text(files: int, folder: Path, language: str = "en") -> str:
    """How many files were removed."""
    return text(language, "stored.removed", count=files, number=count(files, language), folder=folder)


def packed_blocks(tables: Sequence[PackedTable], out: Path, language: str = "en") -> list[Block]:
    """The tables of a pack that was written."""
    rows = tuple(
        (one.game, one.objective, count(one.values, language), _bound(one, language), one.value_hash) for one in tables
    )
    head = tuple(text(language, f"stored.{name}") for name in ("game", "objective", "values", "bound", "value_hash"))
    return [Table(head, rows, frozenset({0, 1, 4}), str(out))]


def _bound(one: PackedTable, language: str) -> str:
    return "" if one.error_bound is None else bound_number(one.error_bound, language)


def added_blocks(added: Sequence[AddedTable], folder: Path, language: str = "en") -> list[Block]:
    """The tables of a pack, and whether each was there before."""
    rows = []
    for one in added:
        state = text(language, "stored.there" if one.there else "stored.added")
        rows.append((one.path.stem, one.table.game, one.table.objective, state))
    head = tuple(text(language, f"stored.{name}") for name in ("name", "game", "objective", "state"))
    return [Table(head, tuple(rows), frozenset(range(4)), str(folder))]


def endgames_text(game: Game, depth: int, size: int, seconds: float, language: str = "en") -> str:
    """The endgame tables that are there now."""
    return text(
        language,
        "stored.endgames",
        game=game.name(language),
        depth=depth,
        size=number(size / 10**9, 2, language),
        seconds=number(seconds, 1, language),
    )


def values_text(path: Path, game: Game, rows: int, size: int, language: str = "en") -> str:
    """The file of values or positions that was written."""
    return text(
        language,
        "stored.values_file",
        path=path,
        game=game.name(language),
        rows=count(rows, language),
        size=number(size / 10**6, 1, language),
    )


def exported_text(path: Path, game: Game, strategy: str, size: int, seconds: float, language: str = "en") -> str:
    """The file of a strategy that was written."""
    return text(
        language,
        "stored.exported",
        path=path,
        game=game.name(language),
        strategy=strategy_label(strategy, language),
        size=count(size, language),
        seconds=number(seconds, 1, language),
    )
