"""The base class of names, with the properties that every name declares."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

from yatzy.units import Unit

if TYPE_CHECKING:
    from pathlib import Path

    from yatzy.errors import Message
    from yatzy.games import Game

EXPECTED, CURVES, ENDGAMES = "expected", "distributions", "endgames"
"""Tables that several names share: expected scores, the best chance of every score, and exact two-player endgames."""

_FIXED = re.compile(r"[a-z-]+(:[a-z-]+)*")
"""The fixed words at the start of a form."""


@dataclass(frozen=True, slots=True)
class Label:
    """What people see in place of a typed name: the key of a text in `report/texts`, and the number it mentions."""

    key: str
    number: float | None = None


class Name:
    """A value that users type as text; parsing `str(name)` returns an equal value.

    Decorate a subclass with `@register` to add it to the registry; nothing else is needed.
    """

    __slots__ = ()

    noun: ClassVar[str]
    """What such names are: `objective`."""
    form: ClassVar[str]
    """Its syntax: lower case for fixed words, capitals for arguments, brackets for optional parts."""
    help: ClassVar[str]
    """One line of help."""
    opener: ClassVar[str] = ""
    """The function that opens it, as `module:function`; the solver imports the module when the name is opened."""
    checker: ClassVar[str] = ""
    """A function `module:function` that is called with the name and a game, and raises if the name does not fit it."""
    examples: ClassVar[tuple[str, ...]] = ()
    """Examples for lists of suggestions, the most common first; each can be parsed as a name of this class."""

    @classmethod
    def unknown(cls, name: str, forms: str) -> Message:
        """The error for a text that is no name of this kind. forms: those there are."""
        raise NotImplementedError

    @classmethod
    def words(cls) -> str:
        """The fixed words at the start of the form; may be empty."""
        fixed = _FIXED.match(cls.form)
        return fixed[0] if fixed else ""

    @classmethod
    def forms(cls, players: int = 2) -> tuple[str, ...]:
        """The forms shown in lists of names for this number of players."""
        return (cls.form,)

    @classmethod
    def rest_of(cls, text: str) -> str | None:
        """The text after the fixed words of the form, possibly empty; None if the text does not match the form."""
        words = cls.words()
        if not words:
            return None
        tail = cls.form.removeprefix(words)
        if text == words and not tail.startswith(":"):
            return ""
        if tail and text.startswith(f"{words}:"):
            return text[len(words) + 1 :] or None
        return None

    @classmethod
    def read(cls, rest: str) -> Self:
        """Make a name from the text after the fixed words, as returned by `rest_of`."""
        return cls()

    def check(self, game: Game) -> None:
        """Raise an error if the name does not make sense for a game. May read the name's file, if it has one."""
        if self.checker:
            load(self.checker)(self, game)

    @property
    def file(self) -> str | None:
        """The file that is read when the name is opened, if any."""
        return None

    def beside(self, folder: Path) -> Self:
        """The same name with its file path resolved relative to a folder."""
        return self

    @property
    def reads_file(self) -> bool:
        """Whether opening it reads a file given in the name."""
        return self.file is not None

    @property
    def runs_code(self) -> bool:
        """Whether opening it runs Python code from a file."""
        return False

    @property
    def several(self) -> bool:
        """Whether it depends on the sheets of several players."""
        return False

    @property
    def fewest_players(self) -> int:
        """The fewest players in a game for which it makes sense."""
        return 2 if self.several else 1

    @property
    def unit(self) -> Unit:
        """The unit of its values; in a match the payoff may define another."""
        return Unit.POINTS

    @property
    def number(self) -> float | None:
        """Its argument as one number for an input field (points, percent or turns); None if that is not enough."""
        return None

    @property
    def label(self) -> Label:
        """What people see in place of it. Where the texts do not have the key, `str(name)` is shown."""
        return Label(self.words().rpartition(":")[2], self.number)

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that it needs to answer without delay: `EXPECTED`, `CURVES`, `ENDGAMES` or its own."""
        return ()

    @property
    def slow(self) -> bool:
        """Whether evaluating one position takes more than a few milliseconds even with all tables loaded."""
        return self.several

    @property
    def turns(self) -> int:
        """The number of whole turns that it searches ahead."""
        return 0

    @property
    def seconds(self) -> float:
        """The time limit per move in seconds, or 0 if the name sets none."""
        return 0.0


def load(reference: str) -> Callable[..., Any]:
    """Import the function of a reference `module:function`."""
    module, _, function = reference.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def number_text(number: float) -> str:
    """A number as text that parses to the same number, without a trailing `.0`."""
    return repr(float(number)).removesuffix(".0")
