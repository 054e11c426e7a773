"""The dialog for a new game: its preset, rules, players, and virtual or real dice."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from nicegui import background_tasks, ui

from yatzy.errors import RecordError, YatzyError
from yatzy.games import PRESETS, Game, Player, Record, is_preset, load_preset
from yatzy.games.record import check_name
from yatzy.model.described import MOST_ROLLS
from yatzy.names import parse_strategy
from yatzy.web import limits, requests
from yatzy.web.page.context import OnDemand, PageContext, whole_number
from yatzy.web.page.parts.dialogs import titled_dialog
from yatzy.web.page.parts.files import file_field
from yatzy.web.page.problems import PageError
from yatzy.web.page.table.house_rules import HouseRules
from yatzy.web.page.table.paper import PaperDialog
from yatzy.web.page.table.strengths import PERSON, STRENGTHS, mean_score, strength_name
from yatzy.web.tables import EXPECTED

OWN = "own"


@dataclass
class _Seat:
    row: ui.row
    name: ui.input
    kind: ui.select
    number: int
    """Counts the players from 1, for default names."""


class NewGameDialog:
    """The dialog for a new game. Key `n`."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._own: Game | None = None
        self._seats: list[_Seat] = []
        self._paper = OnDemand(context, lambda: PaperDialog(context))
        t = context.t
        with titled_dialog(t("new.title"), "new-dialog", "yz-wide") as self._dialog:
            self._game = ui.select(self._games(), value="yatzy", label=t("new.game"), on_change=self._chosen)
            self._game.props('outlined dense data-testid="new-game"').classes("yz-full")
            self._about = ui.label().classes("yz-note yz-one-line")
            self._build_rules()
            ui.label(t("new.players")).classes("yz-subtitle")
            self._box = ui.column().classes("yz-full yz-seats")
            ui.button(t("new.add"), on_click=lambda: self._add_seat()).props('flat no-caps data-testid="add-player"')
            self._typed = ui.checkbox(t("new.typed")).props('data-testid="new-typed"')
            self._problem = ui.label().classes("yz-bad").props('role="alert"')
            with ui.row():
                ui.button(t("new.start"), on_click=self._start, color=None).classes("yz-primary").props(
                    'no-caps data-testid="start"'
                )
                ui.button(t("paper.open_dialog"), on_click=self._start_from_paper).props(
                    'flat no-caps data-testid="from-paper"'
                )
                ui.button(t("cancel"), on_click=self._dialog.close).props("flat no-caps")

    def _games(self) -> dict[str, str]:
        names = {id: load_preset(id).name(self._context.language) for id in PRESETS}
        if self._own is not None:
            names[OWN] = self._own.name(self._context.language)
        return names

    def _build_rules(self) -> None:
        t, rules = self._context.t, HouseRules.of(load_preset("yatzy"))
        with ui.expansion(t("new.rules")).classes("yz-full").props('dense data-testid="house-rules"'):
            with ui.row().classes("yz-form-row"):
                self._rolls = ui.number(t("new.rolls"), value=rules.rolls, min=1, max=MOST_ROLLS, format="%d")
                self._points = ui.number(t("new.bonus_points"), value=rules.bonus_points, min=1, max=999, format="%d")
                self._threshold = ui.number(
                    t("new.threshold"), value=rules.bonus_threshold, min=1, max=999, format="%d"
                )
                for one in (self._rolls, self._points, self._threshold):
                    one.props("outlined dense").classes("yz-number")
                self._rolls.props('data-testid="rule-rolls"')
            with ui.row().classes("yz-form-row"):
                self._bonus = ui.checkbox(t("new.bonus"))
                self._forced = ui.checkbox(t("new.forced"))
                self._joker = ui.checkbox(t("new.joker"))
            ui.label(t("new.own")).classes("yz-note")
            context = self._context
            file_field(context, "own-game", t("new.upload"), self._read_own, most=limits.DESCRIPTION, accept=".toml")

    def open(self) -> None:
        """Open the dialog with the current players."""
        for seat in list(self._seats):
            self._remove(seat)
        players = self._context.session.players
        for player in players[: limits.PLAYERS]:
            kind = next((name for name, one in STRENGTHS.items() if one == player.strategy), PERSON)
            self._add_seat(player.name, kind)
        game = self._context.session.game
        self._game.set_value(game.id if is_preset(game) else "yatzy")
        self._typed.set_value(self._context.typed)
        self._problem.set_text("")
        self._show_rules()
        self._dialog.open()
        background_tasks.create(self._state_strengths())

    def _preset(self) -> Game:
        if self._game.value == OWN and self._own is not None:
            return self._own
        return load_preset(str(self._game.value))

    def _chosen(self) -> None:
        self._show_rules()
        background_tasks.create(self._state_strengths())

    def _show_rules(self) -> None:
        game = self._preset()
        rules, own = HouseRules.of(game), self._game.value == OWN
        self._about.set_text(game.note(self._context.language) or "\N{NO-BREAK SPACE}")
        self._rolls.set_value(rules.rolls)
        self._points.set_value(rules.bonus_points)
        self._threshold.set_value(rules.bonus_threshold)
        self._bonus.set_value(rules.bonus)
        self._forced.set_value(rules.forced_order)
        self._joker.set_value(rules.joker)
        for one in (self._rolls, self._points, self._threshold, self._bonus, self._forced, self._joker):
            one.set_enabled(not own)
        self._joker.set_visibility(rules.joker)

    def _add_seat(self, name: str = "", kind: str = "") -> None:
        context, count = self._context, len(self._seats)
        if count >= limits.PLAYERS:
            return
        kind = kind or PERSON
        fallback = self._default_name(kind, count + 1)
        options = {PERSON: context.t("strength.person")} | {one: strength_name(context, one) for one in STRENGTHS}
        with self._box, ui.row().classes("yz-seat") as row:
            field = ui.input(context.t("new.name"), value=name or fallback).props(
                f'outlined dense maxlength=40 data-testid="player-{count + 1}"'
            )
            choice = ui.select(options, value=kind, label=context.t("new.kind")).props(
                f'outlined dense data-testid="kind-{count + 1}"'
            )
            seat = _Seat(row, field, choice, count + 1)
            choice.on_value_change(lambda: self._name_again(seat))
            remove = ui.button("×", on_click=lambda: self._remove(seat, last=False)).props("flat dense")
            remove.props(f'aria-label="{context.t("new.remove")}"')
        self._seats.append(seat)

    def _default_name(self, kind: str, number: int) -> str:
        return self._context.t("player.number" if kind == PERSON else "player.computer", number=number)

    def _name_again(self, seat: _Seat) -> None:
        """Change a default name when a person becomes a computer or the other way round."""
        known = {self._default_name(kind, seat.number) for kind in (PERSON, *STRENGTHS)}
        if not seat.name.value or seat.name.value in known:
            seat.name.set_value(self._default_name(str(seat.kind.value), seat.number))

    def _remove(self, seat: _Seat, *, last: bool = True) -> None:
        if len(self._seats) > 1 or last:
            self._seats.remove(seat)
            seat.row.delete()

    async def _state_strengths(self) -> None:
        """Add the mean score of each computer player to its name, once known."""
        game = self._preset()
        for strength in STRENGTHS:
            mean = await mean_score(self._context, game, strength)
            if self._preset() is not game or not self._dialog.value:
                return
            for seat in self._seats:
                options = dict(seat.kind.options)
                options[strength] = strength_name(self._context, strength, mean)
                seat.kind.set_options(options, value=seat.kind.value)

    async def _read_own(self, text: str) -> None:
        try:
            self._own = await asyncio.to_thread(requests.read_game, None, text)
        except YatzyError as error:
            self._problem.set_text(self._context.problem(error))
            return
        self._problem.set_text("")
        self._game.set_options(self._games(), value=OWN)

    def _rules(self) -> HouseRules:
        numbers = [whole_number(one.value) for one in (self._rolls, self._points, self._threshold)]
        return HouseRules(numbers[0], bool(self._bonus.value), numbers[1], numbers[2], bool(self._forced.value),
                          bool(self._joker.value))  # fmt: skip

    def _read(self) -> tuple[Game, list[Player]]:
        """The game and the players that are chosen."""
        game = self._preset() if self._game.value == OWN else self._rules().apply(self._preset())
        players = [
            Player(" ".join(str(seat.name.value or "").split()), STRENGTHS.get(str(seat.kind.value)))
            for seat in self._seats
        ]
        _check_names([player.name for player in players])
        for player in players:
            if player.strategy is not None and len(players) < 2 and parse_strategy(player.strategy).several:
                raise PageError("new.match_alone")
        return game, players

    def _start_from_paper(self) -> None:
        try:
            game, players = self._read()
            Record(game, tuple(players))  # checks the names
        except YatzyError as error:
            self._problem.set_text(self._context.problem(error))
            return
        self._dialog.close()
        self._paper().open(game, players)

    def _start(self) -> None:
        context = self._context
        try:
            table = context.store.new(*self._read())
        except YatzyError as error:
            self._problem.set_text(self._context.problem(error))
            return
        try:
            context.tables.wish(table.session.game, (EXPECTED,))
        except YatzyError as error:
            context.tell(context.problem(error), bad=True)
        context.preferences.typed = bool(self._typed.value)
        context.remember("typed", "on" if self._typed.value else "off")
        self._dialog.close()
        context.open(table)


def _check_names(names: list[str]) -> None:
    """Refuse names that a record cannot hold, in the reader's language."""
    for name in names:
        try:
            check_name(name)
        except RecordError:
            raise PageError("new.bad_name", name=name) from None
    if len({name.casefold() for name in names}) < len(names):
        raise PageError("new.same_names")
