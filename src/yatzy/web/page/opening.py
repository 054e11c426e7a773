"""What an address opens: a position of one's own, a game that this browser has been at, or a table to join.

/?position=P             a frozen position: everybody who opens it gets a new game that starts there
/?join=ID                a live table, shared by everybody who joins it
/?game=ID                a saved game, from the list of saved games and the links between the views
/?game=ID&position=P     the address of a tab: the game for browsers that have been at it, else the frozen position
/?rules=ID&position=P    a frozen position of a game that is not a preset: the rules are those of the saved game
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from yatzy.errors import YatzyError
from yatzy.games import Game, Player, Position, is_preset, load_preset
from yatzy.report.texts import text
from yatzy.web import requests
from yatzy.web.page.preferences import Preferences
from yatzy.web.page.problems import problem_text
from yatzy.web.page.store import GameStore, OpenGame


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters of an address."""

    game: str = ""
    position: str = ""
    join: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """The game to show."""

    game: OpenGame
    problem: str = ""
    """What could not be opened, or ""."""
    joined: bool = False
    """Whether the visitor came to join a table."""


def open_address(store: GameStore, wishes: Preferences, asked: Asked) -> Opened:
    """Open what an address asks for; a new game if that is not possible."""
    try:
        return _find(store, wishes, asked) or _new_game(store, wishes)
    except YatzyError as error:
        return _new_game(store, wishes, problem_text(error, wishes.language))


def _find(store: GameStore, wishes: Preferences, asked: Asked) -> Opened | None:
    if asked.join:
        table = store.find(asked.join)
        return (
            Opened(table.current, joined=True) if table is not None else _missing(store, wishes, asked.join, "no_table")
        )
    if asked.game and (asked.game in wishes.tables or not asked.position):
        found = store.find(asked.game)
        if found is not None:
            return Opened(found)
        if not asked.position:
            return _missing(store, wishes, asked.game, "no_game")
    if asked.position:
        source = store.find(asked.rules or asked.game)
        return Opened(_frozen(store, wishes, asked.position, source))
    if wishes.game and (found := store.find(wishes.game)) is not None and not found.session.over:
        return Opened(found)
    return None


def _frozen(store: GameStore, wishes: Preferences, position: str, source: OpenGame | None) -> OpenGame:
    """A new game from a position; `source` is the game that it was copied from, if it is here."""
    own = source.session.game if source is not None and not is_preset(source.session.game) else None
    where = requests.read_position(position, own)
    return store.new(where.game, _players(wishes, where, source), start=where)


def _players(wishes: Preferences, where: Position, source: OpenGame | None) -> list[Player]:
    count = len(where.sheets)
    if source is not None and len(source.session.players) == count:
        return [Player(player.name) for player in source.session.players]
    if count == 1:
        return [Player(text(wishes.language, "player.you"))]
    return [Player(text(wishes.language, "player.number", number=number)) for number in range(1, count + 1)]


def _missing(store: GameStore, wishes: Preferences, id: str, key: str) -> Opened:
    return _new_game(store, wishes, text(wishes.language, f"opening.{key}", id=id[:60]))


def _new_game(store: GameStore, wishes: Preferences, problem: str = "") -> Opened:
    fresh = store.new(load_preset("yatzy"), [Player(text(wishes.language, "player.you"))])
    if not wishes.typed:  # real dice are entered, from the first roll on
        fresh.begin()
    return Opened(fresh, problem)


def frozen_link(game: Game, position: Position, id: str) -> str:
    """The path of a link to a position as it is now. `id` is the game that it belongs to."""
    where = quote(str(position), safe="~.-")
    return f"/?position={where}" if is_preset(game) else f"/?rules={quote(id)}&position={where}"


def join_link(id: str) -> str:
    """The path of a link that joins a table."""
    return f"/?join={quote(id)}"
