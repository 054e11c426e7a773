"""Objectives: what a player maximises, alone or in a match."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Self

from yatzy.errors import InputError, Message
from yatzy.names.base import CURVES, ENDGAMES, EXPECTED, Label, Name, number_text
from yatzy.names.grammar import forms, parse, register, registered
from yatzy.units import Unit

MOST_TURNS = 99
"""The deepest search that can be requested, in turns; more than any game has left."""


class Objective(Name):
    """What a strategy maximises."""

    __slots__ = ()
    noun = "objective"

    @classmethod
    def unknown(cls, name: str, forms: str) -> Message:
        """The error for a text that is not one."""
        return Message("there is no objective {name}; objectives are {forms}", name=name, forms=forms)

    @property
    def own_table(self) -> str:
        """The identifier of the table that only this objective uses; empty if it has none."""
        return ""

    @property
    def tables(self) -> tuple[str, ...]:
        """Its own table, if it has one."""
        return (self.own_table,) if self.own_table else ()

    @classmethod
    def of_number(cls, number: float) -> Self:
        """The objective with this number; the inverse of `number`."""
        return cls.read(f"{number:.0f}")


class Others(Enum):
    """What a search assumes about the turns of the other players."""

    FOR_THEMSELVES = "for-themselves"
    """Each maximises their own payoff."""
    AGAINST_YOU = "against-you"
    """All minimise the payoff of the player who searches, as if they cooperated."""


class MatchObjective(Objective):
    """An objective in a match of several players, maximised by searching ahead."""

    __slots__ = ()
    noun = "match objective"

    @classmethod
    def unknown(cls, name: str, forms: str) -> Message:
        """The error for a text that is not one."""
        return Message("there is no match objective {name}; match objectives are {forms}", name=name, forms=forms)

    others: Others
    """The assumption about the other players; part of the name unless it is the usual one, `FOR_THEMSELVES`."""

    @classmethod
    def forms(cls, players: int = 2) -> tuple[str, ...]:
        """None for one player."""
        return (cls.form,) if players > 1 else ()

    @property
    def unit(self) -> Unit:
        """The unit of the payoff."""
        return Unit.WORTH

    @property
    def tables(self) -> tuple[str, ...]:
        """The curves, and the exact endgames."""
        return (CURVES, ENDGAMES)

    @property
    def several(self) -> bool:
        """Always true."""
        return True

    @property
    def label(self) -> Label:
        """With another key if the others play against the searching player."""
        label = super().label
        return replace(label, key=f"{label.key}_against") if self.others is Others.AGAINST_YOU else label

    def _with_others(self, text: str) -> str:
        return text if self.others is Others.FOR_THEMSELVES else f"{text}:{self.others.value}"


@register
@dataclass(frozen=True, slots=True)
class Expected(Objective):
    """The highest expected score."""

    form = "expected"
    help = "the most points on average"
    opener = "yatzy.values.expected:open_expected"
    examples = ("expected",)

    def __str__(self) -> str:
        return "expected"

    @property
    def tables(self) -> tuple[str, ...]:
        """Expected scores."""
        return (EXPECTED,)


@register
@dataclass(frozen=True, slots=True)
class Target(Objective):
    """The best chance of reaching a target score."""

    score: int
    form = "target:S"
    help = "the best chance of a final score of at least S points"
    opener = "yatzy.values.targets:open_target"
    checker = "yatzy.values.targets:check_target"
    examples = ("target:300",)

    def __str__(self) -> str:
        return f"target:{self.score}"

    @property
    def unit(self) -> Unit:
        """The chance of the target."""
        return Unit.CHANCE

    @property
    def tables(self) -> tuple[str, ...]:
        """The curves, and expected scores to break ties."""
        return (CURVES, EXPECTED)

    @property
    def number(self) -> float:
        """The target."""
        return self.score

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the text after `target:`."""
        if not _is_whole(rest) or int(rest) < 1:
            raise InputError(
                "target:{rest}: a target is a whole number from 1 on, such as target:300", rest=_short(rest)
            )
        return cls(int(rest))


@register
@dataclass(frozen=True, slots=True)
class ScoreAtChance(Objective):
    """The highest final score that can be reached with at least a given chance."""

    probability: float
    form = "chance:P"
    help = "the highest final score that is reached with a chance of at least P"
    opener = "yatzy.values.targets:open_score_at_chance"
    examples = ("chance:0.5",)

    def __str__(self) -> str:
        return f"chance:{number_text(self.probability)}"

    @property
    def tables(self) -> tuple[str, ...]:
        """The curves."""
        return (CURVES,)

    @property
    def slow(self) -> bool:
        """Always true: a turn is computed on whole curves."""
        return True

    @property
    def number(self) -> float:
        """The chance in percent."""
        return round(100 * self.probability, 6)

    @classmethod
    def of_number(cls, number: float) -> Self:
        """Make the objective from a chance in percent."""
        return cls.read(f"{number / 100:g}")

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the text after `chance:`."""
        probability = _number(rest)
        if not 0 < probability < 1:
            raise InputError("chance:{rest}: a chance is a number between 0 and 1, such as 0.9", rest=_short(rest))
        return cls(probability)


@register
@dataclass(frozen=True, slots=True)
class Exponential(Objective):
    """Exponential utility of the final score."""

    theta: float
    form = "exp:THETA"
    help = "exponential utility of the final score; THETA < 0 avoids risk, THETA > 0 seeks it"
    opener = "yatzy.values.exponential:open_exponential"
    checker = "yatzy.values.exponential:check_exponential"
    examples = ("exp:0.02",)

    def __str__(self) -> str:
        return f"exp:{number_text(self.theta)}"

    @property
    def label(self) -> Label:
        """Mentions θ."""
        return Label("exp", self.theta)

    @property
    def own_table(self) -> str:
        """Each θ has its own table."""
        return f"exp:{self.theta!r}"

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the text after `exp:`."""
        theta = _number(rest)
        if theta != theta or theta in (0.0, float("inf"), float("-inf")):
            raise InputError("exp:{rest}: must be a number other than 0, such as 0.02 or -0.02", rest=_short(rest))
        return cls(theta)


