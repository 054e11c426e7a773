"""Results that are kept: each worked out once, whoever asks; dropped when nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from helpers.loops import run_async

from yatzy.web.kept import Kept, Progress


class Work:
    """Work that waits until it is told to end."""

    def __init__(self) -> None:
        self.begun, self.cancelled = 0, 0
        self.end = asyncio.Event()
        self.tell: Callable[[int, int], None] = lambda *_: None
        self.fails = False

    async def __call__(self, tell: Progress) -> int:
        self.begun, self.tell = self.begun + 1, tell
        try:
            await self.end.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.fails:
            raise ValueError("it failed")
        return self.begun


async def _start(asked: list[asyncio.Task[int]]) -> None:
    for _ in range(3):
        await asyncio.sleep(0)
    assert not any(task.done() for task in asked)


def test_those_who_ask_at_the_same_time_share_the_work_and_its_progress() -> None:
    async def check() -> None:
        kept, work, told = Kept(2), Work(), list[tuple[str, int, int]]()

        def listener(name: str) -> Progress:
            return lambda done, total: told.append((name, done, total))

        asked = [asyncio.create_task(kept.ask("key", work, listener(name))) for name in "ab"]
        await _start(asked)
        work.tell(1, 2)
        assert told == [("a", 1, 2), ("b", 1, 2)]
        work.end.set()
        assert await asyncio.gather(*asked) == [1, 1]
        assert await kept.ask("key", work) == 1
        assert work.begun == 1

    run_async(check())


def test_work_goes_on_while_anybody_waits_and_ends_with_the_last() -> None:
    async def check() -> None:
        kept, work = Kept(2), Work()
        asked = [asyncio.create_task(kept.ask("key", work)) for _ in range(2)]
        await _start(asked)
        asked[0].cancel()
        await _start(asked[1:])
        assert work.cancelled == 0
        asked[1].cancel()
        again = asyncio.create_task(kept.ask("key", work))
        await _start([again])
        assert (work.begun, work.cancelled) == (2, 1), "whoever asks after that starts anew"
        work.end.set()
        assert await again == 2
        for task in asked:
            with pytest.raises(asyncio.CancelledError):
                await task

    run_async(check())


def test_errors_are_told_to_all_and_not_kept() -> None:
    async def check() -> None:
        kept, work = Kept(2), Work()
        work.fails = True
        asked = [asyncio.create_task(kept.ask("key", work)) for _ in range(2)]
        await _start(asked)
        work.end.set()
        for task in asked:
            with pytest.raises(ValueError, match="it failed"):
                await task
        work.fails = False
        assert await kept.ask("key", work) == 2
        assert len(kept) == 1

    run_async(check())


def test_the_results_used_last_are_kept() -> None:
    kept, made = Kept(2), list[str]()

    def make(key: str) -> str:
        return kept.make(key, lambda: made.append(key) or key.upper())  # type: ignore[func-returns-value]

    for key in "abaca":
        assert make(key) == key.upper()
    assert made == ["a", "b", "c"]
    assert make("b") == "B"
    assert made == ["a", "b", "c", "b"]
    assert len(kept) == 2
