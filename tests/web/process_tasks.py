"""Tasks for tests of child processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from yatzy.errors import InputError

Progress = Callable[[int, int], None]


class TaskTools:
    def __init__(self, folder: Path, threads: int | None) -> None:
        self.folder, self.threads = folder, threads
        self.done = 0


def add(tools: TaskTools, a: int, b: int, progress: Progress) -> tuple[int, int, int]:
    """The sum, the process, and how many sums this process has found."""
    tools.done += 1
    progress(1, 2)
    return a + b, os.getpid(), tools.done


def spin(tools: TaskTools, said: str, progress: Progress) -> None:
    """Say which process it is, and never end."""
    Path(said).write_text(str(os.getpid()), encoding="ascii")
    while True:
        progress(0, 1)


def refuse(tools: TaskTools, progress: Progress) -> None:
    raise InputError("not so")


def fail(tools: TaskTools, progress: Progress) -> None:
    raise KeyError("a mistake of ours")


def grow(tools: TaskTools, size: int, progress: Progress) -> int:
    return len(bytearray(size))


def die(tools: TaskTools, progress: Progress) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
