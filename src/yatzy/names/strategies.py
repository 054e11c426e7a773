"""Strategies: who plays.

expected, target:S, …, match:…         the best for an objective
greedy                                 the most points in this turn
random                                 any legal move
molinder-bonus, molinder-lower         two that a person can follow
softened:FIRMNESS[:OBJECTIVE]          the best moves most often
file:PATH                              an exported strategy
FILE.py:CLASS                          a class in a Python file
"""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.names.base import Name, number_text
from yatzy.names.objectives import Expected, Objective

EXPECTED = Expected()


class StrategyName(Name):
    """Who plays."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Best(StrategyName):
    """The best moves for an objective."""

    objective: Objective
    form = "OBJECTIVE"

    def __str__(self) -> str:
        return str(self.objective)

    @property
    def reads_file(self) -> bool:
        """As the objective does."""
        return self.objective.reads_file

    @property
    def several(self) -> bool:
        """As the objective does."""
        return self.objective.several

    @property
    def turns(self) -> int:
        """As the objective does."""
        return self.objective.turns

    @property
    def seconds(self) -> float:
        """As the objective does."""
        return self.objective.seconds


@dataclass(frozen=True, slots=True)
class Softened(Best):
    """Every move with weight e^(firmness · (its value − the best))."""

    objective: Objective = EXPECTED
    firmness: float = 1.0
    form = "softened:FIRMNESS[:OBJECTIVE]"

    def __str__(self) -> str:
        rest = "" if self.objective == EXPECTED else f":{self.objective}"
        return f"softened:{number_text(self.firmness)}{rest}"


@dataclass(frozen=True, slots=True)
class Greedy(StrategyName):
    """The most points expected from this turn."""

    form = "greedy"

    def __str__(self) -> str:
        return self.form


@dataclass(frozen=True, slots=True)
class Random(StrategyName):
    """Any legal move, all alike."""

    form = "random"

    def __str__(self) -> str:
        return self.form


@dataclass(frozen=True, slots=True)
class MolinderBonus(StrategyName):
    """Molinder's strategy for the bonus."""

    form = "molinder-bonus"

    def __str__(self) -> str:
        return self.form


@dataclass(frozen=True, slots=True)
class MolinderLower(StrategyName):
    """Molinder's strategy for the lower half."""

    form = "molinder-lower"

    def __str__(self) -> str:
        return self.form


@dataclass(frozen=True, slots=True)
class Exported(StrategyName):
    """A strategy that was written to a file."""

    path: str
    form = "file:PATH"

    def __str__(self) -> str:
        return f"file:{self.path}"

    @property
    def reads_file(self) -> bool:
        """Always."""
        return True


@dataclass(frozen=True, slots=True)
class Custom(StrategyName):
    """A class in a Python file."""

    path: str
    class_name: str
    form = "FILE.py:CLASS"

    def __str__(self) -> str:
        return f"{self.path}:{self.class_name}"

    @property
    def reads_file(self) -> bool:
        """Always."""
        return True

    @property
    def runs_code(self) -> bool:
        """Always: loading the class runs its file."""
        return True
