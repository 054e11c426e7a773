"""Objectives by name, for one player and for several: the one place that opens what advises."""

from __future__ import annotations

from yatzy.coach.reviews.views import Judge
from yatzy.errors import InputError, PositionError
from yatzy.games import Game
from yatzy.match.objectives import FORMS as MATCH_FORMS
from yatzy.match.objectives import is_match_objective, parse_match_objective
from yatzy.solve.objectives import FORMS, Workshop, parse_objective


def open_adviser(
    workshop: Workshop, game: Game, objective: str, players: int = 1, payoff: str = "match-points"
) -> Judge:
    """What advises for an objective at a table of so many; tables are made where they are missing."""
    check_objective(game, objective, players)
    if is_match_objective(objective):
        from yatzy.match.opening import open_match  # compiled, so not before it is needed

        return open_match(workshop, game, objective, payoff)
    return workshop.open(game, objective)


def check_objective(game: Game, objective: str, players: int = 1) -> None:
    """Refuse an objective that makes no sense for the game or for so many players, before anything is made."""
    if is_match_objective(objective):
        parse_match_objective(objective)
        if players < 2:
            raise PositionError(f"{objective.strip()}: a match needs at least two players; this position has one")
        return
    if objective.strip().partition(":")[0] not in {form.partition(":")[0] for form in FORMS}:
        raise InputError(f"there is no objective {objective!r}; objectives are {', '.join((*FORMS, *MATCH_FORMS))}")
    parse_objective(objective, game)
