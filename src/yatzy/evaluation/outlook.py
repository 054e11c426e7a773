"""The outlook of a position: what to expect when play continues for the most points.

For every state between turns a table holds, for the strategy with the best expected score,

    f(s)    the chance of points and the expected points in every category, the chance of winning the upper bonus and
            the expected Joker bonuses, all from s on
    m(s, x) the chance of exactly x points to come

Both are computed backward over the layers from the chances p(o) of the outcomes of a turn under the strategy:

    f(s) = Σ p(o) · (contribution of o + f(s after o)),    m(s, x) = Σ p(o) · m(s after o, x − points of o)

Inside a turn, evaluation/turn_endings.py gives the possible endings and their chances, and the same two sums apply.

The work for Yatzy: 828,416 turns are planned, and in each about 30 outcomes add a curve of about 190 scores,
4.7 · 10⁹ multiplications in total. Measured on a 2-core AVX-512 machine, in seconds of one core: planning 2.1,
curves 1.4, features 0.7, writing 0.5, memory 1.5.

Numbers are stored in single precision. Masses below `NOTHING` at both ends are dropped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError, Message, SizeError, TableError
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.turn_endings import Endings, FloatArray, TurnEndings, add_up_by, end_of
from yatzy.games import Category, Game, Move, Position, Score, Sheet
from yatzy.model import CompiledGame, compile_game, most_points
from yatzy.store import Table, TableWriter, table_path, tables_folder
from yatzy.store.disk import free_space
from yatzy.strategies.best import ValueStrategy
from yatzy.values import curve_layers as chances
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.curve_layers import Meter
from yatzy.values.expected import ExpectedScore
from yatzy.values.kinds import OUTLOOK, table_key
from yatzy.values.resources import DEFAULTS, Progress, Resources
from yatzy.values.tables import Column, SolvedTable, block_of, curve_columns, missing_layers
from yatzy.values.threads import core_count, physical_memory, run_ranges

OBJECTIVE = OUTLOOK.name
STEP = 256
"""States per unit of work."""
NOTHING = 1e-30
"""Chances below this count as zero: far below any relevant chance, far above the underflow of single precision."""
MOST_BYTES = 4 * 2**30
"""The size limit of a table; one of this size takes minutes to build."""


@dataclass(frozen=True, slots=True)
class CategoryOutlook:
    """The outlook of an open category."""

    category: Category
    chance: float
    """The chance of scoring points there."""
    points: float
    """The expected points there."""
    this_turn: float
    """The chance that this turn ends there with points."""
    this_turn_points: float
    """The expected points of this turn there; a turn that ends elsewhere counts as 0."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The outlook of a sheet."""

    categories: tuple[CategoryOutlook, ...]
    """The open categories; a category just filled by a move is still included."""
    bonus: float | None
    """The chance of having the upper bonus at the end, 1 if it is already won; None in a game without one."""
    jokers: float
    """The expected Joker bonuses from now on, in points."""
    score: Distribution
    """The final score, including the points so far."""
    games: int = 0
    """The number of sampled games; 0 if exact."""

    @property
    def exact(self) -> bool:
        """Whether it has no sampling error."""
        return not self.games

    @property
    def mean(self) -> float:
        """The expected final score."""
        return self.score.mean

    @property
    def sd(self) -> float:
        """The standard deviation of the final score."""
        return self.score.sd

    @property
    def low(self) -> int:
        """The 10th percentile of the final score."""
        return self.score.percentile(10)

    @property
    def high(self) -> int:
        """The 90th percentile of the final score."""
        return self.score.percentile(90)

    def of(self, category: str) -> CategoryOutlook:
        """The outlook of the category with this id."""
        for entry in self.categories:
            if entry.category.id == category:
                return entry
        there = ", ".join(entry.category.id for entry in self.categories) or "none"
        raise InputError("{category}: is not an open category here; open are {names}", category=category, names=there)


@dataclass(frozen=True, eq=False)
class Following:
    """What is still to come, after the turn or from its start on; `mass` always includes the points of the turn."""

    hits: FloatArray
    """[category]: the chance of points there."""
    points: FloatArray
    """[category]: the expected points there."""
    bonus: float
    """The chance that the upper bonus is won after the turn."""
    jokers: float
    """Joker bonuses, in points."""
    mass: FloatArray
    """[points to come]: their chance, including the points of the turn."""
    games: int = 0
    """The number of sampled games."""


