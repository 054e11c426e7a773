"""Opening a table, and making or mending it first where that is needed."""

from collections.abc import Callable, Iterator
from pathlib import Path

from yatzy.errors import TableDamaged, TableForeign, TableMissing
from yatzy.store.folder import table_path
from yatzy.store.format import LayerEntry, Unsound, encode_header, stamp_of
from yatzy.store.key import TableKey
from yatzy.store.locking import Report, held, tell
from yatzy.store.source import Source
from yatzy.store.table import Table, remedy
from yatzy.store.writer import TableWriter

Build = Callable[[TableWriter], None]
"""Appends the layers that are `missing` from the writer; may read back those that are `done`."""


def open_or_build(folder: Path, key: TableKey, build: Build, report: Report | None = None) -> Table:
    """Return the finished table, made or mended first if it is not there or cannot serve.

    Opening reads header and index only; damage to data shows when they are read, and is for `repair`.
    """
    try:
        return Table(table_path(folder, key), key)
    except (TableMissing, TableDamaged, TableForeign):
        pass  # seen and said again under the lock, where it cannot change
    with held(folder, key.name, report):
        return _open_or_make(folder, key, build, report, thorough=False)


def repair(folder: Path, key: TableKey, build: Build, report: Report | None = None) -> Table:
    """As `open_or_build`, but every byte is checked first; for a table that raised `TableDamaged`.

    Only damaged layers are built again. Close tables open on the file first: they go on showing the old one.
    """
    with held(folder, key.name, report):
        return _open_or_make(folder, key, build, report, thorough=True)


def _open_or_make(folder: Path, key: TableKey, build: Build, report: Report | None, *, thorough: bool) -> Table:
    path = table_path(folder, key)
    try:
        table = Table(path, key)
    except TableMissing:
        pass
    except (TableDamaged, TableForeign) as problem:
        tell(report, f"{str(problem).removesuffix(remedy(path))}it is made again now")
    else:
        problems = table.verify() if thorough else []
        if not problems:
            return table
        table.close()
        for problem_line in problems:
            tell(report, f"{problem_line}; it is made again now")
    with TableWriter(folder, key, report) as writer:
        if writer.missing and path.exists():
            _salvage(path, writer, report)
        if writer.missing:
            build(writer)
        return Table(writer.finish(), key)


def _salvage(path: Path, writer: TableWriter, report: Report | None) -> None:
    """Copy the layers of a damaged table that are sound; the table itself stays until it is replaced."""
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
        tell(report, f"kept {saved} sound layers of {path.name}")


def _records(source: Source, header: bytes) -> Iterator[LayerEntry]:
    stamp = stamp_of(header)
    try:
        yield from source.index(stamp, len(header))
    except Unsound:
        yield from source.scattered_records(stamp)
