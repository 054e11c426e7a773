"""Measures the strength of strategies in matches of two: the loss of their moves against optimal play.

The *error* of a move is the optimal value of the best move minus that of the move, in match points. Positions come from
matches in which both players use EMP(1), softened so that each move has the weight e^(FIRMNESS · (value − best value)).
Each match gives one position: a decision with a given number of open categories of both players together, the *depth*,
and with more than one legal move. Game number g gives the decision after roll g mod rolls of its turn, if it is one.

The optimal values come from a search down to the endgame tables, or to the end. They are in single precision: values
closer than TIE are equal, as they are for the strategies themselves. Optimal values and the moves of each strategy are
kept apart, so that a strategy can be measured later without searching for the optimal values again.

J. Pawlewicz, "Nearly optimal computer play in multi-player Yahtzee" (2010).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import get_ident
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message
from yatzy.games import Game, Move, Position, Sheet
from yatzy.lab.batch_player import BatchPlayer
from yatzy.lab.bench import Bench
from yatzy.lab.duel import EmpPlayer
from yatzy.lab.remote import check_can_travel, shared_folder, worker_solver
from yatzy.lab.sample import Estimate, mean_of, share_of
from yatzy.lab.simulation import check_seed
from yatzy.lab.strength_parts import FIRMNESS, Answer, Block, FloatArray, Parts, Question
from yatzy.matches.endgames import Endgames
from yatzy.matches.search import MatchSearch
from yatzy.matches.solving import open_endgames
from yatzy.names import MatchObjective, Objective, Origin, parse_objective
from yatzy.names.payoffs import match_points
from yatzy.solver import Solver
from yatzy.store.files import locked
from yatzy.values.curves import BestChances
from yatzy.values.evaluator import Evaluator
from yatzy.values.threads import core_count
from yatzy.workers.running import run_tasks

TIE = MatchSearch.tie
LIMITS = (1e-5, 1e-4, 1e-3, 1e-2)
"""Thresholds by which errors are grouped."""
NORMAL = 1.96
"""Standard errors to either side for a 95 % interval."""
COMPARED = 8
"""The depth up to which the publication averages over all depths."""
BLOCK = 512
"""Positions per part: a few seconds of work."""
MOST = 2**20
"""The most positions per depth."""
ENDGAMES = 3
"""The default depth of the endgame tables: 100 MB for Yahtzee; depth 4 takes 1.9 GB."""
PARTS = "parts"


@dataclass(frozen=True, slots=True)
class Judged:
    """A position, and the moves of the strategies in it."""

    position: Position
    value: float
    """The value to the mover under optimal play."""
    best: Move
    moves: tuple[Move, ...]
    """[strategy]: the move it makes."""
    errors: tuple[float, ...]
    """[strategy]: the loss of that move; 0 for a best move."""


@dataclass(frozen=True, eq=False)
class JudgedPositions(Sequence[Judged]):
    """Positions of one depth with the moves of strategies, in arrays; there may be hundreds of thousands."""

    game: Game
    texts: tuple[str, ...]
    """[position]: its notation."""
    values: tuple[FloatArray, ...]
    """[position][legal move]: its value under optimal play."""
    chosen: npt.NDArray[np.int16]
    """[position, strategy]: the number of the move it makes."""

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, place: int) -> Judged: ...
    @overload
    def __getitem__(self, place: slice) -> JudgedPositions: ...
    def __getitem__(self, place: int | slice) -> Judged | JudgedPositions:
        if isinstance(place, slice):
            return JudgedPositions(self.game, self.texts[place], self.values[place], self.chosen[place])
        position, values = Position.parse(self.texts[place], self.game), self.values[place]
        moves, top = position.legal_moves, int(values.argmax())
        made = tuple(moves[number] for number in self.chosen[place])
        return Judged(position, float(values[top]), moves[top], made, tuple(self.errors[place].tolist()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JudgedPositions) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self.texts)

    @cached_property
    def rolls_left(self) -> npt.NDArray[np.int8]:
        """[position]: the rolls left, which end its notation."""
        return np.array([int(text.rpartition("~r")[2]) for text in self.texts], np.int8)

    @cached_property
    def errors(self) -> FloatArray:
        """[position, strategy]: the losses of the moves."""
        pairs = zip(self.values, self.chosen, strict=True)
        lost = np.array([values.max() - values[chosen] for values, chosen in pairs]).reshape(self.chosen.shape)
        return np.where(lost > TIE, lost, 0.0)


@dataclass(frozen=True, slots=True)
class Strength:
    """The errors of a strategy, over one depth or over several with equal weight."""

    strategy: str
    positions: int
    mean: Estimate
    """The mean error of a move, and its standard error."""
    erring: Estimate
    """The share of moves that lose anything."""
    larger: tuple[Estimate, ...]
    """[limit]: the share of moves that lose more than each of LIMITS."""
    worst: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 % confidence interval of the mean error, by the normal approximation."""
        return max(self.mean.value - NORMAL * self.mean.error, 0.0), self.mean.value + NORMAL * self.mean.error


