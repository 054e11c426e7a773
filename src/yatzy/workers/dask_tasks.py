"""The tasks of a Dask client as an executor whose futures always end.

Those of Dask's own executor may not. If the scheduler is lost while a result is fetched, the error is only logged, and
a task that is submitted while the client tries to connect again may be forgotten.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, InvalidStateError
from contextlib import suppress
from typing import Any

from yatzy.errors import Message

INTERVAL = 1.0
"""Seconds between two looks at the client."""
PATIENCE = 10.0
"""Seconds without any worker after which that is reported."""
ASK = 5.0
"""Seconds for the scheduler to say what workers it has."""
RUNNING = "running"
"""The status of a client that is connected."""
LOST = Message("the connection to the scheduler was lost")


class DaskTasks(Executor):
    """Gives tasks to a client. All of them fail when the client loses its scheduler, also if it finds it again."""

    def __init__(self, client: Any, waits: Callable[[], None] | None = None) -> None:
        """waits: called, in another thread, when there are tasks but were no workers for PATIENCE seconds."""
        self._client, self._waits = client, waits
        self._pending = set[Future[Any]]()
        self._stopped = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="yatzy-dask", daemon=True)
        self._watcher.start()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """Give a task to the client. It is tried again when its worker is lost."""
        if self._stopped.is_set():
            raise RuntimeError("the executor was shut down")
        if self._client.status != RUNNING:
            raise BrokenExecutor(LOST)
        # A task that failed is not the same task when it is given again, so it is not pure.
        there = self._client.submit(work, *arguments, pure=False, **options)
        here = Future[Any]()
        self._pending.add(here)
        here.add_done_callback(lambda _: self._forget(here, there))
        self._client.loop.add_callback(self._follow, there, here)
        return here

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop looking at the client, and cancel what has not ended. The client is left open."""
        self._stopped.set()
        for future in tuple(self._pending):
            future.cancel()
        if wait:
            self._watcher.join(INTERVAL)  # it may be asking a scheduler that does not answer

    def _forget(self, here: Future[Any], there: Any) -> None:
        self._pending.discard(here)
        if here.cancelled():
            here.set_running_or_notify_cancel()  # wakes who waits
            if self._client.status == RUNNING:
                self._client.loop.add_callback(there.cancel)

    async def _follow(self, there: Any, here: Future[Any]) -> None:
        """End a future as that of Dask does. Runs in the loop of the client, where results are awaited."""
        try:
            result = await there.result()
        except CancelledError:  # by Dask, when the connection is lost; its text is about a key
            _fail(here, BrokenExecutor(LOST) if self._client.status != RUNNING else CancelledError())
        except Exception as error:  # of the task, or of fetching its result
            _fail(here, error)
        else:
            with suppress(InvalidStateError):
                here.set_result(result)

    def _watch(self) -> None:
        empty = 0.0
        while not self._stopped.wait(INTERVAL):
            if self._client.status != RUNNING:
                for future in tuple(self._pending):
                    _fail(future, BrokenExecutor(LOST))
            if self._waits is None:
                continue
            before, empty = empty, empty + INTERVAL if self._pending and self._lacks_workers() else 0.0
            if before < PATIENCE <= empty:
                self._waits()

    def _lacks_workers(self) -> bool:
        try:
            return not self._client.sync(self._client.scheduler.ncores, callback_timeout=ASK)
        except Exception:  # lost, or about to be; the next look finds out
            return False


def _fail(future: Future[Any], error: Exception) -> None:
    with suppress(InvalidStateError):  # it has ended in the meantime
        future.set_exception(error)
