"""Progress bars on standard error. Imported only when something is computed, because Rich's bars import slowly."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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

from yatzy.cli.streams import tell_line
from yatzy.cli.terminal import in_language
from yatzy.errors import Message

SENTENCES: Mapping[str, Callable[[str], Message]] = {
    "Checking": lambda what: Message("Checking {what}", what=what),
    "Counting": lambda what: Message("Counting {what}", what=what),
    "Drawing": lambda what: Message("Drawing {what}", what=what),
    "Evaluating": lambda what: Message("Evaluating {what}", what=what),
    "Exporting": lambda what: Message("Exporting {what}", what=what),
    "Judging": lambda what: Message("Judging {what}", what=what),
    "Labelling": lambda what: Message("Labelling {what}", what=what),
    "Packing": lambda what: Message("Packing {what}", what=what),
    "Playing": lambda what: Message("Playing {what}", what=what),
    "Reviewing": lambda what: Message("Reviewing {what}", what=what),
    "Solving": lambda what: Message("Solving {what}", what=what),
    "Verifying": lambda what: Message("Verifying {what}", what=what),
    "Writing": lambda what: Message("Writing {what}", what=what),
}
"""What is done, by its verb. These are whole sentences, because languages place the verb differently."""


def _doing(verb: str, what: str) -> str:
    """The line of a computation; a message if it can be translated as a whole."""
    return SENTENCES[verb](what) if verb in SENTENCES and isinstance(what, Message) else f"{verb} {what}"


def _preparing(verb: str, what: str) -> str:
    """The line of a computation that has done nothing yet."""
    if verb != "Solving":
        return _doing(verb, what)
    message = Message("Preparing to solve {what}", what=what)
    return message if isinstance(what, Message) else str.__str__(message)


class ProgressBars:
    """One bar per computation; if standard error is not a terminal, one line of text each."""

    def __init__(self, language: str) -> None:
        self._language, self._lines = language, dict[TaskID, str]()
        self._console = Console(stderr=True)
        self._bars = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"),
            TimeElapsedColumn(), TimeRemainingColumn(), console=self._console, transient=True,
        )  # fmt: skip

    def add(self, what: str, verb: str) -> TaskID:
        """Add a bar of unknown length."""
        line = in_language(_doing(verb, what), self._language)
        if self._console.is_terminal:
            self._bars.start()
        else:
            tell_line(f"{line} ...")
        task = self._bars.add_task(in_language(_preparing(verb, what), self._language), total=None)
        self._lines[task] = line
        return task

    def update(self, task: TaskID, done: int, total: int) -> None:
        """Update a bar."""
        self._bars.update(task, completed=done, total=total, description=self._lines[task])

    def stop(self) -> None:
        """Remove the bars."""
        if self._bars.live.is_started:  # stopping before the start prints an empty line
            self._bars.stop()
