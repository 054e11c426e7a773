"""Output files: checked before the work begins, and written atomically.

A plain file, or one that does not exist yet, is replaced: the data go to a private file beside it, which is then
renamed. For a symbolic link, the file that it points to is replaced. A device or pipe is written to directly. Anything
else is refused.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from yatzy.errors import InputError, TableUnwritable, cause_of
from yatzy.store.disk import sync, sync_folder
from yatzy.store.locking import Report, table_lock

Data = bytes | memoryview

# A day from either end, so that every time zone can show them.
_FIRST_TIME = datetime(1, 1, 2, tzinfo=UTC).timestamp()
_LAST_TIME = datetime(9999, 12, 30, tzinfo=UTC).timestamp()
_YOUNG = 60.0
"""Seconds during which the writer of a temporary file may not have locked it yet."""
_OLD = 86_400.0
"""Seconds after which a temporary file is stale on systems that cannot lock files."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where an output goes."""

    path: Path
    """The name as given."""
    file: Path
    """The plain file to replace, with links resolved; for a device or pipe, the name as given."""
    plain: bool
    """Whether it is or will be a plain file. If not, it is written to directly."""
    mode: int | None
    """The permissions of the existing file."""


def check_target(path: str | Path, *, seekable: bool = False) -> Target:
    """Refuse a name that cannot be written, before anything is computed.

    seekable: whether it must be a plain file, because the data are too large for memory.
    """
    path = Path(path)
    try:
        there, file = _status_of(path)
    except OSError as error:
        raise _unwritable(path, error) from None
    except ValueError as error:  # a null character
        raise InputError(
            "{path!r}: is not the name of a file: {reason}", path=str(path), reason=cause_of(error)
        ) from None
    if there is None:
        _check_folder(path, file.parent)
        return Target(path, file, True, None)
    if stat.S_ISDIR(there.st_mode):
        raise InputError("{path}: is a folder; give the name of a file", path=path)
    if stat.S_ISREG(there.st_mode):
        _check_folder(path, file.parent)
        return Target(path, file, True, stat.S_IMODE(there.st_mode) & 0o777)
    if not (stat.S_ISCHR(there.st_mode) or stat.S_ISFIFO(there.st_mode)):
        raise InputError("{path}: is neither a file nor a pipe; give the name of a file", path=path)
    if seekable:
        raise InputError("{path}: is a device or pipe, and this needs a plain file", path=path)
    return Target(path, path, False, None)


def _status_of(path: Path) -> tuple[os.stat_result | None, Path]:
    """The status of a file, None if there is no such file, and its absolute name without a link at the end."""
    with contextlib.suppress(FileNotFoundError):
        there = os.lstat(path)
        if not stat.S_ISLNK(there.st_mode):  # mostly: resolving every folder of the name would take longer
            return there, path.absolute()
    file = Path(os.path.realpath(path))
    try:
        return os.stat(path), file
    except FileNotFoundError:
        return None, file


def _check_folder(path: Path, folder: Path) -> None:
    """Refuse a folder in which no file can be created; for a missing folder, check its nearest existing parent."""
    there = next(one for one in (folder, *folder.parents) if os.path.lexists(one) or one == one.parent)
    if not there.is_dir():
        raise InputError("{path}: cannot be written: {there} is not a folder", path=path, there=there)
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError("{path}: cannot be written: {there} may not be written", path=path, there=there)


def write_atomic(path: str | Path, data: bytes | str | Sequence[Data], *, tidy: bool = True) -> None:
    """Write a file completely or not at all, and create its folder. A device or pipe is written to directly.

    data: several pieces are written one after another, so that large ones need not be copied together.
    tidy: whether to remove what killed writers of this file left. Looking for it takes as long as the folder is large.
    """
    target = check_target(path)
    content: Sequence[Data] = [data.encode()] if isinstance(data, str) else [data] if isinstance(data, bytes) else data
    try:
        if not target.plain:
            _write_through(target.path, content)
            return
        if target.mode is None:
            target.file.parent.mkdir(parents=True, exist_ok=True)
        if tidy:
            _remove_stale(target.file)
        with _temporary(target, content) as aside:
            replace_plain(aside, target)
    except OSError as error:
        raise _unwritable(target.path, error) from None


