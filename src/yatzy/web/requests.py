"""Parses and checks what a request may contain: presets, custom games, positions, objectives, strategies.

Requests are untrusted data: `names.trust` says which objectives and strategies they may name. Games are never read
from a file.
"""

from __future__ import annotations

from functools import lru_cache

from yatzy.coach.situation import Known, Situation, situation_of
from yatzy.errors import InputError, LimitExceeded, NotFromData
from yatzy.games import Game, Position, load_preset
from yatzy.model.described import check_described
from yatzy.names import (
    Name,
    Objective,
    Origin,
    check_name,
    check_origin,
    objective_examples,
    parse_match_objective,
    parse_objective,
    parse_strategy,
)
from yatzy.web import limits
from yatzy.web.refusals import Forbidden, TooMuch


def read_game(id: str | None = None, description: str | None = None) -> Game:
    """A preset by its id, or a custom game from its description."""
    if description is None:
        return load_preset(id or "yatzy")
    if len(description) > limits.DESCRIPTION:
        raise TooMuch(
            "a game of your own may take {most:,} characters, not {count:,}",
            most=limits.DESCRIPTION,
            count=len(description),
        )
    game = _own_game(description)
    if id is not None and id != game.id:
        raise InputError(
            "game {name!r} is not the one described, which is {game!r}; leave one of them out", name=id, game=game.id
        )
    return game


@lru_cache(maxsize=64)
def _own_game(description: str) -> Game:
    game = Game.parse(description)
    check_described(game)
    return game


def read_situation(position: str | None, game: Game | None, known: Known) -> Situation:
    """A position from one line of text or from its known fields. A given game takes precedence over presets."""
    if position is None:
        return situation_of(game or load_preset("yatzy"), known)
    if not known.nothing:
        raise InputError("give either a position as one line of text or the fields of one, not both")
    where = read_position(position, game)
    if game is not None and where.game != game:
        raise InputError(
            "the position is of {game}, not of {other}; leave one of them out", game=where.game.id, other=game.id
        )
    return Situation(where)


def read_position(text: str, own: Game | None = None) -> Position:
    """A position from one line of text, of a preset or of the custom game `own`."""
    if len(text) > limits.POSITION:
        raise TooMuch("a position may take {most:,} characters, not {count:,}", most=limits.POSITION, count=len(text))
    where = Position.parse(text, own)
    if len(where.sheets) > limits.PLAYERS:
        raise TooMuch("a position may have {most} players, not {count}", most=limits.PLAYERS, count=len(where.sheets))
    return where


def check_objective(text: str, game: Game) -> str:
    """Parse a one-player objective and check it for a game."""
    objective = parse_objective(text)
    if objective.several:
        raise InputError("{objective}: is an objective of several players, but there is one here", objective=objective)
    _check(objective, game)
    return str(objective)


def check_match_objective(text: str, where: Position) -> str:
    """Parse a match objective and check it, including its limits, for a position."""
    objective = parse_match_objective(text)
    _check(objective, where.game, len(where.sheets))
    return str(objective)


def check_any_objective(text: str, where: Position) -> str:
    """Parse a one-player or match objective and check it for a position."""
    objective = parse_objective(text)
    _check(objective, where.game, len(where.sheets))
    return str(objective)


def check_strategy(text: str, game: Game) -> str:
    """Parse a one-player strategy and check it for a game."""
    strategy = parse_strategy(text)
    if strategy.several:
        raise InputError("{strategy}: is for several players, but there is one here", strategy=strategy)
    _check(strategy, game)
    return str(strategy)


def _check(name: Name, game: Game, players: int = 1) -> None:
    """Check a name, and translate the errors into ones with the right HTTP status."""
    try:
        check_name(name, game, players, Origin.DATA)
    except NotFromData as error:
        raise Forbidden(error.message) from None
    except LimitExceeded as error:
        raise TooMuch(error.message) from None


def forms_of(kind: type[Objective], players: int = 2) -> str:
    """The objectives that a request may name, for the API documentation."""
    found = []
    for name in objective_examples():
        if isinstance(name, kind) and (players > 1 or not name.several):
            check_origin(name, Origin.DATA, players)
            found.append(f"`{name.form}`")
    return ", ".join(found)
