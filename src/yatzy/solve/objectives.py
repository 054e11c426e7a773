"""Objectives as solved games: a name is checked for a game, and its tables are opened or made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.names import (
    OBJECTIVE_FORMS,
    Expected,
    Exponential,
    Objective,
    Origin,
    ScoreAtChance,
    Target,
    Utility,
    check_origin,
    grammar,
)
from yatzy.solve import targets
from yatzy.solve.chances import BestChances
from yatzy.solve.expected import ExpectedScore
from yatzy.solve.exponential import ExponentialUtility, most_points
from yatzy.solve.outlook import Outlooks
from yatzy.solve.solution import Solution
from yatzy.solve.tables import Progress
from yatzy.solve.utility import UtilityFunction, UtilityScore, read_utility
from yatzy.store import Report

Wanted: TypeAlias = Objective | UtilityFunction | str
"""An objective as a value, as text, or as a utility that is at hand already."""


def parse_objective(text: str, game: Game) -> Objective:
    """Read an objective of one player; it must make sense for the game. No file is read."""
    try:
        objective = grammar.parse_objective(text)
    except InputError:
        if text.strip().startswith("target:"):
            raise InputError(f"{text.strip()[:40]}: {_targets(game)}") from None
        raise
    if objective.several:
        raise InputError(f"there is no objective {text!r} for one player; there are {', '.join(OBJECTIVE_FORMS)}")
    check_for_game(objective, game)
    return objective


def check_for_game(objective: Objective, game: Game) -> None:
    """Refuse an objective that makes no sense for a game."""
    if isinstance(objective, Target) and objective.score > most_points(game):
        raise InputError(f"{objective}: {_targets(game)}")


def _targets(game: Game) -> str:
    return f"a target for {game.id} is a whole number from 1 to {most_points(game)}"


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

    def open(self, game: Game, objective: Wanted, origin: Origin = Origin.DATA) -> Solution:
        """The game solved for an objective.

        origin: where the name of the objective comes from; only a person may have a file read (`utility:FILE`).
        """
        if isinstance(objective, str):
            objective = parse_objective(objective, game)
        if isinstance(objective, Objective):
            check_for_game(objective, game)
            check_origin(objective, origin)
        match objective:
            case Expected():
                return self.expected(game)
            case Target(score):
                return targets.TargetChance(self.chances(game), self.expected(game), score)
            case ScoreAtChance(probability):
                return targets.ScoreAtChance(self.chances(game), probability)
            case Exponential(theta):
                watch = self._watch(f"{game.name()} for exp:{theta:g}")
                return ExponentialUtility(game, theta, self.folder, self.threads, watch, self.report)
            case Utility(path):
                return self._utility(game, read_utility(Path(path)))
            case UtilityFunction():
                return self._utility(game, objective)
        raise InputError(f"{objective}: is an objective of several players; open it for a match")

    def _utility(self, game: Game, function: UtilityFunction) -> Solution:
        watch = self._watch(f"{game.name()} for a utility")
        return UtilityScore(game, function, self.folder, self.threads, watch, self.report)


def solve_objective(
    game: Game, objective: Wanted, folder: str | Path | None = None, origin: Origin = Origin.DATA
) -> Solution:
    """A game solved for an objective, given as text or as a value; its table is made if it is not there.

    origin: `Origin.PERSON` lets the objective read a file (`utility:FILE`).
    """
    return Workshop(folder).open(game, objective, origin)
