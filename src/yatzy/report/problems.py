"""Errors in the language of the reader.

Errors in files, records, options and names that people write themselves begin with a sentence in the reader's language;
the place and the cause follow as the parser gives them. In English they stand alone.
"""

from __future__ import annotations

from yatzy.errors import GameError, InputError, NotationError, PositionError, RecordError, SizeError, YatzyError
from yatzy.report.texts import text

KINDS: dict[type[YatzyError], str] = {
    GameError: "game",
    RecordError: "record",
    PositionError: "position",
    NotationError: "notation",
    SizeError: "size",
    InputError: "input",
    YatzyError: "other",
}
"""The text of each kind of error, the special kinds before the general ones."""


def problem_text(error: YatzyError, language: str) -> str:
    """An error in one line for the reader."""
    kind = next(name for kind, name in KINDS.items() if isinstance(error, kind))
    return text(language, f"problem.{kind}", detail=str(error))


def usage_text(detail: str, language: str) -> str:
    """An error in the command line itself, such as an unknown option."""
    return text(language, "problem.usage", detail=detail)
