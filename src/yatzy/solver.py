"""Opens solved games and players by name: checks the name for a game, then opens or builds its tables."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from yatzy import names, values
from yatzy.errors import InputError, TableMissing
from yatzy.games import Game, Position
from yatzy.model import compile_game
from yatzy.names import (
    Expected,
    MatchObjective,
    Name,
    Objective,
    Origin,
    Target,
    base,
    check_name,
    check_origin,
    load,
    objective_forms,
    parse_match_objective,
)
from yatzy.store import table_path, tables_folder
from yatzy.values.backends import CPU, FILLED
from yatzy.values.kinds import CURVES, ENDGAMES, table_key
from yatzy.values.opened import Opened
from yatzy.values.opening import Opening

if TYPE_CHECKING:
    from yatzy.evaluation.outlook import Outlooks
    from yatzy.matches.endgames import Endgames
    from yatzy.matches.search import MatchSearch
    from yatzy.names import StrategyName
    from yatzy.strategies.base import Strategy
    from yatzy.values import BestChances, Evaluator, ExpectedScore, Solution, UtilityFunction

AT_ONCE = 2
"""The depth of endgame tables that are built automatically: a few megabytes, about a second."""
MOST_STATES = 2**21
"""Up to this number of states, a game's endgame tables are built automatically."""

T = TypeVar("T")
MOST_OPEN = 64
"""Objects that a solver keeps open. Tables are memory-mapped, so this costs address space more than memory."""

Wanted: TypeAlias = "Objective | UtilityFunction | str"
"""An objective as a value, as text, or as a utility that is already loaded."""


def parse_objective(text: str) -> Objective:
    """Read an objective of one player. No file is read."""
    objective = names.parse_objective(text, players=1)
    if objective.several:
        raise InputError(
            "there is no objective {text!r} for one player; there are {forms}",
            text=text,
            forms=", ".join(objective_forms()),
        )
    return objective


