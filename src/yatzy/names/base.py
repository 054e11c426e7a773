"""What every name can say about itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from pathlib import Path

    from yatzy.games import Game

EXPECTED, CURVES, ENDGAMES = "expected", "distributions", "endgames"
"""Tables that several names share: expected scores, the best chance of every score, and exact endgames of two."""

_FIXED = re.compile(r"[a-z-]+(:[a-z-]+)*")
"""The words at the start of a form that are typed as they are."""


class Name:
    """A value that people type; `str()` gives the text that reads back as an equal value.

    A class of names is put into the registry by `@register`; nothing else has to know it.
    """

    __slots__ = ()

    noun: ClassVar[str]
    nouns: ClassVar[str]
    """What people call one name of this kind, and several: `objective`, `objectives`."""
    form: ClassVar[str]
    """How it is typed: small letters as they are, capitals for what is filled in, brackets for what may be left out."""
    help: ClassVar[str]
    """What it means, in one line."""
    opener: ClassVar[str] = ""
    """What opens it, as `module:function`; the solver imports the module when the name is opened."""
    checker: ClassVar[str] = ""
    """What refuses it for games in which it makes no sense, as `module:function`; called with the name and the game."""
    examples: ClassVar[tuple[str, ...]] = ()
    """What lists of suggestions offer, the most usual first; texts that read back as names of this class."""

    @classmethod
    def words(cls) -> str:
        """The fixed words at the start of the form; empty where there are none."""
        fixed = _FIXED.match(cls.form)
        return fixed[0] if fixed else ""

    @classmethod
    def forms(cls) -> tuple[str, ...]:
        """What lists of names show for it."""
        return (cls.form,)

    @classmethod
    def rest_of(cls, text: str) -> str | None:
        """What follows the fixed words of the form, empty where nothing has to; None if the text is of another form."""
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
        """The name with this text after the fixed words of its form."""
        return cls()

    def check(self, game: Game) -> None:
        """Refuse a game in which the name makes no sense. May read the file of a name that has one."""
        if self.checker:
            load(self.checker)(self, game)

    @property
    def file(self) -> str | None:
        """The file that opening it reads, if any."""
        return None

    def beside(self, folder: Path) -> Self:
        """The same with its file looked for in a folder."""
        return self

    @property
    def reads_file(self) -> bool:
        """Whether opening it reads a file that the name says."""
        return self.file is not None

    @property
    def runs_code(self) -> bool:
        """Whether opening it runs Python code from a file."""
        return False

    @property
    def several(self) -> bool:
        """Whether it looks at the sheets of several players."""
        return False

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that must be there before it answers at once: of `EXPECTED`, `CURVES` and so on, or its own."""
        return ()

    @property
    def slow(self) -> bool:
        """Whether a question about one position takes longer than some milliseconds although the tables are there."""
        return self.several

    @property
    def turns(self) -> int:
        """Whole turns that it searches ahead."""
        return 0

    @property
    def seconds(self) -> float:
        """Seconds that a move may take, where the name sets them; else 0."""
        return 0.0


def load(reference: str) -> Callable[..., Any]:
    """The function that a reference `module:function` means; the module is imported now."""
    module, _, function = reference.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def number_text(number: float) -> str:
    """A number as text that reads back as the same number, without a needless `.0`."""
    return repr(float(number)).removesuffix(".0")
