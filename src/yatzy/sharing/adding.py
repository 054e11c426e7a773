"""Add the tables of a pack to the folder of tables, after checking everything.

A pack comes from a stranger. Its tables are copied to a private folder beside the others, under names that this program
chooses, and only the copies are checked. They are installed when all of them have passed; otherwise nothing is.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from yatzy.errors import InputError, Message, TableDamaged, TableError, cause_of, one_line
from yatzy.games import Game
from yatzy.model import compile_game, most_points
from yatzy.model.described import check_described
from yatzy.reading import named_path
from yatzy.sharing.manifest import (
    FILE,
    MOST_BYTES,
    MOST_TABLES,
    TABLES,
    Manifest,
    PackedTable,
    check_format,
    count_values,
    value_hash,
)
from yatzy.sharing.packing import KINDS
from yatzy.store import Table, TableKey, table_path, tables_folder
from yatzy.store.disk import free_space, sync, sync_folder, unwritable
from yatzy.store.locking import table_lock
from yatzy.store.table import without_remedy
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.values.kinds import CURVES, EXPECTED, kind_of, table_key
from yatzy.values.resources import Progress, Resources
from yatzy.verification import Verdict, Wanted, check_table

SAMPLE = 100
"""States whose values are computed again from the values after the turn; at least one of every layer."""
LONG = 1 << 26
"""The bytes from which progress is shown."""
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class AddedTable:
    """A table of a pack, as it is now in the folder of tables."""

    table: PackedTable
    """What the manifest says about it."""
    path: Path
    """Where it is now."""
    there: bool
    """Whether it was there before, with the same values."""


class _Folder:
    """A pack as a folder."""

    def __init__(self, path: Path) -> None:
        self.path, self._inside = path, path.resolve()

    def size(self, name: str) -> int | None:
        """The size of a file; None if there is no such plain file inside the pack."""
        path = self.path / name
        try:
            about = os.lstat(path)
            inside = path.resolve().is_relative_to(self._inside)
        except (OSError, ValueError):
            return None
        return about.st_size if inside and stat.S_ISREG(about.st_mode) else None

    def open(self, name: str) -> IO[bytes]:
        """A file, without following a link."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        return open(os.open(self.path / name, flags), "rb")


class _Archive:
    """A pack as a ZIP file. Only files that are stored as they are can be read, so their size is no secret."""

    def __init__(self, path: Path) -> None:
        self._zip = zipfile.ZipFile(path)
        members = self._zip.infolist()
        self._members = {one.filename: one for one in members}
        if len(members) > MOST_TABLES + 10 or len(self._members) < len(members):
            raise zipfile.BadZipFile

    def size(self, name: str) -> int | None:
        """The size of a file; None if there is no such file, or it is compressed."""
        one = self._members.get(name)
        plain = one is not None and one.compress_type == zipfile.ZIP_STORED and one.compress_size == one.file_size
        return one.file_size if one is not None and plain and not one.flag_bits & 1 else None

    def open(self, name: str) -> IO[bytes]:
        """A file."""
        return self._zip.open(self._members[name])


_Source = _Folder | _Archive


def add_tables(
    pack: str | Path,
    folder: Path | str | None = None,
    progress: Progress | None = None,
    report: Callable[[str], None] | None = None,
) -> tuple[AddedTable, ...]:
    """Check the tables of a pack, a folder or a ZIP file, and add them to the folder of tables; all or none.

    Progress counts bytes. `report` is called while another process builds one of the tables.
    """
    pack, home = named_path(pack), tables_folder(folder)
    with _opened(pack) as source:
        manifest = Manifest.parse(_read(source, FILE, MOST_BYTES, pack), f"{pack / FILE}")
        keys = [_key(manifest, one, pack) for one in manifest.tables]
        if len({key.name for _, key in keys}) < len(keys):
            raise InputError("{pack}: names a table twice", pack=pack)
        _check_sizes(source, manifest, [game for game, _ in keys], pack, home)
        with _staged(home) as aside:
            total, done = sum(one.bytes for one in manifest.tables), 0

            def tell(size: int) -> None:
                nonlocal done
                done += size
                if progress is not None and total >= LONG:
                    progress(done, total)

            for one, (game, key) in zip(manifest.tables, keys, strict=True):
                _copy(source, one, table_path(aside, key), pack, tell)
                _check_table(one, game, key, aside, pack)
            return tuple(
                _install(one, key, aside, home, report) for one, (_, key) in zip(manifest.tables, keys, strict=True)
            )


