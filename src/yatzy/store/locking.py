"""The lock beside a table: only one process builds it at a time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from yatzy.errors import Message, TableUnwritable
from yatzy.store.disk import unwritable

_PATIENCE = 100
"""How often others may remove the folder of a lock before we give up."""

Report = Callable[[str], None]
"""Called with one line of text for the user: a `Message`, which is English text that can be translated."""


def tell(report: Report | None, line: Message) -> None:
    """Pass a line on, if there is a `report`."""
    if report is not None:
        report(line)


@contextmanager
def table_lock(folder: Path, name: str, report: Report | None = None, *, wait: bool = True) -> Iterator[Path]:
    """Hold the lock of a table; yields its path. The system releases it if this process is killed.

    While another process holds it, report that once and wait; raise if `wait` is False.
    """
    from filelock import FileLock, Timeout  # slow to import, and only builders need it

    path, told, vanished = folder / f"{name}.lock", False, 0
    lock = FileLock(path)
    while not lock.is_locked:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # In steps: the process that held the lock may have removed the folder, which is then created again.
            lock.acquire(timeout=1.0 if told else 0, poll_interval=0.1)
        except Timeout:
            if not wait:
                raise TableUnwritable(
                    "{name} is being built by another process; wait for it or stop it first", name=name
                ) from None
            if not told:
                tell(report, Message("another process is building {name}; waiting for it", name=name))
            told = True
        except FileNotFoundError as error:
            vanished += 1
            if vanished > _PATIENCE:
                raise unwritable(path, Message("the lock"), error) from error
        except OSError as error:
            raise unwritable(path, Message("the lock"), error) from error
    try:
        yield path
    finally:
        lock.release()
