"""Output of commands: JSON for programs, notes and progress on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from textwrap import fill
from typing import TYPE_CHECKING, Any, Protocol

from yatzy.cli.language import ENGLISH, current_language
from yatzy.cli.streams import speaks_utf8, tell_line, terminal_width
from yatzy.errors import Message
from yatzy.report.answers.base import Answer, json_text
from yatzy.report.texts import text

if TYPE_CHECKING:
    from rich.progress import TaskID

    from yatzy.cli.progress import ProgressBars
    from yatzy.values.resources import Progress as Watch


class Watcher(Protocol):
    """Opens a progress display, given what is computed and a verb; both in English, `what` as a message."""

    def __call__(self, what: str, verb: str = "Solving", /) -> Watch:
        """Return the callback that updates it."""


def print_json(answer: Answer | dict[str, Any]) -> None:
    """Print one JSON object on standard output."""
    text = json_text(answer, ascii_only=not speaks_utf8(sys.stdout))
    if any("\ud800" <= letter <= "\udfff" for letter in text):  # a file name that is not valid UTF-8
        text = json_text(answer, ascii_only=True)
    print(text)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output."""
    for line in lines:
        print(line)


def in_language(line: str, language: str) -> str:
    """A message in a language; other text as it is."""
    if language == ENGLISH or not isinstance(line, Message):
        return line
    from yatzy.report.problems import message_text  # English needs no translations

    return message_text(line, language)


def note(line: str, language: str | None = None) -> None:
    """Print a note on standard error, wrapped if it is a terminal; a message in the language of the command."""
    line = in_language(line, language or current_language())
    if sys.stderr.isatty():
        width = max(terminal_width(), 20)
        line = fill(line, width, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
    tell_line(line)


def notes() -> Callable[[str], None]:
    """`note` in the language of this command, also when it is called in another thread."""
    return partial(note, language=current_language())


def print_notes(lines: Sequence[str], language: str) -> None:
    """Print the assumptions behind an answer."""
    for line in lines:
        note(text(language, "terminal.note", line=line))


@contextmanager
def watching() -> Iterator[Watcher]:
    """Show progress bars on standard error, once something is computed."""
    bars: ProgressBars | None = None
    language = current_language()  # here, because progress may be reported in other threads

    def watch(what: str, verb: str = "Solving") -> Watch:
        task: TaskID | None = None

        def advance(done: int, total: int) -> None:
            nonlocal bars, task
            if bars is None:
                from yatzy.cli.progress import ProgressBars  # slow to import, and often nothing is computed

                bars = ProgressBars(language)
            if task is None:
                task = bars.add(what, verb)
            if done:
                bars.update(task, done, total)

        return advance

    try:
        yield watch
    finally:
        if bars is not None:
            bars.stop()