@contextlib.contextmanager
def _opened(pack: Path) -> Iterator[_Source]:
    if pack.is_dir():
        yield _Folder(pack)
        return
    if not pack.is_file():
        if os.path.lexists(pack):
            raise InputError("{path}: is neither a folder nor a file", path=one_line(str(pack)))
        raise InputError("{path}: there is no such folder or file", path=one_line(str(pack)))
    try:
        source = _Archive(pack)
        yield source
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError):
        raise InputError("{pack}: is damaged, or no ZIP file of a pack of tables", pack=pack) from None
    except OSError as error:
        raise InputError("{path}: cannot be read: {reason}", path=pack, reason=cause_of(error)) from None


def _read(source: _Source, name: str, most: int, pack: Path) -> bytes:
    size = source.size(name)
    if size is None:
        raise InputError("{pack}: has no {name}, so it is no pack of tables", pack=pack, name=name)
    if size > most:
        raise InputError("{path}: has more than {most:,} bytes", path=pack / name, most=most)
    with source.open(name) as file:
        return file.read(most)


def _key(manifest: Manifest, one: PackedTable, pack: Path) -> tuple[Game, TableKey]:
    """The game and key of a table. Its game, kind, format, revision and file name must be what this program makes."""
    rules = manifest.games.get(one.game_hash)
    if rules is None:
        raise InputError(
            "{pack}: {file}: the manifest has no rules with hash {hash}",
            pack=pack,
            file=one.file,
            hash=one.game_hash[:12],
        )
    game = Game.parse(rules, Message("{path}: the rules of {game}", path=pack, game=one.game))
    if (game.id, game.hash) != (one.game, one.game_hash):
        raise InputError(
            "{pack}: {file}: is for other rules than those of {game} in the manifest",
            pack=pack,
            file=one.file,
            game=one.game,
        )
    check_described(game)
    check_format(one, str(pack))
    if kind_of(one.objective) != one.kind or one.kind not in KINDS:
        raise InputError(
            "{pack}: {file}: tables of kind {kind} are not shared; there are {kinds}",
            pack=pack,
            file=one.file,
            kind=one.kind,
            kinds=", ".join(KINDS),
        )
    key = table_key(game, one.objective, compile_game(game).states.layers)
    if key.revision != one.revision:
        raise InputError(
            "{pack}: {file}: has revision {revision} of {kind}, and this program makes {ours}",
            pack=pack,
            file=one.file,
            revision=one.revision,
            kind=one.kind,
            ours=key.revision,
        )
    if one.layers != key.layers:
        raise InputError(
            "{pack}: {file}: has {layers} layers, but {game} has {right}",
            pack=pack,
            file=one.file,
            layers=one.layers,
            game=one.game,
            right=key.layers,
        )
    if one.file != f"{TABLES}/{key.name}.table":
        raise InputError(
            "{pack}: {file!r} is not the name of its table, {right}",
            pack=pack,
            file=one.file,
            right=f"{TABLES}/{key.name}.table",
        )
    return game, key


