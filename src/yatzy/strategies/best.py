"""Strategies from tables: in every turn, the choices with the best value after the turn.

The value after the turn is that of the state (expected points, exponential utility), or that of the state and the
points so far (the chance of a target, any utility of the final score).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.games import Game, Move, Position
from yatzy.model import compile_game
from yatzy.names import Best, Greedy, Origin
from yatzy.strategies.base import (
    DependsOn,
    Earlier,
    FillChances,
    PlannedStrategy,
    Plans,
    PlayTurns,
    Strategy,
    empty_plans,
    planned_move,
)
from yatzy.values.arrays import exact_turn_arrays, points_worth
from yatzy.values.evaluator import Solution
from yatzy.values.goals import value_goal
from yatzy.values.tables import block_of

if TYPE_CHECKING:
    from yatzy.values.opening import Opening

CACHED = 4096
"""Turns to cache for single moves: a few megabytes."""


class GoalStrategy(Strategy):
    """The best strategy for the values after a turn; its moves are bit for bit those of the kernels."""

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, name
        self.compiled = compile_game(game)
        self._turn_at = lru_cache(maxsize=CACHED)(self._plan_turn)

    @abstractmethod
    def goal(self, layer: int) -> kernels.TurnGoal:
        """The goal of the kernels in the turns of a layer."""

    def play_layer(self, layer: int) -> PlayTurns:
        """A function that plays the turns of a layer for the goal."""
        arrays, goal = exact_turn_arrays(self.compiled), self.goal(layer)
        return lambda groups, low, high, table: kernels.play_goal(arrays, goal, groups, low, high, table)

    def write(self, layer: int, states: npt.NDArray[np.int64], made: npt.NDArray[np.int32], plans: Plans) -> None:
        """Plan the turns of some states of a layer, each with given points so far."""
        states = states + int(self.compiled.states.layer_start[layer])
        plans.aim[:] = 0
        arrays, goal = exact_turn_arrays(self.compiled), self.goal(layer)
        kernels.write_plans(arrays, goal, None, states, made, plans.keep[:, :, 0], plans.place[:, 0], None)

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The best move."""
        sheet = position.sheet
        layer, state = self.compiled.states.locate(sheet)
        points = sheet.points if self.depends_on is DependsOn.POINTS else 0
        return planned_move(self._turn_at(layer, state, points), position)

    def _plan_turn(self, layer: int, state: int, made: int) -> Plans:
        plans = empty_plans(self.game, 1)
        self.write(layer, np.array([state]), np.array([made], np.int32), plans)
        return plans


class ValueStrategy(GoalStrategy, PlannedStrategy):
    """The best strategy for values with one number per state."""

    depends_on = DependsOn.STATE

    def __init__(self, game: Game, name: str, goal: Callable[[int], kernels.TurnGoal] | None = None) -> None:
        """Without a goal only the points of each turn count."""
        super().__init__(game, name)
        self._goal = goal

    def goal(self, layer: int) -> kernels.TurnGoal:
        """The values of the next layer."""
        if self._goal is not None:
            return self._goal(layer)
        return value_goal(self.compiled, layer, self._points_worth)

    @cached_property
    def _points_worth(self) -> kernels.Worth:
        return points_worth(self.compiled)

    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The turns from some states."""
        plans = empty_plans(self.game, len(keys))
        self.write(layer, keys, np.zeros(len(keys), np.int32), plans)
        return plans

    def outcome_chances(self, layer: int) -> FillChances:
        """Directly from the values, without plans."""
        arrays, goal = exact_turn_arrays(self.compiled), self.goal(layer)

        def fill(low: int, high: int, *rest: Any) -> None:
            kernels.value_chances(arrays, goal, low, high, block_of(arrays.block_start, low), *rest)

        return fill

    def chances_bytes(self, layer: int, states: int, rows: int) -> int:
        """No memory besides the outcomes."""
        return 0


class PointsStrategy(GoalStrategy):
    """The best strategy for values that depend on the state and the points so far."""

    depends_on = DependsOn.POINTS

    def __init__(self, solution: Solution) -> None:
        super().__init__(solution.game, solution.objective)
        self._solution = solution

    def goal(self, layer: int) -> kernels.TurnGoal:
        """The goal of the solution."""
        return self._solution.goal(layer)


class SolutionStrategy(Strategy):
    """The best move for a solved objective that the kernels cannot play."""

    def __init__(self, solution: Solution) -> None:
        self.game, self.name, self._solution = solution.game, solution.objective, solution

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The best move."""
        return self._solution.best(position)


def strategy_for(solution: Solution) -> Strategy:
    """The best strategy for a solved objective."""
    if solution.by_points is None:
        return SolutionStrategy(solution)
    if solution.by_points:
        return PointsStrategy(solution)
    return ValueStrategy(solution.game, solution.objective, solution.goal)


def as_strategy(player: Strategy | Solution) -> Strategy:
    """A strategy; a solution stands for the best strategy for its objective."""
    return strategy_for(player) if isinstance(player, Solution) else player


def open_best(solver: Opening, game: Game, name: Best, origin: Origin) -> Strategy:
    """The best moves for an objective."""
    return strategy_for(solver.build(game, name.objective, origin))


def open_greedy(solver: Opening, game: Game, name: Greedy, origin: Origin) -> ValueStrategy:
    """`greedy`."""
    return ValueStrategy(game, str(name))
