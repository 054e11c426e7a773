"""Files and folders of results: written whole or not at all, by one process at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from yatzy.errors import InputError, TableUnwritable
from yatzy.store.disk import sync
from yatzy.store.locking import Report, held


def write_atomic(path: Path, data: bytes | str) -> None:
    """Write a file aside and rename it, so that a broken one never replaces a good one."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with aside.open("wb") as file:
                file.write(data.encode() if isinstance(data, str) else data)
                file.flush()
                sync(file.fileno())
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


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
