"""The exceptions of the package.

    YatzyError
    ├── InputError           invalid input; the message says what would be valid
    │   ├── GameError        an invalid game description; names the key
    │   ├── PositionError    a sheet, dice or rolls left that cannot occur
    │   ├── NotationError    a text that cannot be parsed
    │   ├── MoveError        a move that is not allowed in its position
    │   ├── RecordError      a game record that cannot be parsed or breaks the rules
    │   ├── StrategyError    a strategy that did not return a legal move
    │   ├── NotFromData      a name from data that would read a file or run code
    │   ├── LimitExceeded    a request from data that needs too much work
    │   └── SizeError        a game too large to solve here; gives its size
    ├── WorkerError          work that was given to a worker and failed there
    └── TableError           a table on disk that cannot be used
        ├── TableMissing     not found; gives the command that makes it
        ├── TableDamaged     a checksum does not match
        ├── TableForeign     made for another game, objective or format
        └── TableUnwritable  the disk is full or the folder is not writable

Every message is a single line that can be shown to the user as it is.
"""

from typing import Any

__all__ = [
    "GameError",
    "InputError",
    "LimitExceeded",
    "MoveError",
    "NotFromData",
    "NotationError",
    "PositionError",
    "RecordError",
    "SizeError",
    "StrategyError",
    "TableDamaged",
    "TableError",
    "TableForeign",
    "TableMissing",
    "TableUnwritable",
    "WorkerError",
    "YatzyError",
    "missing_extra",
]

_LONGEST = 1_000


class YatzyError(Exception):
    """Base class of all errors of this package. Its text is always one line."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class InputError(YatzyError):
    """Invalid input."""


class GameError(InputError):
    """An invalid game description; the message names the key."""


class PositionError(InputError):
    """A sheet, dice or rolls left that cannot occur in the game."""


class NotationError(InputError):
    """A text cannot be parsed."""


class MoveError(InputError):
    """A move is not allowed in its position."""


class RecordError(InputError):
    """A game record cannot be parsed or breaks the rules of its game."""


class StrategyError(InputError):
    """A strategy did not return a legal move; the message names the position and the move."""

    finished: Any = None
    """The games that a simulation finished before the error, if any."""


class NotFromData(InputError):  # noqa: N818
    """A name from data (a record, a link, a request, a study) would read a file or run code."""


class LimitExceeded(InputError):  # noqa: N818
    """A request from data needs more work than the limit."""


class SizeError(InputError):
    """A game is too large to solve on this machine; the message gives its size."""


class WorkerError(YatzyError):
    """Work that was given to a worker failed there; the same command resumes."""


class TableError(YatzyError):
    """A table on disk cannot be used."""


class TableMissing(TableError):  # noqa: N818
    """A table does not exist; the message gives the command that makes it."""


class TableDamaged(TableError):  # noqa: N818
    """The checksum of a table does not match its contents."""


class TableForeign(TableError):  # noqa: N818
    """A table was made for another game, another objective or another format."""


class TableUnwritable(TableError):  # noqa: N818
    """A table cannot be written: the disk is full or the folder is not writable."""


def missing_extra(need: str, extra: str) -> InputError:
    """The error of a part whose packages are not installed. It names no package of an index: none is published."""
    return InputError(f"{need}: pip install 'PATH[{extra}]', where PATH is the folder or the wheel of yatzy")


def one_line(text: str) -> str:
    """A message as one printable line: other characters are escaped and long texts are truncated."""
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
