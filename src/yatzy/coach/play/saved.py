"""Games on the disk: where they are kept, what lies there, and reading and writing one."""

from __future__ import annotations

import datetime
import hashlib
import os
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from yatzy.errors import InputError, YatzyError
from yatzy.games import Game, Record, load_preset
from yatzy.games.record_text import format_record, parse_record
from yatzy.model.described import check_described

SUFFIX = ".yatzy"
LONGEST = 4 * 10**6
"""Bytes of a record; a game of twenty players takes a hundredth."""
_ODD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game that lies in the folder of games."""

    path: Path
    modified: datetime.datetime
    record: Record | None
    problem: str = ""
    """Why it cannot be read, if it cannot."""

    @property
    def name(self) -> str:
        """Its file, without the ending."""
        return self.path.stem

    @property
    def date(self) -> datetime.date:
        """When it was begun, or else last changed."""
        return (self.record and self.record.date) or self.modified.date()

    @property
    def players(self) -> tuple[str, ...]:
        """The names at the table."""
        return tuple(player.name for player in self.record.players) if self.record else ()

    @property
    def state(self) -> str:
        """How far it has got, in a few words."""
        if self.record is None:
            return f"unreadable: {self.problem}"
        if self.record.over:
            return "finished"
        turns = len(self.record.game.categories)
        return f"turn {self.record.position.sheet.filled.bit_count() + 1} of {turns}"


def save_folder(override: str | Path | None = None) -> Path:
    """`override`, else the environment variable YATZY_GAMES, else the user's data; it may not exist yet."""
    chosen = override or os.environ.get("YATZY_GAMES")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("yatzy") / "games"


def saved_games(folder: str | Path | None = None) -> list[SavedGame]:
    """All games in the folder, the last one changed first."""
    found = []
    try:
        paths = [path for path in save_folder(folder).glob(f"*{SUFFIX}") if path.is_file()]
    except OSError:
        paths = []
    for path in paths:
        try:
            modified = datetime.datetime.fromtimestamp(path.stat().st_mtime)
        except OSError:
            continue  # it has just been removed
        try:
            found.append(SavedGame(path, modified, read_game(path)))
        except YatzyError as error:
            found.append(SavedGame(path, modified, None, str(error)))
    return sorted(found, key=lambda one: (one.modified, one.name), reverse=True)


def new_path(record: Record, folder: str | Path | None = None) -> Path:
    """A name in the folder that no file has yet: the date, the game and the players."""
    where = save_folder(folder)
    names = [plain for player in record.players if (plain := _plain(player.name))]
    stem = "-".join([str(record.date or datetime.date.today()), record.game.id, *names])[:60].rstrip("-")
    number, path = 1, where / f"{stem}{SUFFIX}"
    while path.exists():
        number += 1
        path = where / f"{stem}-{number}{SUFFIX}"
    return path


def _plain(name: str) -> str:
    """A name in letters that every file system takes."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return _ODD.sub("-", letters.casefold()).strip("-")


def read_game(path: Path, own: Game | None = None) -> Record:
    """The record in a file; `own` is a game that this person has named."""
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST + 1)
        text = data.decode()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: this is no record of a game: it is no text in UTF-8") from None
    if len(data) > LONGEST:
        raise InputError(f"{path}: this is no record of a game: it has more than {LONGEST:,} bytes")

    def find_game(id: str) -> Game:
        return own if own is not None and own.id == id else load_preset(id)

    record = parse_record(text, find_game, str(path))
    check_described(record.game, own)
    return record


def fingerprint(path: Path) -> bytes | None:
    """What tells one content of a file from another; None where it cannot be read."""
    try:
        return hashlib.blake2b(path.read_bytes(), digest_size=16).digest()
    except OSError:
        return None


def write_game(path: Path, record: Record) -> None:
    """Write a record aside and rename it."""
    from yatzy.store.files import write_atomic

    write_atomic(path, format_record(record))
