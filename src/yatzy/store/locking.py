"""One builder at a time: the lock beside a table, and words for whoever waits."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from yatzy.errors import TableUnwritable
from yatzy.store.disk import unwritable

_PATIENCE = 100
"""How often the folder of a lock may be removed by others before we give up."""

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

    path, told, vanished = folder / f"{name}.lock", False, 0
    lock = FileLock(path)
    while not lock.is_locked:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # In steps: who held the lock may have removed the folder with it, which is then made again.
            lock.acquire(timeout=1.0 if told else 0, poll_interval=0.1)
        except Timeout:
            if not wait:
                raise TableUnwritable(
                    f"{name} is being built by another process; wait for it or stop it first"
                ) from None
            if not told:
                tell(report, f"another process is building {name}; waiting for it")
            told = True
        except FileNotFoundError as error:
            vanished += 1
            if vanished > _PATIENCE:
                raise unwritable(path, "the lock", error) from error
        except OSError as error:
            raise unwritable(path, "the lock", error) from error
    try:
        yield path
    finally:
        lock.release()
