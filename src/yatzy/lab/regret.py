"""The regret of strategies over whole games of two: the match points that they lose against the optimum.

Each strategy plays matches against optimal play, half of them as first player. Before each of its turns the *loss* of a
decision is the optimal value of the best move minus that of the strategy's own; over a turn the losses are weighted
with the chances of all rolls. So a match gives a mean of what its positions cost, and only the positions are a sample.

By the definition of the loss, a match is worth as much as at its start, minus the losses of the moves that were made,
plus luck, which is 0 on average. Hence three estimates of the same number, the mean result of the strategy:

    the results             1, ½ or 0
    without luck            the value at the start minus the losses of the moves that were made
    by the mean losses      the value at the start minus the losses of all moves that the dice might have asked for

The complete solution must be there (`yatzy match solve GAME --keep all`). Its values are in single precision, so a
loss may be off by a few times 1e-7; none is ignored.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message, SizeError, TableMissing
from yatzy.games import Game
from yatzy.lab.batch_player import BatchPlayer
from yatzy.lab.optimal_play import OPTIMUM, OptimalPlay
from yatzy.lab.regret_players import ERROR, judged_player
from yatzy.lab.remote import shared_folder, worker_solver
from yatzy.lab.sample import Estimate
from yatzy.lab.simulation import check_seed
from yatzy.lab.strength import check_distinct, open_evaluator
from yatzy.matches.counting import count_match
from yatzy.matches.endgames import Endgames
from yatzy.matches.search import MATCH_SEARCH, MatchSearch
from yatzy.model import compile_game, most_points
from yatzy.names import DynS, Emp, Expected, Objective, parse_objective
from yatzy.solver import Solver
from yatzy.store.files import locked
from yatzy.store.kept import KeptResults, decode_arrays, encode_arrays
from yatzy.store.revisions import Computation
from yatzy.strategies.base import STRATEGIES
from yatzy.values.expected import ExpectedScore
from yatzy.values.resources import Progress
from yatzy.values.tables import Column
from yatzy.values.threads import available_memory, core_count, worker_pool
from yatzy.workers.running import run_tasks

REGRET = Computation("regret", uses=(MATCH_SEARCH, STRATEGIES))
PART = 2**16
"""Matches of a part for each seat. For each part, deeper searches first find the values that its positions lead to."""
SLOW = 3
"""From this many turns on, that takes minutes, and a part is saved after every turn."""
FEWEST, MOST = 2, 2**30
FINITE = float(np.finfo(np.float64).max)
LOSS, REALISED, RESULT, ERRING, FIRST_TURN = range(5)
"""Columns of the sums over matches; the losses by turn follow, then those by roll of the turn."""

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SeatRegret:
    """What a strategy loses in its matches as first or as second player."""

    games: int
    value: float
    """The match points of optimal play in this seat."""
    loss: Estimate
    """The match points lost in a match."""
    turns: tuple[Estimate, ...]
    """[turn]: the match points lost in it."""
    rolls: tuple[Estimate, ...]
    """[roll of the turn]: the match points lost in a match by the decisions after it."""
    erring: Estimate
    """The share of decisions that are errors."""
    result: Estimate
    """The mean match points of the matches."""
    realised: Estimate
    """The losses of the moves that were made, a match."""

    @property
    def without_luck(self) -> Estimate:
        """The mean result without the luck of the dice."""
        return Estimate(self.value - self.realised.value, self.realised.error)

    @property
    def foreseen(self) -> Estimate:
        """The mean result by the mean losses."""
        return Estimate(self.value - self.loss.value, self.loss.error)


@dataclass(frozen=True, slots=True)
class StrategyRegret:
    """What a strategy loses in matches against the optimum."""

    strategy: str
    decisions: int
    """Decisions in a turn."""
    first: SeatRegret
    second: SeatRegret

    @property
    def games(self) -> int:
        """The matches in both seats."""
        return self.first.games + self.second.games

    @property
    def value(self) -> float:
        """The mean match points of optimal play over both seats."""
        return (self.first.value + self.second.value) / 2

    @property
    def loss(self) -> Estimate:
        """The match points lost in a match."""
        return _both(self.first.loss, self.second.loss)

    @property
    def turns(self) -> tuple[Estimate, ...]:
        """[turn]: the match points lost in it."""
        return tuple(map(_both, self.first.turns, self.second.turns))

    @property
    def moves(self) -> tuple[Estimate, ...]:
        """[turn]: the match points lost a move, which is a decision after a roll."""
        return tuple(Estimate(one.value / self.decisions, one.error / self.decisions) for one in self.turns)

    @property
    def rolls(self) -> tuple[Estimate, ...]:
        """[roll of the turn]: the match points lost in a match by the decisions after it."""
        return tuple(map(_both, self.first.rolls, self.second.rolls))

    @property
    def erring(self) -> Estimate:
        """The share of decisions that are errors."""
        return _both(self.first.erring, self.second.erring)

    @property
    def result(self) -> Estimate:
        """The mean match points of the matches."""
        return _both(self.first.result, self.second.result)

    @property
    def without_luck(self) -> Estimate:
        """The mean result without the luck of the dice."""
        return _both(self.first.without_luck, self.second.without_luck)

    @property
    def foreseen(self) -> Estimate:
        """The mean result by the mean losses."""
        return _both(self.first.foreseen, self.second.foreseen)

    @property
    def apart(self) -> float:
        """How many standard errors the mean result is above the one by the mean losses."""
        error = math.hypot(self.result.error, self.foreseen.error)
        return (self.result.value - self.foreseen.value) / error if error else 0.0


def _both(one: Estimate, other: Estimate) -> Estimate:
    """The mean of two independent estimates."""
    return Estimate((one.value + other.value) / 2, math.hypot(one.error, other.error) / 2)


@dataclass(frozen=True, slots=True)
class RegretResult:
    """The result of a measurement."""

    game: Game
    games: int
    seed: int
    value: float
    """What the player who begins has under optimal play."""
    error: float
    """A loss above this counts as an error."""
    strategies: tuple[StrategyRegret, ...]


@dataclass(frozen=True, slots=True)
class RegretTask:
    """Matches of one strategy: as many with the strategy as first player as with it as second."""

    game: Game
    strategy: str
    seed: int
    first: int
    """The number of the first match of each seat."""
    matches: int
    """In each seat."""
    folder: str


def check_regret(game: Game, strategies: Sequence[str], games: int, seed: int) -> tuple[str, ...]:
    """The names of the strategies, after checking everything that was asked for."""
    if games % 2 or not FEWEST <= games <= MOST:
        raise InputError(
            "games: {games} must be an even number from {fewest} to {most:,}; the strategy begins in half of them",
            games=games,
            fewest=FEWEST,
            most=MOST,
        )
    check_seed(seed)
    names = tuple(str(_read(name, game)) for name in strategies)
    check_distinct(names)
    return names


def _read(name: str, game: Game) -> Objective:
    objective = parse_objective(name, 2)
    if not isinstance(objective, (Expected, Emp, DynS)):
        raise InputError("{name}: regret is measured only for expected, match:emp:D and match:dyns:D", name=name)
    objective.check(game)
    return objective


def measure_regret(
    game: Game,
    strategies: Sequence[str],
    games: int,
    seed: int,
    folder: str | Path | None,
    solver: Solver | None = None,
) -> RegretResult:
    """Play matches of strategies against the optimum, and find what they lose.

    With a folder, finished parts are kept there and not computed again. Results depend on the seed alone. Progress
    counts turns of a part.
    """
    solver = solver or Solver()
    names, half = check_regret(game, strategies, games, seed), games // 2
    deepest = 2 * len(game.categories)
    if solver.endgame_depth(game) < deepest:
        raise TableMissing(
            "the complete solution of {game} is not in {folder}; 'yatzy match solve {game} --keep all' makes it",
            game=game.id,
            folder=shared_folder(solver),
        )
    tasks = [
        RegretTask(game, name, seed, first, min(PART, half - first), shared_folder(solver))
        for name in names
        for first in range(0, half, PART)
    ]
    parts, found = Parts(game, seed, folder, solver), dict[RegretTask, Sums]()
    progress = solver.watch(Message("{games:,} games of {game}", games=games * len(names), game=game), "Playing")
    steps = _Steps(progress, len(tasks) * deepest, deepest)
    threads = solver.threads or core_count()
    optimum = _optimal_play(solver, game)
    solver.chances(game)  # built here, and not by every worker

    def finish(task: RegretTask, sums: Sums) -> None:
        parts.write(task, sums)
        found[task] = sums

    with parts.locked(), worker_pool(threads) as pool:
        missing = []
        for task in tasks:
            known = parts.read(task)
            if known is None:
                missing.append(task)
            else:
                found[task] = known
                steps.add(deepest)
        if solver.executor is not None:

            def finish_elsewhere(task: RegretTask, sums: Sums) -> None:
                finish(task, sums)
                steps.add(deepest)

            run_tasks(solver.executor, play_regret, missing, finish_elsewhere)
        else:
            _refuse_if_memory_too_small(game, {task.strategy for task in missing})
            for task in missing:
                finish(task, _Playing(task, optimum, solver, parts).run(pool, steps))
    value = optimum.endgames.tables[deepest].value(0, 0, 0)
    pooled = [_add_up([found[task] for task in tasks if task.strategy == name]) for name in names]
    measured = tuple(_regret(name, game, value, sums) for name, sums in zip(names, pooled, strict=True))
    return RegretResult(game, games, seed, value, ERROR, measured)


def _refuse_if_memory_too_small(game: Game, names: Collection[str]) -> None:
    """Refuse before the first turn: a search of a turn evaluates a whole depth, and deeper ones hold two at a time."""
    searches = {name: turns for name in sorted(names) if (turns := _read(name, game).turns)}
    if not searches:
        return
    sizes, free = [4 * row.values for row in count_match(game).rows], available_memory()
    for name, turns in searches.items():
        last, held = max(len(sizes) - 1 - min(turns, 3), 0), 2 if turns > 2 else 1
        needed = max(sum(sizes[depth : depth + held]) for depth in range(last + 1))
        if needed > free:
            raise SizeError(
                "{name}: its searches in {game} take about {needed:,.1f} GiB of memory, but {free:,.1f} GiB are free",
                name=name,
                game=game.id,
                needed=needed / 2**30,
                free=free / 2**30,
            )


def _optimal_play(solver: Solver, game: Game) -> OptimalPlay:
    deepest = 2 * len(game.categories)
    return solver.once(game, ("optimal play",), lambda: OptimalPlay(Endgames(game, deepest, solver.plain)))


def play_regret(task: RegretTask) -> Sums:
    """Play the matches of a task on a worker elsewhere."""
    solver = worker_solver(task.folder)
    return _Playing(task, _optimal_play(solver, task.game), solver, None).run(None, _Steps(None, 0, 0))


class _Steps:
    """Progress over parts, in turns of a part."""

    def __init__(self, progress: Progress | None, total: int, part: int) -> None:
        self._progress, self._total, self.part, self._done = progress, total, part, 0
        if progress is not None:
            progress(0, total)

    def add(self, steps: int) -> None:
        """Count turns of a part as done."""
        self._done += steps
        if self._progress is not None:
            self._progress(self._done, self._total)


# Playing a part

Sums = Mapping[str, npt.NDArray[Any]]
"""Over the matches of a part, by seat: `count` [seat], `total` and `square` [seat, column]."""
ARRAYS = ("state", "made", "realised", "lost", "erring")


class _Playing:
    """The matches of a part: those with the strategy as first player, and those with it as second.

    [seat of the strategy, …] are the axes of the arrays, player 0 being the one who begins.
    """

    def __init__(self, task: RegretTask, optimum: OptimalPlay, solver: Solver, parts: Parts | None) -> None:
        game, matches = task.game, task.matches
        self._task, self._optimum, self._parts, chances = task, optimum, parts, solver.chances(game)
        evaluator = open_evaluator(task.strategy, chances, solver)
        assert isinstance(evaluator, (ExpectedScore, MatchSearch))
        self._player = judged_player(optimum, chances, evaluator)
        self._slow = evaluator.name.turns >= SLOW
        self._seats = [
            [
                BatchPlayer(game, name, None, False, matches, task.seed, task.first, 2 * seat + player, True)
                for player, name in enumerate(names)
            ]
            for seat, names in enumerate([(task.strategy, OPTIMUM), (OPTIMUM, task.strategy)])
        ]
        self._realised, self._erring = np.zeros((2, matches)), np.zeros((2, matches))
        self._lost = np.zeros((2, matches, game.rolls))
        self._turns = np.zeros((2, 2, len(game.categories)))
        """[seat, sum or sum of squares, turn]"""
        self._depth = 2 * len(game.categories)

    def run(self, pool: ThreadPoolExecutor | None, steps: _Steps) -> Sums:
        """Play all turns."""
        if self._parts is not None and self._slow:
            self._resume(self._parts)
            steps.add(steps.part - self._depth)
        while self._depth:
            player = self._depth % 2
            for seat, players in enumerate(self._seats):
                mover, rival = players[player], players[1 - player]
                if seat != player:
                    self._optimum.play(mover, rival, pool)
                    continue
                turn = mover.played
                lost, erring = self._player.play(mover, rival, self._realised[seat], pool)
                self._lost[seat] += lost
                self._erring[seat] += erring.sum(axis=1)
                whole = lost.sum(axis=1)
                self._turns[seat, :, turn] = whole.sum(), (whole**2).sum()
            self._depth -= 1
            if self._parts is not None and self._slow and self._depth:
                self._save(self._parts)
            steps.add(1)
        return self._sums()

    def _sums(self) -> Sums:
        total, square = [], []
        for seat, players in enumerate(self._seats):
            mine, theirs = players[seat].made, players[1 - seat].made
            result = 0.5 + 0.5 * np.sign(mine - theirs)
            lost, decisions = self._lost[seat], len(self._turns[0, 0]) * self._lost.shape[2]
            columns = [lost.sum(axis=1), self._realised[seat], result, self._erring[seat] / decisions]
            by_turn, by_roll = self._turns[seat], [lost.T.sum(axis=1), (lost.T**2).sum(axis=1)]
            total.append(np.concatenate([[one.sum() for one in columns], by_turn[0], by_roll[0]]))
            square.append(np.concatenate([[(one**2).sum() for one in columns], by_turn[1], by_roll[1]]))
        count = np.full(2, self._task.matches, np.int64)
        return {"count": count, "total": np.array(total), "square": np.array(square)}

    def _save(self, parts: Parts) -> None:
        seats = [player for players in self._seats for player in players]
        parts.write_unfinished(self._task, {
            "depth": np.array([self._depth], np.int64),
            "state": np.array([one.state for one in seats]),
            "made": np.array([one.made for one in seats]),
            "realised": self._realised, "erring": self._erring, "lost": self._lost, "turns": self._turns,
        })  # fmt: skip

    def _resume(self, parts: Parts) -> None:
        saved = parts.read_unfinished(self._task)
        if saved is None:
            return
        self._depth = int(saved["depth"][0])
        done = 2 * len(self._task.game.categories) - self._depth
        seats = [player for players in self._seats for player in players]
        for one, state, made, player in zip(seats, saved["state"], saved["made"], (0, 1, 0, 1), strict=True):
            one.state[:], one.made[:], one.played = state, made, (done + 1 - player) // 2
        for mine, name in (
            (self._realised, "realised"), (self._erring, "erring"), (self._lost, "lost"), (self._turns, "turns"),
        ):  # fmt: skip
            mine[:] = saved[name]


# Parts and sums


class Parts:
    """Saved parts of a measurement; nothing is saved without a folder."""

    def __init__(self, game: Game, seed: int, folder: str | Path | None, solver: Solver) -> None:
        self._key = {"game": game.id, "hash": game.hash, "seed": seed}
        self._folder, self._report = None if folder is None else Path(folder), solver.report
        self._kept = None if self._folder is None else KeptResults(self._folder, REGRET, solver.report)
        self._game = game

    def locked(self) -> Any:
        """Keep other processes away from the folder."""
        return nullcontext() if self._folder is None else locked(self._folder, "regret", self._report)

    def read(self, task: RegretTask) -> Sums | None:
        """The sums of a part."""
        if self._kept is None:
            return None
        return self._kept.read(self._part(task), lambda data: self._decode_sums(data, task))

    def write(self, task: RegretTask, sums: Sums) -> None:
        """Save the sums of a part, which is then finished."""
        if self._kept is not None:
            self._kept.write(self._part(task), encode_arrays(sums))
            self._kept.path(self._part(task, unfinished=True)).unlink(missing_ok=True)

    def read_unfinished(self, task: RegretTask) -> Sums | None:
        """The matches of a part after some turns."""
        if self._kept is None:
            return None
        return self._kept.read(self._part(task, unfinished=True), lambda data: self._decode_unfinished(data, task))

    def write_unfinished(self, task: RegretTask, arrays: Sums) -> None:
        """Save the matches of a part after a turn."""
        if self._kept is not None:
            self._kept.write(self._part(task, unfinished=True), encode_arrays(arrays))

    def _part(self, task: RegretTask, *, unfinished: bool = False) -> dict[str, Any]:
        about = {"strategy": task.strategy, "first": task.first, "matches": task.matches}
        return {**self._key, **about, "unfinished": unfinished}

    def _decode_sums(self, data: bytes, task: RegretTask) -> Sums:
        sums, columns = decode_arrays(data), FIRST_TURN + len(self._game.categories) + self._game.rolls
        number = Column("<f8", (2, columns), -FINITE, FINITE)
        form = {"count": Column("<i8", (2,), task.matches, task.matches), "total": number, "square": number}
        if not all(column.accepts(sums[name]) for name, column in form.items()):
            raise ValueError
        return sums

    def _decode_unfinished(self, data: bytes, task: RegretTask) -> Sums:
        arrays, matches, turns = decode_arrays(data), task.matches, len(self._game.categories)
        layers, most = np.diff(compile_game(self._game).states.layer_start), most_points(self._game)
        finite = -FINITE, FINITE
        columns = {
            "depth": Column("<i8", (1,), 1, 2 * turns - 1),
            "state": Column("<i4", (4, matches), 0, int(layers.max()) - 1),
            "made": Column("<i4", (4, matches), 0, most),
            "realised": Column("<f8", (2, matches), *finite),
            "erring": Column("<f8", (2, matches), *finite),
            "lost": Column("<f8", (2, matches, self._game.rolls), *finite),
            "turns": Column("<f8", (2, 2, turns), *finite),
        }
        if not all(column.accepts(arrays[name]) for name, column in columns.items()):
            raise ValueError
        done = 2 * turns - int(arrays["depth"][0])
        filled = [(done + 1) // 2, done // 2]  # by the player who begins, and by the other
        if not (arrays["state"] < layers[filled * 2, None]).all():
            raise ValueError
        return arrays


def _add_up(parts: Sequence[Sums]) -> Sums:
    return {name: np.sum([part[name] for part in parts], axis=0) for name in ("count", "total", "square")}


def _regret(name: str, game: Game, value: float, sums: Sums) -> StrategyRegret:
    seats = []
    for seat, worth in enumerate((value, 1 - value)):
        count = int(sums["count"][seat])
        means = [_mean(count, *pair) for pair in zip(sums["total"][seat], sums["square"][seat], strict=True)]
        first_roll = FIRST_TURN + len(game.categories)
        seats.append(
            SeatRegret(
                count, worth, means[LOSS], tuple(means[FIRST_TURN:first_roll]), tuple(means[first_roll:]),
                means[ERRING], means[RESULT], means[REALISED],
            )
        )  # fmt: skip
    return StrategyRegret(name, game.rolls, *seats)


def _mean(count: int, total: float, square: float) -> Estimate:
    mean = float(total) / count
    return Estimate(mean, math.sqrt(max(float(square) / count - mean**2, 0.0) / count))
