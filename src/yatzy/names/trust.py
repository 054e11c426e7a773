"""Which names are accepted from data: from links, records, requests, studies and resumed games.

The caller that opens a name states its origin. A name typed by the user may read files, run code and search to any
depth. A name from data never reads a file or runs code, and its searches are limited.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from yatzy.errors import LimitExceeded, NotFromData, PositionError
from yatzy.names.base import Name

if TYPE_CHECKING:
    from yatzy.games import Game

DATA_SECONDS = 5.0
"""Time limit in seconds per move for a search requested by data."""
DATA_TURNS = {2: 3, 3: 2, 4: 2}
"""Depth limit in turns for a search requested by data, by number of players; 1 with more players."""


class Origin(Enum):
    """Where a name comes from."""

    PERSON = "person"
    """Typed by the user, on the command line or in their own program."""
    DATA = "data"
    """Contained in data: a record, a link, a request, a study, a saved game."""


def check_origin(name: Name, origin: Origin, players: int = 2) -> None:
    """Raise an error if a name is not allowed from its origin."""
    if origin is Origin.PERSON:
        return
    if name.runs_code:
        raise NotFromData(
            "{name}: runs a Python file; only a person at the command line can ask for that", name=_shown(name)
        )
    if name.reads_file:
        raise NotFromData("{name}: reads a file; only a person at the command line can ask for that", name=_shown(name))
    if name.seconds > DATA_SECONDS:
        raise LimitExceeded("{name}: at most {most:g} seconds are searched here", name=_shown(name), most=DATA_SECONDS)
    if name.turns > (most := DATA_TURNS.get(max(players, 2), 1)):
        raise LimitExceeded(
            "{name}: with {players} players at most {most} turns are searched here; match:auto chooses the"
            " depth itself",
            name=_shown(name),
            players=max(players, 2),
            most=most,
        )


def check_name(name: Name, game: Game, players: int = 1, origin: Origin = Origin.DATA) -> None:
    """Raise an error if a name is not allowed from its origin, or does not fit the number of players or the game.

    Does not read files, because a file may be a pipe, which can be read only once. `name.check(game)` also reads files.
    """
    check_origin(name, origin, players)
    if name.several and players < 2:
        raise PositionError("{name}: a match needs at least two players; this position has one", name=name)
    if not name.reads_file:
        name.check(game)


def _shown(name: Name) -> str:
    text = str(name)
    return text if len(text) <= 100 else f"{text[:100]}…"
