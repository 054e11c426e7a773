"""The questions that the page and the HTTP API ask, answered by the library: one place for both.

What takes a moment is worked out at once, in the thread that serves; what takes up to a second goes to the workers, and
what may take longer to processes, which can be ended. Answers are those of the library itself, `report.fields` makes
JSON of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from yatzy import coach
from yatzy.errors import PositionError
from yatzy.games import Game, Position
from yatzy.model import compile_game
from yatzy.names import is_match_objective, parse_objective, parse_strategy
from yatzy.values.evaluator import Solution
from yatzy.values.targets import position_curve
from yatzy.web import limits, requests
from yatzy.web.kept import Kept
from yatzy.web.processes import Processes
from yatzy.web.refusals import TooMuch
from yatzy.web.tables import DISTRIBUTIONS, TABLES, Shelf, tables_for
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
    """How a server is set up."""

    host: str = "127.0.0.1"
    port: int = 8080
    tables: Path | None = None
    threads: int | None = None
    prepare: tuple[str, ...] = ("yatzy",)
    """Presets whose tables are made from the start."""
    games: Path | None = None
    """Where games are saved."""
    page: bool = True
    """Whether the page is served beside the API."""
    warm: bool = False
    """Whether a process for long questions is started before the first one comes."""


class _Memory:
    """The last few of something that is cheap to make, or was made before."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()  # workers ask too

    def get(self, key: Hashable) -> Any:
        """What is remembered, None without it."""
        with self._lock:
            return self._kept.get(key)

    def get_or(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is remembered, or is made now."""
        with self._lock:
            found: T = self._kept[key] if key in self._kept else make()
            self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > limits.REMEMBERED:
                self._kept.popitem(last=False)
            return found

    def forget(self, game: Game) -> None:
        """Drop what is kept of a game: keys begin with it, or with a position of it."""
        with self._lock:
            for key in [key for key in self._kept if _game_of(key) == game]:
                del self._kept[key]


def _game_of(key: Hashable) -> Game | None:
    first = key[0] if isinstance(key, tuple) else None
    return first.game if isinstance(first, Position) else first if isinstance(first, Game) else None


class Service:
    """Everything that may be asked."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.shelf = Shelf(settings.tables, settings.threads)
        self.workers = Workers()
        self.processes = Processes(self.shelf.folder, settings.threads)
        self._evaluations = _Memory()
        self.answers = Kept(limits.ANSWERS)
        """Results of long searches, by what was asked."""
        self.shelf.on_close = self._forget

    def start(self) -> None:
        """Begin to make tables."""
        self.shelf.start()
        if self.settings.warm:
            self.processes.warm()
        for id in self.settings.prepare:
            self.shelf.wish(requests.read_game(id), TABLES)

    def stop(self) -> None:
        """Leave off: processes are ended at once, tables are kept as far as they are written."""
        self.workers.stop()
        self.processes.stop()
        self.shelf.stop()

    def _forget(self, game: Game) -> None:
        self.shelf.solver.forget(game)
        self._evaluations.forget(game)

    async def read(self, read: Callable[[], T], description: str | None) -> T:
        """What a question means; a game of one's own is compiled by a worker."""
        return read() if description is None else await self.workers.run(read)

    async def ready(self, game: Game, tables: Sequence[str]) -> None:
        """See to it that tables are at hand, or refuse with how far they are."""
        if not self.shelf.opened(game, tables):
            await self.workers.run(lambda: self.shelf.need(game, tables))

    async def advise(self, where: Position, objectives: Sequence[str]) -> list[Advice]:
        """Every move of a position, for each of some objectives."""
        _check_choice(where)
        names = list(dict.fromkeys(requests.check_any_objective(name, where) for name in objectives))
        advices = []
        for name in names:
            if is_match_objective(name):
                advices.append((await self.match(where, name))[0])
                continue
            solution = await self._solution(where.game, name)
            advices.append(await self._moment(where.game, name, lambda s=solution: coach.advise(s, where)))  # type: ignore[misc]
        return advices

    async def adviser(self, game: Game, objective: str) -> Solution:
        """What knows the value of every move of a game, for one player."""
        return await self._solution(game, requests.check_objective(objective, game))

    async def value(self, where: Position, objective: str) -> tuple[Solution, float]:
        """What a position is worth."""
        name = requests.check_objective(objective, where.game)
        solution = await self._solution(where.game, name)
        return solution, await self._moment(where.game, name, lambda: solution.value(where))

    async def best_chances(self, where: Position) -> tuple[int, npt.NDArray[np.float64]]:
        """The best chances of final scores: the first in question, and the chance of each."""
        await self.ready(where.game, (DISTRIBUTIONS,))
        chances = self.shelf.chances(where.game)
        return await self.workers.run(lambda: position_curve(chances, where))

    async def evaluate(
        self, where: Position, strategy: str, progress: Callable[[int, int], None] | None = None
    ) -> Evaluation:
        """Exactly what a strategy does from a position."""
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
        """Games played by a strategy."""
        if games > limits.GAMES:
            raise TooMuch(f"games: at most {limits.GAMES:,} are played here, not {games:,}")
        name = await self._strategy_tables(game, strategy)
        played: SimulatedGames = await self.processes.run("simulate", game, name, games, seed, progress=progress)
        return played

    async def match(self, where: Position, objective: str, payoff: str = "match-points") -> tuple[Advice, MatchAnswer]:
        """Every move by what it is worth against the others, and how that was found."""
        _check_choice(where)
        name = await self.match_tables(where, objective, payoff)
        pays = _payoff_name(payoff, len(where.sheets))
        return await self.answers.ask(
            ("match", where, name, pays), lambda _: self.processes.run("match", where, name, pays)
        )

    async def match_value(self, where: Position, objective: str, payoff: str = "match-points") -> float:
        """What a position of a match is worth to the player to move."""
        if not where.awaits_roll and not where.over:
            return (await self.match(where, objective, payoff))[1].value
        name = await self.match_tables(where, objective, payoff)
        pays = _payoff_name(payoff, len(where.sheets))
        return await self.answers.ask(
            ("match value", where, name, pays), lambda _: self.processes.run("match_value", where, name, pays)
        )

    async def match_tables(self, where: Position, objective: str, payoff: str) -> str:
        """The name of a match objective that may be used, its tables at hand."""
        from yatzy.names.payoffs import payoff_for

        name = requests.check_match_objective(objective, where)
        payoff_for(payoff, len(where.sheets))
        await self.ready(where.game, tables_for(name))
        return name

    async def searcher(self, where: Position, objective: str, payoff: str = "match-points") -> MatchSearch:
        """What knows the value of every move of a match of so many."""
        name = await self.match_tables(where, objective, payoff)
        solver, players = self.shelf.solver, len(where.sheets)
        return await self.workers.run(lambda: solver.search(where.game, name, payoff.strip(), players=players))

    async def _solution(self, game: Game, objective: str) -> Solution:
        await self.ready(game, tables_for(objective))
        return self.shelf.solver.build(game, objective)

    async def _moment(self, game: Game, objective: str, work: Callable[[], T]) -> T:
        """At once where it takes some milliseconds, else by a worker."""
        if parse_objective(objective).slow or len(compile_game(game).lattice.keeps) > limits.INLINE_KEEPS:
            return await self.workers.run(work)
        return work()

    async def _strategy_tables(self, game: Game, strategy: str) -> str:
        """The name of a strategy that may be used, its tables at hand."""
        name = requests.check_strategy(strategy, game)
        wanted = parse_strategy(name)
        await self.ready(game, wanted.tables)
        return name


def _payoff_name(payoff: str, players: int) -> str:
    """A payoff by one name: 1,0 of two players is match points too."""
    from yatzy.names.payoffs import match_points, payoff_for

    return "match-points" if payoff_for(payoff, players) == match_points(players) else payoff.strip()


def _check_choice(where: Position) -> None:
    if where.awaits_roll or where.over:
        raise PositionError("there is no move to choose: give dice, and a game that is not over")


def _refuse_if_too_large(where: Position, strategy: str) -> None:
    """Refuse what no strategy could do within the limits, before a process is asked."""
    from yatzy.values.cost import least_cost, refuse_beyond

    cost = least_cost(compile_game(where.game), where.sheet.filled.bit_count())
    refuse_beyond(cost, limits.EVALUATION, where.game, strategy)
