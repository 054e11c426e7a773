"""One builder at a time: the lock beside a table, and words for whoever waits."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from yatzy.errors import TableUnwritable
from yatzy.store.disk import unwritable

Report = Callable[[str], None]
"""Is given one line for people at a time."""


def tell(report: Report | None, line: str) -> None:
    """Report a line, if anyone listens."""
    if report is not None:
        report(line)


@contextmanager
def held(folder: Path, name: str, report: Report | None = None, *, wait: bool = True) -> Iterator[Path]:
    """Hold the lock of a table, which the system frees if we are killed; gives the path of the lock.

    While another process holds it: say so once and wait, or refuse if `wait` is False.
    """
    from filelock import FileLock, Timeout  # costs as much as the rest of the package; only builders need it

    path = folder / f"{name}.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if not wait:
                raise TableUnwritable(
                    f"{name} is being built by another process; wait for it or stop it first"
                ) from None
            tell(report, f"another process is building {name}; waiting for it")
            lock.acquire(poll_interval=0.1)
    except OSError as error:
        raise unwritable(path, "the lock", error) from error
    try:
        yield path
    finally:
        lock.release()
