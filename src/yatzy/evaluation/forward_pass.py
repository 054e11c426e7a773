"""Pushes the mass of all games from one layer to the next: by state, or by state and points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError
from yatzy.evaluation.distribution import (
    BONUS,
    MOST_EVENTS,
    CategoryResult,
    Distribution,
    Evaluation,
    FloatArray,
)
from yatzy.games import Game, Sheet
from yatzy.model import compile_game
from yatzy.strategies.base import Strategy
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.cost import Cost, LayerSizes, layer_sizes
from yatzy.values.tables import block_of
from yatzy.values.threads import core_count, run_ranges
from yatzy.values.utility import widths

if TYPE_CHECKING:
    from yatzy.evaluation.evaluating import TurnResult

STEP = 4096
"""States planned at a time: their outcomes take a few megabytes."""
STEP_BY_SCORES = 64
"""States pushed at a time if every score is planned separately."""
SAFETY = 1.1
"""Factor for memory that the estimate does not count."""


def check_events(game: Game, events: Sequence[str]) -> None:
    """Raise unless games of this game can be split by these events."""
    for event in events:
        if event != BONUS and event not in game.category_index:
            raise InputError(
                "{event}: games are split by the bonus or by a category of {game}", event=event, game=game.id
            )
        if events.count(event) > 1:
            raise InputError("{event}: games can be split by it only once", event=event)
    if len(events) > MOST_EVENTS:
        raise InputError("games are split by at most {most} events, not {count}", most=MOST_EVENTS, count=len(events))


class ForwardPass(ABC):
    """The mass on one layer, pushed forward one layer at a time.

    The states before `reached` have been pushed, those of `at_layer` to `next_mass`.
    """

    at_once = 1
    """Additions of `cost` that are done at once, for estimates of time."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy, self.compiled = strategy, compile_game(strategy.game)
        self.states, self.arrays = self.compiled.states, exact_turn_arrays(self.compiled)
        self.total = np.zeros(self.arrays.outcomes + 1)
        self.marks = np.zeros(self.arrays.outcomes + 1, np.int64)
        self.events: tuple[str, ...] = ()
        self.first_part = 0
        self.mass, self.offset = np.zeros((1, 0)), np.zeros(1, np.int64)
        self.at_layer, self.reached = 0, 0
        self.next_mass: FloatArray | None = None
        self.written: dict[tuple[int, int], float] = {}

    def split(self, events: tuple[str, ...], start: Sheet) -> None:
        """Separate the games by the events that happen in them: the upper bonus, or points in a category."""
        game, placing = self.compiled.game, self.compiled.placing
        check_events(game, events)
        for number, event in enumerate(events):
            mark = 1 << number
            if event == BONUS:
                self.marks[-1] |= mark
                happened = start.bonus_won
            else:
                category = game.category_index[event]
                self.marks[:-1][(placing.outcome_category == category) & (placing.outcome_points > 0)] |= mark
                happened = start.boxes is not None and bool(start.boxes[category])
            self.first_part |= mark * happened
        self.events = events

    @property
    def parts(self) -> int:
        """The number of parts into which the games are split."""
        return 1 << len(self.events)

    def cost(self, first: int, threads: int) -> Cost:
        """The estimated cost of pushing the mass from this layer to the end; nothing large is allocated."""
        sizes, held = layer_sizes(self.compiled), 0
        for layer in range(first, self.states.layers - 1):
            # Offsets are computed from widths by a running sum: three arrays at a time.
            offsets = 8 * (2 * int(sizes.states[layer]) + 3 * int(sizes.states[layer + 1]))
            values = 8 * int(sizes.states[layer + 1])
            held = max(held, offsets + values + self._layer_bytes(sizes, layer, threads))
        work = threads * 8 * (self.arrays.rows + self.arrays.rerolls * self.arrays.keeps) * 8
        states, places = int(sizes.states[first:-1].sum()), int(sizes.places[first:-1].sum())
        planned = self._planned(states, places) * (self.arrays.rerolls + 1) * self.arrays.keeps * self.arrays.faces
        return Cost(int(SAFETY * (held + work)), planned + places * self.arrays.outcomes / 4)

    def _layer_bytes(self, sizes: LayerSizes, layer: int, threads: int) -> int:
        """The memory for the mass of a layer and of the next, and for temporary arrays."""
        both = int(sizes.places[layer]) + int(sizes.places[layer + 1])
        return 8 * self.parts * both

    def _planned(self, states: int, places: int) -> int:
        """The number of turns to plan for this number of states and of mass entries."""
        return states

    def begin(self, results: Mapping[TurnResult, float]) -> None:
        """Put the mass on the sheets of one layer."""
        self._enter(next(iter(results)).sheet.filled.bit_count())
        self.mass = np.zeros((self.parts, int(self.offset[-1])))
        placing = self.compiled.placing
        for result, chance in results.items():
            state = self.states.locate(result.sheet)[1]
            part = self.first_part
            if result.sheet.bonus_won:
                self.total[-1] += chance
                part |= int(self.marks[-1])
            if result.category is not None:
                key = (result.category, result.points)
                self.written[key] = self.written.get(key, 0.0) + chance
                if result.points:
                    part |= int(self.marks[:-1][placing.outcome_category == result.category].max(initial=0))
            self.mass[part, self.offset[state] + result.sheet.points] += chance

    def run(self, pool: ThreadPoolExecutor, watch: Callable[[], None]) -> None:
        """Push the mass from where it is to the end of the game; `watch` is called now and then."""
        while self.at_layer < self.states.layers - 1:
            mass = self._pushed(self.at_layer, self._offsets(self.at_layer + 1), pool, watch)
            self._enter(self.at_layer + 1)
            self.mass, self.next_mass = mass, None
            watch()

    def _enter(self, layer: int) -> None:
        self.at_layer, self.offset = layer, self._offsets(layer)
        self.reached = int(self.states.layer_start[layer])

    def _offsets(self, layer: int) -> npt.NDArray[np.int64]:
        """[state of the layer]: the first entry of its mass; one more at the end."""
        return np.concatenate([[0], np.cumsum(widths(self.compiled, layer))])

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """Everything needed to go on from here, without the entries that are 0."""
        written = [(*key, chance) for key, chance in self.written.items()]
        arrays = {"at": np.array([self.at_layer, self.reached]), "total": self.total, "written": np.array(written)}
        for name, mass in (("mass", self.mass), ("next", self.next_mass)):
            if mass is not None:
                there = mass.ravel() != 0
                arrays |= {f"{name}_there": np.packbits(there), name: mass.ravel()[there]}
        return arrays

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go back to where `saved` was called; ValueError or KeyError if the arrays do not fit."""
        layer, reached = arrays["at"].tolist()
        self._enter(layer)
        next_offset = self._offsets(layer + 1) if "next" in arrays else None
        self.mass = self._restored(arrays, "mass", self.offset)
        self.next_mass = None if next_offset is None else self._restored(arrays, "next", next_offset)
        self.reached, self.total = reached, arrays["total"].copy()
        self.written = {(int(c), int(p)): float(m) for c, p, m in arrays["written"].reshape(-1, 3).tolist()}

    def _restored(self, arrays: Mapping[str, npt.NDArray[Any]], name: str, offset: npt.NDArray[np.int64]) -> FloatArray:
        mass = np.zeros(self.parts * int(offset[-1]))
        mass[np.unpackbits(arrays[f"{name}_there"], count=len(mass)).astype(np.bool_)] = arrays[name]
        return mass.reshape(self.parts, -1)

    @abstractmethod
    def _pushed(
        self, layer: int, next_offset: npt.NDArray[np.int64], pool: ThreadPoolExecutor, watch: Callable[[], None]
    ) -> FloatArray:
        """The mass on the next layer; adds to `total`."""

    def result(self, strategy: str, start: Sheet) -> Evaluation:
        """The result, from the mass at the end."""
        game = self.compiled.game
        parts = np.zeros((self.parts, int(np.diff(self.offset).max())))
        for begin, end in zip(self.offset, self.offset[1:], strict=False):
            parts[:, : end - begin] += self.mass[:, begin:end]
        length = int(np.flatnonzero(parts.any(axis=0))[-1]) + 1
        parts = parts[:, :length]
        categories = tuple(CategoryResult(game.categories[i], self._category(i)) for i in start.open)
        return Evaluation(
            game,
            strategy,
            Distribution(parts.sum(axis=0)),
            float(self.total[-1]),
            categories,
            self.events,
            tuple(parts) if self.events else (),
        )

    def _category(self, category: int) -> Distribution:
        placing = self.compiled.placing
        mine = np.flatnonzero(placing.outcome_category == category)
        mass = np.bincount(placing.outcome_points[mine], self.total[mine]).astype(np.float64)
        for (index, points), chance in self.written.items():
            if index == category:
                mass[points] += chance
        return Distribution(mass)


class PassByState(ForwardPass):
    """A strategy that does not depend on points: each state is planned once, STEP states at a time."""

    at_once = 4
    _pieces = 1 << (core_count() - 1).bit_length()
    """Pieces in which mass is pushed: a power of 2. The result does not depend on it."""

    def _pushed(
        self, layer: int, next_offset: npt.NDArray[np.int64], pool: ThreadPoolExecutor, watch: Callable[[], None]
    ) -> FloatArray:
        first, end = self.states.layer_start[layer : layer + 2].tolist()
        weight = np.zeros(end - first)
        for part in self.mass:
            weight += np.add.reduceat(part, self.offset[:-1])
        if self.next_mass is None:
            self.next_mass = np.zeros((self.parts, int(next_offset[-1])))
        shape = (STEP, self.arrays.outcomes)
        chance, to, points, bonus = (np.empty(shape, kind) for kind in (np.float64, np.int64, np.int32, np.bool_))
        fill = self.strategy.outcome_chances(layer)
        for begin in range(self.reached, end, STEP):
            stop = min(begin + STEP, end)

            def plan(low: int, high: int, begin: int = begin) -> None:
                piece = slice(low - begin, high - begin)
                fill(low, high, weight[low - first : high - first], chance[piece], to[piece], points[piece],
                     bonus[piece])  # fmt: skip

            run_ranges(pool, plan, begin, stop, STEP // 16)
            self._push(begin - first, stop - first, (chance, to, points, bonus), next_offset, pool)
            self.reached = stop
            watch()
        return self.next_mass

    def _push(
        self, low: int, high: int, turns: tuple[npt.NDArray[Any], ...], next_offset: npt.NDArray[np.int64],
        pool: ThreadPoolExecutor,
    ) -> None:  # fmt: skip
        """Push the states low … high of the layer, whose turns are planned, in pieces by the state they lead to."""
        offset, shape = self.offset[low : high + 1], (self.parts, high - low)
        measured = np.empty(shape, np.int64), np.empty(shape, np.int64), np.empty(shape)
        kernels.measure_mass(self.mass, offset, *measured)
        planned = (array[: high - low] for array in turns)
        common = self.mass, offset, *measured, *planned, self.marks, self.next_mass, next_offset, self.total

        def push(piece: int, _end: int) -> None:
            kernels.push_mass(*common, piece, self._pieces)

        run_ranges(pool, push, 0, self._pieces, 1)

    def _layer_bytes(self, sizes: LayerSizes, layer: int, threads: int) -> int:
        outcomes = min(STEP, int(sizes.states[layer])) * self.arrays.outcomes
        plans = self.strategy.chances_bytes(layer, int(sizes.states[layer]), threads * STEP // 16)
        return super()._layer_bytes(sizes, layer, threads) + outcomes * (8 + 8 + 4 + 1) + plans


class PassByPoints(ForwardPass):
    """A strategy whose choices depend on the points so far."""

    def _layer_bytes(self, sizes: LayerSizes, layer: int, threads: int) -> int:
        here, after = int(sizes.places[layer]), int(sizes.places[layer + 1])
        copies = min(threads, -(-int(sizes.states[layer]) // STEP_BY_SCORES))
        return 8 * self.parts * (here + copies * after)

    def _planned(self, states: int, places: int) -> int:
        return places  # separately for every score

    def _pushed(
        self, layer: int, next_offset: npt.NDArray[np.int64], pool: ThreadPoolExecutor, watch: Callable[[], None]
    ) -> FloatArray:
        first, end = self.states.layer_start[layer : layer + 2].tolist()
        aim = self.strategy.goal(layer)
        parts: SimpleQueue[tuple[FloatArray, FloatArray]] = SimpleQueue()  # one output buffer per running thread

        def push(low: int, high: int) -> None:
            try:
                mass, total = parts.get_nowait()
            except Empty:
                mass, total = np.zeros((self.parts, int(next_offset[-1]))), np.zeros(len(self.total))
            offset = self.offset[low - first : high - first + 1]
            block = block_of(self.arrays.block_start, low)
            kernels.push_scores(
                self.arrays, aim, low, high, block, self.mass, offset, self.marks, mass, next_offset, total
            )
            parts.put((mass, total))

        run_ranges(pool, push, first, end, STEP_BY_SCORES)
        next_mass, total = parts.get()
        while not parts.empty():
            mass, more = parts.get()
            next_mass += mass
            total += more
        self.total += total
        return next_mass
