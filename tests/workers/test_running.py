"""Tasks on an executor: each is done once, lost ones are tried again, and errors stop the run."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from yatzy.errors import InputError, WorkerError
from yatzy.workers import running
from yatzy.workers.running import IN_FLIGHT, run_tasks


def square(number: int) -> int:
    return number * number


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_every_task_is_done_and_few_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "IN_FLIGHT", 3)
    begun, found = list[int](), dict[int, int]()

    def work(number: int) -> int:
        begun.append(number)
        assert number < len(found) + 3
        return square(number)

    with ThreadPoolExecutor(2) as pool:
        run_tasks(pool, work, range(20), lambda task, result: found.update({task: result}))
    assert found == {number: number * number for number in range(20)}
    assert sorted(begun) == list(range(20))


def test_a_lost_task_is_tried_again() -> None:
    tries, lock, found = Counter[int](), threading.Lock(), dict[int, int]()

    def work(number: int) -> int:
        with lock:
            tries[number] += 1
            if number == 3 and tries[3] < running.TRIES:
                raise OSError("the network went away")
        return square(number)

    with ThreadPoolExecutor(2) as pool:
        run_tasks(pool, work, range(5), lambda task, result: found.update({task: result}))
    assert found[3] == 9
    assert tries == {0: 1, 1: 1, 2: 1, 3: running.TRIES, 4: 1}


def test_a_task_that_always_fails_stops_the_run() -> None:
    def work(number: int) -> int:
        raise MemoryError("no room")

    with (
        ThreadPoolExecutor(1) as pool,
        pytest.raises(WorkerError, match=r"failed 3 times, the last time with MemoryError: no room; .* resumes"),
    ):
        run_tasks(pool, work, range(5), lambda task, result: None)


def test_an_error_of_ours_is_not_tried_again() -> None:
    tries = list[int]()

    def work(number: int) -> int:
        tries.append(number)
        raise InputError("wrong")

    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="wrong"):
        run_tasks(pool, work, range(1), lambda task, result: None)
    assert tries == [0]


def test_after_an_error_waiting_tasks_are_not_begun() -> None:
    begun, go = list[int](), threading.Event()

    def work(number: int) -> int:
        begun.append(number)
        if number == 0:
            raise InputError("wrong")
        go.wait(10)  # holds both threads until the error of task 0 was handled
        return number

    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(InputError):
            run_tasks(pool, work, range(50), lambda task, result: None)
        go.set()
    assert set(begun) <= {0, 1, 2}


@pytest.mark.parametrize("wrong", [InputError("wrong"), KeyboardInterrupt()])
def test_what_is_done_is_not_lost_when_another_task_fails(wrong: BaseException) -> None:
    """All tasks end before their results are looked at."""

    class AtOnce(Executor):
        def submit(self, work: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
            future = Future[Any]()
            try:
                future.set_result(work(*arguments, **options))
            except BaseException as error:
                future.set_exception(error)
            return future

    def work(number: int) -> int:
        if number == IN_FLIGHT // 2:
            raise wrong
        return number

    done = list[int]()
    with pytest.raises(type(wrong)):
        run_tasks(AtOnce(), work, range(IN_FLIGHT), lambda task, result: done.append(result))
    assert sorted(done) == [number for number in range(IN_FLIGHT) if number != IN_FLIGHT // 2]


def test_a_pool_whose_process_was_killed_is_one_clear_line() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        with pytest.raises(WorkerError, match="the workers are gone"):
            run_tasks(pool, die, [1], lambda task, result: None)
        with pytest.raises(WorkerError, match="the workers are gone"):
            run_tasks(pool, square, [1], lambda task, result: None)


def test_tasks_that_were_cancelled_are_one_clear_line() -> None:
    """As Dask does when its scheduler is lost; tasks that it is given then never end."""

    class Lost(Executor):
        given = 0

        def submit(self, work: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
            future, self.given = Future[Any](), self.given + 1
            if self.given <= 2:
                future.cancel()
                future.set_running_or_notify_cancel()
            return future

    with pytest.raises(WorkerError, match=r"^the workers are gone: their tasks were cancelled; finished results are"):
        run_tasks(Lost(), square, [1, 2], lambda task, result: None)