@dataclass(frozen=True, eq=False)
class Solver(Opening):
    """Opens and builds solved games, searches and strategies by name; thread-safe.

    Each table is opened once, however many names need it: `target:4` and `target:5` share the curves. The `most_open`
    most recently used objects stay open.
    """

    most_open: int = MOST_OPEN
    """How many tables and other objects stay open."""
    _opened: Opened = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_opened", Opened(self.most_open))

    # Tables

    def expected(self, game: Game) -> ExpectedScore:
        """The game solved for the most points; its table is built if missing."""
        return self._opened.get(game, base.EXPECTED, lambda: values.ExpectedScore(game, self.plain))

    def chances(self, game: Game) -> BestChances:
        """The best chance of every score from every state; its table is built if missing."""
        return self._opened.get(game, base.CURVES, lambda: values.BestChances(game, self.plain))

    def best_chances(self, position: Position) -> tuple[int, npt.NDArray[np.float64]]:
        """The best chances of final scores from a position: the first score, and the chance of each from there.

        At the start of a game no table is built that would be large.
        """
        from yatzy.values.start_curve import is_large, start_curve  # imports Numba, as does the next
        from yatzy.values.targets import position_curve

        game = position.game
        if position == Position.start(game) and not self.on_disk(game, base.CURVES) and is_large(game):
            curve = start_curve(game, self)
            return 0, curve.between(0, curve.high)
        return position_curve(self.chances(game), position)

    def outlooks(self, game: Game) -> Outlooks:
        """The outlook of every position when played for the most points; its table is built if missing."""
        from yatzy.evaluation.outlook import (
            Outlooks,
        )  # imports the evaluation of strategies, which advice does not need

        return self._opened.get(game, "outlook", lambda: Outlooks(game, self.expected(game), self.plain))

    def endgames(self, game: Game) -> Endgames | None:
        """The endgame tables on disk; unless the game is too large, at least the last few categories."""
        return self._opened.get(game, base.ENDGAMES, lambda: self._build_endgames(game))

    def _build_endgames(self, game: Game) -> Endgames | None:
        depth = self.endgame_depth(game)
        if len(compile_game(game).states) <= MOST_STATES:
            depth = max(depth, min(AT_ONCE, 2 * len(game.categories)))
        if depth < 0:
            return None
        from yatzy.matches.endgames import Endgames  # matches are not needed for one player

        return Endgames(game, depth, self.plain)

    def endgame_depth(self, game: Game) -> int:
        """The depth of the endgame tables on disk, -1 if there are none."""
        depth = 0
        while self._exists(game, f"{ENDGAMES.name}:{depth}"):
            depth += 1
        return depth - 1

    def on_disk(self, game: Game, table: str) -> bool:
        """Whether a table is complete on disk; for endgames, those that are built automatically."""
        if table == base.ENDGAMES:
            return self.endgame_depth(game) >= min(AT_ONCE, 2 * len(game.categories))
        return self._exists(game, CURVES.name if table == base.CURVES else table)

    def _exists(self, game: Game, objective: str) -> bool:
        return table_path(tables_folder(self.folder), table_key(game, objective)).exists()

    # Names

    def ready(self, game: Game, name: Name | str) -> bool:
        """Whether `open` would find the tables of an objective or strategy."""
        return self._missing(game, names.parse_strategy(name) if isinstance(name, str) else name) is None

    def _missing(self, game: Game, name: Name) -> str | None:
        needed = (table for table in name.tables if table != base.ENDGAMES)
        return next((table for table in needed if not self.on_disk(game, table)), None)

    def open(self, game: Game, objective: Wanted, origin: Origin = Origin.DATA) -> Solution:
        """The game solved for an objective, from existing tables; `TableMissing` names the command that builds them.

        Never runs a long computation; solving the last two categories of a match takes about a second. A damaged table
        is however rebuilt when the damage is found.
        """
        name = parse_objective(objective) if isinstance(objective, str) else objective
        if isinstance(name, Objective) and (table := self._missing(game, name)) is not None:
            command = build_command(game, table)
            raise TableMissing(
                "{name}: the table {table} of {game} does not exist; run '{command}' first",
                name=name,
                table=table,
                game=game.id,
                command=command,
            )
        return self.build(game, name, origin)

    def build(self, game: Game, objective: Wanted, origin: Origin = Origin.DATA) -> Solution:
        """The game solved for an objective; missing tables are built, which may take minutes.

        origin: where the name of the objective comes from. Only `Origin.PERSON` may read a file (`utility:FILE`).
        """
        if isinstance(objective, str):
            objective = parse_objective(objective)
        if not isinstance(objective, Objective):
            return values.UtilityScore(game, objective, self.plain)
        if objective.several:
            raise InputError(
                "{objective}: is an objective of several players; open it for a match", objective=objective
            )
        check_name(objective, game, origin=origin)
        if self.backend != CPU and (objective.reads_file or not FILLED.issuperset(objective.tables)):
            raise InputError("{objective}: its tables are not computed on a GPU", objective=objective)
        name = objective

        def make() -> Solution:
            solution: Solution = load(name.opener)(self, game, name)
            return solution

        return make() if name.reads_file else self._opened.get(game, name, make)

    def search(
        self,
        game: Game,
        objective: MatchObjective | str,
        payoff: str = "match-points",
        *,
        players: int = 2,
        origin: Origin = Origin.DATA,
    ) -> MatchSearch:
        """A search for a match objective, with the deepest endgame tables on disk; builds missing curves.

        origin: where the objective comes from. For `Origin.DATA` time and depth are limited, depending on `players`.
        """
        wanted = parse_match_objective(objective) if isinstance(objective, str) else objective
        check_origin(wanted, origin, players)

        def make() -> MatchSearch:
            search: MatchSearch = load(wanted.opener)(self, game, wanted, payoff, self.endgames(game))
            return search

        return self._opened.get(game, (wanted, str(payoff)), make)

    def evaluator(
        self,
        game: Game,
        objective: str,
        players: int = 1,
        payoff: str = "match-points",
        origin: Origin = Origin.DATA,
    ) -> Evaluator:
        """The evaluator of an objective for a number of players; missing tables are built.

        origin: where the objective comes from. Only `Origin.PERSON` may read a file or search deeply.
        """
        wanted = check_objective(game, objective, players, origin)
        if wanted.several:
            return self.search(game, str(wanted), payoff, players=players, origin=origin)
        return self.build(game, wanted, origin)

    def strategy(
        self, game: Game, name: StrategyName | str, origin: Origin = Origin.DATA, players: int = 1
    ) -> Strategy:
        """The strategy with this name, in games of this number of players; missing tables are built.

        origin: where the name comes from. Only `Origin.PERSON` may read a file, run code or search deeply.
        """
        if isinstance(name, str):
            name = names.parse_strategy(name, players)
        check_origin(name, origin, players)
        strategy: Strategy
        if players < name.fewest_players:
            forms = ", ".join(names.strategy_forms())
            raise InputError(
                "there is no strategy {name!r} for one player; strategies are {forms}", name=str(name), forms=forms
            )
        if name.searched is not None:
            strategy = load(name.match_opener)(self.search(game, name.searched, players=players, origin=origin), name)
        else:
            strategy = load(name.opener)(self, game, name, origin)
        return strategy

    def once(self, game: Game, name: Hashable, make: Callable[[], T]) -> T:
        """Any other object that is opened once per game and cached with the tables."""
        return self._opened.get(game, ("once", name), make)

    def forget(self, game: Game) -> None:
        """Close everything that is open for a game."""
        self._opened.forget(game)


def build_command(game: Game, table: str) -> str:
    """The command that builds a table of a game, for error messages."""
    if table == base.ENDGAMES:
        return f"yatzy match tables {game.id}"
    objective = {base.EXPECTED: Expected(), base.CURVES: Target(1)}.get(table, table)
    return f"yatzy solve {game.id}" + ("" if table == base.EXPECTED else f" --objective {objective}")


def solve(game: Game, objective: Wanted = "expected", solver: Solver | None = None) -> Solution:
    """A game solved for an objective; its table is built if missing, which may take minutes."""
    return (solver or Solver()).build(game, objective)


def parse_strategy(
    name: StrategyName | str, game: Game, solver: Solver | None = None, origin: Origin = Origin.DATA
) -> Strategy:
    """The strategy with this name in a game: a shortcut for `Solver().strategy(game, name)`.

    If you have a solver, call its `strategy`, which opens each table once. (`yatzy.names.parse_strategy` only reads the
    name.)
    """
    return (solver or Solver()).strategy(game, name, origin)


def check_objective(game: Game, objective: str, players: int = 1, origin: Origin = Origin.DATA) -> Objective:
    """Parse an objective; refuse one that does not suit the game, the number of players or its origin."""
    wanted = names.parse_objective(objective, players)
    check_name(wanted, game, players, origin)
    return wanted
