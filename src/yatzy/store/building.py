"""Opening a table, and building or repairing it first where necessary."""

from collections.abc import Callable, Iterator
from pathlib import Path

from yatzy.errors import Message, TableDamaged, TableForeign, TableMissing
from yatzy.store.folder import table_path
from yatzy.store.format import LayerEntry, Unsound, encode_header, stamp_of
from yatzy.store.key import TableKey
from yatzy.store.locking import Report, table_lock, tell
from yatzy.store.source import Source
from yatzy.store.table import Table, without_remedy
from yatzy.store.writer import TableWriter

Build = Callable[[TableWriter], None]
"""Appends the layers that the writer lists as `missing`; it may read those that are `done`."""


def open_or_build(folder: Path, key: TableKey, build: Build, report: Report | None = None) -> Table:
    """Return the finished table; build it first if it is missing or unusable.

    Opening reads the header and the index only. Damaged data are noticed when they are read; call `repair` then.
    """
    try:
        return Table(table_path(folder, key), key)
    except (TableMissing, TableDamaged, TableForeign):
        pass  # checked again below while holding the lock, and reported there
    with table_lock(folder, key.name, report):
        return _open_or_make(folder, key, build, report, thorough=False)


def repair(folder: Path, key: TableKey, build: Build, report: Report | None = None) -> Table:
    """Like `open_or_build`, but check every byte first; for a table that raised `TableDamaged`.

    Only damaged layers are built again. Tables that are open on the file keep showing the old one: close them first.
    """
    with table_lock(folder, key.name, report):
        return _open_or_make(folder, key, build, report, thorough=True)


def _open_or_make(folder: Path, key: TableKey, build: Build, report: Report | None, *, thorough: bool) -> Table:
    path = table_path(folder, key)
    try:
        table = Table(path, key)
    except TableMissing:
        pass
    except (TableDamaged, TableForeign) as problem:
        tell(report, Message("{problem}; it is rebuilt now", problem=without_remedy(problem)))
    else:
        problems = table.verify() if thorough else []
        if not problems:
            return table
        table.close()
        for problem_line in problems:
            tell(report, Message("{problem}; it is rebuilt now", problem=problem_line))
    with TableWriter(folder, key, report) as writer:
        if writer.missing and path.exists():
            _salvage(path, writer, report)
        if writer.missing:
            build(writer)
        return Table(writer.finish(), key)


def _salvage(path: Path, writer: TableWriter, report: Report | None) -> None:
    """Copy the undamaged layers of a damaged table; the table itself stays until it is replaced."""
    saved = 0
    source = Source(path)
    try:
        for entry in _records(source, encode_header(writer.key)):
            if entry.layer in writer.missing and (arrays := source.load(entry)) is not None:
                writer.append(entry.layer, arrays)
                saved += 1
    finally:
        source.close()
    if saved:
        tell(report, Message("kept {saved} sound layers of {name}", saved=saved, name=path.name))


def _records(source: Source, header: bytes) -> Iterator[LayerEntry]:
    stamp = stamp_of(header)
    try:
        yield from source.index(stamp, len(header))
    except Unsound:
        yield from source.scattered_records(stamp)
