"""Strategies: a move for every position, and the same choices as arrays for playing or evaluating many games.

A strategy gives one move at a time. If its choices depend on little of the sheet (`depends_on`), kernels can also play
it in bulk, a hundred times as fast, and evaluate it exactly. Most strategies do this with plans of whole turns
(`Plans`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from math import comb
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import MoveError, StrategyError
from yatzy.games import Dice, Game, Keep, Move, Position, Score
from yatzy.model import compile_game
from yatzy.store.revisions import Computation
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.goals import no_curves
from yatzy.values.kinds import CURVES, EXPECTED, EXPONENTIAL, UTILITY

STRATEGIES = Computation("strategies", uses=(EXPECTED, CURVES, EXPONENTIAL, UTILITY))
"""The moves of the strategies in this package. Raise its revision when one of them moves differently."""


Earlier: TypeAlias = tuple[Dice, ...]
"""All dice after each earlier roll of a turn, the first roll first; empty after the first roll."""


PlayTurns: TypeAlias = "Callable[[kernels.Groups, int, int, kernels.Table], None]"
"""Plays a turn of the groups low … high."""
FillChances: TypeAlias = Callable[..., None]
"""`fill(low, high, weight, chance, to, points, bonus)`: the outcomes of the turns of the states low … high.

weight: float64[state]; states with weight 0 may be skipped. The other arrays are [state, outcome]: the chance of an
outcome, the state after it (relative to the first state of its layer), its points, and whether it wins the upper bonus.
"""


class DependsOn(Enum):
    """What the choices of a strategy depend on, besides the dice and rolls of the turn."""

    FILLED = "filled"
    """Which categories are filled."""
    STATE = "state"
    """The filled categories, the upper sum as far as it matters, and the Joker box: the states of model/states.py."""
    POINTS = "points"
    """The state and the points so far."""
    POSITION = "position"
    """Anything; such a strategy is called for every move."""


class Strategy(ABC):
    """A move for every position of one player; it may look at the other sheets of the position."""

    game: Game
    name: str
    remembers = False
    """Whether the moves depend on `earlier`."""
    mixed = False
    """Whether it chooses its moves at random."""
    depends_on = DependsOn.POSITION
    code = ""
    """A digest of the user's code that chooses the moves, so that kept results of changed code are not used."""

    @abstractmethod
    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The move: with rolls left, a keep, or a category to stop there; with none, a category.

        `earlier` is for strategies that follow an aim through a turn. It may be unknown for a position in the middle of
        a turn; then the turn is assumed to start there.
        """

    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """The moves it may make, each with its probability."""
        return [(self.move(position, earlier), 1.0)]

    # For kernels; only where `in_bulk`

    @property
    def in_bulk(self) -> bool:
        """Whether kernels can play it, and evaluate it exactly for a whole game."""
        return self.depends_on is not DependsOn.POSITION

    @property
    def planned(self) -> PlannedStrategy | None:
        """The strategy itself if it plans whole turns and so can be exported."""
        return None

    def play_layer(self, layer: int) -> PlayTurns:
        """A function that plays the turns of a layer."""
        raise NotImplementedError(self._slow)

    def outcome_chances(self, layer: int) -> FillChances:
        """A function that evaluates the turns of a layer, for a strategy that does not depend on points."""
        raise NotImplementedError(self._slow)

    def chances_bytes(self, layer: int, states: int, rows: int) -> int:
        """The memory in bytes of `outcome_chances` for `states` states of a layer, filled in `rows` at a time."""
        return 0

    def user_seconds(self, states: int, sets: int) -> float:
        """The expected time of the user's own code in the turns of `states` states, by `sets` of filled categories."""
        return 0.0

    def goal(self, layer: int) -> kernels.TurnGoal:
        """The goal of the kernels in the turns of a layer, for a strategy that depends on points."""
        raise NotImplementedError(self._slow)

    @property
    def _slow(self) -> str:
        return f"{self.name} is played move by move"


