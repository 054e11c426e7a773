"""What a command prints: tables for people, JSON for programs, notes and progress on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Console
from rich.table import Table

from yatzy.cli.streams import speaks_utf8

if TYPE_CHECKING:
    from rich.progress import TaskID

    from yatzy.cli.progress import ProgressBars
    from yatzy.values.tables import Progress as Watch


class Watcher(Protocol):
    """Asked for a way to show progress on something, and what is done to it."""

    def __call__(self, what: str, verb: str = "Solving", /) -> Watch:
        """What shows it."""


def print_json(fields: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    text = json.dumps(fields, ensure_ascii=not speaks_utf8(sys.stdout), allow_nan=False)
    if any("\ud800" <= letter <= "\udfff" for letter in text):  # a file name of bytes that are no UTF-8
        text = json.dumps(fields, allow_nan=False)
    print(text)


def print_table(table: Table) -> None:
    """A table as wide as it needs to be where nobody's terminal limits it."""
    Console(width=None if sys.stdout.isatty() else 120, highlight=False).print(table)


def note(line: str) -> None:
    """Something a person should know beside the answer."""
    print(line, file=sys.stderr, flush=True)


def print_notes(lines: Sequence[str]) -> None:
    """What had to be assumed for an answer."""
    for line in lines:
        note(f"note: {line}")


@contextmanager
def watching() -> Iterator[Watcher]:
    """Progress bars on standard error that appear when something has to be computed."""
    bars: ProgressBars | None = None

    def watch(what: str, verb: str = "Solving") -> Watch:
        task: TaskID | None = None

        def advance(done: int, total: int) -> None:
            nonlocal bars, task
            if bars is None:
                from yatzy.cli.progress import ProgressBars

                bars = ProgressBars()
            if task is None:
                task = bars.add(what, verb)
            if done:
                bars.update(task, done, total, f"{verb} {what}")

        return advance

    try:
        yield watch
    finally:
        if bars is not None:
            bars.stop()
