"""Match objectives with the tables they need: opened where they are, made where that takes moments."""

from __future__ import annotations

from yatzy.games import Game
from yatzy.match.endgames import Endgames
from yatzy.match.search import MatchSearch
from yatzy.model import compile_game
from yatzy.names import MatchObjective, Origin, check_origin, parse_match_objective
from yatzy.solve.objectives import Workshop
from yatzy.store import TableKey, table_path, tables_folder

AT_ONCE = 2
"""The depth of endgame tables that are made without being asked for: some megabytes, a second."""
MOST_STATES = 2**21
"""States of a game up to which that holds."""


def open_match(
    workshop: Workshop,
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
    return MatchSearch(workshop.chances(game), wanted, payoff, exact=known_endgames(workshop, game))


def known_endgames(workshop: Workshop, game: Game) -> Endgames | None:
    """The endgames that are on the disk; of a game that is not too large at least the last few categories."""
    depth = depth_on_disk(workshop, game)
    if len(compile_game(game).states) <= MOST_STATES:
        depth = max(depth, min(AT_ONCE, 2 * len(game.categories)))
    if depth < 0:
        return None
    watch = workshop.progress(f"the endgames of {game.name()}") if workshop.progress else None
    return Endgames(game, depth, workshop.folder, workshop.threads, watch, workshop.report)


def depth_on_disk(workshop: Workshop, game: Game) -> int:
    """The depth to which tables of endgames are there, -1 without any."""
    folder = tables_folder(workshop.folder)
    depth = 0
    while table_path(folder, TableKey(game.id, game.hash, f"match-points:{depth}", 1)).exists():
        depth += 1
    return depth - 1