def _check_sizes(source: _Source, manifest: Manifest, games: Sequence[Game], pack: Path, home: Path) -> None:
    """Compare sizes before a byte is read: files are as large as the manifest says and their games allow, and fit."""
    for one, game in zip(manifest.tables, games, strict=True):
        size = source.size(one.file)
        if size is None:
            raise InputError("{pack}: {file}: is missing, or not a plain file", pack=pack, file=one.file)
        if size != one.bytes:
            raise InputError(
                "{pack}: {file}: has {size:,} bytes, but the manifest says {stated:,}",
                pack=pack,
                file=one.file,
                size=size,
                stated=one.bytes,
            )
        if size > (most := most_bytes(game, one.kind)):
            raise InputError(
                "{pack}: {file}: has {size:,} bytes; a table of {game} has fewer than {most:,}",
                pack=pack,
                file=one.file,
                size=size,
                game=game.id,
                most=most,
            )
    needed, free = sum(one.bytes for one in manifest.tables), free_space(home)
    if needed > free:
        raise InputError(
            "{pack}: takes {needed:,.1f} MB, and {home} has {free:,.1f} MB free",
            pack=pack,
            needed=needed / 1e6,
            home=home,
            free=free / 1e6,
        )


def most_bytes(game: Game, kind: str) -> int:
    """An upper bound for the size of a table: its numbers, and room for headers, checksums and padding."""
    states = compile_game(game).states
    row = 8 if kind == EXPECTED.name else 4 * (most_points(game) + 1) + 16  # a chance for each score, and two indexes
    return len(states) * row * 17 // 16 + (states.layers + 2) * 2**16


@contextlib.contextmanager
def _staged(home: Path) -> Iterator[Path]:
    """A private folder in the folder of tables."""
    try:
        home.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".adding-", dir=home))
    except OSError as error:
        raise unwritable(home, Message("the tables"), error) from error
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _copy(source: _Source, one: PackedTable, target: Path, pack: Path, tell: Callable[[int], None]) -> None:
    digest, left = hashlib.sha256(), one.bytes
    with source.open(one.file) as reading:
        try:
            with target.open("xb") as writing:
                while left and (chunk := reading.read(min(_CHUNK, left))):
                    digest.update(chunk)
                    writing.write(chunk)
                    left -= len(chunk)
                    tell(len(chunk))
                writing.flush()
                sync(writing.fileno())
        except OSError as error:
            raise unwritable(target, Message("the table"), error, one.bytes) from error
    if left or digest.hexdigest() != one.sha256:
        raise InputError(
            "{pack}: {file}: is damaged: its checksum is not that of the manifest", pack=pack, file=one.file
        )


def _check_table(one: PackedTable, game: Game, key: TableKey, aside: Path, pack: Path) -> None:
    """Check every byte of a copy, and that it holds what the manifest says and values that fit each other."""
    where = f"{pack}: {one.file}"
    try:
        with Table(table_path(aside, key), key) as table:
            problems = table.verify()
            if not problems and (count_values(table), value_hash(table)) != (one.values, one.value_hash):
                raise InputError("{where}: its values are not those of the manifest", where=where)
        if not problems:
            _check_values(game, one, table_path(aside, key))
    except TableError as error:
        problems = [without_remedy(error)]
    if problems:
        said = problems[0].but(path=table_path(aside, key).name) if "path" in problems[0].values else problems[0]
        raise InputError("{where}: is not a sound table: {reason}", where=where, reason=said)


def _check_values(game: Game, one: PackedTable, path: Path) -> None:
    """Check the form of all arrays, and compute the values of some states again from those after the turn."""
    resources = Resources(path.parent, read_only=True)
    table = BestChances(game, resources).table if one.kind == CURVES.name else ExpectedScore(game, resources).table
    table.check()
    found = check_table(path, Wanted(rows=SAMPLE, games=0), [game])
    if found.verdict is not Verdict.SOUND:
        raise TableDamaged("its values do not follow from each other: {reason}", reason=found.fault)


def _install(
    one: PackedTable, key: TableKey, aside: Path, home: Path, report: Callable[[str], None] | None
) -> AddedTable:
    path = table_path(home, key)
    with table_lock(home, key.name, report):
        with contextlib.suppress(TableError), Table(path, key) as table:
            if not table.verify() and value_hash(table) == one.value_hash:
                return AddedTable(one, path, True)
        try:
            os.replace(table_path(aside, key), path)
        except OSError as error:
            raise unwritable(path, Message("the table"), error) from error
    sync_folder(home)
    return AddedTable(one, path, False)
