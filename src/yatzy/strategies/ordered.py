"""Playing for the most points of each turn, with an order of the categories for ties.

How a tie is broken matters more than it seems. Above all it decides which category is struck when no one pays.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from yatzy import kernels
from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.strategies.best import ValueStrategy
from yatzy.values.goals import value_goal

APART = 1e-7
"""What separates neighbours in the order, in points: far below any difference of expected points, above rounding."""


class OrderedGreedy(ValueStrategy):
    """Plays for the most expected points of each turn; of equal categories it fills the first one of an order."""

    def __init__(self, game: Game, order: Sequence[str]) -> None:
        if sorted(order) != sorted(game.category_index):
            raise InputError("the order must name every category of {game} once", game=game.id)
        super().__init__(game, f"greedy-{'-'.join(str(game.category_index[id]) for id in order)}")
        self._rank = np.array([APART * order.index(category.id) for category in game.categories])

    def goal(self, layer: int) -> kernels.TurnGoal:
        """The points of the turn, and a little for each open category: less for the first ones of the order."""
        states = self.compiled.states
        filled = states.filled(np.arange(*states.layer_start[layer + 1 : layer + 3]))
        open_ = ~filled[:, None] >> np.arange(len(self._rank)) & 1
        return value_goal(self.compiled, layer, self._points_worth, open_ @ self._rank)
