"""Exactly what a strategy does: the mass function of its final score, with no sampling error.

Start with all mass on the empty sheet with 0 points. In every state the strategy fixes the chance of each outcome
of the turn (a category with its points); an outcome moves its share of the mass to the state after it, shifted by its
points. What arrives at the full sheets is the distribution of the final score. Adding up the shares by outcome gives
each category.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from queue import Empty, SimpleQueue
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError
from yatzy.games import Category, Game, Keep, Move, Position, Sheet, apply_move, placement_of
from yatzy.model import CompiledGame, compile_game
from yatzy.solve.expected import ExpectedScore
from yatzy.solve.exponential import ExponentialUtility
from yatzy.solve.solution import Solution
from yatzy.solve.tables import Progress, block_of
from yatzy.solve.targets import TargetChance
from yatzy.solve.threads import core_count, run_ranges
from yatzy.solve.utility import widths

STEP = 4096
"""States planned at a time: their outcomes take some megabytes."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Distribution:
    """A distribution of final scores."""

    mass: FloatArray
    """[score]: the chance of just so many points."""

    @cached_property
    def mean(self) -> float:
        """The expected score."""
        return float(self.mass @ np.arange(len(self.mass)))

    @cached_property
    def sd(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(self.mass @ (np.arange(len(self.mass)) - self.mean) ** 2))

    @property
    def mode(self) -> int:
        """The most frequent score."""
        return int(np.argmax(self.mass))

    @property
    def lowest(self) -> int:
        """The lowest score that can occur."""
        return int(np.flatnonzero(self.mass)[0])

    @property
    def highest(self) -> int:
        """The highest score that can occur."""
        return int(np.flatnonzero(self.mass)[-1])

    def at_least(self, score: int) -> float:
        """The chance of at least so many points."""
        return float(self.mass[max(score, 0) :].sum())

    def percentile(self, percent: float) -> int:
        """The least score that is not exceeded with at least this chance in percent."""
        below = np.cumsum(self.mass)
        return int(np.searchsorted(below, percent / 100 * below[-1] * (1 - 1e-15)))

    def __len__(self) -> int:
        return len(self.mass)


@dataclass(frozen=True, eq=False)
class CategoryResult:
    """What a strategy makes of one category."""

    category: Category
    points: Distribution

    @property
    def mean(self) -> float:
        """The mean of its points."""
        return self.points.mean

    @property
    def hit(self) -> float:
        """The chance of any points there."""
        return self.points.at_least(1)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Exactly what a strategy does in a game."""

    game: Game
    strategy: str
    score: Distribution
    bonus: float
    """The chance of the upper bonus."""
    categories: tuple[CategoryResult, ...]
    """The categories that were open."""


class Strategy(Protocol):
    """Anything that says the move in every position."""

    @property
    def game(self) -> Game:
        """The game it plays."""

    @property
    def name(self) -> str:
        """What to call it."""

    def move(self, position: Position) -> Move:
        """Its move, which must be legal."""


def evaluate(
    strategy: Solution | Strategy,
    start: Position | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """The exact distribution of a strategy from any position of one player.

    A solution stands for the strategy that is best for its objective and is evaluated fast; any other strategy is asked
    in every position it can meet, which suits small games and positions near the end.
    """
    start = start or Position.start(strategy.game)
    if not isinstance(strategy, Solution):
        return _follow(strategy, start)
    solution = strategy
    compiled = compile_game(solution.game)
    if progress is not None:
        progress(0, len(compiled.states))
    push: _Push
    if isinstance(solution, ExpectedScore | ExponentialUtility):
        push = _PushByState(compiled, solution)
    elif isinstance(solution, TargetChance):
        push = _PushForTarget(compiled, solution)
    else:
        raise InputError(f"{solution.objective} cannot be evaluated exactly; expected, exp and target can")
    results = {TurnResult(start.sheet): 1.0} if not start.dice else turn_results(solution.best_move, start)
    first = push.begin(results)
    with ThreadPoolExecutor(threads or core_count()) as pool:
        for layer in range(first, compiled.states.layers - 1):
            push.layer(layer, pool)
            if progress is not None:
                progress(int(compiled.states.layer_start[layer + 1]), len(compiled.states))
    return push.result(solution.objective, start.sheet)


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A sheet that a turn can end with, and what was written on it; nothing for a turn not begun."""

    sheet: Sheet
    category: int | None = None
    points: int = 0


