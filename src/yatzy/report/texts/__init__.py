"""Every text of the page, by language: TOML files with the same keys, one for the table and one for the other views."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any

LANGUAGES = ("en", "sv")
NAMES = {"en": "English", "sv": "Svenska"}
PARTS = ("-page", "-views")


@lru_cache
def texts(language: str) -> dict[str, str]:
    """The texts of a language, by keys such as `nav.table`."""
    folder = resources.files("yatzy.report") / "texts"
    sources = [(folder / f"{language}{part}.toml").read_text(encoding="utf-8") for part in PARTS]
    return dict(pair for source in sources for pair in _flat("", tomllib.loads(source)))


def text(language: str, key: str, **values: object) -> str:
    """One text, with values put in."""
    return texts(language)[key].format(**values)


def _flat(where: str, table: dict[str, Any]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        found.extend(_flat(f"{where}{key}.", value) if isinstance(value, dict) else [(f"{where}{key}", value)])
    return found


def best_language(accepted: str) -> str:
    """The first known language of those that a browser asks for."""
    for part in accepted.split(","):
        code = part.strip().partition(";")[0].partition("-")[0].casefold()
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]
