"""Saved games: their folder, the list of games in it, and reading and writing one.

A saved game starts with a checksum. The version before the last change is kept beside it, in NAME.yatzy.bak.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import re
import secrets
import shlex
import stat
import time
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from yatzy.errors import InputError, Message, YatzyError, cause_of, one_line
from yatzy.games import Game, Record
from yatzy.games.record_text import with_check
from yatzy.model.described import check_described
from yatzy.reading import decode_text, named_path, read_bounded
from yatzy.store.files import file_time, write_atomic

SUFFIX = ".yatzy"
RECORD = Message("a record of a game")
BACKUP = ".bak"
LONGEST = 4 * 10**6
"""Size limit of a record in bytes; a game of twenty players takes a hundredth."""
STALE = 24 * 3600
"""Age in seconds after which a temporary or empty file counts as left behind by a killed process."""
_ODD = re.compile(r"[^a-z0-9]+")
_TEMPORARY = re.compile(r"\.(yatzy-[0-9a-f]{16}-.+|.+\.(yatzy|jsonl)(\.bak)?\..*)\.part", re.DOTALL)
"""Names of temporary files of `write_atomic`, of this version and of earlier ones."""
_OWN_NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[a-z0-9-]+\.yatzy")
_cleaned = set[Path]()
"""Folders that this process has already cleaned up."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game in the folder of games."""

    path: Path
    modified: datetime.datetime
    record: Record | None
    problem: str = ""
    """Why it cannot be read, or empty."""

    @property
    def name(self) -> str:
        """The file name without the suffix."""
        return self.path.stem

    @property
    def date(self) -> datetime.date:
        """The date on which it was begun, or else last changed."""
        return (self.record and self.record.date) or self.modified.date()

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(player.name for player in self.record.players) if self.record else ()


def save_folder(override: str | Path | None = None) -> Path:
    """`override`, else the environment variable YATZY_GAMES, else the user's data folder; it may not exist yet."""
    chosen = override or os.environ.get("YATZY_GAMES")
    if chosen:
        return named_path(chosen)
    from platformdirs import user_data_path  # slow to import, and often not needed

    return user_data_path("yatzy") / "games"


def saved_games(folder: str | Path | None = None) -> list[SavedGame]:
    """All games in the folder, the last changed first."""
    found = []
    try:
        paths = [path for path in save_folder(folder).glob(f"*{SUFFIX}") if path.is_file()]
    except OSError:
        paths = []
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue  # removed in the meantime
        if not status.st_size and not os.path.exists(backup_path(path)):
            continue  # a reserved name: nothing has been played yet
        modified = file_time(status.st_mtime).astimezone()
        try:
            found.append(SavedGame(path, modified, read_game(path)))
        except YatzyError as error:
            found.append(SavedGame(path, modified, None, str(error)))
    return sorted(found, key=lambda one: (one.modified, one.name), reverse=True)


def new_path(record: Record, folder: str | Path | None = None) -> Path:
    """An unused path in the folder, named after the date, the game and the players."""
    return next(path for path in _names(record, save_folder(folder)) if not os.path.lexists(path))


def reserve_new_path(record: Record, folder: str | Path | None = None) -> Path:
    """Like `new_path`, but also create the file empty, so that no other process takes the name."""
    return next(path for path in _names(record, save_folder(folder)) if reserve(path))


def _names(record: Record, folder: Path) -> Iterator[Path]:
    names = [plain for player in record.players if (plain := _plain(player.name))]
    stem = "-".join([str(record.date or datetime.date.today()), record.game.id, *names])[:60].rstrip("-")
    yield folder / f"{stem}{SUFFIX}"
    number = 2
    while True:
        yield folder / f"{stem}-{number}{SUFFIX}"
        number += 1


def _plain(name: str) -> str:
    """A name in ASCII letters that every file system accepts."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return _ODD.sub("-", letters.casefold()).strip("-")


def reserve(path: Path) -> bool:
    """Reserve a name by creating an empty file; False if the name is taken."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except FileExistsError:
        return False
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    return True


