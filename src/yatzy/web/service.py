"""Answers the questions of the page and the HTTP API with the library.

Work of a few milliseconds runs on the event loop, work of up to a second in worker threads, and longer work in child
processes, which can be killed. Answers are objects of the library; `report.answers` converts them to JSON.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from yatzy import coach
from yatzy.errors import PositionError
from yatzy.games import Game, Position
from yatzy.model import compile_game, most_points
from yatzy.names import parse_objective, parse_strategy
from yatzy.names.payoffs import match_points, payoff_for
from yatzy.values.cost import least_cost, refuse_beyond
from yatzy.values.evaluator import Solution
from yatzy.values.targets import position_curve
from yatzy.web import limits, requests
from yatzy.web.addresses import for_others
from yatzy.web.kept import Kept
from yatzy.web.processes import Processes
from yatzy.web.refusals import TooMuch
from yatzy.web.tables import DISTRIBUTIONS, TABLES, TableBuilder, tables_for
from yatzy.web.workers import Workers

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from yatzy.coach import Advice
    from yatzy.evaluation.distribution import Evaluation
    from yatzy.lab import SimulatedGames
    from yatzy.matches.search import MatchAnswer, MatchSearch

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Settings:
    """The configuration of a server."""

    host: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()
    """Host names of this machine that requests may use, besides those that it knows itself."""
    tables: Path | None = None
    threads: int | None = None
    prepare: tuple[str, ...] = ("yatzy",)
    """Presets whose tables are made at startup."""
    games: Path | None = None
    """The folder of saved games."""
    page: bool = True
    """Whether to serve the page as well as the API."""
    warm: bool = False
    """Whether to start a child process before the first long question."""

    @property
    def for_others(self) -> tuple[str, ...]:
        """The addresses at which other devices can open the page, the best first."""
        return for_others(self.host, self.port, self.names)


class _Memory:
    """A thread-safe LRU cache."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()  # also used by worker threads

    def get(self, key: Hashable) -> Any:
        """The cached value, or None."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def get_or(self, key: Hashable, make: Callable[[], T]) -> T:
        """The cached value, or the result of `make`."""
        with self._lock:
            found: T = self._kept[key] if key in self._kept else make()
            self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > limits.REMEMBERED:
                self._kept.popitem(last=False)
            return found

    def forget(self, game: Game) -> None:
        """Remove the entries of a game. Keys start with the game or one of its positions."""
        with self._lock:
            for key in [key for key in self._kept if _game_of(key) == game]:
                del self._kept[key]


def _game_of(key: Hashable) -> Game | None:
    first = key[0] if isinstance(key, tuple) else None
    return first.game if isinstance(first, Position) else first if isinstance(first, Game) else None


class Service:
    """The library as seen by the page and the API."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tables = TableBuilder(settings.tables, settings.threads)
        self.workers = Workers()
        self.processes = Processes(self.tables.folder, settings.threads)
        self._evaluations = _Memory()
        self._searches = _Memory()
        """Searches that have been used in this process."""
        self.answers = Kept(limits.ANSWERS)
        """Cache of searches in matches and other long work."""
        self.tables.on_close = self._forget

    def start(self) -> None:
        """Start making tables."""
        self.tables.start()
        if self.settings.warm:
            self.processes.warm()
        for id in self.settings.prepare:
            self.tables.wish(requests.read_game(id), TABLES)

    def stop(self) -> None:
        """Stop. Child processes are killed; layers of tables already written are kept."""
        self.workers.stop()
        self.processes.stop()
        self.tables.stop()

    def _forget(self, game: Game) -> None:
        self.tables.solver.forget(game)
        self._evaluations.forget(game)
        self._searches.forget(game)

    async def read(self, read: Callable[[], T], description: str | None) -> T:
        """Parse a question. A custom game is compiled in a worker."""
        return read() if description is None else await self.workers.run(read)

    async def ready(self, game: Game, tables: Sequence[str]) -> None:
        """Open the tables, or raise `NotReady` with their progress."""
        if not self.tables.opened(game, tables):
            await self.workers.run(lambda: self.tables.need(game, tables))

    async def advise(self, where: Position, objectives: Sequence[str]) -> list[Advice]:
        """Rank the moves of a position for each objective."""
        _check_choice(where)
        names = list(dict.fromkeys(requests.check_any_objective(name, where) for name in objectives))
        advices = []
        for name in names:
            if parse_objective(name).several:
                advices.append((await self.match(where, name))[0])
                continue
            solution = await self._solution(where.game, name)
            slow = parse_objective(name).slow
            advices.append(await self.moment(where.game, lambda s=solution: coach.advise(s, where), slow=slow))  # type: ignore[misc]
        return advices

    async def solution(self, game: Game, objective: str) -> Solution:
        """The solution of a game for a one-player objective."""
        return await self._solution(game, requests.check_objective(objective, game))

    async def value(self, where: Position, objective: str) -> tuple[Solution, float]:
        """The value of a position, with the solution it comes from."""
        name = requests.check_objective(objective, where.game)
        solution = await self._solution(where.game, name)
        return solution, await self.moment(where.game, lambda: solution.value(where), slow=parse_objective(name).slow)

    async def best_chances(self, where: Position) -> tuple[int, npt.NDArray[np.float64]]:
        """The best chance of reaching each final score, as (lowest score, chances from that score on)."""
        await self.ready(where.game, (DISTRIBUTIONS,))
        chances = self.tables.chances(where.game)
        return await self.workers.run(lambda: position_curve(chances, where))

    async def evaluate(
        self, where: Position, strategy: str, progress: Callable[[int, int], None] | None = None
    ) -> Evaluation:
        """The exact distribution of a strategy's results from a position."""
        name = await self._strategy_tables(where.game, strategy)
        found: Evaluation | None = self._evaluations.get((where, name))
        if found is None:
            await self.workers.run(lambda: _refuse_if_too_large(where, name))
            found = await self.processes.run("evaluate", where, name, progress=progress)
        return self._evaluations.get_or((where, name), lambda: found)

    async def simulate(
        self,
        game: Game,
        strategy: str,
        games: int,
        seed: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> SimulatedGames:
        """Simulate games of a strategy."""
        if games > limits.GAMES:
            raise TooMuch("games: at most {most:,} are played here, not {games:,}", most=limits.GAMES, games=games)
        name = await self._strategy_tables(game, strategy)
        played: SimulatedGames = await self.processes.run("simulate", game, name, games, seed, progress=progress)
        return played

    async def match(self, where: Position, objective: str, payoff: str = "match-points") -> tuple[Advice, MatchAnswer]:
        """Rank the moves by their value against the opponents, with details of the search."""
        _check_choice(where)
        return await self._searched("match", coach.advise_match, where, objective, payoff)

    async def match_value(self, where: Position, objective: str, payoff: str = "match-points") -> MatchAnswer:
        """The value of a match position for the player to move, with details of the search."""
        if not where.awaits_roll and not where.over:
            return (await self.match(where, objective, payoff))[1]
        return await self._searched("match_value", lambda search, where: search.answer(where), where, objective, payoff)

    async def _searched(
        self, task: str, work: Callable[[MatchSearch, Position], T], where: Position, objective: str, payoff: str
    ) -> T:
        """What a search finds: a prompt one here, a short one in a worker, a long one as a task of a child process."""
        name = await self.match_tables(where, objective, payoff)
        game, players = where.game, len(where.sheets)
        pays = _payoff_name(payoff, players)
        key, kind = (task, where, name, pays), (game, name, pays, players)

        def here() -> T:
            search = self.tables.solver.search(game, name, pays, players=players)
            return work(self._searches.get_or(kind, lambda: search), where)

        async def find(_: object) -> T:
            if is_short(game, name):
                return await self.workers.run(here)
            found: T = await self.processes.run(task, where, name, pays)
            return found

        known: MatchSearch | None = self._searches.get(kind)
        if known is not None and known.is_prompt(where):
            return self.answers.make(key, lambda: work(known, where))
        return await self.answers.ask(key, find)

    async def match_tables(self, where: Position, objective: str, payoff: str) -> str:
        """Check a match objective and open its tables. Returns its canonical name."""
        name = requests.check_match_objective(objective, where)
        payoff_for(payoff, len(where.sheets))
        await self.ready(where.game, tables_for(name))
        return name

    async def searcher(self, where: Position, objective: str, payoff: str = "match-points") -> MatchSearch:
        """The match search for this number of players."""
        name = await self.match_tables(where, objective, payoff)
        solver, players = self.tables.solver, len(where.sheets)
        return await self.workers.run(lambda: solver.search(where.game, name, payoff.strip(), players=players))

    async def _solution(self, game: Game, objective: str) -> Solution:
        await self.ready(game, tables_for(objective))
        return self.tables.solver.build(game, objective)

    async def moment(self, game: Game, work: Callable[[], T], *, slow: bool) -> T:
        """Run work about one turn on the event loop; in a worker if it is slow or the game is large."""
        if slow or len(compile_game(game).lattice.keeps) > limits.INLINE_KEEPS:
            return await self.workers.run(work)
        return work()

    async def _strategy_tables(self, game: Game, strategy: str) -> str:
        """Check a strategy and open its tables. Returns its canonical name."""
        name = requests.check_strategy(strategy, game)
        wanted = parse_strategy(name)
        await self.ready(game, wanted.tables)
        return name


def _payoff_name(payoff: str, players: int) -> str:
    """The canonical name of a payoff: for two players, 1,0 is the same as match points."""
    return "match-points" if payoff_for(payoff, players) == match_points(players) else payoff.strip()


def is_short(game: Game, objective: str) -> bool:
    """Whether a search takes only a fraction of a second and little memory from any position of a game.

    One of no turns keeps all chances of all scores in the turns that it has met, tens of megabytes in a large game.
    """
    wanted = parse_objective(objective)
    short = not wanted.seconds and 1 <= wanted.turns <= limits.SHORT_TURNS
    return short and _most_products(game) <= limits.SHORT_PRODUCTS


@lru_cache(maxsize=limits.OPENED)
def _most_products(game: Game) -> int:
    """The most products of chances that a search of two turns adds up."""
    sheets = compile_game(game).placing.rows.total  # with which a player can end a turn, at most
    return most_points(game) * sheets**2


def _check_choice(where: Position) -> None:
    if where.awaits_roll or where.over:
        raise PositionError("there is no move to choose: give dice, and a game that is not over")


def _refuse_if_too_large(where: Position, strategy: str) -> None:
    """Refuse an evaluation that exceeds the limits for any strategy, before a child process is used."""
    cost = least_cost(compile_game(where.game), where.sheet.filled.bit_count())
    refuse_beyond(cost, limits.EVALUATION, where.game, strategy)
