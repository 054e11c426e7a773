"""All texts that people read, by language, in TOML files with the same keys.

`en.toml` has the texts of reports; `en-page.toml`, `en-table.toml`, `en-views.toml` and `en-home.toml` have those of
the page. Texts have named parameters, such as `{dice}`. Where the wording depends on a number, a key has `one` and
`other` below it, and optionally `zero`.

`sv-errors.toml` and `de-errors.toml` translate errors: their keys are the English templates in the source, by room.
`sv-help.toml` and `de-help.toml` have the help of the command line, by the English text (`yatzy.report.help`).
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any

from yatzy.games.game import LANGUAGES

NAMES = {"en": "English", "sv": "Svenska", "de": "Deutsch"}
PARTS = ("", "-page", "-table", "-views", "-home")

__all__ = ["LANGUAGES", "NAMES", "best_language", "read_errors", "read_texts", "text", "texts"]


def read_texts(language: str, part: str) -> dict[str, str]:
    """Read the texts of one file, by key."""
    source = resources.files("yatzy.report") / "texts" / f"{language}{part}.toml"
    return dict(_flat("", tomllib.loads(source.read_text(encoding="utf-8"))))


def read_errors(language: str) -> dict[str, dict[str, str]]:
    """Read the translations of errors, by room and English template."""
    source = resources.files("yatzy.report") / "texts" / f"{language}-errors.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))


@lru_cache
def texts(language: str) -> dict[str, str]:
    """The texts of a language, by keys such as `nav.table`."""
    return {key: said for part in PARTS for key, said in read_texts(language, part).items()}


def text(language: str, key: str, /, **values: object) -> str:
    """One text with its values filled in; `count` selects the singular or plural form, if there are several."""
    known = texts(language)
    if key not in known:
        count = values["count"]
        key += ".zero" if count == 0 and f"{key}.zero" in known else ".one" if count == 1 else ".other"
    return known[key].format(**values)


def _flat(where: str, table: dict[str, Any]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        found.extend(_flat(f"{where}{key}.", value) if isinstance(value, dict) else [(f"{where}{key}", value)])
    return found


def best_language(accepted: str) -> str:
    """The first language that a browser accepts and the page has."""
    for part in accepted.split(","):
        code = part.strip().partition(";")[0].partition("-")[0].casefold()
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]
