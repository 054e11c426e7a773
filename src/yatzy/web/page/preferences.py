"""What a browser remembers of its user: cookies, read when a page is asked for and written by the page's script."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from yatzy.report.texts import PAGE_LANGUAGES, best_language

PREFIX = "yatzy-"
LONGEST = 400
DARK = {"dark": True, "light": False}


@dataclass
class Preferences:
    """The settings of one visitor; whatever makes no sense is left at its default."""

    language: str = "en"
    dark: bool | None = None
    """None follows the system."""
    hints: bool = True
    typed: bool = False
    """Whether people roll real dice and enter them."""
    tutor: str = "off"
    target: int | None = None
    """The record to beat."""
    objectives: list[str] = field(default_factory=lambda: ["expected"])
    game: str = ""
    """The game that was looked at last."""

    @classmethod
    def of(cls, cookies: Mapping[str, str], accepted: str) -> Preferences:
        """Those of a request."""
        said = {key: unquote(value)[:LONGEST] for key, value in cookies.items() if key.startswith(PREFIX)}
        language = said.get(f"{PREFIX}language", "")
        target = said.get(f"{PREFIX}target", "")
        return cls(
            language=language if language in PAGE_LANGUAGES else best_language(accepted),
            dark=DARK.get(said.get(f"{PREFIX}dark", "")),
            hints=said.get(f"{PREFIX}hints") != "off",
            typed=said.get(f"{PREFIX}typed") == "on",
            tutor=said.get(f"{PREFIX}tutor", "off"),
            target=int(target) if target.isascii() and target.isdigit() and len(target) < 5 else None,
            objectives=[one for one in said.get(f"{PREFIX}objectives", "").split(" ") if one] or ["expected"],
            game=said.get(f"{PREFIX}game", ""),
        )


def cookie_script(name: str, value: Any) -> str:
    """The script that has the browser remember something for a year."""
    return f"yatzyRemember({json.dumps(PREFIX + name)}, {json.dumps(str(value))})"