def release(path: Path) -> None:
    """Remove a reserved file that was not used."""
    with suppress(OSError):
        if path.stat().st_size == 0:
            path.unlink()


def _unwritable(path: Path, error: Exception) -> InputError:
    return InputError(
        "{path}: cannot be written: {reason}",
        path=one_line(str(path)),
        reason=cause_of(error),
    )


def read_game(path: Path, own: Game | None = None) -> Record:
    """Read the record in a file; `own` is a game that the user has named."""
    return parse_game(path, read_bytes(path), own)


def read_bytes(path: Path) -> bytes:
    """The bytes of a saved game. If there is no file, raises InputError with a FileNotFoundError as its cause."""
    return read_bounded(path, LONGEST, RECORD)


def parse_game(path: Path, data: bytes, own: Game | None = None) -> Record:
    """Parse the record in the bytes of a file. For a damaged file, the error names the last good copy."""
    try:
        return _parse(path, data, own)
    except InputError as error:
        backup = backup_path(path)
        try:
            _parse(backup, read_bytes(backup), own)
        except InputError:
            raise error from None
        again = f"yatzy play --resume {shlex.quote(str(backup))} --save NEW-FILE"
        raise type(error)(
            "{error}; the step before it is kept, continue with: {command}", error=error, command=one_line(again)
        ) from None


def _parse(path: Path, data: bytes, own: Game | None) -> Record:
    if not data:
        raise InputError(
            "{path}: is empty: a game was started there and nothing was played; remove it", path=one_line(str(path))
        )
    record = Record.parse(decode_text(data, path, RECORD), own, one_line(str(path)))
    check_described(record.game, own)
    return record


def fingerprint(data: bytes) -> bytes:
    """A hash that identifies the content of a file."""
    return hashlib.blake2b(data, digest_size=16).digest()


def backup_path(path: Path) -> Path:
    """The path of the version before the last change."""
    return path.with_name(path.name + BACKUP)


def write_game(path: Path, record: Record, before: bytes = b"") -> bytes:
    """Write a record atomically and return its bytes. `before`, the good version it replaces, becomes the backup."""
    clean_up(path.parent)
    if before and not _link_backup(path):
        with suppress(InputError):  # if the disk is full, writing the game raises the error
            write_atomic(backup_path(path), before, tidy=False)
    data = with_check(str(record)).encode()
    write_atomic(path, data, tidy=False)
    return data


def delete_game(path: Path) -> None:
    """Delete a saved game and its backup."""
    try:
        path.unlink()
        backup_path(path).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            "{path}: cannot be deleted: {reason}", path=one_line(str(path)), reason=cause_of(error)
        ) from None


def _link_backup(path: Path) -> bool:
    """Make the file its own backup by a hard link, without copying it; False if that is not possible.

    The file is never changed in place: `write_atomic` replaces it by a new one.
    """
    backup = backup_path(path)
    aside = path.with_name(f".yatzy-{secrets.token_hex(8)}-backup.part")
    try:
        there = [os.lstat(path)]
        with suppress(FileNotFoundError):
            there.append(os.lstat(backup))
        if not all(stat.S_ISREG(one.st_mode) for one in there):
            return False
        if len({(one.st_dev, one.st_ino) for one in there}) < len(there):
            return True  # linked before a kill; renaming a file over another link to it would leave both names
        os.link(path, aside)
        os.replace(aside, backup)
    except OSError:
        with suppress(OSError):
            aside.unlink()
        return False
    return True


def clean_up(folder: Path) -> None:
    """Remove what killed processes left in a folder of games: temporary files, and reserved names never used."""
    if folder in _cleaned:
        return
    _cleaned.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name) or _OWN_NAME.fullmatch(entry.name):
                _remove_if_stale(Path(entry.path))


def _remove_if_stale(path: Path) -> None:
    with suppress(OSError):
        status = path.lstat()
        used = path.suffix == SUFFIX and (status.st_size or backup_path(path).exists())
        if stat.S_ISREG(status.st_mode) and not used and abs(time.time() - status.st_mtime) > STALE:
            path.unlink()
