"""Whoever reads the page."""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.report.texts import text


@dataclass(frozen=True, slots=True)
class Reader:
    """What the words of the page depend on."""

    language: str

    def t(self, key: str, **values: object) -> str:
        """A text of the page in the reader's language."""
        return text(self.language, key, **values)
