"""Names of strategies."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from yatzy.errors import InputError, Message
from yatzy.names.base import Label, Name, number_text
from yatzy.names.grammar import find, forms, parse, register, registered
from yatzy.names.objectives import Expected, MatchObjective, Objective, objective_examples, parse_objective
from yatzy.units import Unit

if TYPE_CHECKING:
    from yatzy.games import Game

EXPECTED = Expected()


class StrategyName(Name):
    """The name of a strategy."""

    __slots__ = ()
    noun = "strategy"

    @classmethod
    def unknown(cls, name: str, forms: str) -> Message:
        """The error for a text that is not one."""
        return Message("there is no strategy {name}; strategies are {forms}", name=name, forms=forms)

    match_opener: ClassVar[str] = ""
    """The function that makes a strategy for matches from a search and the name, if `searched` is not None."""

    @property
    def searched(self) -> MatchObjective | None:
        """The match objective whose search it plays by; None if it looks at its own sheet only."""
        return None

    @property
    def firmness(self) -> float | None:
        """How firmly it prefers better moves; None if it makes no errors."""
        return None


@register
@dataclass(frozen=True, slots=True)
class Best(StrategyName):
    """The best moves for an objective."""

    objective: Objective
    form = "OBJECTIVE"
    help = "the best moves for an objective"
    opener = "yatzy.strategies.best:open_best"
    match_opener = "yatzy.matches.strategies:open_match"

    def __str__(self) -> str:
        return str(self.objective)

    @classmethod
    def forms(cls, players: int = 2) -> tuple[str, ...]:
        """The forms of all objectives."""
        return forms(Objective, players)

    @classmethod
    def rest_of(cls, text: str) -> str | None:
        """The whole text, if it is an objective."""
        return text if find(Objective, text) else None

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse an objective."""
        return cls(parse_objective(rest))

    def check(self, game: Game) -> None:
        """Delegates to the objective."""
        self.objective.check(game)

    @property
    def file(self) -> str | None:
        """Delegates to the objective."""
        return self.objective.file

    def beside(self, folder: Path) -> Self:
        """Delegates to the objective."""
        return replace(self, objective=self.objective.beside(folder))

    @property
    def searched(self) -> MatchObjective | None:
        """The objective, if it is one of a match."""
        return self.objective if isinstance(self.objective, MatchObjective) else None

    @property
    def unit(self) -> Unit:
        """Delegates to the objective."""
        return self.objective.unit

    @property
    def number(self) -> float | None:
        """Delegates to the objective."""
        return self.objective.number

    @property
    def label(self) -> Label:
        """Delegates to the objective."""
        return self.objective.label

    @property
    def tables(self) -> tuple[str, ...]:
        """Delegates to the objective."""
        return self.objective.tables

    @property
    def slow(self) -> bool:
        """Delegates to the objective."""
        return self.objective.slow

    @property
    def several(self) -> bool:
        """Delegates to the objective."""
        return self.objective.several

    @property
    def turns(self) -> int:
        """Delegates to the objective."""
        return self.objective.turns

    @property
    def seconds(self) -> float:
        """Delegates to the objective."""
        return self.objective.seconds


