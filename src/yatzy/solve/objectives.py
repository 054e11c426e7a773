"""Objectives: what a player wants, as text and as a solved game.

expected         the most points on average
target:S         the best chance of at least S points in the end, points made so far included
chance:P         the best final score that is reached with chance at least P
exp:THETA        exponential utility of the final score: caution for THETA < 0, risk for THETA > 0
utility:FILE     any utility of the final score, a CSV file with lines points,worth
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.solve.chances import BestChances
from yatzy.solve.expected import ExpectedScore
from yatzy.solve.exponential import ExponentialUtility, most_points
from yatzy.solve.outlook import Outlooks
from yatzy.solve.solution import Solution
from yatzy.solve.tables import Progress
from yatzy.solve.targets import ScoreAtChance, TargetChance
from yatzy.solve.utility import UtilityFunction, UtilityScore, read_utility
from yatzy.store import Report

FORMS = ("expected", "target:S", "chance:P", "exp:THETA", "utility:FILE")


@dataclass(frozen=True, slots=True)
class Expected:
    """The most points on average."""


@dataclass(frozen=True, slots=True)
class Target:
    """The best chance of at least so many points in the end."""

    score: int


@dataclass(frozen=True, slots=True)
class Chance:
    """The best final score that is reached with at least this chance."""

    probability: float


@dataclass(frozen=True, slots=True)
class Exponential:
    """Exponential utility of the final score."""

    theta: float


@dataclass(frozen=True, slots=True)
class Utility:
    """Any utility of the final score."""

    function: UtilityFunction


Objective: TypeAlias = Expected | Target | Chance | Exponential | Utility


def parse_objective(text: str, game: Game) -> Objective:
    """Read an objective; it must make sense for the game."""
    kind, _, rest = text.strip().partition(":")
    readers: dict[str, Callable[[str, Game], Objective]] = {
        "target": _target,
        "chance": _chance,
        "exp": _exponential,
        "utility": lambda rest, game: Utility(read_utility(Path(rest))),
    }
    if text.strip() == "expected":
        return Expected()
    if kind not in readers or not rest:
        raise InputError(f"there is no objective {text!r}; objectives are {', '.join(FORMS)}")
    return readers[kind](rest, game)


def _target(text: str, game: Game) -> Target:
    most = most_points(game)
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text[:9]) <= most:
        raise InputError(f"target:{text}: a target for {game.id} is a whole number from 1 to {most}")
    return Target(int(text))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _chance(text: str, game: Game) -> Chance:
    probability = _number(text)
    if not 0 < probability < 1:
        raise InputError(f"chance:{text}: a chance is a number between 0 and 1, such as 0.9")
    return Chance(probability)


def _exponential(text: str, game: Game) -> Exponential:
    theta = _number(text)
    if theta != theta or theta in (0.0, float("inf"), float("-inf")):
        raise InputError(f"exp:{text}: must be a number other than 0, such as 0.02 or -0.02")
    return Exponential(theta)


@dataclass(frozen=True)
class Workshop:
    """Where solved games are opened or made, each table once however many objectives need it."""

    folder: str | Path | None = None
    threads: int | None = None
    progress: Callable[..., Progress] | None = None
    """Asked for a way to show progress on something that has to be made: what, and a verb if it is not solved."""
    report: Report | None = None

    def _watch(self, what: str) -> Progress | None:
        return self.progress(what) if self.progress is not None else None

    def expected(self, game: Game) -> ExpectedScore:
        """The game solved for the most points."""
        return ExpectedScore(game, self.folder, self.threads, self._watch(game.name()), self.report)

    def chances(self, game: Game) -> BestChances:
        """The best chance of every score from every state."""
        watch = self._watch(f"{game.name()} for every score")
        return BestChances(game, self.folder, self.threads, watch, self.report)

    def outlooks(self, game: Game) -> Outlooks:
        """What will become of every position of the game, played for the most points."""
        expected, watch = self.expected(game), self._watch(f"{game.name()} for its outlook")
        return Outlooks(game, expected, self.folder, self.threads, watch, self.report)

    def open(self, game: Game, objective: Objective | str) -> Solution:
        """The game solved for an objective."""
        if isinstance(objective, str):
            objective = parse_objective(objective, game)
        match objective:
            case Expected():
                return self.expected(game)
            case Target(score):
                return TargetChance(self.chances(game), self.expected(game), score)
            case Chance(probability):
                return ScoreAtChance(self.chances(game), probability)
            case Exponential(theta):
                watch = self._watch(f"{game.name()} for exp:{theta:g}")
                return ExponentialUtility(game, theta, self.folder, self.threads, watch, self.report)
            case Utility(function):
                watch = self._watch(f"{game.name()} for a utility")
                return UtilityScore(game, function, self.folder, self.threads, watch, self.report)


def solve_objective(game: Game, objective: Objective | str, folder: str | Path | None = None) -> Solution:
    """A game solved for an objective, given as text or as a value; its table is made if it is not there."""
    return Workshop(folder).open(game, objective)
