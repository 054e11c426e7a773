"""Games and matches played by workers elsewhere, in batches, with the same results as here.

A worker gets the names of a game's players and opens them itself, from the folder of tables that all workers share.
Dice depend on the seed and the number of the game, so batches can be played anywhere and in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.lab.duel import Duellist, EmpPlayer, Matches, PlayOff, parse_duellist, play_matches, play_off
from yatzy.lab.sample import SimulatedGames
from yatzy.lab.simulation import check_games, simulate
from yatzy.names import Origin, parse_strategy
from yatzy.solver import Solver
from yatzy.store import tables_folder
from yatzy.strategies.base import Strategy
from yatzy.strategies.custom import is_from_file
from yatzy.values.resources import Progress, Resources
from yatzy.workers.running import run_tasks

TASK, SLOW_TASK = 2**18, 100
"""Games of a task, for strategies played in bulk and for others: about a second of work, or more."""
PAIRS, SLOW_PAIRS = 2**16, 2**11
"""Matches of a task, for players that ignore each other and for others."""

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class GamesTask:
    """Games to play."""

    game: Game
    strategy: str
    games: int
    seed: int
    first: int
    stream: int
    folder: str


def shared_folder(resources: Resources) -> str:
    """The folder of tables, as the workers name it."""
    return str(tables_folder(resources.folder).absolute())


@lru_cache(maxsize=2)
def worker_solver(folder: str) -> Solver:
    """The solver of a worker, which keeps its tables open between two tasks. A task runs in one thread."""
    return Solver(folder, threads=1)


def check_can_travel(name: str, strategy: Strategy | None = None) -> None:
    """Refuse a strategy that other machines may not be able to open by its name, or would take for another."""
    own = strategy is not None and is_from_file(strategy)
    if own or (parsed := parse_strategy(name)).reads_file or parsed.runs_code:
        raise InputError("{name}: is in a file, which workers elsewhere may not have; leave --on away", name=name)


def play_games(task: GamesTask) -> SimulatedGames:
    """Play the games of a task."""
    solver, game, name = worker_solver(task.folder), task.game, task.strategy
    strategy = solver.once(game, ("player", name), lambda: solver.strategy(game, name, Origin.PERSON))
    return simulate(strategy, task.games, task.seed, 1, first=task.first, stream=task.stream)


def simulate_with(
    strategy: Strategy,
    games: int,
    seed: int,
    resources: Resources,
    progress: Progress | None = None,
    *,
    stream: int = 0,
) -> SimulatedGames:
    """Play games as `simulate` does: on the executor of the resources, if there is one, or in threads here."""
    if resources.executor is None:
        return simulate(strategy, games, seed, resources.threads, progress, stream=stream)
    check_games(games, seed, 0, stream)
    check_can_travel(strategy.name, strategy)
    size, folder = TASK if strategy.in_bulk else SLOW_TASK, shared_folder(resources)
    tasks = [
        GamesTask(strategy.game, strategy.name, min(size, games - low), seed, low, stream, folder)
        for low in range(0, games, size)
    ]
    return SimulatedGames.join(run_in_order(resources.executor, play_games, tasks, progress, lambda task: task.games))


@dataclass(frozen=True, slots=True)
class MatchesTask:
    """Matches to play; the first player begins in all of them."""

    game: Game
    players: tuple[str, str]
    matches: int
    seed: int
    first: int
    folder: str


def play_some_matches(task: MatchesTask) -> Matches:
    """Play the matches of a task."""
    solver = worker_solver(task.folder)
    one, other = (parse_duellist(name, task.game, solver, Origin.PERSON) for name in task.players)
    return play_matches(one, other, task.matches, task.seed, 1, first_game=task.first)


def play_off_with(
    first: Duellist, second: Duellist, pairs: int, seed: int, resources: Resources, progress: Progress | None = None
) -> PlayOff:
    """Play a play-off as `play_off` does: on the executor of the resources, if there is one, or in threads here."""
    if resources.executor is None:
        return play_off(first, second, pairs, seed, resources.threads, progress)
    names, folder = (first.name, second.name), shared_folder(resources)
    for player in (first, second):
        check_can_travel(player.name, player.strategy)
    size = SLOW_PAIRS if EmpPlayer in (type(first), type(second)) else PAIRS
    tasks = [
        MatchesTask(first.game, order, min(size, pairs - low), seed, low, folder)
        for order in (names, names[::-1])
        for low in range(0, pairs, size)
    ]
    parts = run_in_order(resources.executor, play_some_matches, tasks, progress, lambda task: task.matches)
    half = len(parts) // 2
    one, other = (
        Matches(*(SimulatedGames.join([getattr(part, seat) for part in some]) for seat in ("first", "second")))
        for some in (parts[:half], parts[half:])
    )
    return PlayOff(names, (one, other))


def run_in_order(
    executor: Executor,
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    progress: Progress | None,
    size: Callable[[Task], int],
) -> list[Result]:
    """The results of all tasks in their order; progress counts the sizes of tasks."""
    found, places = dict[int, Result](), {id(task): place for place, task in enumerate(tasks)}
    total, done = sum(map(size, tasks)), 0

    def finish(task: Task, result: Result) -> None:
        nonlocal done
        found[places[id(task)]] = result
        done += size(task)
        if progress is not None:
            progress(done, total)

    if progress is not None:
        progress(0, total)
    run_tasks(executor, work, tasks, finish)
    return [found[place] for place in range(len(tasks))]