class OutlookSource(ABC):
    """A source of outlooks: a table, or a sample of games."""

    sampled = False
    """Whether it plays a sample of games for every outlook."""

    def __init__(self, expected: ExpectedScore) -> None:
        self.game, self.expected = expected.game, expected
        self.compiled = compile_game(self.game)
        self.strategy = ValueStrategy(self.game, expected.objective, expected.goal)
        # All moves of a position belong to one turn.
        self._turn = lru_cache(maxsize=256)(lambda sheet: TurnEndings(expected, sheet))

    def at(self, position: Position, player: int | None = None) -> Outlook:
        """The outlook of the player to move, or of another player, counted from 0."""
        self._check(position, player)
        mover = position.mover
        sheet = position.sheets[mover if player is None else player]
        if sheet.over:
            return _over(sheet)
        turn = self._turn(sheet)
        if position.between_turns or (player is not None and player != mover):
            return self._outlook(sheet, turn.ends((), self.game.rolls), self._before_turn(sheet))
        return self._outlook(sheet, turn.ends(position.dice, position.rolls_left))

    def after(self, position: Position, move: Move) -> Outlook:
        """The outlook of the player to move after any legal move, including struck categories."""
        self._check(position, None)
        if isinstance(move, Score):
            return self._outlook(position.sheet, end_of(self.compiled, position, move))
        return self.at(position.play(move))

    def _check(self, position: Position, player: int | None) -> None:
        if position.game != self.game:
            raise InputError(
                "the position is of {game}; these are outlooks of {other}", game=position.game.id, other=self.game.id
            )
        if player is not None and not 0 <= player < len(position.sheets):
            raise InputError("player: {player} is not from 0 to {most}", player=player, most=len(position.sheets) - 1)

    def _outlook(self, sheet: Sheet, ends: Endings, ahead: Following | None = None) -> Outlook:
        """The outlook of a turn with these endings; `ahead` is all that is to come, if it is known already."""
        categories = len(self.game.categories)
        now = add_up_by(ends.category, ends.chance * (ends.written > 0), categories)
        now_points = add_up_by(ends.category, ends.chance * ends.written, categories)
        if ahead is None:
            then = self._following(sheet, ends)
            won, jokers = float(ends.chance @ ends.bonus), float(ends.chance @ ends.jokers)
            ahead = Following(
                now + then.hits, now_points + then.points, won + then.bonus, jokers + then.jokers, then.mass, then.games
            )
        hits, points = np.minimum(ahead.hits, 1.0), ahead.points
        bonus = None
        if self.game.bonus is not None:
            bonus = 1.0 if sheet.bonus_won else min(ahead.bonus, 1.0)
        return Outlook(
            categories=tuple(
                CategoryOutlook(self.game.categories[i], *(float(a[i]) for a in (hits, points, now, now_points)))
                for i in sheet.open
            ),
            bonus=bonus,
            jokers=ahead.jokers,
            score=Distribution(np.concatenate([np.zeros(sheet.points), ahead.mass / ahead.mass.sum()])),
            games=ahead.games,
        )

    def _before_turn(self, sheet: Sheet) -> Following | None:
        """What is to come from a sheet between turns, if it is known without looking at the endings of the turn."""
        return None

    @abstractmethod
    def _following(self, sheet: Sheet, ends: Endings) -> Following:
        """What is to come after a turn from this sheet, averaged over its endings."""


def _over(sheet: Sheet) -> Outlook:
    mass = np.zeros(sheet.points + 1)
    mass[-1] = 1.0
    return Outlook((), float(sheet.bonus_won) if sheet.game.bonus else None, 0.0, Distribution(mass))


class Outlooks(OutlookSource):
    """Exact outlooks of a game, from its table, which is built if missing."""

    def __init__(self, game: Game, expected: ExpectedScore, resources: Resources = DEFAULTS) -> None:
        """`expected` is the same game, solved for the most points."""
        super().__init__(expected)
        if not self.ready(game, resources.folder):
            refuse_if_too_large(game, tables_folder(resources.folder))

        def build(writer: TableWriter) -> None:
            watch = resources.watch(Message("{game} for its outlook", game=game))
            _build(self.compiled, self.strategy, writer, resources.threads, watch)

        self.table = SolvedTable(self.compiled, OBJECTIVE, build, resources, self._columns)
        # The moves of a position and the positions of a turn lead to the same states.
        self._future = lru_cache(maxsize=4096)(self._read_future)

    @staticmethod
    def ready(game: Game, folder: str | Path | None = None) -> bool:
        """Whether the table exists, so that no outlook has to wait for it."""
        key = table_key(game, OBJECTIVE, len(game.categories) + 1)
        try:
            Table(table_path(tables_folder(folder), key), key).close()
        except TableError:
            return False
        return True

    def _columns(self, layer: int) -> dict[str, Column]:
        states, most = int(np.diff(self.compiled.states.layer_start)[layer]), most_points(self.game)
        curves = curve_columns(states, "mass", most, shortest=1, least_low=0, range_=chances.CHANCES)
        # The features are chances and expected points.
        return {"features": Column("<f4", (states, _features(self.game)), -1, 2 * most + 1), **curves}

    def _before_turn(self, sheet: Sheet) -> Following:
        """The entry of the sheet in the table."""
        entry = self._future(*self.compiled.states.locate(sheet))
        return self._of_features(entry.features, np.concatenate([np.zeros(entry.low), entry.mass]))

    def _following(self, sheet: Sheet, ends: Endings) -> Following:
        layer = sheet.filled.bit_count() + 1
        futures = [self._future(layer, state) for state in ends.state.tolist()]
        features = ends.chance @ np.array([future.features for future in futures], np.float64)
        begins = [points + future.low for points, future in zip(ends.points.tolist(), futures, strict=True)]
        mass = np.zeros(max(begin + len(future.mass) for begin, future in zip(begins, futures, strict=True)))
        for chance, begin, future in zip(ends.chance.tolist(), begins, futures, strict=True):
            mass[begin : begin + len(future.mass)] += chance * future.mass
        return self._of_features(features, mass)

    def _of_features(self, features: npt.NDArray[Any], mass: FloatArray) -> Following:
        categories = len(self.game.categories)
        hits, points, (bonus, jokers) = np.split(features, [categories, 2 * categories])
        return Following(hits, points, float(bonus), float(jokers), mass)

    def _read_future(self, layer: int, state: int) -> _Future:
        read = self.table.read
        begin, end = read(layer, "offset", state, state + 2).tolist()
        low, features = read(layer, "low", state, state + 1), read(layer, "features", state, state + 1)
        mass = read(layer, "mass", begin, end).astype(np.float64)
        if not mass.sum() > 0:
            raise self.table.wrong(layer, "mass", Message("has no chance of anything for state {state}", state=state))
        return _Future(features[0], int(low[0]), mass)


