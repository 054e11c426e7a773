"""Softened strategies, a model of imperfect players: weight e^(firmness · (value - best)) for every move.

Values are those of perfect play afterwards. Firmness is per unit of value: at 1 a move that costs two points is made
e² times as seldom as the best one. Without any firmness all moves are alike, which is play at random.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from yatzy.games import Game, Move, Position, Score, keeps_of
from yatzy.games.rules import is_joker_roll
from yatzy.model import dice_lattice
from yatzy.names import Origin, Random, Softened
from yatzy.strategies.base import Earlier, MixedStrategy
from yatzy.strategies.best import ValueStrategy, strategy_for
from yatzy.values.evaluator import Solution
from yatzy.values.expected import ExpectedScore

if TYPE_CHECKING:
    from yatzy.kernels.soften import Choices
    from yatzy.values.opening import Opening


class SoftenedStrategy(MixedStrategy):
    """A strategy that errs now and then."""

    def __init__(self, solution: Solution, firmness: float) -> None:
        self.game, self.firmness, self._solution = solution.game, firmness, solution
        self.name = f"softened:{firmness:g}:{solution.objective}"
        self.values: ValueStrategy | None = None
        """What the kernels take for its values, where they can play it."""
        if isinstance(solution, ExpectedScore):
            strategy = strategy_for(solution)
            assert isinstance(strategy, ValueStrategy)
            self.name, self.values = f"softened:{firmness:g}", strategy

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """All legal moves."""
        values = [(entry.move, entry.value) for entry in self._solution.moves(position)]
        top = max(value for _, value in values)
        return _shares(position, [(move, math.exp(self.firmness * (value - top))) for move, value in values])


class RandomStrategy(MixedStrategy):
    """Any legal move, all alike."""

    name = "random"
    firmness = 0.0

    def __init__(self, game: Game) -> None:
        self.game = game
        self.values: ValueStrategy | None = ValueStrategy(game, self.name)

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """All legal moves."""
        return _shares(position, [(move, 1.0) for move in position.legal_moves])


def _shares(position: Position, weights: list[tuple[Move, float]]) -> list[tuple[Move, float]]:
    """As chances, in the order of the kernels: upper categories, then lower ones, then the Joker box."""
    game = position.game

    def place(entry: tuple[Move, float]) -> int:
        move = entry[0]
        if not isinstance(move, Score) or is_joker_roll(game, position.dice):
            return 0
        category = game.category_index[move.category]
        return 2 if category == game.joker_box else 0 if category in game.upper_categories else 1

    total = sum(weight for _, weight in weights)
    return [(move, weight / total) for move, weight in sorted(weights, key=place)]


@lru_cache(maxsize=16)
def choices(dice: int, faces: int, firmness: float) -> Choices:
    """How the kernels choose."""
    from yatzy.kernels.soften import Choices

    lattice = dice_lattice(dice, faces)
    parts = [[lattice.index[keep] for keep in keeps_of(roll)] for roll in lattice.rolls]
    flat = np.array([keep for part in parts for keep in part], np.int32)
    return Choices(firmness, flat, np.cumsum([0, *map(len, parts)], dtype=np.int32))


def open_softened(solver: Opening, game: Game, name: Softened, origin: Origin) -> SoftenedStrategy:
    """`softened:FIRMNESS[:OBJECTIVE]`."""
    return SoftenedStrategy(solver.open(game, name.objective, origin), name.firmness)


def open_random(solver: Opening, game: Game, name: Random, origin: Origin) -> RandomStrategy:
    """`random`."""
    return RandomStrategy(game)
