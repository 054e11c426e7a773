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

Every message is a single line that can be shown to the user as it is, in English. It is made of a template and values,
`InputError("there is no game {name!r}", name=name)`, so that room `report` can say it in another language: the template
is the key of its translations. Templates are always literals. What comes from people or files is only ever a value.
"""

from collections.abc import Iterable, Mapping
from functools import reduce
from numbers import Real
from typing import Any, Protocol, runtime_checkable

__all__ = [
    "GameError",
    "InputError",
    "LimitExceeded",
    "Message",
    "MoveError",
    "Named",
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
    "both",
    "cause_of",
    "either",
    "missing_extra",
    "one_line",
]

_LONGEST = 1_000


class Message(str):
    """A text for people in English that can be translated, because it remembers its template and its values.

    Values are texts, numbers, messages or errors; a game is kept as its names, and anything else as the text it shows,
    so that messages can be sent to other processes. A template without values is taken as it is, so its braces are not
    fields.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> "Message":
        """template: a literal, with the names of the values in braces."""
        kept = {name: value if isinstance(value, _PLAIN) else _kept(value, template) for name, value in values.items()}
        message = super().__new__(cls, template.format_map(kept) if kept else template)
        message.template, message.values = template, kept
        return message

    def but(self, **values: object) -> "Message":
        """The same message with other values for some of its fields."""
        return Message(self.template, **{**self.values, **values})


class Named(str):
    """The English name of something that may have names in other languages."""

    names: Mapping[str, str]
    """By language code."""


@runtime_checkable
class _HasNames(Protocol):
    """A game, or a category of one."""

    @property
    def names(self) -> Mapping[str, str]: ...

    def name(self) -> str: ...


class _Shown(str):
    """A value of another type as text, which `!r` shows as that value."""

    _repr: str

    def __repr__(self) -> str:
        return self._repr


def _kept(value: object, template: str) -> str:
    if isinstance(value, _HasNames) and isinstance(value.names, Mapping):
        named = Named(value.name())
        named.names = dict(value.names)
        return named
    if "!r" not in template:
        return str(value)
    shown = _Shown(value)
    shown._repr = repr(value)
    return shown


class YatzyError(Exception):
    """Base class of all errors of this package. Its text is always one line, in English."""

    message: Message = Message("")
    """The same text as a template and its values, which can be translated. Empty in classes that do not set it."""

    def __init__(self, template: str | Message = "", /, **values: object) -> None:
        """template: a literal text with the names of `values` in braces, or a message without values."""
        self.message = template if isinstance(template, Message) else Message(template, **values)
        super().__init__(str.__str__(self.message))

    def __str__(self) -> str:
        return one_line(super().__str__())

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[YatzyError], args: tuple[Any, ...], state: dict[str, Any]) -> YatzyError:
    """An error that was pickled or copied, whatever its class asks for when it is made."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


_PLAIN = (str, Real, YatzyError)


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
    return InputError(
        "{need}: pip install 'PATH[{extra}]', where PATH is the folder or the wheel of yatzy", need=need, extra=extra
    )


def cause_of(error: BaseException) -> Message | YatzyError:
    """What an error says, to be a value of a message; of an error of the system only the reason, without the file."""
    if isinstance(error, YatzyError):
        return error
    if error.args and isinstance(error.args[0], Message):
        return error.args[0]
    return Message(getattr(error, "strerror", None) or str(error))


def either(names: Iterable[object]) -> Message:
    """Things of which one is right: `a or b`."""
    return reduce(lambda first, last: Message("{first} or {last}", first=first, last=last), map(_as_message, names))


def both(names: Iterable[object]) -> Message:
    """Things that belong together: `a and b`."""
    return reduce(lambda first, last: Message("{first} and {last}", first=first, last=last), map(_as_message, names))


def _as_message(name: object) -> Message:
    return Message("{name}", name=name)


def one_line(text: str) -> str:
    """A message as one printable line: other characters are escaped and long texts are truncated."""
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
