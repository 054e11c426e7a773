"""Objectives by name, for one player and for several: the one place that opens what advises."""

from __future__ import annotations

from yatzy.coach.reviews.views import Judge
from yatzy.errors import PositionError
from yatzy.games import Game
from yatzy.names import Objective, Origin, check_origin, is_match_objective, parse_match_objective
from yatzy.solve.objectives import Workshop, parse_objective


def open_adviser(
    workshop: Workshop,
    game: Game,
    objective: str,
    players: int = 1,
    payoff: str = "match-points",
    origin: Origin = Origin.DATA,
) -> Judge:
    """What advises for an objective at a table of so many; tables are made where they are missing.

    origin: where the objective comes from; only a person may have a file read or a deep search made.
    """
    wanted = check_objective(game, objective, players, origin)
    if wanted.several:
        from yatzy.match.opening import open_match  # compiled, so not before it is needed

        return open_match(workshop, game, str(wanted), payoff, players=players, origin=origin)
    return workshop.open(game, wanted, origin)


def check_objective(game: Game, objective: str, players: int = 1, origin: Origin = Origin.DATA) -> Objective:
    """Read an objective; one that makes no sense for the game, so many players or its origin is refused."""
    wanted: Objective
    if is_match_objective(objective):
        wanted = parse_match_objective(objective)
        if players < 2:
            raise PositionError(f"{wanted}: a match needs at least two players; this position has one")
    else:
        wanted = parse_objective(objective, game)
    check_origin(wanted, origin, players)
    return wanted
