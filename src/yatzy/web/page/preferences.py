"""User settings stored in cookies. The server reads them with a page request; the page's script writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from yatzy.report.texts import LANGUAGES, best_language

PREFIX = "yatzy-"
LONGEST = 1000
_BROWSER = re.compile(r"[0-9a-f]{16}")
DARK = {"dark": True, "light": False}


@dataclass
class Preferences:
    """The settings of a user. Invalid values are replaced by defaults."""

    language: str = "en"
    dark: bool | None = None
    """None: use the system setting."""
    hints: bool = True
    typed: bool = False
    """Whether the players roll real dice and enter them."""
    tutor: str = "off"
    target: int | None = None
    """The record to beat."""
    objectives: list[str] = field(default_factory=lambda: ["expected"])
    game: str = ""
    """The id of the last game viewed."""
    tables: tuple[str, ...] = ()
    """The ids of the games that this browser has been at, the latest first."""
    browser: str = ""
    """A random name of this browser, by which it holds seats; "" if it has none yet."""

    @classmethod
    def of(cls, cookies: Mapping[str, str], accepted: str) -> Preferences:
        """The settings from the cookies and the Accept-Language header of a request."""
        said = {key: unquote(value)[:LONGEST] for key, value in cookies.items() if key.startswith(PREFIX)}
        language = said.get(f"{PREFIX}language", "")
        target = said.get(f"{PREFIX}target", "")
        browser = said.get(f"{PREFIX}browser", "")
        return cls(
            language=language if language in LANGUAGES else best_language(accepted),
            dark=DARK.get(said.get(f"{PREFIX}dark", "")),
            hints=said.get(f"{PREFIX}hints") != "off",
            typed=said.get(f"{PREFIX}typed") == "on",
            tutor=said.get(f"{PREFIX}tutor", "off"),
            target=int(target) if target.isascii() and target.isdigit() and len(target) < 5 else None,
            objectives=[one for one in said.get(f"{PREFIX}objectives", "").split(" ") if one] or ["expected"],
            game=said.get(f"{PREFIX}game", ""),
            tables=tuple(said.get(f"{PREFIX}tables", "").split()),
            browser=browser if _BROWSER.fullmatch(browser) else "",
        )


def cookie_script(name: str, value: Any) -> str:
    """JavaScript that stores a setting for a year."""
    return f"yatzyRemember({json.dumps(PREFIX + name)}, {json.dumps(str(value))})"
