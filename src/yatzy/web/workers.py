"""Worker threads for questions of milliseconds to a second, with a bounded queue. Longer ones use `web.processes`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

from yatzy.web import limits
from yatzy.web.processes import LEAVING, TOO_MANY, is_cancelled
from yatzy.web.refusals import Busy

T = TypeVar("T")


class Workers:
    """A thread pool with a bounded queue."""

    def __init__(self, count: int = limits.WORKERS, waiting: int = limits.WAITING) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="questions")
        self._most, self._asked, self._stopped = count + waiting, 0, False
        self._lock = Lock()

    async def run(self, work: Callable[[], T]) -> T:
        """Run work in a thread and return its result. Raises `Busy` if the queue is full."""
        with self._lock:
            if self._stopped or self._asked >= self._most:
                raise Busy(LEAVING if self._stopped else TOO_MANY)
            future = self._pool.submit(work)
            self._asked += 1
        # Release the slot when the thread is free, not when the caller stops waiting.
        future.add_done_callback(lambda _: self._leave())
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if self._stopped and not is_cancelled():  # cancelled by the shutdown, not by the caller
                raise Busy(LEAVING) from None
            raise

    def _leave(self) -> None:
        with self._lock:  # in the thread of the worker: to wake the event loop for this would cost more
            self._asked -= 1

    def stop(self) -> None:
        """Accept no more work. Running work finishes."""
        with self._lock:
            self._stopped = True
        self._pool.shutdown(wait=False, cancel_futures=True)
