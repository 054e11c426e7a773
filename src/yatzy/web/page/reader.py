"""The reader of the page."""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.report.texts import text


@dataclass(frozen=True, slots=True)
class Reader:
    """The settings that texts depend on."""

    language: str

    def t(self, key: str, **values: object) -> str:
        """A text of the page in the reader's language."""
        return text(self.language, key, **values)
