"""Strategies: a move for every position, and the same thing as arrays for those who play or evaluate many games.

A strategy is asked for one move at a time. One that looks at little of the sheet can also say at once what it does in
a whole turn (`Plans`), and is then played a hundred times as fast and evaluated exactly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from yatzy.errors import MoveError, StrategyError
from yatzy.games import Dice, Game, Keep, Move, Position, Score
from yatzy.model import compile_game
from yatzy.store.revisions import Computation
from yatzy.values.kinds import CURVES, EXPECTED, EXPONENTIAL, UTILITY

STRATEGIES = Computation("strategies", uses=(EXPECTED, CURVES, EXPONENTIAL, UTILITY))
"""The moves of the strategies in this room. Raise its revision when one of them moves differently."""

Earlier: TypeAlias = tuple[Dice, ...]
"""All dice after each earlier roll of a turn, the first roll first; empty after the first roll."""


class Strategy(ABC):
    """A move for every position of one player; the other sheets of a position may be looked at."""

    game: Game
    name: str
    remembers = False
    """Whether `earlier` makes a difference."""

    @abstractmethod
    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The move: with rolls left a keep, or a category to stop there; with none a category.

        `earlier` is for those who follow an aim through a turn. Who asks about a position met in the middle of a turn
        may not know it; then the turn is taken to begin there.
        """


class MixedStrategy(Strategy):
    """A strategy that leaves its move to chance."""

    @abstractmethod
    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """The moves it may make, each with the chance of it."""

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The move it makes most often, the first of them between equals."""
        return max(self.weights(position, earlier), key=lambda entry: entry[1])[0]


class DependsOn(Enum):
    """What the choices of a strategy depend on, beside the dice and rolls of the turn."""

    FILLED = "filled"
    """Which categories are filled."""
    STATE = "state"
    """That, the upper sum as far as it matters, and the Joker box: the states of model/states.py."""


@dataclass(frozen=True, eq=False)
class Plans:
    """What a strategy does in whole turns, one after the other.

    After the first roll a strategy may choose an *aim*, a number from 0 on, and keep to it; most have just one.
    """

    aim: npt.NDArray[np.uint8]
    """[turn, roll]: the aim chosen after the first roll."""
    keep: npt.NDArray[np.int16]
    """[turn, rolls left - 1, aim, roll]: what is kept, as a place in the lattice; all dice where the turn is over."""
    place: npt.NDArray[np.int16]
    """[turn, aim, roll]: the outcome of model/placing.py that is chosen with no roll left."""

    def __len__(self) -> int:
        return len(self.aim)


def empty_plans(game: Game, turns: int, aims: int = 1) -> Plans:
    """Room for the plans of so many turns."""
    rolls = len(compile_game(game).lattice.rolls)
    return Plans(
        np.zeros((turns, rolls), np.uint8),
        np.empty((turns, game.rolls - 1, aims, rolls), np.int16),
        np.empty((turns, aims, rolls), np.int16),
    )


def planned_move(plans: Plans, position: Position, earlier: Earlier = ()) -> Move:
    """The move in a position of the first of some planned turns."""
    compiled = compile_game(position.game)
    lattice, placing = compiled.lattice, compiled.placing
    roll, first = (lattice.index[dice] - lattice.first_roll for dice in (position.dice, (*earlier, position.dice)[0]))
    aim = plans.aim[0, first]
    if position.rolls_left:
        return Keep(lattice.keeps[plans.keep[0, position.rolls_left - 1, aim, roll]])
    outcome = plans.place[0, aim, roll]
    category = placing.outcome_category[outcome]
    joker = outcome >= placing.rows.total
    struck = not joker and placing.outcome_points[outcome] < placing.points[roll, category]
    return Score(position.game.categories[category].id, bool(struck))


def checked_move(strategy: Strategy, position: Position, move: Move) -> Position:
    """The position after a move of a strategy; one that is not allowed is named together with its position."""
    try:
        return position.play(move)
    except MoveError as error:
        where = f"{move} in {position}"
        raise StrategyError(f"{strategy.name}: illegal move {where}: {error}") from None


class PlannedStrategy(Strategy):
    """A strategy that can say at once what it does in a whole turn."""

    depends_on: DependsOn
    aims: int = 1

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The move of the plan."""
        sheet = position.sheet
        layer, key = sheet.filled.bit_count(), sheet.filled
        if self.depends_on is DependsOn.STATE:
            layer, key = compile_game(self.game).states.locate(sheet)
        return planned_move(self._turn(layer, key), position, earlier)

    @cached_property
    def _turn(self) -> Callable[[int, int], Plans]:
        """The plan of one turn; some megabytes of them are remembered."""
        return lru_cache(maxsize=4096)(lambda layer, key: self.plans(layer, np.array([key], np.int64)))

    @abstractmethod
    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The turns from some sheets of a layer, named by their filled categories (as bits) or by their states.

        States are counted from the first of the layer.
        """