def turn_results(choose: Callable[[Position], Move], position: Position) -> dict[TurnResult, float]:
    """The chances of all sheets that a turn can end with, from this position on."""
    results: dict[TurnResult, float] = {}
    waiting = {position: 1.0}
    while waiting:
        # The most rolls left first, and moves before rolls, so that all that leads to a position is in before it.
        here = max(waiting, key=lambda position: (position.rolls_left, not position.awaits_roll))
        mass = waiting.pop(here)
        if here.awaits_roll:
            missing = here.game.dice - len(here.dice)
            for more in product(range(1, here.game.faces + 1), repeat=missing):
                after = here.rolled(here.dice + more)
                waiting[after] = waiting.get(after, 0.0) + mass / here.game.faces**missing
            continue
        move = choose(here)
        if isinstance(move, Keep):
            after = apply_move(here, move)
            waiting[after] = waiting.get(after, 0.0) + mass
            continue
        place = placement_of(here, move)
        result = TurnResult(
            here.sheet.fill(place.category, place.points, place.joker_bonus), place.category, place.points
        )
        results[result] = results.get(result, 0.0) + mass
    return results


def _follow(strategy: Strategy, start: Position) -> Evaluation:
    """Ask a strategy in every position it can meet."""
    game, written = strategy.game, dict[tuple[int, int], float]()
    score, bonus = dict[int, float](), 0.0
    sheets = {start.sheet: 1.0}
    position: Position | None = start
    while sheets:
        sheet, mass = sheets.popitem() if position is None else (start.sheet, sheets.pop(start.sheet))
        if sheet.over:
            score[sheet.points] = score.get(sheet.points, 0.0) + mass
            bonus += mass * sheet.bonus_won
            continue
        for result, chance in turn_results(strategy.move, position or Position((sheet,))).items():
            after = replace(result.sheet, boxes=None)
            sheets[after] = sheets.get(after, 0.0) + mass * chance
            key = (result.category or 0, result.points)
            written[key] = written.get(key, 0.0) + mass * chance
        position = None
    categories = tuple(
        CategoryResult(game.categories[i], Distribution(_mass({p: m for (c, p), m in written.items() if c == i})))
        for i in start.sheet.open
    )
    return Evaluation(game, strategy.name, Distribution(_mass(score)), bonus, categories)


def _mass(chances: dict[int, float]) -> FloatArray:
    """Chances by number of points as an array."""
    mass = np.zeros(max(chances, default=0) + 1)
    for points, chance in chances.items():
        mass[points] = chance
    return mass


class _Push(ABC):
    """The mass on one layer, pushed to the next one layer at a time."""

    def __init__(self, compiled: CompiledGame, theta: float | None = None) -> None:
        from yatzy.solve.arrays import exact_turn_arrays, points_worth

        self.compiled, self.states = compiled, compiled.states
        self.arrays, self.worth = exact_turn_arrays(compiled), points_worth(compiled, theta)
        self.total = np.zeros(self.arrays.outcomes + 1)
        self.mass, self.offset = np.zeros(0), np.zeros(1, np.int64)
        self.written: dict[tuple[int, int], float] = {}

    def begin(self, results: dict[TurnResult, float]) -> int:
        """Put the mass on the sheets of one layer, and say which layer it is."""
        layer = next(iter(results)).sheet.filled.bit_count()
        self.offset = np.concatenate([[0], np.cumsum(widths(self.compiled, layer))])
        self.mass = np.zeros(int(self.offset[-1]))
        for result, chance in results.items():
            state = self.states.find(result.sheet) - int(self.states.layer_start[layer])
            self.mass[self.offset[state] + result.sheet.points] += chance
            if result.sheet.bonus_won:
                self.total[-1] += chance
            if result.category is not None:
                key = (result.category, result.points)
                self.written[key] = self.written.get(key, 0.0) + chance
        return layer

    def layer(self, layer: int, pool: ThreadPoolExecutor) -> None:
        """Push the mass from this layer to the next."""
        next_offset = np.concatenate([[0], np.cumsum(widths(self.compiled, layer + 1))])
        self.mass = self._pushed(layer, next_offset, pool)
        self.offset = next_offset

    @abstractmethod
    def _pushed(self, layer: int, next_offset: npt.NDArray[np.int64], pool: ThreadPoolExecutor) -> FloatArray:
        """The mass on the next layer; `total` is added to."""

    def result(self, strategy: str, start: Sheet) -> Evaluation:
        """What has arrived at the end."""
        game = self.compiled.game
        score = np.zeros(int(np.diff(self.offset).max()))
        for begin, end in zip(self.offset, self.offset[1:], strict=False):
            score[: end - begin] += self.mass[begin:end]
        score = np.trim_zeros(score, "b")
        categories = tuple(CategoryResult(game.categories[i], self._category(i)) for i in start.open)
        return Evaluation(game, strategy, Distribution(score), float(self.total[-1]), categories)

    def _category(self, category: int) -> Distribution:
        placing = self.compiled.placing
        mine = np.flatnonzero(placing.outcome_category == category)
        mass = np.bincount(placing.outcome_points[mine], self.total[mine]).astype(np.float64)
        for (index, points), chance in self.written.items():
            if index == category:
                mass[points] += chance
        return Distribution(mass)