def replace_plain(source: Path, target: Target) -> None:
    """Rename a finished file to a checked target, unless the target is no longer a plain file."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(os.lstat(target.file).st_mode):
            raise InputError("{path}: is no longer a plain file; nothing was written to it", path=target.path)
    os.replace(source, target.file)
    sync_folder(target.file.parent)


def parts_folder(target: Target) -> Path:
    """The folder for the unfinished work of a target."""
    folder = target.file.with_name(f"{target.file.name}.parts")
    try:
        folder.lstat()
    except FileNotFoundError:
        pass
    except OSError as error:  # a name that is too long
        raise _unwritable(folder, error) from None
    return folder


def private_folder(path: Path) -> Path:
    """Create a folder that only this user can read, or reuse that of an earlier run.

    It holds work to be resumed, under predictable names. In a folder that others can write to, such a name could be a
    link that somebody else made.
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
        raise InputError("{path}: unfinished work is kept there, but it is not a folder of yours; remove it", path=path)
    return path


def _write_through(path: Path, data: Sequence[Data]) -> None:
    descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NOCTTY", 0))
    try:
        _write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: Sequence[Data]) -> None:
    for piece in data:
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(descriptor, rest[: 1 << 24]) :]


def _prefix(file: Path) -> str:
    """The prefix of temporary files for a target; a hash, so that long names stay within the limit."""
    return f".yatzy-{hashlib.blake2b(os.fsencode(file.name), digest_size=8).hexdigest()}-"


@contextmanager
def _temporary(target: Target, data: Sequence[Data]) -> Iterator[Path]:
    """A temporary file beside a target with the data on disk; removed in the end if it is still there.

    It is private until it is complete. `mkstemp` creates it exclusively, follows no links and picks a random name.
    """
    descriptor, name = tempfile.mkstemp(prefix=_prefix(target.file), suffix=".part", dir=target.file.parent)
    try:
        try:
            _try_lock(descriptor)
            _write_all(descriptor, data)
            if hasattr(os, "fchmod"):  # by descriptor, because the name may have become somebody else's link
                os.fchmod(descriptor, _default_mode() if target.mode is None else target.mode)
            sync(descriptor)
        finally:
            os.close(descriptor)
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _try_lock(descriptor: int) -> bool:
    """Lock an open file if nobody else has; False if somebody has, or if files cannot be locked here."""
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

    A file is stale when its lock is free, or after a day on systems that cannot lock files.
    """
    prefix = _prefix(file)
    with contextlib.suppress(OSError), os.scandir(file.parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and entry.name.endswith(".part"):
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
    """The permissions that this process gives to new files."""
    mask = os.umask(0o077)  # other threads see a stricter mask for a moment, never a looser one
    os.umask(mask)
    return 0o666 & ~mask


def file_time(seconds: float) -> datetime:
    """The time of a file, in UTC; one beyond the years that `datetime` knows becomes the first or last of them."""
    return datetime.fromtimestamp(min(max(seconds, _FIRST_TIME), _LAST_TIME), UTC)


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError("{path}: cannot be written: {reason}", path=path, reason=cause_of(error))


@contextmanager
def locked(folder: Path, name: str, report: Report | None = None) -> Iterator[None]:
    """Hold a lock in a folder, which is created if necessary; wait while another process holds it."""
    with ExitStack() as stack:
        try:
            stack.enter_context(table_lock(folder, name, report))
        except TableUnwritable as error:  # its advice is about the folder of tables
            cause = error.__cause__
            reason = cause_of(cause if isinstance(cause, OSError) and cause.strerror else error)
            raise InputError("{path}: cannot be written: {reason}", path=folder, reason=reason) from None
        yield


def remove_locked(folder: Path, name: str) -> None:
    """Remove a folder of finished work while holding its lock `name`, which is removed last.

    A process that waits for the lock creates the folder again and starts with an empty one.
    """
    lock = folder / f"{name}.lock"
    for path in sorted(folder.iterdir()):
        if path != lock and not path.is_dir():
            path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # an open file cannot be removed on Windows
        lock.unlink()
        folder.rmdir()
