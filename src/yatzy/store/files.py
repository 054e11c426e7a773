"""Output files: checked before the work, written whole or not at all, by one process at a time.

What a name stands for decides how it is written. A plain file, or one that does not exist yet, is replaced: the data
go to a private file beside it, which is renamed when it is whole. Of a symbolic link the file behind it is replaced.
A device or pipe is written through. Anything else is refused.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from yatzy.errors import InputError, TableUnwritable
from yatzy.store.disk import sync, sync_folder
from yatzy.store.locking import Report, held

# A day from either end, so that every time zone can show them.
_FIRST_TIME = datetime(1, 1, 2, tzinfo=UTC).timestamp()
_LAST_TIME = datetime(9999, 12, 30, tzinfo=UTC).timestamp()
_YOUNG = 60.0
"""Seconds in which a temporary file may belong to a writer that has not locked it yet."""
_OLD = 86_400.0
"""Seconds after which a temporary file is stale where files cannot be locked."""


@dataclass(frozen=True, slots=True)
class Target:
    """What an output is written to."""

    path: Path
    """The name as given."""
    file: Path
    """The plain file to replace, links resolved; the name as given where it is written through."""
    plain: bool
    """Whether it is a plain file, or will be; otherwise it is written through."""
    mode: int | None
    """The permissions of the file that is there."""


def check_target(path: str | Path, *, seekable: bool = False) -> Target:
    """Refuse a name that cannot be written, before anything is computed.

    seekable: whether it must be a plain file, because the data do not go through memory.
    """
    path = Path(path)
    try:
        try:
            there = os.stat(path)
        except FileNotFoundError:
            file = Path(os.path.realpath(path))
            _check_folder(path, file.parent)
            return Target(path, file, True, None)
    except OSError as error:
        raise _unwritable(path, error) from None
    except ValueError as error:  # a null character
        raise InputError(f"{str(path)!r}: is not the name of a file: {error}") from None
    if stat.S_ISDIR(there.st_mode):
        raise InputError(f"{path}: is a folder; give the name of a file")
    if stat.S_ISREG(there.st_mode):
        file = Path(os.path.realpath(path))
        _check_folder(path, file.parent)
        return Target(path, file, True, stat.S_IMODE(there.st_mode) & 0o777)
    if not (stat.S_ISCHR(there.st_mode) or stat.S_ISFIFO(there.st_mode)):
        raise InputError(f"{path}: is neither a file nor a pipe; give the name of a file")
    if seekable:
        raise InputError(f"{path}: is a device or pipe, and this needs a plain file")
    return Target(path, path, False, None)


def _check_folder(path: Path, folder: Path) -> None:
    """Refuse a folder that cannot take a new file; where it does not exist, the nearest one above it decides."""
    there = next(one for one in (folder, *folder.parents) if os.path.lexists(one) or one == one.parent)
    if not there.is_dir():
        raise InputError(f"{path}: cannot be written: {there} is not a folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"{path}: cannot be written: {there} may not be written")


def write_atomic(path: str | Path, data: bytes | str) -> None:
    """Write a file whole or not at all. Folders above it are made; a device or pipe is written through."""
    target, content = check_target(path), data.encode() if isinstance(data, str) else data
    try:
        if not target.plain:
            _write_through(target.path, content)
            return
        target.file.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(target.file)
        with _temporary(target, content) as aside:
            replace_plain(aside, target)
    except OSError as error:
        raise _unwritable(target.path, error) from None


def replace_plain(source: Path, target: Target) -> None:
    """Rename a finished file to a checked target, unless something other than a plain file lies there by now."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(os.lstat(target.file).st_mode):
            raise InputError(f"{target.path}: is no longer a plain file; nothing was written to it")
    os.replace(source, target.file)
    sync_folder(target.file.parent)


def parts_folder(target: Target) -> Path:
    """Where the unfinished work of a target waits."""
    folder = target.file.with_name(f"{target.file.name}.parts")
    try:
        folder.lstat()
    except FileNotFoundError:
        pass
    except OSError as error:  # a name that is too long
        raise _unwritable(folder, error) from None
    return folder


