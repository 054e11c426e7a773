"""Writing to disk so that the data survive a crash, and the error for when that fails."""

import contextlib
import errno
import os
import shutil
import sys
from collections.abc import Iterable
from io import FileIO
from pathlib import Path

from yatzy.errors import Message, TableUnwritable, cause_of

_CHUNK = 1 << 24  # a system call writes at most 2 GiB, and Ctrl-C has to wait for it
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_at(file: FileIO, offset: int, pieces: Iterable[bytes | memoryview]) -> None:
    """Write the pieces one after another from `offset`, and wait until they are on the disk."""
    file.seek(offset)
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            rest = rest[file.write(rest[:_CHUNK]) or 0 :]
    sync(file.fileno())


def sync(descriptor: int) -> None:
    """Wait until everything written so far is on the disk."""
    if sys.platform == "darwin":
        import fcntl  # not on Windows

        # On macOS, fsync does not flush the cache of the drive.
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, on systems that can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def free_space(folder: Path) -> int:
    """The free bytes of the disk of a folder, which may not exist yet."""
    return shutil.disk_usage(next(path for path in (folder, *folder.absolute().parents) if path.exists())).free


def unwritable(path: Path, what: Message, error: OSError, needed: int | None = None) -> TableUnwritable:
    """The error for `what`, which could not be written to `path`."""
    size = Message(" ({size})", size=_megabytes(needed)) if needed is not None else ""
    reason = cause_of(error)
    if error.errno in _NO_ROOM:
        with contextlib.suppress(OSError):
            free = _megabytes(shutil.disk_usage(path.parent).free)
            reason = Message("{reason}, {free} free", reason=reason, free=free)
        advice = Message("free some space or set YATZY_TABLES to another folder; finished layers are kept")
    else:
        advice = Message("set YATZY_TABLES to a folder that can be written")
    problem = Message("cannot write {what}{size} to {path}: {reason}", what=what, size=size, path=path, reason=reason)
    return TableUnwritable("{problem}; {remedy}", problem=problem, remedy=advice)


def _megabytes(size: int) -> Message:
    return Message("{size:.1f} MB", size=size / 1e6) if size >= 100_000 else Message("{size} bytes", size=size)
