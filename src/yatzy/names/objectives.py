"""Objectives: what a player wants, alone or against others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from yatzy.errors import InputError
from yatzy.names.base import Name, number_text
from yatzy.names.grammar import find, forms, parse, register

MOST_TURNS = 99
"""Turns that a search may be told to look ahead; more than any game has left."""


class Objective(Name):
    """What is maximised."""

    __slots__ = ()
    noun, nouns = "objective", "objectives"


class MatchObjective(Objective):
    """What is maximised in a match of several players, by searching ahead."""

    __slots__ = ()
    noun, nouns = "match objective", "match objectives"

    @property
    def several(self) -> bool:
        """Always."""
        return True


@register
@dataclass(frozen=True, slots=True)
class Expected(Objective):
    """The most points on average."""

    form = "expected"
    help = "the most points on average"
    opener = "yatzy.values.expected:open_expected"

    def __str__(self) -> str:
        return "expected"


@register
@dataclass(frozen=True, slots=True)
class Target(Objective):
    """The best chance of at least so many points in the end."""

    score: int
    form = "target:S"
    help = "the best chance of at least S points in the end, points made so far included"
    opener = "yatzy.values.targets:open_target"

    def __str__(self) -> str:
        return f"target:{self.score}"

    @classmethod
    def read(cls, rest: str) -> Self:
        """Read what follows `target:`."""
        if not _is_whole(rest) or int(rest) < 1:
            raise InputError(f"target:{_short(rest)}: a target is a whole number from 1 on, such as target:300")
        return cls(int(rest))


@register
@dataclass(frozen=True, slots=True)
class ScoreAtChance(Objective):
    """The best final score that is reached with at least this chance."""

    probability: float
    form = "chance:P"
    help = "the best final score that is reached with chance at least P"
    opener = "yatzy.values.targets:open_score_at_chance"

    def __str__(self) -> str:
        return f"chance:{number_text(self.probability)}"

    @classmethod
    def read(cls, rest: str) -> Self:
        """Read what follows `chance:`."""
        probability = _number(rest)
        if not 0 < probability < 1:
            raise InputError(f"chance:{_short(rest)}: a chance is a number between 0 and 1, such as 0.9")
        return cls(probability)


@register
@dataclass(frozen=True, slots=True)
class Exponential(Objective):
    """Exponential utility of the final score."""

    theta: float
    form = "exp:THETA"
    help = "exponential utility of the final score: caution for THETA < 0, risk for THETA > 0"
    opener = "yatzy.values.exponential:open_exponential"

    def __str__(self) -> str:
        return f"exp:{number_text(self.theta)}"

    @classmethod
    def read(cls, rest: str) -> Self:
        """Read what follows `exp:`."""
        theta = _number(rest)
        if theta != theta or theta in (0.0, float("inf"), float("-inf")):
            raise InputError(f"exp:{_short(rest)}: must be a number other than 0, such as 0.02 or -0.02")
        return cls(theta)


@register
@dataclass(frozen=True, slots=True)
class Utility(Objective):
    """Any utility of the final score, from a CSV file."""

    path: str
    form = "utility:FILE"
    help = "any utility of the final score, a CSV file with lines points,worth"
    opener = "yatzy.values.utility:open_utility"

    def __str__(self) -> str:
        return f"utility:{self.path}"

    @property
    def reads_file(self) -> bool:
        """Always: that is where the utility is."""
        return True

    @classmethod
    def read(cls, rest: str) -> Self:
        """Read what follows `utility:`."""
        return cls(rest)


@dataclass(frozen=True, slots=True)
class _Search(MatchObjective):
    """A search of so many turns against the other players."""

    depth: int

    @classmethod
    def read(cls, rest: str) -> Self:
        """Read the depth."""
        if not _is_whole(rest) or int(rest) > MOST_TURNS:
            words = cls.form.removesuffix("D")
            raise InputError(f"{words}{_short(rest)}: the turns to search are a whole number from 0 to {MOST_TURNS}")
        return cls(int(rest))

    @property
    def turns(self) -> int:
        """The depth."""
        return self.depth


@register
@dataclass(frozen=True, slots=True)
class Emp(_Search):
    """Search so many turns, then read the curves as distributions and take the expected payoff."""

    form = "match:emp:D"
    help = "search D whole turns and judge by expected payoff"
    opener = "yatzy.matches.search:open_search"

    def __str__(self) -> str:
        return f"match:emp:{self.depth}"


@register
@dataclass(frozen=True, slots=True)
class DynS(_Search):
    """Search so many turns, then pick the best target, as if everyone played for it."""

    form = "match:dyns:D"
    help = "search D whole turns and judge by the best target"
    opener = "yatzy.matches.search:open_search"

    def __str__(self) -> str:
        return f"match:dyns:{self.depth}"


@register
@dataclass(frozen=True, slots=True)
class Auto(MatchObjective):
    """EMP, as deep as so many seconds allow."""

    within: float = 1.0
    form = "match:auto[:SECONDS]"
    help = "the deepest search that answers within a second, or SECONDS; exact where possible"
    opener = "yatzy.matches.search:open_search"

    def __str__(self) -> str:
        return "match:auto" if self.within == 1.0 else f"match:auto:{number_text(self.within)}"

    @property
    def seconds(self) -> float:
        """The time that a move may take."""
        return self.within

    @classmethod
    def read(cls, rest: str) -> Self:
        """Read the seconds, where they are given."""
        seconds = _number(rest) if rest else 1.0
        if not 0 < seconds < float("inf"):
            raise InputError(f"match:auto:{_short(rest)}: the time is a number of seconds above 0, such as 0.5")
        return cls(seconds)


def parse_objective(text: str) -> Objective:
    """Read an objective, of one player or of several."""
    return parse(Objective, text)


def parse_match_objective(text: str) -> MatchObjective:
    """Read an objective of several players."""
    return parse(MatchObjective, text)


def is_match_objective(text: str) -> bool:
    """Whether a text has the form of an objective of several players."""
    return find(MatchObjective, text) is not None


def objective_forms() -> tuple[str, ...]:
    """The forms of objectives of one player."""
    return tuple(form for form in forms(Objective) if form not in forms(MatchObjective))


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