class _PushByState(_Push):
    """A strategy that looks at the state alone."""

    def __init__(self, compiled: CompiledGame, solution: ExpectedScore | ExponentialUtility) -> None:
        super().__init__(compiled, solution.theta if isinstance(solution, ExponentialUtility) else None)
        self.solution = solution

    def _pushed(self, layer: int, next_offset: npt.NDArray[np.int64], pool: ThreadPoolExecutor) -> FloatArray:
        from yatzy.kernels.chances import Curves
        from yatzy.kernels.evaluate import plan_states, push_mass

        first, end, last = self.states.layer_start[layer : layer + 3].tolist()
        values = self.solution.table.read(layer + 1, "value", 0, last - end)
        after = Curves(end, np.zeros(0, np.int32), next_offset, np.zeros(0, np.float32))
        next_mass, shape = np.zeros(int(next_offset[-1])), (STEP, self.arrays.outcomes)
        chance, to, points, bonus = (np.empty(shape, kind) for kind in (np.float64, np.int64, np.int32, np.bool_))
        for begin in range(first, end, STEP):
            stop = min(begin + STEP, end)

            def plan(low: int, high: int, begin: int = begin) -> None:
                block, piece = block_of(self.arrays.block_start, low), slice(low - begin, high - begin)
                offset = self.offset[low - first : high - first + 1]
                plan_states(self.arrays, self.worth, values, after, low, high, block, self.mass, offset,
                            chance[piece], to[piece], points[piece], bonus[piece])  # fmt: skip

            run_ranges(pool, plan, begin, stop, STEP // 16)
            offset, held = self.offset[begin - first : stop - first + 1], slice(0, stop - begin)
            # One thread only: any two states may lead to the same one.
            push_mass(self.mass, offset, chance[held], to[held], points[held], bonus[held], next_mass, next_offset,
                      self.total)  # fmt: skip
        return next_mass


class _PushForTarget(_Push):
    """A strategy that plays for a score, so that its choices depend on the points made."""

    def __init__(self, compiled: CompiledGame, solution: TargetChance) -> None:
        super().__init__(compiled)
        self.solution = solution

    def _curves(self, layer: int) -> Any:
        from yatzy.kernels.chances import Curves

        first, end = self.states.layer_start[layer : layer + 2].tolist()
        read = self.solution.chances.table.read
        offset = read(layer, "offset", 0, end - first + 1)
        return Curves(first, read(layer, "low", 0, end - first), offset, read(layer, "chance", 0, int(offset[-1])))

    def _pushed(self, layer: int, next_offset: npt.NDArray[np.int64], pool: ThreadPoolExecutor) -> FloatArray:
        from yatzy.kernels.evaluate import push_target

        first, end, last = self.states.layer_start[layer : layer + 3].tolist()
        values = self.solution.expected.table.read(layer + 1, "value", 0, last - end)
        here, after = self._curves(layer), self._curves(layer + 1)
        parts: SimpleQueue[tuple[FloatArray, FloatArray]] = (
            SimpleQueue()
        )  # a target of its own for every thread at work

        def push(low: int, high: int) -> None:
            try:
                mass, total = parts.get_nowait()
            except Empty:
                mass, total = np.zeros(int(next_offset[-1])), np.zeros(len(self.total))
            offset = self.offset[low - first : high - first + 1]
            push_target(self.arrays, self.worth, values, here, after, self.solution.target, low, high,
                        block_of(self.arrays.block_start, low), self.mass, offset, mass, next_offset,
                        total)  # fmt: skip
            parts.put((mass, total))

        run_ranges(pool, push, first, end, 64)
        next_mass, total = parts.get()
        while not parts.empty():
            mass, more = parts.get()
            next_mass += mass
            total += more
        self.total += total
        return next_mass