@dataclass(frozen=True, eq=False)
class StrengthResult:
    """The result of a measurement."""

    game: Game
    strategies: tuple[str, ...]
    seed: int
    judged: Mapping[int, JudgedPositions]
    """By depth."""

    @property
    def depths(self) -> tuple[int, ...]:
        """The depths measured, in ascending order."""
        return tuple(self.judged)

    def errors(self, strategy: str, depth: int, rolls_left: int | None = None) -> npt.NDArray[np.float64]:
        """[position]: the losses of the moves of a strategy; only of positions with these rolls left, if given."""
        if strategy not in self.strategies or depth not in self.judged:
            raise InputError("{strategy} at depth {depth} was not measured", strategy=strategy, depth=depth)
        found = self.judged[depth].errors[:, self.strategies.index(strategy)]
        return found if rolls_left is None else found[self.judged[depth].rolls_left == rolls_left]

    def strength(self, strategy: str, depths: Iterable[int] | None = None, rolls_left: int | None = None) -> Strength:
        """The errors of a strategy over some depths with equal weight; all depths and rolls by default."""
        errors = [self.errors(strategy, depth, rolls_left) for depth in (self.depths if depths is None else depths)]
        return Strength(
            strategy,
            sum(map(len, errors)),
            _pooled([mean_of(part) for part in errors]),
            _pooled([share_of(part > 0) for part in errors]),
            tuple(_pooled([share_of(part > limit) for part in errors]) for limit in LIMITS),
            max(float(part.max()) for part in errors),
        )


def summaries(result: StrengthResult) -> list[tuple[str, Strength]]:
    """Each strategy over all depths, up to COMPARED if some are deeper, and at each depth, with a name for each."""
    spans: list[tuple[str, tuple[int, ...]]] = [(str(depth), (depth,)) for depth in result.depths]
    if len(result.depths) > 1:
        spans.insert(0, ("all", result.depths))
        near = tuple(depth for depth in result.depths if depth <= COMPARED)
        if 1 < len(near) < len(result.depths):
            spans.insert(1, (f"to {near[-1]}", near))
    return [(span, result.strength(name, depths)) for span, depths in spans for name in result.strategies]


