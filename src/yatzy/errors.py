"""Everything the package raises on purpose.

    YatzyError
    ├── InputError           something the caller gave is wrong; the message says what would be right
    │   ├── GameError        a description of a game; names the key
    │   ├── PositionError    a sheet, dice or rolls that cannot occur
    │   ├── NotationError    a text that does not read as what it should be
    │   ├── MoveError        a move that is not allowed in its position
    │   ├── RecordError      a record of a game that does not read or breaks the rules
    │   ├── StrategyError    a strategy that did not answer with a move that is allowed
    │   ├── NotFromData      a name that came with data and would read a file or run code
    │   ├── LimitExceeded    more work than is done for something that came with data
    │   └── SizeError        a game too large to solve here; says how large
    └── TableError           a table on disk that cannot serve
        ├── TableMissing     not there; says the command that makes it
        ├── TableDamaged     a checksum does not match
        ├── TableForeign     made for another game, objective or format
        └── TableUnwritable  the disk is full or the folder may not be written

Every message is one line, fit to be shown to a person as it is.
"""

from typing import Any

_LONGEST = 1_000


class YatzyError(Exception):
    """Base of all errors of this package; as text it is one line, whatever it quotes."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class InputError(YatzyError):
    """Something the caller gave is wrong."""


class GameError(InputError):
    """A game description is wrong; the message names the key."""


class PositionError(InputError):
    """A sheet, dice or rolls left that cannot occur in the game."""


class NotationError(InputError):
    """A text does not read as what it should be."""


class MoveError(InputError):
    """A move is not allowed in its position."""


class RecordError(InputError):
    """A record of a game does not read, or breaks the rules of its game."""


class StrategyError(InputError):
    """A strategy did not answer with a move that is allowed; the message names the position and the move."""

    finished: Any = None
    """The games that a simulation had finished, if any."""


class NotFromData(InputError):  # noqa: N818
    """A name came with data (a record, a link, a request, a study) and would read a file or run code."""


class LimitExceeded(InputError):  # noqa: N818
    """More work than is done for something that came with data."""


class SizeError(InputError):
    """A game is too large to be solved on this machine; the message says how large."""


class TableError(YatzyError):
    """A table on disk cannot serve."""


class TableMissing(TableError):  # noqa: N818  (what it is, in two words)
    """A table is not there; the message says the command that makes it."""


class TableDamaged(TableError):  # noqa: N818
    """A checksum of a table does not match its bytes."""


class TableForeign(TableError):  # noqa: N818
    """A table was made for another game, another objective or another format."""


class TableUnwritable(TableError):  # noqa: N818
    """A table cannot be written: the disk is full or the folder is closed to us."""


def one_line(text: str) -> str:
    """A message fit to be shown: what would break the line or does not print is escaped, and it has an end."""
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
