"""What the functions that open a name receive: the resources, and the solutions that several names share.

A name class refers to the function that opens it by a dotted path (`opener`). Such a function takes an `Opening` and
never creates another one, so that only the solver decides what is opened, cached or built.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from yatzy.games import Game
from yatzy.names import Objective, Origin
from yatzy.values.resources import Resources

if TYPE_CHECKING:
    from yatzy.values import BestChances, ExpectedScore, Solution


class Opening(Resources):
    """The interface that openers use."""

    @abstractmethod
    def expected(self, game: Game) -> ExpectedScore:
        """The game solved for the most points."""

    @abstractmethod
    def chances(self, game: Game) -> BestChances:
        """The best chance of every score from every state."""

    @abstractmethod
    def build(self, game: Game, objective: Objective, origin: Origin = Origin.DATA) -> Solution:
        """The game solved for an objective of one player; `origin` is where its name comes from."""
