"""The dialog of saved games: open or delete one, save the current one as a file, load one from a file or text."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from nicegui import ui

from yatzy.coach.play.saved import SavedGame
from yatzy.errors import YatzyError
from yatzy.web import coaching
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.dialogs import titled_dialog
from yatzy.web.page.parts.files import file_field, paste_button, paste_field
from yatzy.web.page.parts.markup import Markup, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.pasted import read_pasted

SHOWN = 50
"""Number of saved games listed, and the most that are loaded from one file."""


class GamesDialog:
    """The dialog of saved games. Key `o`. Only a browser on the machine of the server may delete them."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._asked = ""
        """The game whose deletion is to be confirmed."""
        t = context.t
        with titled_dialog(t("games.title"), "games-dialog", "yz-wide") as self._dialog:
            ui.label(t("games.autosaved")).classes("yz-note")
            ui.button(t("games.download"), on_click=self._download).props('flat no-caps data-testid="download"')
            self._list = Region("yz-games")
            ui.label(t("games.load")).classes("yz-subtitle")
            ui.label(t("paste.games")).classes("yz-note yz-fine")
            paste_field(context, "paste", t("paste.label"), self._load, most=coaching.RECORD)
            file_field(context, "game-file", t("games.upload"), self._load, most=coaching.RECORD)
            self._problem = ui.label().classes("yz-bad").props('role="alert"')
            with ui.row():
                paste_button("paste", t("games.open"), "load")
                ui.button(t("close"), on_click=self._dialog.close).props("flat no-caps")
        context.on_action("delete-game", self._delete)

    async def open(self) -> None:
        """Open the dialog with the current list of games."""
        self._asked = ""
        self._problem.set_text("")
        await self._show_games()
        self._dialog.open()

    async def _show_games(self) -> None:
        self._list.show(await asyncio.to_thread(self._games))

    def _games(self) -> Markup:
        rows = [self._row(one) for one in self._context.store.list()[:SHOWN] if one.record is not None]
        if not rows:
            return tag("p", self._context.t("games.none"), class_="yz-note")
        return tag("table", tag("tbody", *rows), class_="yz-list", data_testid="saved-games")

    def _row(self, one: SavedGame) -> Markup:
        context, t, record = self._context, self._context.t, one.record
        assert record is not None
        players = ", ".join(
            f"{player.name} {points}" for player, points in zip(record.players, record.scores, strict=True)
        )
        done = record.position.sheet.filled.bit_count() + 1
        state = t("games.over") if record.over else t("head.turn", turn=done, turns=len(record.game.categories))
        link = tag("a", players, href=f"/?game={quote(one.name)}", class_="yz-link")
        about = f"{record.game.name(context.language)} · {state} · {one.modified:%Y-%m-%d %H:%M}"
        button = None
        if context.visitor.at_home and one.name != context.table.id:
            key = "saved.sure" if one.name == self._asked else "saved.delete"
            button = tag("button", t(key), type="button", class_="yz-button", data_do="delete-game", data_arg=one.name,
                         data_key=f"delete-{one.name}", data_testid="delete-game",
                         aria_label=f"{t(key)}: {players}")  # fmt: skip
        return tag("tr", tag("td", link, tag("div", about, class_="yz-note yz-fine")), tag("td", button))

    async def _delete(self, id: str) -> None:
        if not self._context.visitor.at_home:
            return
        if self._asked != id:  # ask once
            self._asked = id
        else:
            self._asked = ""
            try:
                await asyncio.to_thread(self._context.store.delete, id)
            except YatzyError as error:
                self._problem.set_text(self._context.problem(error))
        await self._show_games()

    def _name(self, number: int, count: int) -> str:
        t = self._context.t
        return t("player.you") if count == 1 else t("player.number", number=number)

    def _download(self) -> None:
        ui.download.content(str(self._context.session.record), f"{self._context.table.id}.yatzy")

    async def _load(self, text: str) -> None:
        context = self._context
        try:
            records = (await asyncio.to_thread(read_pasted, text, context.session.game, self._name))[:SHOWN]
            tables = [await asyncio.to_thread(context.store.load, record) for record in records]
        except YatzyError as error:
            self._problem.set_text(self._context.problem(error))
            return
        self._dialog.close()
        context.open(tables[0])
        if len(tables) > 1:
            context.tell(context.t("paste.loaded", count=len(tables)))
