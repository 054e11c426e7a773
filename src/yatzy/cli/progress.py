"""Progress bars on standard error. Imported only when something is computed, as Rich's bars take long to import."""

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
    """One bar for each thing that is computed; a line of text for each where standard error is no terminal."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._bars = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"),
            TimeElapsedColumn(), TimeRemainingColumn(), console=self._console, transient=True,
        )  # fmt: skip

    def add(self, what: str, verb: str) -> TaskID:
        """Show a new bar, whose length is not yet known."""
        if self._console.is_terminal:
            self._bars.start()
        else:
            print(f"{verb} {what} ...", file=sys.stderr, flush=True)
        return self._bars.add_task(f"{'Preparing to solve' if verb == 'Solving' else verb} {what}", total=None)

    def update(self, task: TaskID, done: int, total: int, description: str) -> None:
        """Show how much is done."""
        self._bars.update(task, completed=done, total=total, description=description)

    def stop(self) -> None:
        """Remove the bars."""
        if self._bars.live.is_started:  # stopping what never ran prints an empty line
            self._bars.stop()