class MixedStrategy(Strategy):
    """A strategy that chooses its moves at random."""

    mixed = True

    @abstractmethod
    def weights(self, position: Position, earlier: Earlier = ()) -> Sequence[tuple[Move, float]]:
        """The moves it may make, each with its probability."""

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The most probable move; the first of them in a tie."""
        return max(self.weights(position, earlier), key=lambda entry: entry[1])[0]


@dataclass(frozen=True, eq=False)
class Plans:
    """The choices of a strategy in whole turns.

    After the first roll a strategy may choose an *aim*, a number from 0, and stick to it; most have just one.
    """

    aim: npt.NDArray[np.uint8]
    """[turn, roll]: the aim chosen after the first roll."""
    keep: npt.NDArray[np.int16]
    """[turn, rolls left - 1, aim, roll]: the keep, as an index into the lattice; all dice where the turn is over.

    ~outcome, which is negative, ends the turn with that outcome, whatever `place` says about these dice."""
    place: npt.NDArray[np.int16]
    """[turn, aim, roll]: the outcome of model/placing.py chosen with no rolls left."""

    def __len__(self) -> int:
        return len(self.aim)


def empty_plans(game: Game, turns: int, aims: int = 1) -> Plans:
    """Plans to be filled in for a number of turns; all aims are 0."""
    rolls = len(compile_game(game).lattice.rolls)
    return Plans(
        np.zeros((turns, rolls), np.uint8),
        np.empty((turns, game.rolls - 1, aims, rolls), np.int16),
        np.empty((turns, aims, rolls), np.int16),
    )


def planned_move(plans: Plans, position: Position, earlier: Earlier = ()) -> Move:
    """The move in a position, by the first of some planned turns."""
    compiled = compile_game(position.game)
    lattice, placing = compiled.lattice, compiled.placing
    roll, first = (lattice.index[dice] - lattice.first_roll for dice in (position.dice, (*earlier, position.dice)[0]))
    aim = plans.aim[0, first]
    if position.rolls_left and (keep := int(plans.keep[0, position.rolls_left - 1, aim, roll])) >= 0:
        return Keep(lattice.keeps[keep])
    outcome = ~keep if position.rolls_left else int(plans.place[0, aim, roll])
    category = placing.outcome_category[outcome]
    joker = outcome >= placing.rows.total
    struck = not joker and placing.outcome_points[outcome] < placing.points[roll, category]
    return Score(position.game.categories[category].id, bool(struck))


def checked_move(strategy: Strategy, position: Position, move: Move) -> Position:
    """The position after a move of a strategy; the error for an illegal move names the move and the position."""
    try:
        return position.play(move)
    except MoveError as error:
        raise StrategyError(
            "{name}: illegal move {move} in {position}: {error}",
            name=strategy.name,
            move=move,
            position=position,
            error=error,
        ) from None


class PlannedStrategy(Strategy):
    """A strategy that can plan a whole turn at once."""

    depends_on: DependsOn
    """FILLED or STATE."""
    aims: int = 1

    @property
    def planned(self) -> PlannedStrategy:
        """The strategy itself."""
        return self

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The move of the plan."""
        sheet = position.sheet
        layer, key = sheet.filled.bit_count(), sheet.filled
        if self.depends_on is DependsOn.STATE:
            layer, key = compile_game(self.game).states.locate(sheet)
        return planned_move(self._turn(layer, key), position, earlier)

    @cached_property
    def _turn(self) -> Callable[[int, int], Plans]:
        """The plan of one turn, with a cache of a few megabytes."""
        return lru_cache(maxsize=4096)(lambda layer, key: self.plans(layer, np.array([key], np.int64)))

    @abstractmethod
    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The turns from some sheets of a layer, identified by their filled categories (as bits) or by their states.

        States are relative to the first state of the layer.
        """

    def play_layer(self, layer: int) -> PlayTurns:
        """A function that plays the turns of a layer by their plans."""
        compiled = compile_game(self.game)
        arrays, states = exact_turn_arrays(compiled), compiled.states
        first, end = states.layer_start[layer : layer + 2].tolist()
        after = no_curves(end)

        def play(groups: kernels.Groups, low: int, high: int, table: kernels.Table) -> None:
            there = groups.state[low:high]
            keys = states.filled(there) if self.depends_on is DependsOn.FILLED else there - first
            wanted, which = np.unique(keys, return_inverse=True)
            plans, plan = self.plans(layer, wanted), np.zeros(high, np.int64)
            plan[low:] = which
            kernels.play_plans(arrays, after, plan, plans.aim, plans.keep, plans.place, groups, low, high, table)

        return play

    def outcome_chances(self, layer: int) -> FillChances:
        """From the plans; states with the same filled categories share a plan if it depends on nothing else."""
        compiled = compile_game(self.game)
        arrays, states = exact_turn_arrays(compiled), compiled.states
        first, end = states.layer_start[layer : layer + 2].tolist()
        after = no_curves(end)
        known: dict[int, npt.NDArray[np.float64]] = {}
        keys = states.filled(np.arange(first, end)) if self.depends_on is DependsOn.FILLED else None

        def chances(wanted: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
            plans, found = self.plans(layer, wanted), np.empty((len(wanted), arrays.outcomes))
            kernels.plan_chances(arrays, plans.aim, plans.keep, plans.place, found)
            return found

        def fill(low: int, high: int, weight: Any, chance: Any, to: Any, points: Any, bonus: Any) -> None:
            kernels.state_outcomes(arrays, after, low, high, to, points, bonus)
            there = np.flatnonzero(weight > 0)
            chance[:] = 0.0
            if keys is None:
                chance[there] = chances(there + low - first)
                return
            mine = keys[there + low - first]
            missing = np.setdiff1d(mine, np.fromiter(known.copy(), np.int64))
            known.update(zip(missing.tolist(), chances(missing), strict=True))
            for at, key in zip(there.tolist(), mine.tolist(), strict=True):
                chance[at] = known[key]

        return fill

    def chances_bytes(self, layer: int, states: int, rows: int) -> int:
        """The plans of some rows, and the chances by filled categories."""
        compiled = compile_game(self.game)
        outcomes = len(compiled.placing.outcome_category)
        needed = rows * (self.game.rolls * self.aims * 4 * len(compiled.lattice.keeps) + 8 * outcomes)
        if self.depends_on is DependsOn.FILLED:
            sets = min(states, comb(len(self.game.categories), layer))
            needed += 8 * (states + sets * (outcomes + 16))
        return needed
