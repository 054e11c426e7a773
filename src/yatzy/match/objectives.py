"""Strategies for several players as text: how far to search, and how to judge what is found there.

match:emp:D             search D whole turns and judge by expected payoff
match:dyns:D            the same, judged by the best target
match:auto              the deepest search that answers within a second, exact where it can be
match:auto:SECONDS      the same within so many seconds
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from yatzy.errors import InputError

FORMS = ("match:emp:D", "match:dyns:D", "match:auto", "match:auto:SECONDS")
PREFIX = "match:"
MOST_TURNS = 99


@dataclass(frozen=True, slots=True)
class EMP:
    """Search so many turns, then read the curves as distributions and take the expected payoff."""

    depth: int

    def __str__(self) -> str:
        return f"match:emp:{self.depth}"


@dataclass(frozen=True, slots=True)
class DynS:
    """Search so many turns, then pick the best target, as if everyone played for it."""

    depth: int

    def __str__(self) -> str:
        return f"match:dyns:{self.depth}"


@dataclass(frozen=True, slots=True)
class Auto:
    """EMP, as deep as so many seconds allow."""

    seconds: float = 1.0

    def __str__(self) -> str:
        return "match:auto" if self.seconds == 1.0 else f"match:auto:{self.seconds:g}"


MatchObjective: TypeAlias = EMP | DynS | Auto


def is_match_objective(text: str) -> bool:
    """Whether an objective is one for several players."""
    return text.strip().startswith(PREFIX)


def parse_match_objective(text: str) -> MatchObjective:
    """Read a strategy for several players."""
    kind, _, rest = text.strip().removeprefix("match:").partition(":")
    if not text.strip().startswith("match:") or kind not in ("emp", "dyns", "auto"):
        raise InputError(f"there is no match objective {text!r}; match objectives are {', '.join(FORMS)}")
    if kind == "auto":
        return Auto(_seconds(rest)) if text.strip() != "match:auto" else Auto()
    if not (rest.isascii() and rest.isdigit()) or int(rest[:9]) > MOST_TURNS:
        raise InputError(f"match:{kind}:{rest}: the turns to search are a whole number from 0 to {MOST_TURNS}")
    return EMP(int(rest)) if kind == "emp" else DynS(int(rest))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise InputError(f"match:auto:{text}: the time is a number of seconds above 0, such as 0.5")
    return seconds
