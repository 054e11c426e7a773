"""Strategies from tables: in every turn the choices that are best by the worth of what follows it.

What follows is worth its value (expected points, exponential utility), or what it is worth together with the points
made so far (the chance of a target, any utility of the final score).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from yatzy.games import Game, Move, Position
from yatzy.model import compile_game
from yatzy.names import Best, Greedy, Origin
from yatzy.strategies.base import (
    DependsOn,
    Earlier,
    PlannedStrategy,
    Plans,
    Strategy,
    empty_plans,
    planned_move,
)
from yatzy.values.evaluator import Solution
from yatzy.values.expected import ExpectedScore
from yatzy.values.exponential import ExponentialUtility
from yatzy.values.targets import TargetChance
from yatzy.values.utility import UtilityScore

if TYPE_CHECKING:
    from yatzy.kernels.curves import Curves
    from yatzy.kernels.plan import Aim
    from yatzy.values.opening import Opening
    from yatzy.values.tables import SolvedTable

FloatArray = npt.NDArray[np.float64]
CACHED = 4096
"""Turns remembered for single moves: some megabytes."""


class AimedStrategy(Strategy):
    """The strategy that is best by the worth of what follows a turn; its moves are those of the kernels, bit by bit."""

    by_points: bool
    """Whether the points made so far make a difference."""

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, name
        self.compiled = compile_game(game)
        self._turn_at = lru_cache(maxsize=CACHED)(self._plan_turn)

    @abstractmethod
    def aim(self, layer: int) -> Aim:
        """What the kernels play for in the turns of a layer."""

    def _after(self, layer: int) -> int:
        return int(self.compiled.states.layer_start[layer + 1])

    def write(self, layer: int, states: npt.NDArray[np.int64], made: npt.NDArray[np.int32], plans: Plans) -> None:
        """Plan the turns of some states of a layer, each with some points made."""
        from yatzy.kernels.plan import write_plans
        from yatzy.values.arrays import exact_turn_arrays

        states = states + int(self.compiled.states.layer_start[layer])
        plans.aim[:] = 0
        write_plans(
            exact_turn_arrays(self.compiled), self.aim(layer), states, made, plans.keep[:, :, 0], plans.place[:, 0]
        )

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The best move."""
        sheet = position.sheet
        layer, state = self.compiled.states.locate(sheet)
        return planned_move(self._turn_at(layer, state, sheet.points if self.by_points else 0), position)

    def _plan_turn(self, layer: int, state: int, made: int) -> Plans:
        plans = empty_plans(self.game, 1)
        self.write(layer, np.array([state]), np.array([made], np.int32), plans)
        return plans


def _no_curves(first: int) -> Curves:
    from yatzy.kernels.curves import Curves

    return Curves(first, np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.float32))


class ValueStrategy(AimedStrategy, PlannedStrategy):
    """The best by one number for each state."""

    depends_on = DependsOn.STATE
    by_points = False

    def __init__(
        self, game: Game, name: str, values: Callable[[int], FloatArray] | None = None, theta: float | None = None
    ) -> None:
        """`values` gives those of a layer, 0 when left out; with theta they are exponential utilities."""
        from yatzy.values.arrays import points_worth

        super().__init__(game, name)
        self._values, self._worth = values, points_worth(self.compiled, theta)

    def aim(self, layer: int) -> Aim:
        """The values of the next layer."""
        from yatzy.kernels.plan import BY_VALUE, Aim

        first, end = self.compiled.states.layer_start[layer + 1 : layer + 3].tolist()
        values = np.zeros(end - first) if self._values is None else self._values(layer + 1)
        return Aim(self._worth, values, BY_VALUE, _no_curves(0), _no_curves(first))

    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The turns from some states."""
        plans = empty_plans(self.game, len(keys))
        self.write(layer, keys, np.zeros(len(keys), np.int32), plans)
        return plans


class TargetStrategy(AimedStrategy):
    """The best chance of a final score; where that leaves a choice, the most points."""

    by_points = True

    def __init__(self, solution: TargetChance) -> None:
        from yatzy.values.arrays import points_worth

        super().__init__(solution.game, solution.objective)
        self._solution, self._worth = solution, points_worth(self.compiled)

    def aim(self, layer: int) -> Aim:
        """The chances of this layer and the next."""
        from yatzy.kernels.plan import Aim

        values, chances = _read_values(self._solution.expected.table, self, layer + 1), self._solution.chances
        return Aim(self._worth, values, self._solution.target, chances.curves(layer), chances.curves(layer + 1))


class UtilityStrategy(AimedStrategy):
    """The best expected worth of the final score."""

    by_points = True

    def __init__(self, solution: UtilityScore) -> None:
        from yatzy.values.arrays import points_worth

        super().__init__(solution.game, solution.objective)
        self._solution, self._worth = solution, points_worth(self.compiled)

    def aim(self, layer: int) -> Aim:
        """The worths of the next layer."""
        from yatzy.kernels.curves import Curves
        from yatzy.kernels.plan import BY_UTILITY, Aim

        first, end = self.compiled.states.layer_start[layer + 1 : layer + 3].tolist()
        read = self._solution.table.read
        offset = read(layer + 1, "offset", 0, end - first + 1)
        after = Curves(first, np.zeros(0, np.int32), offset, read(layer + 1, "value", 0, int(offset[-1])))
        return Aim(self._worth, np.zeros(0), BY_UTILITY, _no_curves(0), after)


class SolutionStrategy(Strategy):
    """The best move of a solved objective that has no faster form."""

    def __init__(self, solution: Solution) -> None:
        self.game, self.name, self._solution = solution.game, solution.objective, solution

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The best move."""
        return self._solution.best(position)


def _read_values(table: SolvedTable, strategy: AimedStrategy, layer: int) -> FloatArray:
    first, end = strategy.compiled.states.layer_start[layer : layer + 2].tolist()
    return table.read(layer, "value", 0, end - first)


def strategy_for(solution: Solution) -> Strategy:
    """The strategy that is best for a solved objective."""
    match solution:
        case ExpectedScore() | ExponentialUtility():
            theta = solution.theta if isinstance(solution, ExponentialUtility) else None
            strategy: AimedStrategy = ValueStrategy(
                solution.game, solution.objective, lambda layer: _read_values(solution.table, strategy, layer), theta
            )
            return strategy
        case TargetChance():
            return TargetStrategy(solution)
        case UtilityScore():
            return UtilityStrategy(solution)
        case _:
            return SolutionStrategy(solution)


def open_best(solver: Opening, game: Game, name: Best, origin: Origin) -> Strategy:
    """The best moves for an objective."""
    return strategy_for(solver.open(game, name.objective, origin))


def open_greedy(solver: Opening, game: Game, name: Greedy, origin: Origin) -> ValueStrategy:
    """`greedy`."""
    return ValueStrategy(game, str(name))
