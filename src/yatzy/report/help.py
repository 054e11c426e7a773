"""The help of the command line in other languages than English.

The English text is the key of its translation, as in gettext: `sv-help.toml` and `de-help.toml` in `texts`. A key with
`{}` stands for all texts that have something else in that place, such as a list of names; the translation has it in
its place too. Words that people type, and placeholders in capitals, are the same in every language.
"""

from __future__ import annotations

import re
from functools import lru_cache

from yatzy.report.texts import read_texts

PART = "-help"
GAP = "{}"
_BETWEEN = ", "
"""What stands between the names of a list."""


class HelpTexts:
    """The help texts of a language."""

    def __init__(self, language: str) -> None:
        self.texts = read_texts(language, PART)
        gaps = sorted((key for key in self.texts if GAP in key), key=len, reverse=True)
        self._patterns = {key: re.compile(re.escape(key).replace(re.escape(GAP), "(.+)")) for key in gaps}

    def find(self, said: str) -> str | None:
        """The key of an English text, if it has a translation."""
        if said in self.texts:
            return said
        return next((key for key, pattern in self._patterns.items() if pattern.fullmatch(said)), None)

    def translate(self, said: str) -> str:
        """An English text in this language; unchanged if there is no translation."""
        key = self.find(said)
        if key is None:
            return said
        if key == said:
            return self.texts[key]
        found = self._patterns[key].fullmatch(said)
        assert found is not None
        return self.texts[key].format(*(self._names(part) for part in found.groups()))

    def _names(self, part: str) -> str:
        """A list of names; those that are words, such as "a number for each place", are translated."""
        return _BETWEEN.join(self.texts.get(name, name) for name in part.split(_BETWEEN))


@lru_cache
def help_texts(language: str) -> HelpTexts:
    """The help texts of a language, which is not English."""
    return HelpTexts(language)
