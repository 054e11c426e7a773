"""Objectives: what a player wants, alone or against others.

expected                the most points on average
target:S                the best chance of at least S points in the end, points made so far included
chance:P                the best final score that is reached with chance at least P
exp:THETA               exponential utility of the final score: caution for THETA < 0, risk for THETA > 0
utility:FILE            any utility of the final score, a CSV file with lines points,worth
match:emp:D             search D whole turns and judge by expected payoff
match:dyns:D            the same, judged by the best target
match:auto[:SECONDS]    the deepest search that answers within a second, or SECONDS; exact where it can be
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from yatzy.errors import InputError
from yatzy.names.base import Name, number_text

MOST_TURNS = 99
"""Turns that a search may be told to look ahead; more than any game has left."""


class Objective(Name):
    """What is maximised."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Expected(Objective):
    """The most points on average."""

    form = "expected"

    def __str__(self) -> str:
        return "expected"


@dataclass(frozen=True, slots=True)
class Target(Objective):
    """The best chance of at least so many points in the end."""

    score: int
    form = "target:S"

    def __str__(self) -> str:
        return f"target:{self.score}"

    @classmethod
    def read(cls, rest: str) -> Target:
        """Read what follows `target:`."""
        if not _is_whole(rest) or int(rest) < 1:
            raise InputError(f"target:{_short(rest)}: a target is a whole number from 1 on, such as target:300")
        return cls(int(rest))


@dataclass(frozen=True, slots=True)
class ScoreAtChance(Objective):
    """The best final score that is reached with at least this chance."""

    probability: float
    form = "chance:P"

    def __str__(self) -> str:
        return f"chance:{number_text(self.probability)}"

    @classmethod
    def read(cls, rest: str) -> ScoreAtChance:
        """Read what follows `chance:`."""
        probability = _number(rest)
        if not 0 < probability < 1:
            raise InputError(f"chance:{_short(rest)}: a chance is a number between 0 and 1, such as 0.9")
        return cls(probability)


@dataclass(frozen=True, slots=True)
class Exponential(Objective):
    """Exponential utility of the final score."""

    theta: float
    form = "exp:THETA"

    def __str__(self) -> str:
        return f"exp:{number_text(self.theta)}"

    @classmethod
    def read(cls, rest: str) -> Exponential:
        """Read what follows `exp:`."""
        theta = _number(rest)
        if theta != theta or theta in (0.0, float("inf"), float("-inf")):
            raise InputError(f"exp:{_short(rest)}: must be a number other than 0, such as 0.02 or -0.02")
        return cls(theta)


@dataclass(frozen=True, slots=True)
class Utility(Objective):
    """Any utility of the final score, from a CSV file."""

    path: str
    form = "utility:FILE"

    def __str__(self) -> str:
        return f"utility:{self.path}"

    @property
    def reads_file(self) -> bool:
        """Always: that is where the utility is."""
        return True

    @classmethod
    def read(cls, rest: str) -> Utility:
        """Read what follows `utility:`."""
        return cls(rest)


@dataclass(frozen=True, slots=True)
class _Search(Objective):
    """A search of so many turns against the other players."""

    depth: int

    @property
    def several(self) -> bool:
        """Always."""
        return True

    @property
    def turns(self) -> int:
        """The depth."""
        return self.depth


@dataclass(frozen=True, slots=True)
class Emp(_Search):
    """Search so many turns, then read the curves as distributions and take the expected payoff."""

    form = "match:emp:D"

    def __str__(self) -> str:
        return f"match:emp:{self.depth}"


@dataclass(frozen=True, slots=True)
class DynS(_Search):
    """Search so many turns, then pick the best target, as if everyone played for it."""

    form = "match:dyns:D"

    def __str__(self) -> str:
        return f"match:dyns:{self.depth}"


@dataclass(frozen=True, slots=True)
class Auto(Objective):
    """EMP, as deep as so many seconds allow."""

    within: float = 1.0
    form = "match:auto[:SECONDS]"

    def __str__(self) -> str:
        return "match:auto" if self.within == 1.0 else f"match:auto:{number_text(self.within)}"

    @property
    def several(self) -> bool:
        """Always."""
        return True

    @property
    def seconds(self) -> float:
        """The time that a move may take."""
        return self.within


MatchObjective: TypeAlias = Emp | DynS | Auto


def read_search(rest: str) -> MatchObjective | None:
    """Read what follows `match:`; None where it names no search."""
    kind, colon, number = rest.partition(":")
    if kind == "auto":
        return Auto(_seconds(number)) if colon else Auto()
    if kind not in ("emp", "dyns"):
        return None
    if not _is_whole(number) or int(number) > MOST_TURNS:
        raise InputError(
            f"match:{kind}:{_short(number)}: the turns to search are a whole number from 0 to {MOST_TURNS}"
        )
    return Emp(int(number)) if kind == "emp" else DynS(int(number))


def _seconds(text: str) -> float:
    seconds = _number(text)
    if not 0 < seconds < float("inf"):
        raise InputError(f"match:auto:{_short(text)}: the time is a number of seconds above 0, such as 0.5")
    return seconds


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
