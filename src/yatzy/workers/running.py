"""Gives tasks to an executor, a bounded number at a time, and tries a task again when its worker is lost.

A task must be idempotent: its worker may die after the work was done and before anybody heard of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Any, TypeVar

from yatzy.errors import Message, WorkerError, YatzyError, cause_of

Task = TypeVar("Task")
Result = TypeVar("Result")

IN_FLIGHT = 1024
"""Tasks that an executor has at a time: more than the workers of any cluster we know of."""
TRIES = 3
"""How often a task is given to the executor before it counts as failed. Dask tries each several times itself."""


def run_tasks(
    executor: Executor,
    work: Callable[[Task], Result],
    tasks: Iterable[Task],
    done: Callable[[Task, Result], None],
) -> None:
    """Run all tasks and call `done` for each in this thread, in any order.

    An error of this package stops the run. So does a task that failed TRIES times. Tasks that were not begun are
    cancelled; whoever opened the executor waits for the others.
    """
    waiting, failures = iter(tasks), Counter[int]()
    running: dict[Future[Result], tuple[int, Task]] = {}
    number = 0
    try:
        while True:
            while len(running) < IN_FLIGHT and (one := next(waiting, None)) is not None:
                running[_submit(executor, work, one)] = (number, one)
                number += 1
            if not running:
                return
            ended = wait(running, return_when=FIRST_COMPLETED).done
            for future in sorted(ended, key=_failed):  # results before errors, so that no result is lost
                place, task = running.pop(future)
                try:
                    result = future.result()
                except YatzyError:
                    raise
                except (BrokenExecutor, CancelledError) as error:
                    raise gone(cause_of(error)) from error
                except Exception as error:
                    failures[place] += 1
                    if failures[place] == TRIES:
                        what = f"{type(error).__name__}: {error}"
                        raise WorkerError(
                            "a task failed {tries} times, the last time with {what}; {kept}",
                            tries=TRIES,
                            what=what,
                            kept=KEPT,
                        ) from error
                    running[_submit(executor, work, task)] = (place, task)
                else:
                    done(task, result)
    finally:
        for future in running:
            future.cancel()


def _failed(future: Future[Any]) -> bool:
    return future.cancelled() or future.exception() is not None


def _submit(executor: Executor, work: Callable[[Task], Result], task: Task) -> Future[Result]:
    try:
        return executor.submit(work, task)
    except Exception as error:  # a broken pool, or a scheduler that is gone
        raise gone(cause_of(error)) from error


def gone(cause: Message | YatzyError) -> WorkerError:
    """The error of workers that are lost; without a cause, their tasks were cancelled."""
    what = cause if str(cause) else Message("their tasks were cancelled")
    return WorkerError("the workers are gone: {error}; {kept}", error=what, kept=KEPT)


KEPT = Message("finished results are kept, and the same command resumes")
