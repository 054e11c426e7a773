"""The state shared by all views of a browser tab: the game, the settings, the advice, and callbacks for changes."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar
from urllib.parse import quote

from nicegui import Client, background_tasks, ui

from yatzy.coach.play.session import Session
from yatzy.coach.play.tutor import parse_threshold
from yatzy.coach.selected_moves import MOST_MOVES
from yatzy.errors import InputError, YatzyError
from yatzy.games import Keep, Position, Sheet
from yatzy.names import Target, parse_objective
from yatzy.report.texts import text
from yatzy.web import limits, requests
from yatzy.web.addresses import origin_for_others
from yatzy.web.page.preferences import Preferences, cookie_script
from yatzy.web.page.problems import problem_text
from yatzy.web.page.reader import Reader
from yatzy.web.page.start_value import StartValue
from yatzy.web.page.store import GameStore, OpenGame
from yatzy.web.refusals import NotReady
from yatzy.web.service import Service
from yatzy.web.tables import State, TableBuilder

if TYPE_CHECKING:
    from yatzy.coach import Advice
    from yatzy.coach.grades import Grade
    from yatzy.coach.play.opponents import Opponents

Callback: TypeAlias = Callable[[], Awaitable[None] | None]
Action: TypeAlias = Callable[[str], Awaitable[None] | None]
FileAction: TypeAlias = Callable[[str, str], Awaitable[None] | None]
"""Called with the text of a file, or with "" and an error message."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who opened a tab, and from where."""

    browser: str
    """A random name of the browser."""
    origin: str
    """The scheme, host and port in the browser's address bar."""
    at_home: bool
    """Whether the browser runs on the same machine as the server."""


