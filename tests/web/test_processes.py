"""Long work in child processes: it can be ended, and whatever becomes of a child, the next question is answered."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.loops import run_async

from yatzy.errors import InputError
from yatzy.web import limits
from yatzy.web.processes import Processes
from yatzy.web.refusals import Busy, TooMuch
from yatzy.web.workers import Workers

MODULE = "web.process_tasks"
MEGABYTE = 2**20
SOON = 60.0
"""Seconds after which a test gives up; nothing here takes more than a moment."""


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    found = Processes(tmp_path, count=1, waiting=2, memory=800 * MEGABYTE, module=MODULE)
    yield found
    found.stop()


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def has_ended(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):  # the second if it ends between opening and reading
        return True
    return status.rpartition(")")[2].split()[0] == "Z"


async def until_said(path: Path) -> int:
    """The process that a task has written down."""
    while not path.exists() or not path.read_text(encoding="ascii"):
        await asyncio.sleep(0.01)
    return int(path.read_text(encoding="ascii"))


def go(work: Coroutine[Any, Any, Any]) -> Any:
    return run_async(work, SOON)


def test_results_and_progress_come_back_and_the_process_is_kept(processes: Processes) -> None:
    told: list[tuple[int, int]] = []
    first = go(processes.run("add", 2, 3, progress=lambda *at: told.append(at)))
    second = go(processes.run("add", 4, 5))
    assert (first[0], second[0]) == (5, 9)
    assert first[1] == second[1] != os.getpid()
    assert (first[2], second[2]) == (1, 2)
    assert told == [(1, 2)]


def test_errors_come_back_as_what_they_are(processes: Processes) -> None:
    with pytest.raises(InputError, match="not so"):
        go(processes.run("refuse"))
    with pytest.raises(KeyError, match="a mistake of ours") as caught:
        go(processes.run("fail"))
    assert "process_tasks.py" in caught.value.__notes__[0]
    assert go(processes.run("add", 1, 1))[0] == 2


def test_work_over_its_time_is_ended(processes: Processes, tmp_path: Path) -> None:
    pid = go(processes.run("add", 1, 1))[1]
    with pytest.raises(TooMuch, match=r"longer than the 0\.5 seconds"):
        go(processes.run("spin", str(tmp_path / "pid"), seconds=0.5))
    until(lambda: has_ended(pid))
    assert go(processes.run("add", 1, 1))[0] == 2


def test_a_question_that_is_cancelled_stays_cancelled_and_its_process_ends(
    processes: Processes, tmp_path: Path
) -> None:
    said = tmp_path / "pid"

    async def ask_and_leave() -> int:
        asking = asyncio.ensure_future(processes.run("spin", str(said)))
        pid = await until_said(said)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        return pid

    pid = go(ask_and_leave())
    until(lambda: has_ended(pid))
    assert go(processes.run("add", 1, 1))[0] == 2


def test_who_watches_the_progress_may_end_it(processes: Processes, tmp_path: Path) -> None:
    def enough(*_: int) -> None:
        raise TooMuch("it is no longer needed")

    with pytest.raises(TooMuch, match="no longer needed"):
        go(processes.run("spin", str(tmp_path / "pid"), progress=enough))
    pid = int((tmp_path / "pid").read_text(encoding="ascii"))
    until(lambda: has_ended(pid))


def test_memory_is_bounded(processes: Processes) -> None:
    with pytest.raises(TooMuch, match="memory"):
        go(processes.run("grow", 2000 * MEGABYTE))
    assert go(processes.run("grow", MEGABYTE)) == MEGABYTE


def test_a_process_that_dies_is_replaced(processes: Processes) -> None:
    with pytest.raises(TooMuch, match="ended early"):
        go(processes.run("die"))
    assert go(processes.run("add", 1, 1))[0] == 2


def test_a_process_that_holds_much_is_replaced(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    first = go(processes.run("add", 1, 1))[1]
    monkeypatch.setattr(limits, "KEPT_BYTES", 1)
    assert go(processes.run("add", 1, 1))[1] == first
    assert go(processes.run("add", 1, 1))[1] != first


def test_so_many_may_wait_and_no_more(processes: Processes, tmp_path: Path) -> None:
    async def ask() -> None:
        asking = [asyncio.ensure_future(processes.run("spin", str(tmp_path / str(n)))) for n in range(3)]
        await until_said(tmp_path / "0")
        with pytest.raises(Busy, match="too many"):
            await processes.run("add", 1, 1)
        for one in asking:
            one.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    go(ask())


def test_stopping_ends_what_is_under_way_and_what_waits(processes: Processes, tmp_path: Path) -> None:
    async def ask() -> int:
        asking = [asyncio.ensure_future(processes.run("spin", str(tmp_path / str(n)))) for n in range(2)]
        pid = await until_said(tmp_path / "0")
        processes.stop()
        for one in asking:
            with pytest.raises(Busy, match="the server is stopping"):
                await one
        with pytest.raises(Busy, match="the server is stopping"):
            await processes.run("add", 1, 1)
        return pid

    pid = go(ask())
    until(lambda: has_ended(pid))


PARENT = """
import asyncio, sys
from pathlib import Path
from yatzy.web.processes import Processes
asyncio.run(Processes(Path("."), module="web.process_tasks").run("spin", sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
def test_children_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    said = tmp_path / "pid"
    path = os.pathsep.join(sys.path)
    with subprocess.Popen([sys.executable, "-c", PARENT, str(said)], env={**os.environ, "PYTHONPATH": path}) as parent:
        until(lambda: said.exists() and bool(said.read_text(encoding="ascii")))
        parent.kill()
    until(lambda: has_ended(int(said.read_text(encoding="ascii"))))


def test_a_question_of_a_worker_that_is_cancelled_stays_cancelled() -> None:
    workers, begun, free = Workers(count=1), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        free.wait(SOON)

    async def ask_and_leave() -> None:
        asking = asyncio.ensure_future(workers.run(work))
        while not begun.is_set():
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    try:
        go(ask_and_leave())
    finally:
        free.set()
        workers.stop()
