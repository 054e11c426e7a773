"""The tables on disk, game by game, with their sizes."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from yatzy.games import PRESETS
from yatzy.store import TableInfo, list_tables


@dataclass(frozen=True, slots=True)
class StoredGame:
    """The tables of one game on disk."""

    rules: str
    """The hash of its rules; "" for files that cannot be read."""
    game: str
    """The id of the game."""
    tables: tuple[TableInfo, ...]

    @property
    def size(self) -> int:
        """The size of all its tables in bytes."""
        return sum(info.size for info in self.tables)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its tables, each once: a table may have a finished and an unfinished file."""
        return tuple(dict.fromkeys(info.name for info in self.tables))


def stored_games(folder: Path) -> list[StoredGame]:
    """The games that have tables in a folder, the largest first. Files that cannot be read are one entry."""
    games: dict[str, list[TableInfo]] = {}
    for info in list_tables(folder):
        games.setdefault(info.game_hash, []).append(info)
    found = [StoredGame(rules, _id_of(infos), tuple(infos)) for rules, infos in games.items()]
    return sorted(found, key=lambda one: -one.size)


def _id_of(infos: list[TableInfo]) -> str:
    """The id of the game. If games of several ids have the same rules, a preset is the one that people know."""
    ids = [info.game for info in infos]
    return next((id for id in ids if id in PRESETS), ids[0])


def folder_bytes(folder: Path) -> int:
    """The size of the tables in a folder, finished or not, without opening them."""
    total = 0
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".table", ".part")):
                with contextlib.suppress(OSError):  # removed in the meantime
                    total += entry.stat().st_size
    return total
