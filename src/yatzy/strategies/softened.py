"""Softened strategies, a model of imperfect players: every move has weight e^(firmness · (value - best)).

Values assume perfect play afterwards. Firmness is per unit of value: at 1, a move that costs two points is e² times
less likely than the best one. At 0 all moves are equally likely, which is random play.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from yatzy import kernels
from yatzy.games import Game, Move, Position, Score, keeps_of
from yatzy.games.rules import is_joker_roll
from yatzy.model import compile_game, dice_lattice
from yatzy.names import Origin, Random, Softened
from yatzy.strategies.base import DependsOn, Earlier, FillChances, MixedStrategy, PlayTurns
from yatzy.strategies.best import ValueStrategy
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.evaluator import Solution

if TYPE_CHECKING:
    from yatzy.values.opening import Opening


class _Softened(MixedStrategy):
    """The part that kernels can play, where the choices depend on values of states."""

    firmness: float
    values: ValueStrategy | None
    """The values for the kernels, if they can play it."""

    def play_layer(self, layer: int) -> PlayTurns:
        """A function that plays the turns of a layer by the values after them."""
        arrays, goal, drawn = exact_turn_arrays(compile_game(self.game)), self._values.goal(layer), self._choices
        return lambda groups, low, high, table: kernels.play_soft(arrays, goal, drawn, groups, low, high, table)

    def outcome_chances(self, layer: int) -> FillChances:
        """Directly from the values, without plans."""
        arrays, goal, drawn = exact_turn_arrays(compile_game(self.game)), self._values.goal(layer), self._choices

        def fill(low: int, high: int, *rest: Any) -> None:
            kernels.soft_chances(arrays, goal, drawn, low, high, *rest)

        return fill

    @property
    def _values(self) -> ValueStrategy:
        if self.values is None:
            raise NotImplementedError(self._slow)
        return self.values

    @property
    def _choices(self) -> kernels.Choices:
        return choices(self.game.dice, self.game.faces, self.firmness)


class SoftenedStrategy(_Softened):
    """A strategy that makes occasional errors."""

    def __init__(self, solution: Solution, firmness: float) -> None:
        self.game, self.firmness, self._solution = solution.game, firmness, solution
        self.name = str(Softened(solution.name, firmness))
        # The kernels apply the weights to the worths they average, so worths must equal values.
        kernels = solution.additive and solution.by_points is False
        self.values = ValueStrategy(solution.game, solution.objective, solution.goal) if kernels else None
        self.depends_on = DependsOn.STATE if kernels else DependsOn.POSITION

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """All legal moves."""
        values = [(entry.move, entry.value) for entry in self._solution.moves(position)]
        top = max(value for _, value in values)
        return _shares(position, [(move, math.exp(self.firmness * (value - top))) for move, value in values])


class RandomStrategy(_Softened):
    """Any legal move, all equally likely."""

    name = "random"
    firmness = 0.0
    depends_on = DependsOn.STATE

    def __init__(self, game: Game) -> None:
        self.game = game
        self.values = ValueStrategy(game, self.name)

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """All legal moves."""
        return _shares(position, [(move, 1.0) for move in position.legal_moves])


def _shares(position: Position, weights: list[tuple[Move, float]]) -> list[tuple[Move, float]]:
    """Normalised to probabilities, in the order of the kernels: upper categories, lower ones, the Joker box."""
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
def choices(dice: int, faces: int, firmness: float) -> kernels.Choices:
    """The firmness and the keeps of every roll, in the form used by the kernels."""
    lattice = dice_lattice(dice, faces)
    parts = [[lattice.index[keep] for keep in keeps_of(roll)] for roll in lattice.rolls]
    flat = np.array([keep for part in parts for keep in part], np.int32)
    return kernels.Choices(firmness, flat, np.cumsum([0, *map(len, parts)], dtype=np.int32))


def open_softened(solver: Opening, game: Game, name: Softened, origin: Origin) -> SoftenedStrategy:
    """`softened:FIRMNESS[:OBJECTIVE]`."""
    return SoftenedStrategy(solver.build(game, name.objective, origin), name.firmness)


def open_random(solver: Opening, game: Game, name: Random, origin: Origin) -> RandomStrategy:
    """`random`."""
    return RandomStrategy(game)