def _pooled(parts: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates."""
    return Estimate(
        sum(part.value for part in parts) / len(parts), math.hypot(*(part.error for part in parts)) / len(parts)
    )


def typical_positions(
    chances: BestChances, depth: int, count: int, seed: int, threads: int | None = None
) -> list[Position]:
    """A number of decisions at a depth from softened matches; with a larger count, the first ones stay the same."""
    game = chances.game
    _check(game, {depth: count}, seed)
    found: list[Position] = []
    played = 0
    while len(found) < count:
        if played > 1000 + 64 * len(found):
            raise InputError(
                "depth {depth}: there are no decisions there in {game}, or hardly any", depth=depth, game=game.id
            )
        games = min(max(2 * (count - len(found)), 64), 2**13)
        # Every depth has its own matches, so that depths are independent samples.
        found += _decisions(chances, depth, games, seed, (depth << 24) + played, threads or core_count())
        played += games
    return found[:count]


def _check(game: Game, depths: Mapping[int, int], seed: int) -> None:
    most = 2 * len(game.categories)
    if not depths:
        raise InputError("depths: none given")
    for depth, count in depths.items():
        if not 1 <= depth <= most:
            raise InputError(
                "depth {depth}: must be from 1 to {most}, the categories of two sheets of {game}",
                depth=depth,
                most=most,
                game=game.id,
            )
        if not 1 <= count <= MOST:
            raise InputError(
                "depth {depth}: {count} positions are not from 1 to {most:,}", depth=depth, count=count, most=MOST
            )
    check_seed(seed)


def check_distinct(names: Sequence[str]) -> None:
    """Refuse no strategies, and a strategy that is given twice."""
    if not names:
        raise InputError("strategies: none given")
    for name in names:
        if names.count(name) > 1:
            raise InputError("{name}: is given twice", name=name)


def _decisions(chances: BestChances, depth: int, games: int, seed: int, first: int, threads: int) -> list[Position]:
    """The decisions of some matches, in order."""
    game, compiled = chances.game, chances.compiled
    duellists = (EmpPlayer(chances, FIRMNESS), EmpPlayer(chances, FIRMNESS))
    players = tuple(one.sit(games, seed, first, stream) for stream, one in enumerate(duellists))
    for number, one in enumerate(duellists):
        one.meet(players[number], [players[1 - number]], match_points(2))
    # The player who starts is to move when both have the same number of open categories.
    last, mover = len(game.categories) - (depth + 1) // 2, depth % 2
    with ThreadPoolExecutor(threads) as pool:
        for turn in range(last):
            for player in players:
                player.play(turn, pool)
        if mover:
            players[0].play(last, pool)
        sheets = list(zip(*(_sheets(chances, player) for player in players), strict=True))
        players[mover].play(last, pool)
    seen = duellists[mover].seen
    assert seen is not None
    positions = []
    for number, pair in enumerate(sheets):
        rolled = (first + number) % game.rolls
        dice = compiled.lattice.keeps[int(seen[number, rolled])]
        position = Position(pair, dice, game.rolls - 1 - rolled)
        if len(position.legal_moves) > 1:
            positions.append(position)
    return positions


def _sheets(chances: BestChances, player: BatchPlayer) -> list[Sheet]:
    """[match]: the sheet of a player between turns."""
    game, states = chances.game, chances.compiled.states
    filled = states.filled(states.layer_start[player.played] + player.state.astype(np.int64)).tolist()
    games, paid = player.sample(), (game.joker.points if game.joker else 0) or 1
    return [
        Sheet.of_boxes(game, [box if mask >> i & 1 else None for i, box in enumerate(boxes)], jokers // paid)
        for mask, boxes, jokers in zip(filled, games.points.tolist(), games.jokers.tolist(), strict=True)
    ]


def open_evaluator(
    name: str,
    chances: BestChances,
    solver: Solver | None = None,
    threads: int = 1,
    origin: Origin = Origin.DATA,
) -> Evaluator:
    """A strategy by name: `match:emp:D`, `match:dyns:D`, or a one-player objective, which ignores the opponent."""
    objective = _read(name, chances.game)
    if isinstance(objective, MatchObjective):
        return MatchSearch(chances, objective, threads=threads)
    return (solver or Solver()).build(chances.game, objective, origin)


def _read(name: str, game: Game) -> Objective:
    objective = parse_objective(name)
    objective.check(game)
    if objective.seconds:
        raise InputError(
            "{name}: its depth depends on the time available, so it has no fixed strength; use match:emp:D", name=name
        )
    return objective


def measure_strength(
    game: Game,
    strategies: Sequence[str],
    depths: Mapping[int, int],
    seed: int,
    folder: str | Path,
    solver: Solver | None = None,
    endgame_depth: int | None = None,
    origin: Origin = Origin.DATA,
) -> StrengthResult:
    """Evaluate the moves of strategies in a number of typical positions of each depth.

    Results are saved in parts in a folder, and existing parts are not computed again. Endgame tables are built up to
    `endgame_depth` if necessary; the deeper, the faster. Progress counts positions. Only names that a person typed
    (`origin`) may read a file.
    """
    solver = solver or Solver()
    _check(game, depths, seed)
    check_distinct(strategies)
    for name in strategies:
        _read(name, game)  # before any table is built
        if solver.executor is not None:
            check_can_travel(name)
    chances = solver.chances(game)
    threads = solver.threads or core_count()
    crews = _crews(strategies, chances, solver, threads, origin)
    known = min(ENDGAMES, 2 * len(game.categories)) if endgame_depth is None else endgame_depth
    endgames = open_endgames(game, known, solver)
    benches = [Bench(chances, endgames, crew) for crew in crews]
    names = tuple(evaluator.objective for evaluator in crews[0])
    parts = Parts(game, names, seed, Path(folder) / PARTS, solver.report)
    judged: dict[int, JudgedPositions] = {}
    with locked(parts.folder, "strength", solver.report), ThreadPoolExecutor(threads) as pool:
        done, total = 0, sum(depths.values())
        progress = solver.watch(Message("{positions:,} positions of {game}", positions=total, game=game), "Judging")

        def finish(depth: int, first: int, block: Block, size: int) -> None:
            nonlocal done
            parts.write(depth, first, block)
            done += size
            if progress is not None:
                progress(done, total)

        for depth, count in sorted(depths.items()):
            positions: list[Position] = []
            blocks: list[tuple[Block, int]] = []
            missing: list[JudgeTask] = []
            for first in range(0, count, BLOCK):
                size = min(BLOCK, count - first)
                block = parts.read(depth, first)
                blocks.append((block, size))
                if not block.covers(size):
                    positions = positions or typical_positions(chances, depth, count, seed, threads)
                    asked = block.missing(positions[first : first + size])
                    if solver.executor is not None:
                        missing.append(JudgeTask(game, names, known, asked, first, shared_folder(solver)))
                        continue
                    block.add(asked, _judge_all(asked, benches, pool))
                finish(depth, first, block, size)

            def add(task: JudgeTask, found: list[Answer], depth: int = depth, blocks: Any = blocks) -> None:
                block, size = blocks[task.first // BLOCK]
                block.add(task.asked, found)
                finish(depth, task.first, block, size)

            if solver.executor is not None:
                run_tasks(solver.executor, judge_positions, missing, add)
            judged[depth] = _join(game, [block.cut(size) for block, size in blocks])
    return StrengthResult(game, names, seed, judged)


def _crews(
    names: Sequence[str], chances: BestChances, solver: Solver, threads: int, origin: Origin
) -> list[list[Evaluator]]:
    """The strategies for each thread: searches are separate, tables are shared."""
    first = [open_evaluator(name, chances, solver, origin=origin) for name in names]
    return [first] + [
        [open_evaluator(one.objective, chances) if one.name.several else one for one in first]
        for _ in range(threads - 1)
    ]


def _judge_all(asked: Sequence[Question], benches: Sequence[Bench], pool: ThreadPoolExecutor) -> list[Answer]:
    """Answer questions in parallel; each bench takes the next one when it is free."""
    found: list[Answer | None] = [None] * len(asked)
    waiting = iter(range(len(asked)))

    def work(bench: Bench) -> None:
        for place in waiting:  # thread-safe: a range iterator runs no Python code
            found[place] = _judge(bench, asked[place])

    for future in [pool.submit(work, bench) for bench in benches]:
        future.result()
    return [one for one in found if one is not None]


def _judge(bench: Bench, question: Question) -> Answer:
    return bench.judge(question.position, question.strategies, perfect=question.perfect)


@dataclass(frozen=True, slots=True)
class JudgeTask:
    """Questions for a worker elsewhere."""

    game: Game
    strategies: tuple[str, ...]
    endgames: int
    """The depth of the endgame tables."""
    asked: list[Question]
    first: int
    """The first position of their block."""
    folder: str


def judge_positions(task: JudgeTask) -> list[Answer]:
    """Answer the questions of a task. A search belongs to one thread, so every thread has a bench of its own."""
    solver, game = worker_solver(task.folder), task.game

    def make() -> Bench:
        chances = solver.chances(game)
        crew = [open_evaluator(name, chances, solver, origin=Origin.PERSON) for name in task.strategies]
        return Bench(chances, Endgames(game, task.endgames, solver.plain), crew)

    bench = solver.once(game, ("bench", task.strategies, task.endgames, get_ident()), make)
    return [_judge(bench, question) for question in task.asked]


def _join(game: Game, blocks: Sequence[Block]) -> JudgedPositions:
    texts = tuple(text for block in blocks for text in block.texts)
    values = tuple(value for block in blocks for value in block.values)
    chosen = np.concatenate([np.array(block.chosen, np.int16) for block in blocks], axis=1).T
    return JudgedPositions(game, texts, values, np.ascontiguousarray(chosen))