@register
@dataclass(frozen=True, slots=True)
class Softened(Best):
    """Plays every move with weight e^(firmness · (its value − the best value))."""

    objective: Objective = EXPECTED
    firmness: float = 1.0
    form = "softened:FIRMNESS[:OBJECTIVE]"
    examples = ("softened:1", "softened:0.3")
    help = "the best moves most often; the smaller FIRMNESS, the more errors"
    opener = "yatzy.strategies.softened:open_softened"
    match_opener = "yatzy.matches.strategies:open_softened_match"

    def __str__(self) -> str:
        rest = "" if self.objective == EXPECTED else f":{self.objective}"
        return f"softened:{number_text(self.firmness)}{rest}"

    @classmethod
    def forms(cls, players: int = 2) -> tuple[str, ...]:
        """Its own form only."""
        return (cls.form,)

    @classmethod
    def rest_of(cls, text: str) -> str | None:
        """The text after `softened:`."""
        return super(Best, cls).rest_of(text)

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the firmness and, if given, the objective."""
        number, _, objective = rest.partition(":")
        try:
            firmness = float(number)
        except ValueError:
            firmness = math.nan
        if not 0 <= firmness < math.inf:
            shown = rest if len(rest) <= 40 else f"{rest[:40]}…"
            raise InputError("softened:{rest}: the firmness must be a number from 0 on, such as softened:1", rest=shown)
        return cls(parse_objective(objective) if objective else EXPECTED, firmness)

    @property
    def label(self) -> Label:
        """Mentions the firmness."""
        return Label("softened", self.firmness)


@register
@dataclass(frozen=True, slots=True)
class Greedy(StrategyName):
    """Maximises the expected points of the current turn."""

    form = "greedy"
    examples = ("greedy",)
    help = "the most points expected from this turn"
    opener = "yatzy.strategies.best:open_greedy"

    def __str__(self) -> str:
        return self.form


@register
@dataclass(frozen=True, slots=True)
class Random(StrategyName):
    """Any legal move, with equal probability."""

    form = "random"
    examples = ("random",)
    help = "a random legal move"
    opener = "yatzy.strategies.softened:open_random"

    def __str__(self) -> str:
        return self.form


@register
@dataclass(frozen=True, slots=True)
class MolinderBonus(StrategyName):
    """Molinder's strategy for the bonus."""

    form = "molinder-bonus"
    help = "Molinder's strategy for the bonus, which a person can follow"
    opener = "yatzy.strategies.molinder:open_bonus"
    checker = "yatzy.strategies.molinder:check_game"
    examples = ("molinder-bonus",)

    def __str__(self) -> str:
        return self.form


@register
@dataclass(frozen=True, slots=True)
class MolinderLower(StrategyName):
    """Molinder's strategy for the lower half."""

    form = "molinder-lower"
    help = "Molinder's strategy for the lower half, which a person can follow"
    opener = "yatzy.strategies.molinder:open_lower"
    checker = "yatzy.strategies.molinder:check_game"
    examples = ("molinder-lower",)

    def __str__(self) -> str:
        return self.form


@register
@dataclass(frozen=True, slots=True)
class Exported(StrategyName):
    """A strategy exported to a file."""

    path: str
    form = "file:PATH"
    help = "a strategy that `yatzy export` wrote"
    opener = "yatzy.strategies.exported:open_exported"
    checker = "yatzy.strategies.exported:check_exported"

    def __str__(self) -> str:
        return f"file:{self.path}"

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the path."""
        return cls(rest)

    @property
    def file(self) -> str:
        """The path of the strategy file."""
        return self.path

    def beside(self, folder: Path) -> Self:
        """The same name with its file path resolved relative to a folder."""
        return replace(self, path=str(folder / self.path))


@register
@dataclass(frozen=True, slots=True)
class Custom(StrategyName):
    """A class in a Python file."""

    path: str
    class_name: str
    form = "FILE.py:CLASS"
    help = "a class in a Python file of your own"
    opener = "yatzy.strategies.custom:open_custom"
    checker = "yatzy.strategies.custom:check_custom"

    def __str__(self) -> str:
        return f"{self.path}:{self.class_name}"

    @classmethod
    def rest_of(cls, text: str) -> str | None:
        """The whole text, if it begins with the path of a Python file."""
        return text if text.rpartition(":")[0].endswith(".py") else None

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the file and the class name."""
        path, _, class_name = rest.rpartition(":")
        return cls(path, class_name)

    @property
    def file(self) -> str:
        """The path of the Python file."""
        return self.path

    def beside(self, folder: Path) -> Self:
        """The same name with its file path resolved relative to a folder."""
        return replace(self, path=str(folder / self.path))

    @property
    def runs_code(self) -> bool:
        """Always true: loading the class runs its file."""
        return True


def parse_strategy(text: str, players: int = 2) -> StrategyName:
    """Parse the name of a strategy. Errors list the strategies for this number of players."""
    return parse(StrategyName, text, players)


def strategy_examples() -> tuple[str, ...]:
    """Strategies for lists of suggestions: single-player ones that move without delay."""
    objectives = [str(name) for name in objective_examples() if not name.slow]
    return (*objectives, *(text for kind in registered(StrategyName) for text in kind.examples))


def strategy_forms() -> tuple[str, ...]:
    """The forms of single-player strategies."""
    return forms(StrategyName, players=1)
