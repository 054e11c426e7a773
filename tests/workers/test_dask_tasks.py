"""Tasks of a Dask client that loses its scheduler or its workers; the client is simulated."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future, wait
from typing import Any

import pytest
from helpers.loops import run_async

from yatzy.errors import WorkerError
from yatzy.workers import dask_tasks
from yatzy.workers.dask_tasks import DaskTasks
from yatzy.workers.running import run_tasks

LOST = r"^the workers are gone: the connection to the scheduler was lost; finished results are kept"


class _There:
    """A future of Dask."""

    def __init__(self, result: Callable[[], Any]) -> None:
        self._result, self.cancelled = result, threading.Event()

    async def result(self) -> Any:
        await asyncio.sleep(0)
        return self._result()

    def cancel(self) -> None:
        self.cancelled.set()


class _Loop:
    """Runs what it is given, unless it is lost: then the results never arrive."""

    lost = False

    def add_callback(self, call: Callable[..., Awaitable[None] | None], *arguments: Any) -> None:
        if not self.lost and (waiting := call(*arguments)) is not None:
            run_async(_until(waiting))


async def _until(waiting: Awaitable[None]) -> None:
    await waiting


class _Client:
    """A client whose status and workers change."""

    status = "running"
    pure: bool | None = None

    def __init__(self) -> None:
        self.loop, self.scheduler, self.workers = _Loop(), self, {"one": 1}
        self.there = list[_There]()

    def ncores(self) -> dict[str, int]:
        return self.workers

    def sync(self, ask: Callable[[], Any], callback_timeout: float) -> Any:
        return ask()

    def submit(self, work: Callable[..., Any], *arguments: Any, pure: bool) -> _There:
        self.pure = pure
        self.there.append(_There(lambda: work(*arguments)))
        return self.there[-1]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_tasks, "INTERVAL", 0.01)
    monkeypatch.setattr(dask_tasks, "PATIENCE", 0.05)


def square(number: int) -> int:
    return number * number


def test_every_task_is_done() -> None:
    found, client = dict[int, int](), _Client()
    with DaskTasks(client) as executor:
        run_tasks(executor, square, range(5), lambda task, result: found.update({task: result}))
    assert found == {number: number * number for number in range(5)}
    assert client.pure is False


def test_a_task_is_refused_when_the_scheduler_is_lost() -> None:
    client = _Client()
    with DaskTasks(client) as executor:
        for client.status in ("connecting", "closing", "closed"):
            with pytest.raises(WorkerError, match=LOST):
                run_tasks(executor, square, [1], lambda task, result: None)
    assert not client.there


def test_tasks_end_when_the_scheduler_is_lost_while_they_are_waited_for() -> None:
    client = _Client()
    client.loop.lost = True
    timer = threading.Timer(0.05, setattr, (client, "status", "connecting"))
    with DaskTasks(client) as executor:
        timer.start()
        with pytest.raises(WorkerError, match=LOST):
            run_tasks(executor, square, [1, 2], lambda task, result: None)
    timer.join()


def test_a_result_that_cannot_be_fetched_is_an_error() -> None:
    """Dask's own executor logs this error, and its future never ends."""
    client = _Client()

    def fetch(number: int) -> int:
        client.status = "connecting" if len(client.there) == 2 else "running"
        raise OSError("Stream is closed")

    with DaskTasks(client) as executor:
        with pytest.raises(OSError, match="Stream is closed"):
            executor.submit(fetch, 1).result(10)
        with pytest.raises(WorkerError, match=LOST):
            run_tasks(executor, fetch, [1], lambda task, result: None)


@pytest.mark.parametrize(
    ("status", "says"),
    [("connecting", "the connection to the scheduler was lost"), ("running", "their tasks were cancelled")],
)
def test_what_dask_cancels_is_one_clear_line(status: str, says: str) -> None:
    client = _Client()

    def cancelled(number: int) -> int:
        client.status = status
        raise CancelledError("a key and a reason")

    with DaskTasks(client) as executor, pytest.raises(WorkerError, match=f"^the workers are gone: {says}; finished"):
        run_tasks(executor, cancelled, [1], lambda task, result: None)


def test_a_task_that_is_cancelled_here_is_cancelled_there() -> None:
    client, held = _Client(), list[tuple[Any, ...]]()
    client.loop.add_callback = lambda call, *arguments: held.append((call, *arguments))  # type: ignore[method-assign]
    with DaskTasks(client) as executor:
        future = executor.submit(square, 2)
        assert future.cancel()
        (follow, *about), (cancel,) = held
        cancel()
        assert client.there[0].cancelled.is_set()
        run_async(follow(*about))  # its result comes too late
        assert future.cancelled()
        last: Future[Any] = executor.submit(square, 3)
    assert wait([last], 10).done
    assert last.cancelled()
    with pytest.raises(RuntimeError, match="was shut down"):
        executor.submit(square, 4)


def test_without_workers_it_is_said_once_each_time() -> None:
    client, said = _Client(), threading.Semaphore(0)
    with DaskTasks(client, said.release) as executor:
        client.workers = {}
        assert not said.acquire(timeout=0.2)  # nothing to do
        client.loop.lost = True
        executor.submit(square, 1)
        assert said.acquire(timeout=10)
        assert not said.acquire(timeout=0.2)
        client.workers = {"two": 1}
        assert not said.acquire(timeout=0.2)
        client.workers = {}
        assert said.acquire(timeout=10)


def test_a_scheduler_that_does_not_answer_has_not_lost_its_workers() -> None:
    client, said = _Client(), threading.Event()

    def silent(*_: Any, **__: Any) -> Any:
        raise TimeoutError

    client.sync = silent  # type: ignore[method-assign]
    client.loop.lost = True
    with DaskTasks(client, said.set) as executor:
        executor.submit(square, 1)
        assert not said.wait(0.2)
