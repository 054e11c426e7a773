"""A strategy that assumes given chances of rolls, right or wrong, and is played with fair dice.

It shows what an error in the probabilities costs. The plan is the best one for the expected score if a roll of some
dice had the assumed chances,

    E(s)       = sum over first rolls r of  first(r) · V(s, r, R - 1)
    V(s, r, l) = max over keeps K of r of   sum over rolls d of the rest of  chance(d) · V(s, K + d, l - 1)
    V(s, r, 0) = max over categories of     points + E(s after it)

where the chances need not add up to 1; then the plan weighs the points of this turn against those to come wrongly too.
Keeps of different sizes may assume contradictory chances, so a reroll needs every pair (keep, roll) and not just the
edges of the lattice.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError
from yatzy.games import Dice, Game
from yatzy.model import CompiledGame, compile_game, dice_lattice
from yatzy.store.kept import digest
from yatzy.strategies.base import DependsOn, PlannedStrategy, Plans, empty_plans
from yatzy.values.arrays import exact_turn_arrays, points_worth
from yatzy.values.goals import value_goal
from yatzy.values.threads import core_count, run_ranges

STEP = 1024
"""States per unit of work: a few milliseconds."""


def fair_chances(dice: int, faces: int) -> dict[Dice, float]:
    """The chance of every roll of 1, 2, … n fair dice; the dice of a roll are sorted."""
    lattices = (dice_lattice(number, faces) for number in range(1, dice + 1))
    return {
        roll: float(chance) for lattice in lattices for roll, chance in zip(lattice.rolls, lattice.weight, strict=True)
    }


class AssumedDice(PlannedStrategy):
    """The best strategy for the expected score if rolls had the assumed chances."""

    def __init__(
        self,
        game: Game,
        chances: Mapping[Dice, float],
        first: Mapping[Dice, float] | None = None,
        *,
        sees_bonus: bool = True,
        threads: int | None = None,
    ) -> None:
        """`first` has the chances of the first roll of a turn, if they are not those of rolling all dice again.

        Without `sees_bonus`, the plan ignores the upper bonus, which is paid all the same.
        """
        if not sees_bonus and game.joker:
            raise InputError("a plan that ignores the upper bonus needs a game without Joker")
        first = chances if first is None else first
        missing = [roll for roll in fair_chances(game.dice, game.faces) if not chances.get(roll, -1) >= 0]
        missing += [roll for roll in dice_lattice(game.dice, game.faces).rolls if not first.get(roll, -1) >= 0]
        if missing:
            raise InputError(
                "the roll {roll} needs an assumed chance of at least 0", roll="".join(map(str, missing[0]))
            )
        self.game, self._chances, self._first, self._threads = game, chances, first, threads
        # Kept results are found by the name, so it tells plans apart.
        about = {"chances": sorted(chances.items()), "first": sorted(first.items()), "bonus": sees_bonus}
        self.name = f"assumed-dice-{digest(about, 8)}"
        self._planned = compile_game(game if sees_bonus else replace(game, bonus=None))
        self.depends_on = DependsOn.STATE if sees_bonus else DependsOn.FILLED

    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The turns from some states, or from some sets of filled categories if the plan ignores the bonus."""
        if self.depends_on is DependsOn.FILLED:
            filled = self._planned.states.filled(np.arange(*self._planned.states.layer_start[layer : layer + 2]))
            order = np.argsort(filled)
            keys = order[np.searchsorted(filled, keys, sorter=order)]
        return self._plan(layer, keys, self._values)[0]

    def _plan(
        self, layer: int, states: npt.NDArray[np.int64], values: npt.NDArray[np.float64]
    ) -> tuple[Plans, npt.NDArray[np.float64]]:
        """The turns of some states of a layer, and [turn] the assumed points to come; values: [state of the game]."""
        starts = self._planned.states.layer_start
        plans, before = empty_plans(self.game, len(states)), np.empty(len(states))
        goal = value_goal(
            self._planned, layer, points_worth(self._planned), values[starts[layer + 1] : starts[layer + 2]]
        )
        kernels.write_plans(
            exact_turn_arrays(self._planned), goal, self._rolls, states + starts[layer],
            np.zeros(len(states), np.int32), plans.keep[:, :, 0], plans.place[:, 0], before,
        )  # fmt: skip
        return plans, before

    @cached_property
    def _values(self) -> npt.NDArray[np.float64]:
        """[state]: the points to come that the plan expects."""
        states = self._planned.states
        values = np.zeros(len(states))
        with ThreadPoolExecutor(self._threads or core_count()) as pool:
            for layer in range(states.layers - 2, -1, -1):
                first, end = states.layer_start[layer : layer + 2].tolist()

                def work(low: int, high: int, layer: int = layer, first: int = first) -> None:
                    values[low:high] = self._plan(layer, np.arange(low - first, high - first), values)[1]

                run_ranges(pool, work, first, end, STEP)
        return values

    @cached_property
    def _rolls(self) -> kernels.AssumedRolls:
        return _assumed_rolls(self._planned, self._chances, self._first)


def _assumed_rolls(
    compiled: CompiledGame, chances: Mapping[Dice, float], first: Mapping[Dice, float]
) -> kernels.AssumedRolls:
    """The assumed chances of all pairs (keep, roll), in the form used by the kernels."""
    lattice, faces = compiled.lattice, range(1, compiled.game.faces + 1)
    start, row, chance = [0], list[int](), list[float]()
    for keep in lattice.keeps[: lattice.first_roll]:
        for rest in combinations_with_replacement(faces, compiled.game.dice - len(keep)):
            row.append(lattice.index[tuple(sorted(keep + rest))] * kernels.LANES)
            chance.append(chances[rest])
        start.append(len(row))
    return kernels.AssumedRolls(
        np.array(start, np.int64),
        np.array(row, np.uint32),
        np.array(chance),
        np.array([first[roll] for roll in lattice.rolls]),
    )
