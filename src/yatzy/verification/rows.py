"""The rows of a table, each computed again from the rows that follow it.

A row is a state between turns, or a pair of states. Each kind of table has a class here or in a module beside this one.
A class of another way to compute the same rows, on a GPU for example, is derived from it and replaces `again`; it is
listed in `yatzy.verification.checking.WAYS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from yatzy.errors import Message
from yatzy.games import Game
from yatzy.model import compile_game
from yatzy.solver import Solver
from yatzy.values.bounds import ErrorBound, Measure
from yatzy.values.resources import Progress
from yatzy.values.turn import FloatArray
from yatzy.values.utility import UtilityFunction
from yatzy.verification.results import Identity, Law, Place
from yatzy.verification.turns import IntArray, by_filled

CERTAIN = 5.0
"""Standard errors from which a simulation contradicts a value: by chance in one of two million runs."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the tables are, and what they do not say themselves."""

    solver: Solver
    """Opens tables as they are (`read_only`)."""
    utilities: tuple[UtilityFunction, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Some numbers of a table, and the same computed again."""

    stored: FloatArray
    again: FloatArray
    where: Callable[[int], Place]
    """The place of a number."""
    values: int
    """Numbers of the table among them; the others are where a curve is 1 or 0 without being stored."""


@dataclass(slots=True)
class Kept:
    """An identity while it is checked."""

    law: Law
    bound: float
    checked: int = 0
    difference: float = 0.0
    place: Place | None = None

    def add(self, difference: float, where: Callable[[int], Place], at: int = 0) -> None:
        """Count one more, and keep the largest difference; `where` gives the place of number `at`."""
        self.checked += 1
        if not difference <= self.difference:  # NaN counts
            self.difference = difference
            self.place = where(at) if not difference <= self.bound else None

    def result(self) -> Identity:
        """What was found."""
        return Identity(self.law, self.checked, self.difference, self.bound, self.place)


@dataclass(eq=False)
class TableRows(ABC):
    """The rows of one table. Opening it checks the form of its arrays as they are read."""

    usual: ClassVar[int]
    """Rows that take some seconds."""
    step: ClassVar[int] = 256
    """Rows that are computed again between two steps of the progress."""

    game: Game
    objective: str
    sources: Sources
    laws: dict[Law, Kept] = field(default_factory=dict)
    """The identities that `again` checks as it goes."""
    left_out: Message | str = ""
    """What cannot be checked."""

    bound: ErrorBound = field(init=False)
    values: int = field(init=False)
    """Numbers in the table."""

    def __post_init__(self) -> None:
        self.compiled = compile_game(self.game)
        self.open()

    @abstractmethod
    def open(self) -> None:
        """Open the table, and set `bound` and `values`."""

    @property
    def layers(self) -> range:
        """The layers in the order in which they are checked: from the end of the game."""
        return range(self.compiled.states.layers - 1, -1, -1)

    def rows(self, layer: int) -> int:
        """The number of rows of a layer."""
        first, end = self.compiled.states.layer_start[layer : layer + 2].tolist()
        return int(end - first)

    def order(self, layer: int, rows: IntArray) -> IntArray:
        """The same rows in the order in which they are computed again fastest."""
        return rows[by_filled(self.compiled, rows + int(self.compiled.states.layer_start[layer]))]

    @abstractmethod
    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """Compute some rows of a layer again, from the stored rows of the next layer."""

    def difference(self, batch: Batch) -> FloatArray:
        """How far the numbers are apart, in the measure of the bound."""
        apart = np.maximum(np.abs(batch.stored - batch.again) - self.bound.nothing, 0.0)
        if self.bound.measure is Measure.RELATIVE:
            larger = np.maximum(np.abs(batch.stored), np.abs(batch.again))
            apart = np.divide(apart, larger, out=np.zeros_like(apart), where=larger > 0)
        return apart

    def simulate(self, games: int, seed: int, progress: Progress | None) -> Identity | None:
        """The value at the start beside that of simulated games; None if there is nothing to simulate."""
        return None

    def keep(self, law: Law, bound: float = 0.0) -> Kept:
        """An identity that is checked; `bound` counts when it is first used."""
        return self.laws.setdefault(law, Kept(law, bound))

    def simulated(self, mean: float, error: float, value: float, games: int) -> Identity:
        """A mean of games with its standard error beside a value."""
        return Identity(Law.SIMULATED, games, abs(mean - value), CERTAIN * error + self.bound.shown)