@dataclass(frozen=True, eq=False)
class _Future:
    """The table entry of a state."""

    features: npt.NDArray[Any]
    low: int
    mass: FloatArray


def estimated_bytes(game: Game) -> int:
    """The approximate size of the table of a game: its curves are as long as those of the best chances."""
    return chances.estimated_bytes(game) + len(compile_game(game).states) * _features(game) * 4


def refuse_if_too_large(game: Game, folder: Path) -> None:
    """Refuse a table that would be too large; the error says how large."""
    size = estimated_bytes(game)
    # The two layers in memory are less than half of the table.
    room = min(MOST_BYTES, free_space(folder), 2 * physical_memory())
    if size > room:
        raise SizeError(
            "the table of outlooks of {game} would take about {size:,.1f} GiB, and {room:,.1f} GiB are the"
            " limit here; use a sample of games instead",
            game=game.id,
            size=size / 2**30,
            room=room / 2**30,
        )


def _features(game: Game) -> int:
    return 2 * len(game.categories) + 2


def _build(
    compiled: CompiledGame, strategy: ValueStrategy, writer: TableWriter, threads: int | None, progress: Progress | None
) -> None:
    """Build the layers that the table does not have yet."""
    meter = Meter(compiled, progress)
    starts, top = compiled.states.layer_start, compiled.states.layers - 1
    names = ("features", "low", "offset", "mass")
    with ThreadPoolExecutor(threads or core_count()) as pool:
        for layer in missing_layers(writer):
            meter.begin(layer)
            states = int(starts[layer + 1] - starts[layer])
            if layer == top:
                none = np.zeros((states, _features(compiled.game)), np.float32)
                here = kernels.Futures(
                    none, np.zeros(states, np.int32), np.arange(states + 1), np.ones(states, np.float32)
                )
            else:
                after = kernels.Futures(*(writer.array(layer + 1, name) for name in names))
                here = _solve_layer(compiled, strategy, layer, after, pool, meter)
            writer.append(layer, dict(zip(names, here, strict=True)))


def _solve_layer(
    compiled: CompiledGame, strategy: ValueStrategy, layer: int, after: Any, pool: ThreadPoolExecutor, meter: Meter
) -> Any:
    """The outlooks of the states of a layer, in pieces."""
    arrays, placing, aim = exact_turn_arrays(compiled), compiled.placing, strategy.goal(layer)
    bonus = compiled.game.bonus.points if compiled.game.bonus else 0
    first, end = compiled.states.layer_start[layer : layer + 2].tolist()
    features = np.empty((end - first, _features(compiled.game)), np.float32)
    pieces: dict[int, tuple[Any, Any, Any]] = {}
    spare: SimpleQueue[Any] = SimpleQueue()  # one set of arrays per running thread: new memory costs time

    def work(low: int, high: int) -> None:
        count = high - low
        try:
            held_turns = spare.get_nowait()
        except Empty:
            kinds = (np.float64, np.int64, np.int32, np.bool_)
            held_turns = kernels.Turns(*(np.empty((STEP, arrays.outcomes), kind) for kind in kinds))
        turns = kernels.Turns(*(array[:count] for array in held_turns))
        kernels.value_chances(arrays, aim, low, high, block_of(arrays.block_start, low), np.ones(count), *turns)
        held = features[low - first : high - first]
        kernels.find_features(turns, after.features, placing.outcome_category, placing.outcome_points, bonus, held)
        least, most, length = np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.int64)
        kernels.find_ranges(turns, after.low, after.offset, least, most)
        mass = np.empty(int((most - least + 1).sum()), np.float32)
        used = kernels.find_masses(turns, after, NOTHING, least, most, length, mass)
        pieces[low] = (least, length, mass[:used].copy())
        spare.put(held_turns)
        meter.add(count)

    run_ranges(pool, work, first, end, STEP)
    least, length, mass = (np.concatenate(part) for part in zip(*(pieces[low] for low in sorted(pieces)), strict=True))
    return kernels.Futures(features, least, np.concatenate([[0], np.cumsum(length)]), mass)