def private_folder(path: Path) -> Path:
    """Make a folder that only this user can look into, or take the one of an earlier run.

    Work that can be resumed waits there under names that are known: in a folder that others may write to, such a
    name could be a link of theirs.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700)
        there = os.lstat(path)
    except OSError as error:
        raise _unwritable(path, error) from None
    mine = not hasattr(os, "geteuid") or there.st_uid == os.geteuid()
    if not stat.S_ISDIR(there.st_mode) or not mine:
        raise InputError(f"{path}: unfinished work is kept there, but it is not a folder of yours; remove it")
    return path


def _write_through(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NOCTTY", 0))
    try:
        _write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest[: 1 << 24]) :]


def _prefix(file: Path) -> str:
    """How the temporary files of a target begin; of one length, so that they fit wherever the target fits."""
    return f".yatzy-{hashlib.blake2b(os.fsencode(file.name), digest_size=8).hexdigest()}-"


@contextmanager
def _temporary(target: Target, data: bytes) -> Iterator[Path]:
    """A new file beside a target with the data on the disk; removed if it is still there in the end.

    It is private until it is whole. `mkstemp` creates exclusively, follows no links and chooses a name at random.
    """
    descriptor, name = tempfile.mkstemp(prefix=_prefix(target.file), suffix=".part", dir=target.file.parent)
    try:
        try:
            _try_lock(descriptor)
            _write_all(descriptor, data)
            if hasattr(os, "fchmod"):  # by its descriptor: the name may be somebody else's link by now
                os.fchmod(descriptor, _default_mode() if target.mode is None else target.mode)
            sync(descriptor)
        finally:
            os.close(descriptor)
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _try_lock(descriptor: int) -> bool:
    """Lock an open file if nobody else holds it; False where that cannot be told."""
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_stale(file: Path) -> None:
    """Remove temporary files of the same target whose writers were killed.

    A file is stale when nobody holds its lock any more, or where that cannot be told after a day.
    """
    with contextlib.suppress(OSError), os.scandir(file.parent) as entries:
        for entry in entries:
            if entry.name.startswith(_prefix(file)) and entry.name.endswith(".part"):
                with contextlib.suppress(OSError):
                    if _is_stale(entry.path):
                        os.unlink(entry.path)


def _is_stale(name: str) -> bool:
    descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        about = os.fstat(descriptor)
        age = time.time() - about.st_mtime
        if not stat.S_ISREG(about.st_mode) or age < _YOUNG:
            return False
        return age > _OLD or _try_lock(descriptor)
    finally:
        os.close(descriptor)


def _default_mode() -> int:
    """The permissions that a new file of this process gets."""
    mask = os.umask(0o077)  # for a moment stricter, never looser, for other threads
    os.umask(mask)
    return 0o666 & ~mask


def file_time(seconds: float) -> datetime:
    """The time of a file, in UTC; one beyond the years that `datetime` knows becomes the first or last of them."""
    return datetime.fromtimestamp(min(max(seconds, _FIRST_TIME), _LAST_TIME), UTC)


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"{path}: cannot be written: {error.strerror or error}")


@contextmanager
def locked(folder: Path, name: str, report: Report | None = None) -> Iterator[None]:
    """Hold a lock in a folder, which is made if it is not there; whoever comes later waits."""
    with ExitStack() as stack:
        try:
            stack.enter_context(held(folder, name, report))
        except TableUnwritable as error:  # its advice is about the folder of tables, which this is not
            cause = error.__cause__
            reason = (isinstance(cause, OSError) and cause.strerror) or error
            raise InputError(f"{folder}: cannot be written: {reason}") from None
        yield


def remove_locked(folder: Path, name: str) -> None:
    """Remove a folder of finished work while holding its lock `name`; the lock goes last.

    A process that waits for the lock makes the folder again and starts with an empty one.
    """
    lock = folder / f"{name}.lock"
    for path in sorted(folder.iterdir()):
        if path != lock and not path.is_dir():
            path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # an open file cannot be removed on Windows
        lock.unlink()
        folder.rmdir()
