"""What every view of one browser tab shares: the game, the settings, the advice, and who is told of changes."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar
from urllib.parse import quote

from nicegui import Client, background_tasks, ui

from yatzy.coach.play.session import Session
from yatzy.coach.play.tutor import parse_threshold
from yatzy.errors import InputError, YatzyError
from yatzy.games import Position, Sheet
from yatzy.names import parse_objective
from yatzy.report.texts import text
from yatzy.web import limits, requests
from yatzy.web.page.preferences import Preferences, cookie_script
from yatzy.web.page.reader import Reader
from yatzy.web.page.store import GameStore, OpenGame
from yatzy.web.refusals import NotReady
from yatzy.web.service import Service
from yatzy.web.tables import Shelf

if TYPE_CHECKING:
    from yatzy.coach import Advice
    from yatzy.coach.grades import Grade
    from yatzy.coach.play.opponents import Opponents

Callback: TypeAlias = Callable[[], Awaitable[None] | None]
Action: TypeAlias = Callable[[str], Awaitable[None] | None]
FileAction: TypeAlias = Callable[[str, str], Awaitable[None] | None]
"""Takes the text of a file, or "" and what is wrong with it."""
T = TypeVar("T")


class PageContext:
    """One browser tab."""

    def __init__(
        self, service: Service, store: GameStore, opponents: Opponents, table: OpenGame, wishes: Preferences
    ) -> None:
        self.service, self.store, self.opponents, self.preferences = service, store, opponents, wishes
        self.table = table
        self.client: Client = ui.context.client
        self.advices: dict[str, Advice] = {}
        """Advice on the present position, by objective, as far as it is there."""
        self.waiting: dict[str, str] = {}
        """Why the advice of an objective is not there."""
        self.chosen: str = ""
        """The move that is looked at, as text; "" for the best one."""
        self.start_value: float | None = None
        """What is expected where no move is to be chosen."""
        self.last_scored: tuple[Sheet, int] | None = None
        """The box that was filled last: its sheet, and which."""
        self._callbacks: list[Callback] = []
        self._choosers: list[Callback] = []
        self._actions: dict[str, Action] = {}
        self._files: dict[str, FileAction] = {}
        self._watchers: list[Callable[[], None]] = []
        self._asked = 0
        table.listeners.append(self._schedule)
        self.client.on_delete(self.leave)

    # The game

    @property
    def session(self) -> Session:
        """The game that is played."""
        return self.table.session

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.table.session.position

    @property
    def tables(self) -> Shelf:
        """The tables behind everything."""
        return self.service.shelf

    def open(self, table: OpenGame) -> None:
        """Sit down at another table."""
        self.leave()
        self.table = table
        table.listeners.append(self._schedule)
        self.chosen = ""
        self.notify()

    def leave(self) -> None:
        """Look at the game no more."""
        if self._schedule in self.table.listeners:
            self.table.listeners.remove(self._schedule)
        self.store.leave(self.table)

    # Settings

    @property
    def language(self) -> str:
        """The language of the page."""
        return self.preferences.language

    @property
    def reader(self) -> Reader:
        """Whoever reads this tab."""
        return Reader(self.preferences.language)

    @property
    def hints(self) -> bool:
        """Whether values are shown."""
        return self.preferences.hints

    @property
    def typed(self) -> bool:
        """Whether people enter real dice."""
        return self.preferences.typed

    @property
    def target(self) -> int | None:
        """The record to beat."""
        return self.preferences.target

    @property
    def objectives(self) -> list[str]:
        """What moves are valued by, the ranking one first; only those that make sense at this table."""
        position = self.position
        key = (tuple(self.preferences.objectives[: limits.OBJECTIVES]), position.game, len(position.sheets))
        return list(self.table.kept.make(("objectives", *key), lambda: self._sensible(key[0], position)))

    @staticmethod
    def _sensible(names: Sequence[str], position: Position) -> Sequence[str]:
        found = []
        for name in names:
            try:
                found.append(requests.check_any_objective(name, position))
            except YatzyError:
                continue
        return list(dict.fromkeys(found)) or ["expected"]

    @property
    def tutor(self) -> Grade | float | None:
        """From which moves on the tutor warns."""
        try:
            return parse_threshold(self.preferences.tutor)
        except InputError:
            return None

    def t(self, key: str, **values: object) -> str:
        """A text of the page in its language."""
        return text(self.language, key, **values)

    def remember(self, name: str, value: object) -> None:
        """Have the browser remember a setting."""
        self.run_script(cookie_script(name, value))

    # What happens

    def on_change(self, callback: Callback) -> None:
        """Have something done whenever the game, its advice or a setting has changed."""
        self._callbacks.append(callback)

    def on_choice(self, callback: Callback) -> None:
        """Have something done when another move is looked at (`chosen`)."""
        self._choosers.append(callback)

    def choose(self, move: str) -> None:
        """Look at a move, "" for the best one."""
        if move != self.chosen:
            self.chosen = move
            background_tasks.create(self._call_all(self._choosers))

    def on_action(self, name: str, action: Action) -> None:
        """Have something done when an element with `data-do=name` is clicked, or its key is pressed."""
        self._actions[name] = action

    async def act(self, name: str, argument: str = "") -> None:
        """Do what a click or a key asks for; what is not allowed is told in one line."""
        action = self._actions.get(name)
        if action is not None:
            await self._try(lambda: action(argument))

    def on_file(self, id: str, action: FileAction) -> None:
        """Have something done with the files of a field."""
        self._files[id] = action

    async def take_file(self, id: str, text: str, problem: str) -> None:
        """Do what the field of a file is for."""
        action = self._files.get(id)
        if action is not None:
            await self._try(lambda: action(text, problem))

    async def _try(self, action: Callable[[], Awaitable[None] | None]) -> None:
        try:
            done = action()
            if inspect.isawaitable(done):
                await done
        except YatzyError as error:
            self.tell(str(error), bad=True)

    def notify(self) -> None:
        """Tell everyone who looks at the game that it has changed."""
        if self._schedule not in self.table.listeners:
            self._schedule()
        self.table.changed()

    def on_progress(self, callback: Callable[[], None]) -> None:
        """Have something done every second while tables are being made."""
        self._watchers.append(callback)

    def progress(self) -> None:
        """Tell how far tables are."""
        for callback in self._watchers:
            callback()

    def refresh_soon(self) -> None:
        """Show everything in this tab anew."""
        self._schedule()

    def _schedule(self) -> None:
        background_tasks.create(self.refresh())

    async def refresh(self) -> None:
        """Find the advice that takes no time, show everything, then what takes longer."""
        self._asked += 1
        asked, position = self._asked, self.position
        self.advices, self.waiting = {}, {}
        slow = []
        for name in self.objectives:
            if self._is_slow(name):
                slow.append(name)
                self.waiting[name] = ""
            else:
                await self._advise(name, asked, position)
        if asked != self._asked:
            return
        await self._find_start_value(position)
        self._show_address()
        await self._call_all(self._callbacks)
        if slow:
            await asyncio.gather(*(self._advise(name, asked, position) for name in slow))
            if asked == self._asked:
                await self._call_all(self._callbacks)
        self.table.drive(self.opponents)

    async def _call_all(self, callbacks: list[Callback]) -> None:
        if self.client.is_deleted:
            return
        try:
            with self.client:
                for callback in list(callbacks):
                    done = callback()
                    if inspect.isawaitable(done):
                        await done
        except RuntimeError:
            if not self.client.is_deleted:
                raise  # only what is shown on a page that was closed meanwhile is no error

    @staticmethod
    def _is_slow(objective: str) -> bool:
        return parse_objective(objective).slow

    async def _advise(self, name: str, asked: int, position: Position) -> None:
        if position.over or position.awaits_roll:
            return
        try:
            advice = await self.table.kept.ask(("advice", position, name), lambda _: self._find_advice(position, name))
        except YatzyError as error:
            if asked == self._asked:
                self.waiting[name] = progress_of(error)
            return
        if asked == self._asked:
            self.advices[name] = advice
            self.waiting.pop(name, None)

    async def _find_advice(self, position: Position, name: str) -> Advice:
        return (await self.service.advise(position, [name]))[0]

    async def _find_start_value(self, position: Position) -> None:
        """The expected score of the mover before a roll."""
        self.start_value = None
        if position.awaits_roll and not position.over:
            with suppress(YatzyError):
                _, self.start_value = await self.service.value(position, "expected")

    # To the browser

    def tell(self, message: str, *, bad: bool = False) -> None:
        """A line about what happened, for eyes and for screen readers."""
        self.run_script(f"yatzyTell({json.dumps(message)}, {json.dumps(bad)})")

    def run_script(self, code: str) -> None:
        """Have the browser do something."""
        self.client.run_javascript(code)

    def _show_address(self) -> None:
        self.run_script(f"yatzyAddress({json.dumps(self.address())}, {json.dumps(self.table.id)})")

    def address(self) -> str:
        """The path of this position on this server."""
        where = quote(str(self.position), safe="~.-")
        return f"?game={quote(self.table.id)}&position={where}"


class OnDemand(Generic[T]):
    """A part of a page, such as a dialog, that is made when it is first asked for."""

    def __init__(self, context: PageContext, make: Callable[[], T]) -> None:
        self._context, self._make = context, make
        self._made: T | None = None

    def __call__(self) -> T:
        """The part, made now if nobody has asked for it before."""
        if self._made is None:
            with self._context.client:
                self._made = self._make()
        return self._made


async def until_ready(
    ask: Callable[[], Awaitable[T]], *, wanted: Callable[[], bool], tell: Callable[[NotReady], None]
) -> T | None:
    """Ask once a second until the tables are there; None when the answer is not wanted any more."""
    while wanted():
        try:
            return await ask()
        except NotReady as error:
            tell(error)
            await asyncio.sleep(1.0)
    return None


def progress_of(error: YatzyError) -> str:
    """How far a table is that is not ready, or what is wrong."""
    if isinstance(error, NotReady):
        making = [one for one in error.tables if one["state"] == "making"]
        return f"{100 * making[0]['done']:.0f} %" if making else "…"
    return str(error)


def small_number(text: str) -> int:
    """The number that a click or a key sends; a browser sends no other text."""
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise InputError(f"{text[:20]!r} is not a number")
    return int(text)


def whole_number(value: object, default: int = 0) -> int:
    """What a field for a whole number holds; the default where it is empty or no number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return default
    return int(value)
