"""A cache of results that computes each one once, even when it is requested several times at once."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
Progress = Callable[[int, int], None]


@dataclass(eq=False)
class _Asker:
    progress: Progress | None


@dataclass(eq=False)
class _Running:
    """A running task and the callers waiting for it."""

    task: asyncio.Task[Any]
    askers: list[_Asker] = field(default_factory=list)


class Kept:
    """An LRU cache of at most `most` results. Not thread-safe: use it from one event loop."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Hashable, Any] = OrderedDict()
        self._running: dict[Hashable, _Running] = {}

    def __len__(self) -> int:
        return len(self._found)

    def make(self, key: Hashable, make: Callable[[], T]) -> T:
        """The cached result for a key, or the result of `make`."""
        found: T = self._found[key] if key in self._found else make()
        self._keep(key, found)
        return found

    async def ask(
        self, key: Hashable, work: Callable[[Progress], Coroutine[Any, Any, T]], progress: Progress | None = None
    ) -> T:
        """The cached result for a key, or the result of `work`. Concurrent calls with the same key share one task.

        `progress` must not raise. Cancel the call to stop waiting; the task is cancelled when no caller is left.
        Errors are not cached.
        """
        if key in self._found:
            kept: T = self._found[key]
            self._keep(key, kept)
            return kept
        running = self._running.get(key)
        if running is None:
            running = self._running[key] = self._start(key, work)
        asker = _Asker(progress)
        running.askers.append(asker)
        try:
            found: T = await asyncio.shield(running.task)
            return found
        finally:
            running.askers.remove(asker)
            if not running.askers:
                running.task.cancel()
                if self._running.get(key) is running:  # later calls start a new task
                    del self._running[key]

    def _start(self, key: Hashable, work: Callable[[Progress], Coroutine[Any, Any, Any]]) -> _Running:
        def tell(done: int, total: int) -> None:
            for asker in list(running.askers):
                if asker.progress is not None:
                    asker.progress(done, total)

        def done(task: asyncio.Task[Any]) -> None:
            if self._running.get(key) is running:
                del self._running[key]
            with contextlib.suppress(asyncio.CancelledError):
                if task.exception() is None:
                    self._keep(key, task.result())

        running = _Running(asyncio.create_task(work(tell)))
        running.task.add_done_callback(done)
        return running

    def _keep(self, key: Hashable, found: Any) -> None:
        self._found[key] = found
        self._found.move_to_end(key)
        while len(self._found) > self._most:
            self._found.popitem(last=False)
