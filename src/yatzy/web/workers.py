"""Long questions: a few at a time, a few that wait, each with a time in which it must be done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from yatzy.web import limits
from yatzy.web.refusals import Busy, TooMuch

T = TypeVar("T")
Progress = Callable[[int, int], None]


class Workers:
    """Threads for questions that take longer than a moment."""

    def __init__(self, count: int = limits.WORKERS, waiting: int = limits.WAITING) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="questions")
        self._most, self._asked, self._stopped = count + waiting, 0, False

    async def run(self, work: Callable[[], T]) -> T:
        """What the work gives; `Busy` when too much is waiting already."""
        if self._stopped or self._asked >= self._most:
            raise Busy("too many long questions at the same time; ask again in a moment")
        self._asked += 1
        loop, future = asyncio.get_running_loop(), self._pool.submit(work)
        future.add_done_callback(lambda _: self._done(loop))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            raise Busy("the server is leaving; ask again when it is back") from None

    def _done(self, loop: asyncio.AbstractEventLoop) -> None:
        # Counted when the thread is free again, not when the one who asked has left.
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        self._asked -= 1

    def deadline(self, then: Progress | None = None) -> Progress:
        """To be told of progress; raises when the time for a question is up, or the server leaves."""
        end, seconds = time.monotonic() + limits.SECONDS, limits.SECONDS

        def advance(done: int, total: int) -> None:
            if self._stopped:
                raise Busy("the server is leaving; ask again when it is back")
            if time.monotonic() > end:
                raise TooMuch(f"that takes longer than the {seconds:g} seconds a question may take here")
            if then is not None:
                then(done, total)

        return advance

    def stop(self) -> None:
        """Leave off what is worked on, and take no more."""
        self._stopped = True
        self._pool.shutdown(wait=False, cancel_futures=True)
