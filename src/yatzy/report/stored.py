"""Tables on disk in words: a list of them, and what was built, checked or removed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from yatzy.games import Game
from yatzy.report.document import Table
from yatzy.report.numbers import count, number
from yatzy.report.texts import text
from yatzy.report.words import strategy_label

if TYPE_CHECKING:
    from yatzy.store import TableInfo


def stored_tables(known: Sequence[TableInfo], folder: Path, language: str = "en") -> Table:
    """The tables in a folder."""
    rows = []
    for info in known:
        layers, size = f"{info.layers_done}/{info.layers}", f"{number(info.size / 2**20, 1, language)} MiB"
        state = text(language, f"stored.{info.state.value}")
        rows.append((info.name, info.game, info.objective, state, layers, size))
    names = ("name", "game", "objective", "state", "layers", "size")
    head = tuple(text(language, f"stored.{name}") for name in names)
    return Table(head, tuple(rows), frozenset(range(4)), str(folder))


def removed_text(files: int, folder: Path, language: str = "en") -> str:
    """How many files were removed."""
    return text(language, "stored.removed", count=files, number=count(files, language), folder=folder)


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
