"""What every name can say about itself."""

from __future__ import annotations

from typing import ClassVar


class Name:
    """A value that people type; `str()` gives the text that reads back as an equal value."""

    __slots__ = ()

    form: ClassVar[str]
    """How it is typed, such as `target:S`."""

    @property
    def reads_file(self) -> bool:
        """Whether opening it reads a file that the name says."""
        return False

    @property
    def runs_code(self) -> bool:
        """Whether opening it runs Python code from a file."""
        return False

    @property
    def several(self) -> bool:
        """Whether it looks at the sheets of several players."""
        return False

    @property
    def turns(self) -> int:
        """Whole turns that it searches ahead."""
        return 0

    @property
    def seconds(self) -> float:
        """Seconds that a move may take, where the name sets them; else 0."""
        return 0.0


def number_text(number: float) -> str:
    """A number as text that reads back as the same number, without a needless `.0`."""
    return repr(float(number)).removesuffix(".0")
