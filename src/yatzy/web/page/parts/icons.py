"""Tool icons as SVG, so that no icon font is needed."""

from __future__ import annotations

from functools import cache

from yatzy.web.page.parts.markup import Markup, tag

_PATHS = {
    "undo": "M9 14 4 9l5-5 M4 9h10a6 6 0 0 1 0 12h-3",
    "redo": "m15 14 5-5-5-5 M20 9H10a6 6 0 0 0 0 12h3",
    "link": "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1 1 M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1",
    "games": "M4 7a2 2 0 0 1 2-2h4l2 3h6a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z",
    "computer": "M4 5h16v11H4z M9 20h6 M12 16v4 M9 10h.01 M15 10h.01",
    "cup": "M7 4h10v5a5 5 0 0 1-10 0z M7 6H4v1a3 3 0 0 0 3 3 M17 6h3v1a3 3 0 0 1-3 3 M12 14v4 M8 20h8",
    "more": "M5 12h.01 M12 12h.01 M19 12h.01",
    "new": "M12 5v14 M5 12h14",
    "moon": "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
    "sun": "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z M12 2v2 M12 20v2 M4.9 4.9l1.4 1.4 M17.7 17.7l1.4 1.4 M2 12h2 M20 12h2 "
    "M4.9 19.1l1.4-1.4 M17.7 6.3l1.4-1.4",
}


@cache
def icon(name: str, classes: str = "") -> Markup:
    """The SVG of an icon."""
    return tag("svg", tag("path", d=_PATHS[name]), viewBox="0 0 24 24", class_=f"yz-svg {classes}".strip(),
               aria_hidden="true")  # fmt: skip
