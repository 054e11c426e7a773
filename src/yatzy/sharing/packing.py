"""Pack tables for an archive: a folder or one ZIP file with a manifest, a licence and a reader in plain NumPy."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from pathlib import Path

from yatzy import __version__
from yatzy.errors import InputError, cause_of
from yatzy.games import Game
from yatzy.reading import named_path
from yatzy.sharing.manifest import FILE, TABLES, Manifest, PackedTable, count_values, value_hash
from yatzy.store import Table, TableState, list_tables, tables_folder
from yatzy.store.files import check_target, replace_plain
from yatzy.store.format import FORMAT as TABLE_FORMAT
from yatzy.values.bounds import error_bound
from yatzy.values.kinds import CURVES, EXPECTED, kind_of, table_key
from yatzy.values.resources import Progress

KINDS = (EXPECTED.name, CURVES.name)
"""The kinds of tables that README.md explains and `read_tables.py` reads."""
EXTRA = ("README.md", "LICENSE", "read_tables.py")
LICENCE = "MIT"
ZIP = ".zip"
_CHUNK = 1 << 20


def packable(games: Sequence[Game], folder: Path, objectives: Sequence[str] = ()) -> list[tuple[Game, Path]]:
    """The finished tables of some games; if objectives are given, only and all of these."""
    found: list[tuple[Game, Path]] = []
    for game in dict.fromkeys(games):
        there = {
            info.objective: info.path
            for info in list_tables(folder)
            if info.state is TableState.SOUND
            and info.game_hash == game.hash
            and kind_of(info.objective) in KINDS
            and info.name == table_key(game, info.objective, info.layers).name
        }
        if not there:
            raise InputError(
                "there is no finished table of {game} in {folder}; run 'yatzy solve {game}' first",
                game=game.id,
                folder=folder,
            )
        if missing := [one for one in objectives if one not in there]:
            raise InputError(
                "there is no table {name} of {game} in {folder}; there are {names}",
                name=missing[0],
                game=game.id,
                folder=folder,
                names=", ".join(there),
            )
        found += [(game, path) for objective, path in there.items() if not objectives or objective in objectives]
    return found


def pack_tables(
    games: Sequence[Game],
    out: str | Path,
    folder: Path | str | None = None,
    objectives: Sequence[str] = (),
    progress: Progress | None = None,
) -> Manifest:
    """Write a pack of tables, as a folder or, if `out` ends in .zip, as one file; all of it or nothing.

    folder: where the tables are. Every byte of them is checked first. Progress counts bytes.
    """
    target = check_new(out)
    chosen = packable(games, tables_folder(folder), objectives)
    tables = tuple(_describe(game, path) for game, path in chosen)
    manifest = Manifest(f"yatzy {__version__}", LICENCE, {game.hash: str(game) for game, _ in chosen}, tables)
    total = sum(one.bytes for one in tables)
    done = 0

    def tell(size: int) -> None:
        nonlocal done
        done += size
        if progress is not None:
            progress(done, total)

    with _beside(target) as aside:
        for one, (_, path) in zip(tables, chosen, strict=True):
            (aside / TABLES).mkdir(exist_ok=True)
            if _copy(path, aside / one.file, tell) != one.sha256:
                raise InputError("{path}: changed while it was packed; run the command again", path=path)
        (aside / FILE).write_text(str(manifest), encoding="utf-8")
        for name in EXTRA:
            (aside / name).write_bytes((resources.files("yatzy.sharing") / "pack" / name).read_bytes())
        if target.suffix.lower() == ZIP:
            _zip(aside, target)
        else:
            _install(aside, target)
    return manifest


def _install(folder: Path, target: Path) -> None:
    try:
        os.replace(folder, target)
    except OSError:
        if os.path.lexists(target):  # another process was faster
            raise _taken(target) from None
        raise


def _taken(target: Path) -> InputError:
    return InputError(
        "{path}: exists already; name a new folder, or a new file that ends in {ending}", path=target, ending=ZIP
    )


def check_new(out: str | Path) -> Path:
    """Refuse a pack that cannot be written: it must be a new folder or a new file."""
    target = named_path(out)
    if os.path.lexists(target):
        raise _taken(target)
    check_target(target)
    return target


def _describe(game: Game, path: Path) -> PackedTable:
    with Table(path) as table:
        if problems := table.verify():
            raise InputError(problems[0])
        key = table.key
        bound = error_bound(game, key.objective)
        return PackedTable(
            file=f"{TABLES}/{path.name}",
            bytes=table.size,
            sha256=_sha256(path),
            game=game.id,
            game_hash=game.hash,
            objective=key.objective,
            kind=kind_of(key.objective),
            table_format=TABLE_FORMAT,
            revision=key.revision,
            layers=key.layers,
            values=count_values(table),
            value_hash=value_hash(table),
            error_bound=None if bound is None else bound.shown,
            error_bound_from=None if bound is None else bound.source,
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A private folder beside the target; what is left of it is removed in the end."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".yatzy-pack-", dir=target.parent))
    except OSError as error:
        raise InputError("{path}: cannot be written: {reason}", path=target, reason=cause_of(error)) from None
    try:
        os.chmod(aside, 0o755)
        yield aside
    except OSError as error:
        raise InputError("{path}: cannot be written: {reason}", path=target, reason=cause_of(error)) from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _copy(source: Path, target: Path, tell: Callable[[int], None]) -> str:
    digest = hashlib.sha256()
    with source.open("rb") as reading, target.open("xb") as writing:
        while chunk := reading.read(_CHUNK):
            digest.update(chunk)
            writing.write(chunk)
            tell(len(chunk))
    return digest.hexdigest()


def _zip(folder: Path, target: Path) -> None:
    """One file, not compressed: values hardly compress, and readers can check sizes before they read."""
    made = folder / f"pack{ZIP}"
    with zipfile.ZipFile(made, "x", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for path in sorted(one for one in folder.rglob("*") if one.is_file() and one != made):
            archive.write(path, path.relative_to(folder).as_posix())
    replace_plain(made, check_target(target))
