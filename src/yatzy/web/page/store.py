"""The games of the page: each is opened once, saved after every change, and identified by an id in the URL.

An id is the file name in the folder of games, without its suffix. It ends in random letters, so that the address of a
game never opens another one that was begun later. A game that was only viewed is not saved, and is dropped when no tab
shows it any more. The URL contains the position, which is enough to open it again.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import string
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from yatzy.coach.play.opponents import Opponents, check_players
from yatzy.coach.play.saved import SUFFIX, SavedGame, delete_game, new_path, save_folder, saved_games
from yatzy.coach.play.session import Session
from yatzy.errors import InputError, LimitExceeded, NotFromData, YatzyError
from yatzy.games import Game, Player, Position, Record
from yatzy.web.kept import Kept
from yatzy.web.page.problems import PageError
from yatzy.web.page.seats import Seats

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
OPEN = 200
"""Games kept open. Beyond this, the first opened are closed; they are saved, so nothing is lost."""
SHOWN = 128
"""Size of each game's cache of results for showing a position again."""
LETTERS = 4
"""Random letters at the end of an id."""
PAUSE = 0.55
"""Seconds between the steps of a computer player, so that people can follow."""


class OpenGame:
    """An open game, shared by all tabs that show it."""

    def __init__(self, id: str, session: Session, *, fresh: bool = False) -> None:
        self.id, self.session = id, session
        self._untouched = session.position if fresh else None
        """The first position of a game that was never saved."""
        self.listeners: list[Callable[[], None]] = []
        self.seats = Seats()
        self.rematch: OpenGame | None = None
        """The next game of the same people, once one of them has asked for it."""
        self.trouble: YatzyError | None = None
        """Why a computer player cannot move."""
        self.kept = Kept(SHOWN)
        """Cache of results for showing the positions of this game."""
        self._driver: asyncio.Task[None] | None = None

    @property
    def untouched(self) -> bool:
        """Whether a new game has not been changed, and so has no file."""
        return self._untouched is self.session.position and not self.session.can_redo

    @property
    def current(self) -> OpenGame:
        """The rematch that the people of this game are playing now, or the game itself."""
        next_one = self.rematch
        return self if next_one is None or not next_one.listeners else next_one.current

    def begin(self) -> None:
        """Make the first roll of a new game. This does not save the game."""
        path, self.session.autosave = self.session.autosave, None
        self.session.roll()
        self._untouched, self.session.autosave = self.session.position, path

    def save(self) -> None:
        """Save the game even if nothing was played yet."""
        if self.untouched and self.session.autosave is not None:
            self.session.save(self.session.autosave)
            self._untouched = None

    def changed(self) -> None:
        """Notify all listeners."""
        for listener in list(self.listeners):
            listener()

    def drive(self, opponents: Opponents) -> None:
        """Let the computer players move, one step at a time."""
        if self.session.computer_moves and (self._driver is None or self._driver.done()):
            self._driver = asyncio.create_task(self._play_on(opponents))

    async def _play_on(self, opponents: Opponents) -> None:
        while self.session.computer_moves and self.listeners:
            await asyncio.sleep(PAUSE)
            if not self.session.computer_moves:
                return
            try:
                await asyncio.to_thread(self.session.autoplay_step, opponents)
                self.trouble = None
            except (NotFromData, LimitExceeded) as error:  # never allowed, so give up
                self.trouble = error
                self.changed()
                return
            except YatzyError as error:  # a table is not ready yet: retry
                if str(self.trouble) == str(error):
                    await asyncio.sleep(PAUSE)
                    continue
                self.trouble = error
            self.changed()


def _check(session: Session, file: str = "") -> None:
    """Refuse a game if a computer player still to move uses a strategy that is not allowed in a record."""
    if not session.over:
        check_players(session.players, session.game, source=file)


class GameStore:
    """The games of one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = save_folder(folder)
        self._open: dict[str, OpenGame] = {}
        self._lock = Lock()  # games are read from disk in other threads

    def find(self, id: str) -> OpenGame | None:
        """A game by its id, or None."""
        if id in self._open:
            return self._open[id]
        path = self.folder / f"{id}{SUFFIX}"
        if not _ID.fullmatch(id) or not path.is_file():
            return None
        session = Session.load(path)
        _check(session, path.name)
        session.autosave = path
        return self._keep(OpenGame(id, session))

    def new(
        self, game: Game, players: list[Player], *, start: Position | None = None, seed: int | None = None
    ) -> OpenGame:
        """Create a game from its start or a position. It is saved on its first change."""
        return self.add(Session.new(game, players, seed, start), fresh=True)

    def rematch(self, game: OpenGame) -> OpenGame:
        """Another game of the same people, who keep their seats; the one they are playing already, if there is one."""
        if game.current is not game:
            return game.current
        session = game.session
        game.rematch = self.new(session.game, list(session.players))
        game.rematch.seats.take_over(game.seats)
        return game.rematch

    def load(self, record: Record) -> OpenGame:
        """Create a game from a record. It is saved at once, because it comes from outside the folder."""
        session = Session.of(record)
        _check(session)
        found = self.add(session)
        assert found.session.autosave is not None
        found.session.save(found.session.autosave)
        return found

    def add(self, session: Session, *, fresh: bool = False) -> OpenGame:
        """Give a game a unique id and file name."""
        stem = new_path(session.record, self.folder).stem
        with self._lock:
            path = self._new_path(stem)
            while path.stem in self._open or path.exists():
                path = self._new_path(stem)
            if not _ID.fullmatch(path.stem):
                raise InputError("{name!r} cannot be the name of a game", name=path.stem)
            session.autosave = path
            game = self._open[path.stem] = OpenGame(path.stem, session, fresh=fresh)
        return self._keep(game)

    def _new_path(self, stem: str) -> Path:
        letters = "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(LETTERS))
        return self.folder / f"{stem}-{letters}{SUFFIX}"

    def leave(self, game: OpenGame) -> None:
        """Drop an unsaved game that no tab shows."""
        if not game.listeners and game.untouched:
            self._open.pop(game.id, None)

    def delete(self, id: str) -> None:
        """Delete a saved game that no tab shows."""
        with self._lock:
            found = self._open.get(id)
            if found is not None and found.listeners:
                raise PageError("problem.still_open", id=id)
            if not _ID.fullmatch(id):
                raise InputError("there is no saved game {name!r}", name=id[:100])
            delete_game(self.folder / f"{id}{SUFFIX}")
            self._open.pop(id, None)

    def list(self) -> list[SavedGame]:
        """The saved games, most recently changed first."""
        return saved_games(self.folder)

    def _keep(self, game: OpenGame) -> OpenGame:
        with self._lock:
            found = self._open.setdefault(game.id, game)
            for id in list(self._open)[: max(len(self._open) - OPEN, 0)]:
                if not self._open[id].listeners and self._open[id] is not found:
                    del self._open[id]
        return found
