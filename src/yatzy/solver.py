"""Names as solved games and players: a name is checked for a game, and its tables are opened or made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from yatzy import names
from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.model import compile_game
from yatzy.names import (
    MatchObjective,
    Objective,
    Origin,
    StrategyName,
    check_name,
    check_origin,
    load,
    objective_forms,
    parse_match_objective,
    strategy_forms,
)
from yatzy.store import table_path, tables_folder
from yatzy.strategies.base import Strategy
from yatzy.values.curves import BestChances
from yatzy.values.evaluator import Evaluator, Solution
from yatzy.values.expected import ExpectedScore
from yatzy.values.kinds import ENDGAMES, table_key
from yatzy.values.opening import Opening
from yatzy.values.utility import UtilityFunction, solve_utility

if TYPE_CHECKING:
    from yatzy.evaluation.outlook import Outlooks
    from yatzy.matches.endgames import Endgames
    from yatzy.matches.search import MatchSearch

AT_ONCE = 2
"""The depth of endgame tables that are made without being asked for: some megabytes, a second."""
MOST_STATES = 2**21
"""States of a game up to which that holds."""

Wanted: TypeAlias = Objective | UtilityFunction | str
"""An objective as a value, as text, or as a utility that is at hand already."""


def parse_objective(text: str) -> Objective:
    """Read an objective of one player. No file is read."""
    objective = names.parse_objective(text)
    if objective.several:
        raise InputError(f"there is no objective {text!r} for one player; there are {', '.join(objective_forms())}")
    return objective


class Solver(Opening):
    """Where solved games are opened or made, each table once however many objectives need it."""

    def expected(self, game: Game) -> ExpectedScore:
        """The game solved for the most points."""
        return ExpectedScore(game, self.folder, self.threads, self.watch(game.name()), self.report)

    def chances(self, game: Game) -> BestChances:
        """The best chance of every score from every state."""
        watch = self.watch(f"{game.name()} for every score")
        return BestChances(game, self.folder, self.threads, watch, self.report)

    def outlooks(self, game: Game) -> Outlooks:
        """What will become of every position of the game, played for the most points."""
        from yatzy.evaluation.outlook import Outlooks  # loads what evaluates strategies, which no other question needs

        expected, watch = self.expected(game), self.watch(f"{game.name()} for its outlook")
        return Outlooks(game, expected, self.folder, self.threads, watch, self.report)

    def open(self, game: Game, objective: Wanted, origin: Origin = Origin.DATA) -> Solution:
        """The game solved for an objective.

        origin: where the name of the objective comes from; only a person may have a file read (`utility:FILE`).
        """
        if isinstance(objective, str):
            objective = parse_objective(objective)
        if isinstance(objective, Objective):
            if objective.several:
                raise InputError(f"{objective}: is an objective of several players; open it for a match")
            check_name(objective, game, origin=origin)
            solution: Solution = load(objective.opener)(self, game, objective)
            return solution
        return solve_utility(self, game, objective)


def solve_objective(
    game: Game, objective: Wanted, folder: str | Path | None = None, origin: Origin = Origin.DATA
) -> Solution:
    """A game solved for an objective, given as text or as a value; its table is made if it is not there.

    origin: `Origin.PERSON` lets the objective read a file (`utility:FILE`).
    """
    return Solver(folder).open(game, objective, origin)


def parse_strategy(
    name: StrategyName | str, game: Game, solver: Solver | None = None, origin: Origin = Origin.DATA
) -> Strategy:
    """The strategy that a name stands for, in a game; tables it needs are made if they are not there.

    origin: where the name comes from. Only `Origin.PERSON` may read a file or run code.
    """
    if isinstance(name, str):
        name = names.parse_strategy(name)
    check_origin(name, origin)
    if name.several:
        forms = ", ".join(strategy_forms())
        raise InputError(f"there is no strategy {str(name)!r} for one player; strategies are {forms}")
    strategy: Strategy = load(name.opener)(solver or Solver(), game, name, origin)
    return strategy


def open_match(
    solver: Solver,
    game: Game,
    objective: MatchObjective | str,
    payoff: str = "match-points",
    *,
    players: int = 2,
    origin: Origin = Origin.DATA,
) -> MatchSearch:
    """A search for a match objective, with the deepest tables of endgames that are there.

    origin: where the objective comes from; one that comes from data is bounded, by the number of players.
    """
    wanted = parse_match_objective(objective) if isinstance(objective, str) else objective
    check_origin(wanted, origin, players)
    search: MatchSearch = load(wanted.opener)(solver, game, wanted, payoff, known_endgames(solver, game))
    return search


def known_endgames(solver: Solver, game: Game) -> Endgames | None:
    """The endgames that are on the disk; of a game that is not too large at least the last few categories."""
    depth = depth_on_disk(solver, game)
    if len(compile_game(game).states) <= MOST_STATES:
        depth = max(depth, min(AT_ONCE, 2 * len(game.categories)))
    if depth < 0:
        return None
    from yatzy.matches.endgames import Endgames  # compiled, so not before they are needed

    watch = solver.watch(f"the endgames of {game.name()}")
    return Endgames(game, depth, solver.folder, solver.threads, watch, solver.report)


def depth_on_disk(solver: Solver, game: Game) -> int:
    """The depth to which tables of endgames are there, -1 without any."""
    folder = tables_folder(solver.folder)
    depth = 0
    while table_path(folder, table_key(game, f"{ENDGAMES.name}:{depth}")).exists():
        depth += 1
    return depth - 1


def open_adviser(
    solver: Solver,
    game: Game,
    objective: str,
    players: int = 1,
    payoff: str = "match-points",
    origin: Origin = Origin.DATA,
) -> Evaluator:
    """What advises for an objective at a table of so many; tables are made where they are missing.

    origin: where the objective comes from; only a person may have a file read or a deep search made.
    """
    wanted = check_objective(game, objective, players, origin)
    if wanted.several:
        return open_match(solver, game, str(wanted), payoff, players=players, origin=origin)
    return solver.open(game, wanted, origin)


def check_objective(game: Game, objective: str, players: int = 1, origin: Origin = Origin.DATA) -> Objective:
    """Read an objective; one that makes no sense for the game, so many players or its origin is refused."""
    wanted = names.parse_objective(objective)
    check_name(wanted, game, players, origin)
    return wanted