class PageContext:
    """The state of one browser tab."""

    def __init__(
        self,
        service: Service,
        store: GameStore,
        opponents: Opponents,
        table: OpenGame,
        wishes: Preferences,
        visitor: Visitor,
    ) -> None:
        self.service, self.store, self.opponents, self.preferences = service, store, opponents, wishes
        self.visitor, self.table = visitor, table
        self.client: Client = ui.context.client
        self.advices: dict[str, Advice] = {}
        """Advice on the current position by objective, as far as it is available."""
        self.waiting: dict[str, str] = {}
        """Why the advice for an objective is not available yet."""
        self.chosen: str = ""
        """The selected move as text; "" for the best one."""
        self.compared: tuple[str, ...] = ()
        """The moves ticked for comparison, as text."""
        self.start_value: StartValue | None = None
        """The value before a roll, when there is no move to choose."""
        self.sort = ""
        """The column that the moves are sorted by; "" for the first objective."""
        self.stop_advice: Advice | None = None
        """Advice on the categories, if stopping with rolls left is best."""
        self.last_scored: tuple[Sheet, int] | None = None
        """The last box filled: its sheet, and the index of the category."""
        self._callbacks: list[Callback] = []
        self._choosers: list[Callback] = []
        self._actions: dict[str, Action] = {}
        self._files: dict[str, FileAction] = {}
        self._watchers: list[Callable[[], None]] = []
        self._asked = 0
        self._follow(table)
        self.client.on_delete(self.leave)

    # The game

    @property
    def session(self) -> Session:
        """The current game."""
        return self.table.session

    @property
    def position(self) -> Position:
        """The current position."""
        return self.table.session.position

    @property
    def tables(self) -> TableBuilder:
        """The tables of the service."""
        return self.service.tables

    def open(self, table: OpenGame) -> None:
        """Switch to another game."""
        self.leave()
        self._follow(table)
        self.chosen = ""
        self.notify()

    def _follow(self, table: OpenGame) -> None:
        self.table = table
        table.seats.enter(self, self.visitor.browser)
        table.changed()
        table.listeners.append(self._schedule)

    def leave(self) -> None:
        """Stop following the game."""
        self.table.seats.leave(self)
        if self._schedule in self.table.listeners:
            self.table.listeners.remove(self._schedule)
            self.table.changed()
        self.store.leave(self.table)

    @property
    def may_move(self) -> bool:
        """Whether nobody else at the table holds the seat of the player to move."""
        return self.table.seats.may_move(self.position.mover, self.visitor.browser)

    def link(self, path: str) -> str:
        """A link to a path of this server, with an address that works for others if there is one."""
        origin = origin_for_others(self.visitor.origin, self.service.settings.for_others)
        return (origin or self.visitor.origin) + path

    @property
    def is_reachable(self) -> bool:
        """Whether other devices can open this server."""
        return origin_for_others(self.visitor.origin, self.service.settings.for_others) is not None

    # Settings

    @property
    def language(self) -> str:
        """The language of the page."""
        return self.preferences.language

    @property
    def reader(self) -> Reader:
        """The reader of this tab."""
        return Reader(self.preferences.language)

    @property
    def hints(self) -> bool:
        """Whether values are shown."""
        return self.preferences.hints

    @property
    def typed(self) -> bool:
        """Whether the players enter real dice."""
        return self.preferences.typed

    @property
    def target(self) -> int | None:
        """The record to beat."""
        return self.preferences.target

    @property
    def objectives(self) -> list[str]:
        """The objectives shown. With a record to beat, its chance is the first.

        Only those valid for this game and number of players.
        """
        position = self.position
        names = ([] if self.target is None else [record_objective(self.target)]) + self.preferences.objectives
        key = (tuple(names[: limits.OBJECTIVES]), position.game, len(position.sheets))
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
    def ranking(self) -> str:
        """The objective that all advice follows: the column sorted by, or else the first."""
        names = self.objectives
        return self.sort if self.sort in names else names[0]

    @property
    def tutor(self) -> Grade | float | None:
        """The threshold from which the tutor warns; None if it is off."""
        try:
            return parse_threshold(self.preferences.tutor)
        except InputError:
            return None

    def t(self, key: str, **values: object) -> str:
        """A text of the page in the current language."""
        return text(self.language, key, **values)

    def remember(self, name: str, value: object) -> None:
        """Save a setting in the browser."""
        self.run_script(cookie_script(name, value))

    # Events

    def on_change(self, callback: Callback) -> None:
        """Register a callback for changes to the game, its advice or a setting."""
        self._callbacks.append(callback)

    def on_choice(self, callback: Callback) -> None:
        """Register a callback for changes to the selected move (`chosen`) and to the ticked ones (`compared`)."""
        self._choosers.append(callback)

    def choose(self, move: str) -> None:
        """Select a move; "" for the best one."""
        if move != self.chosen:
            self.chosen = move
            background_tasks.create(self._call_all(self._choosers))

    def compare(self, move: str) -> None:
        """Tick a move for comparison, or remove its tick; "" removes all ticks."""
        if move in self.compared or not move:
            self.compared = tuple(one for one in self.compared if move not in ("", one))
        elif len(self.compared) == MOST_MOVES:
            self.tell(self.t("moves.compare_most", count=MOST_MOVES))
            return
        elif any(str(one) == move for one in self.position.legal_moves):
            self.compared = (*self.compared, move)
        background_tasks.create(self._call_all(self._choosers))

    def on_action(self, name: str, action: Action) -> None:
        """Register a callback for clicks on elements with `data-do=name`, and for their keys."""
        self._actions[name] = action

    async def act(self, name: str, argument: str = "") -> None:
        """Run the action of a click or key. Errors are shown in one line."""
        action = self._actions.get(name)
        if action is not None:
            await self._try(lambda: action(argument))

    def on_file(self, id: str, action: FileAction) -> None:
        """Register a callback for the files of an upload field."""
        self._files[id] = action

    async def take_file(self, id: str, text: str, problem: str) -> None:
        """Run the callback of an upload field."""
        action = self._files.get(id)
        if action is not None:
            await self._try(lambda: action(text, problem))

    async def _try(self, action: Callable[[], Awaitable[None] | None]) -> None:
        try:
            done = action()
            if inspect.isawaitable(done):
                await done
        except YatzyError as error:
            self.tell(self.problem(error), bad=True)

    def notify(self) -> None:
        """Notify every tab that shows the game of a change."""
        if self._schedule not in self.table.listeners:
            self._schedule()
        self.table.changed()

    def on_progress(self, callback: Callable[[], None]) -> None:
        """Register a callback that runs every second while tables are being made."""
        self._watchers.append(callback)

    def progress(self) -> None:
        """Run the progress callbacks."""
        for callback in self._watchers:
            callback()

    def refresh_soon(self) -> None:
        """Schedule an update of everything in this tab."""
        self._schedule()

    def _schedule(self) -> None:
        background_tasks.create(self.refresh())

    async def refresh(self) -> None:
        """Find the quick advice, show everything, then find the slow advice and show everything again."""
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
        await self._find_stop_advice(position)
        await self._call_all(self._callbacks)
        if slow:
            await asyncio.gather(*(self._advise(name, asked, position) for name in slow))
            await self._find_stop_advice(position)
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
                raise  # an error is expected only if the page was closed in the meantime

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
                self.waiting[name] = progress_of(error, self.language)
            return
        if asked == self._asked:
            self.advices[name] = advice
            self.waiting.pop(name, None)

    async def _find_advice(self, position: Position, name: str) -> Advice:
        return (await self.service.advise(position, [name]))[0]

    async def _find_start_value(self, position: Position) -> None:
        """Set the value for the player to move, before a roll."""
        self.start_value = None
        if position.awaits_roll and not position.over:
            name = "expected" if parse_objective(self.ranking).several else self.ranking
            with suppress(YatzyError):
                solution, value = await self.service.value(position, name)
                self.start_value = StartValue(name, value, solution.unit)

    async def _find_stop_advice(self, position: Position) -> None:
        """Set the advice on the categories, if stopping with rolls left is best."""
        self.stop_advice = None
        advice = self.advices.get(self.ranking)
        if not (self.hints and advice is not None and position.rolls_left and advice.best.move == Keep(position.dice)):
            return
        last, name = replace(position, rolls_left=0), self.ranking
        with suppress(YatzyError):
            self.stop_advice = await self.table.kept.ask(
                ("advice", last, name), lambda _: self._find_advice(last, name)
            )

    # To the browser

    def tell(self, message: str, *, bad: bool = False) -> None:
        """Show a one-line message, also for screen readers."""
        self.run_script(f"yatzyTell({json.dumps(message)}, {json.dumps(bad)})")

    def problem(self, error: YatzyError) -> str:
        """An error in the language of the page."""
        return problem_text(error, self.language)

    def query(self, name: str) -> str:
        """A parameter of the address with which the page was opened, or ""."""
        return str(self.client.request.query_params.get(name, ""))

    def run_script(self, code: str) -> None:
        """Run JavaScript in the browser."""
        self.client.run_javascript(code)

    def address(self) -> str:
        """The relative URL of this position."""
        where = quote(str(self.position), safe="~.-")
        return f"?game={quote(self.table.id)}&position={where}"


