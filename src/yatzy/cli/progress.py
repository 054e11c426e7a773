"""Progress bars on standard error. Imported only when something is computed, because Rich's bars import slowly."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


class ProgressBars:
    """One bar per computation; if standard error is not a terminal, one line of text each."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._bars = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"),
            TimeElapsedColumn(), TimeRemainingColumn(), console=self._console, transient=True,
        )  # fmt: skip

    def add(self, what: str, verb: str) -> TaskID:
        """Add a bar of unknown length."""
        if self._console.is_terminal:
            self._bars.start()
        else:
            print(f"{verb} {what} ...", file=sys.stderr, flush=True)
        return self._bars.add_task(f"{'Preparing to solve' if verb == 'Solving' else verb} {what}", total=None)

    def update(self, task: TaskID, done: int, total: int, description: str) -> None:
        """Update a bar."""
        self._bars.update(task, completed=done, total=total, description=description)

    def stop(self) -> None:
        """Remove the bars."""
        if self._bars.live.is_started:  # stopping before the start prints an empty line
            self._bars.stop()