@register
@dataclass(frozen=True, slots=True)
class Utility(Objective):
    """Any utility of the final score, from a CSV file."""

    path: str
    form = "utility:FILE"
    help = "any utility of the final score, a CSV file with lines points,worth"
    opener = "yatzy.values.utility:open_utility"
    checker = "yatzy.values.utility:check_utility"

    def __str__(self) -> str:
        return f"utility:{self.path}"

    @property
    def unit(self) -> Unit:
        """Defined by the utility file."""
        return Unit.WORTH

    @property
    def file(self) -> str:
        """The path of the utility file."""
        return self.path

    def beside(self, folder: Path) -> Self:
        """The same name with its file path resolved relative to a folder."""
        return replace(self, path=str(folder / self.path))

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the text after `utility:`."""
        return cls(rest)


@dataclass(frozen=True, slots=True)
class _Search(MatchObjective):
    """A search to a fixed depth in turns."""

    depth: int
    others: Others = Others.FOR_THEMSELVES

    def __str__(self) -> str:
        return self._with_others(f"{self.words()}:{self.depth}")

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the depth, and the others if given."""
        depth, others = _split_others(rest)
        if not _is_whole(depth) or int(depth) > MOST_TURNS:
            raise InputError(
                "{words}:{rest}: the turns to search are a whole number from 0 to {most}",
                words=cls.words(),
                rest=_short(rest),
                most=MOST_TURNS,
            )
        return cls(int(depth), others)

    @property
    def turns(self) -> int:
        """The depth."""
        return self.depth

    @property
    def number(self) -> float:
        """The depth."""
        return self.depth


@register
@dataclass(frozen=True, slots=True)
class Emp(_Search):
    """Search to a fixed depth; at the leaves treat the curves as distributions and take the expected payoff."""

    form = "match:emp:D[:against-you]"
    examples = ("match:emp:1",)
    help = "search D whole turns ahead, then use the expected payoff"
    opener = "yatzy.matches.search:open_search"


@register
@dataclass(frozen=True, slots=True)
class DynS(_Search):
    """Search to a fixed depth; at the leaves pick the best target score, as if everyone played for it."""

    form = "match:dyns:D[:against-you]"
    examples = ("match:dyns:1",)
    help = "search D whole turns ahead, then use the best target"
    opener = "yatzy.matches.search:open_search"


@register
@dataclass(frozen=True, slots=True)
class Auto(MatchObjective):
    """EMP, searched as deep as a time limit allows."""

    within: float = 1.0
    others: Others = Others.FOR_THEMSELVES
    form = "match:auto[:SECONDS][:against-you]"
    examples = ("match:auto",)
    help = "the deepest search that answers within a second, or SECONDS; exact where possible"
    opener = "yatzy.matches.search:open_search"

    def __str__(self) -> str:
        return self._with_others("match:auto" if self.within == 1.0 else f"match:auto:{number_text(self.within)}")

    @property
    def seconds(self) -> float:
        """The time limit per move."""
        return self.within

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the seconds and the others, if given."""
        time, others = _split_others(rest)
        seconds = _number(time) if time else 1.0
        if not 0 < seconds < float("inf"):
            raise InputError(
                "match:auto:{rest}: the time is a number of seconds above 0, such as 0.5", rest=_short(rest)
            )
        return cls(seconds, others)


def parse_objective(text: str, players: int = 2) -> Objective:
    """Parse an objective, of one player or of a match. Errors list the objectives for this number of players."""
    match = players > 1 and text.strip().startswith("match:")
    return parse(MatchObjective if match else Objective, text, players)


def parse_match_objective(text: str) -> MatchObjective:
    """Parse an objective of a match."""
    return parse(MatchObjective, text)


def objective_examples() -> tuple[Objective, ...]:
    """One example of each kind of objective that has one, for lists of suggestions."""
    return tuple(parse_objective(kind.examples[0]) for kind in registered(Objective) if kind.examples)


def objective_forms() -> tuple[str, ...]:
    """The forms of objectives of one player."""
    return forms(Objective, players=1)


def _split_others(rest: str) -> tuple[str, Others]:
    """The text before the assumption about the other players, and that assumption."""
    before, colon, last = rest.rpartition(":")
    named = last == Others.AGAINST_YOU.value and bool(before) == bool(colon)
    return (before, Others.AGAINST_YOU) if named else (rest, Others.FOR_THEMSELVES)


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