class OnDemand(Generic[T]):
    """A part of a page, such as a dialog, that is created on first use."""

    def __init__(self, context: PageContext, make: Callable[[], T]) -> None:
        self._context, self._make = context, make
        self._made: T | None = None

    def __call__(self) -> T:
        """The part, created now if this is the first call."""
        if self._made is None:
            with self._context.client:
                self._made = self._make()
        return self._made


async def until_ready(
    ask: Callable[[], Awaitable[T]], *, wanted: Callable[[], bool], tell: Callable[[NotReady], None]
) -> T | None:
    """Retry once a second until the tables are ready. None when the answer is no longer wanted."""
    while wanted():
        try:
            return await ask()
        except NotReady as error:
            tell(error)
            await asyncio.sleep(1.0)
    return None


def record_objective(record: int) -> str:
    """The objective of somebody who wants to beat a record."""
    return str(Target(record + 1))


def progress_of(error: YatzyError, language: str) -> str:
    """The progress of a table that is not ready, or the error message."""
    if isinstance(error, NotReady):
        making = [one for one in error.tables if one.state is State.MAKING]
        return f"{100 * making[0].done:.0f} %" if making else "…"
    return problem_text(error, language)


def small_number(text: str) -> int:
    """Parse a number from a click or key. Other text does not come from our page and is refused."""
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise InputError("{text!r} is not a number", text=text[:20])
    return int(text)


def whole_number(value: object, default: int = 0) -> int:
    """The value of an integer field, or the default if it is empty or not a number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return default
    return int(value)
