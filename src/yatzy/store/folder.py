"""The folder of tables: where it is, what is in it, and how to remove tables."""

import os
import shutil
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from pathlib import Path

from yatzy.errors import InputError, Message, TableError, cause_of
from yatzy.reading import named_path
from yatzy.store.disk import unwritable
from yatzy.store.files import file_time
from yatzy.store.format import Unsound
from yatzy.store.key import TableKey
from yatzy.store.locking import table_lock
from yatzy.store.source import Source
from yatzy.store.table import Table


class TableState(Enum):
    """The state of a table file, judged by its header and index."""

    SOUND = "sound"
    """Finished; its data are checked when they are read, or by `Table.verify`."""
    UNFINISHED = "unfinished"
    """Being built, or interrupted; the next build resumes from it."""
    UNREADABLE = "unreadable"
    """Damaged, foreign or of another format; the next build replaces it."""


@dataclass(frozen=True, slots=True)
class TableInfo:
    """One file of the folder. If it is unreadable, game and objective are empty and layers 0."""

    name: str
    game: str
    game_hash: str
    objective: str
    path: Path
    size: int
    layers: int
    layers_done: int
    state: TableState
    modified: datetime
    problem: str = ""
    """Why it is unreadable."""


def tables_folder(override: Path | str | None = None) -> Path:
    """`override`, else the environment variable YATZY_TABLES, else the user's cache; it may not exist yet."""
    chosen = override or os.environ.get("YATZY_TABLES")
    if chosen:
        return named_path(chosen)
    from platformdirs import user_cache_path  # slow to import, and often not needed

    return user_cache_path("yatzy") / "tables"


def table_path(folder: Path, key: TableKey) -> Path:
    """The file of a finished table, whether or not it exists."""
    return folder / f"{key.name}.table"


def work_folder(folder: Path, name: str) -> Path:
    """A folder for unfinished layers of a table, which may not exist. It is removed with the unfinished table."""
    return folder / f"{name}.work"


def list_tables(folder: Path) -> list[TableInfo]:
    """Return the finished and unfinished tables of a folder by name, without reading their data."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix in {".table", ".part"})
    except FileNotFoundError:
        return []
    except OSError as error:
        raise TableError("{path} cannot be read: {reason}", path=folder, reason=cause_of(error)) from error
    found = []
    for path in paths:
        with suppress(FileNotFoundError):  # removed since
            found.append(_look(path))
    return found


def remove_tables(folder: Path, names: Iterable[str]) -> list[Path]:
    """Remove tables by name, finished or not, with their locks; return the table and part files removed.

    If a name is unknown, or another process is building that table, nothing is removed.
    """
    names = list(dict.fromkeys(names))
    known = sorted({info.name for info in list_tables(folder)})
    for name in names:
        if name not in known:
            if not known:
                raise InputError("no table {name!r} in {folder}; there are none", name=name, folder=folder)
            names = ", ".join(known)
            raise InputError("no table {name!r} in {folder}; there are {names}", name=name, folder=folder, names=names)
    removed = []
    with ExitStack() as locks:
        paths = [locks.enter_context(table_lock(folder, name, wait=False)) for name in names]
        for name in names:
            for path in (folder / f"{name}.table", folder / f"{name}.part"):
                with suppress(FileNotFoundError):
                    _unlink(path)
                    removed.append(path)
            shutil.rmtree(work_folder(folder, name), ignore_errors=True)
        for path in paths:
            # While locked, so that a process waiting for the lock notices and creates a new one.
            with suppress(OSError):
                path.unlink()
    return removed


def _unlink(path: Path) -> None:
    try:
        path.unlink()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise unwritable(path, Message("the removal"), error) from error


def _look(path: Path) -> TableInfo:
    stat = path.stat()
    modified = file_time(stat.st_mtime)
    blank = TableInfo(
        path.stem, "", "", "", path, stat.st_size, 0, 0, TableState.UNREADABLE, modified, "it cannot be read"
    )
    try:
        key, done = _whole(path) if path.suffix == ".table" else _partial(path)
        if key.name != path.stem:
            raise Unsound(_misnamed(key))
    except (TableError, Unsound) as problem:
        return replace(blank, problem=str(problem))
    state = TableState.SOUND if path.suffix == ".table" else TableState.UNFINISHED
    return TableInfo(
        path.stem,
        key.game,
        key.game_hash,
        key.objective,
        path,
        stat.st_size,
        key.layers,
        done,
        state,
        modified,
    )


def verify_table(path: Path) -> list[Message]:
    """Read a whole table; return a line for each problem, including a wrong file name."""
    try:
        with Table(path) as table:
            wrong = (
                []
                if table.key.name == path.stem
                else [Message("{path} {problem}", path=path, problem=_misnamed(table.key))]
            )
            return wrong + table.verify()
    except TableError as problem:
        return [problem.message]


def _misnamed(key: TableKey) -> Message:
    return Message("is for {key}; its name should be {name}", key=key, name=key.name)


def _whole(path: Path) -> tuple[TableKey, int]:
    with Table(path) as table:
        return table.key, table.layers


def _partial(path: Path) -> tuple[TableKey, int]:
    source = Source(path)
    try:
        header = source.header()
        done = {entry.layer for entry in source.records(header.end, header.stamp)}
        return header.key, len(done)
    finally:
        source.close()
