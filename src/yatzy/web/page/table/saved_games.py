"""The dialog of saved games: open one, save the current one as a file, load one from a file or text."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from nicegui import ui

from yatzy.errors import YatzyError
from yatzy.web import coaching, limits
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.files import file_field
from yatzy.web.page.parts.markup import Markup, tag
from yatzy.web.page.parts.region import Region

SHOWN = 50
"""Number of saved games listed."""


class GamesDialog:
    """The dialog of saved games. Key `o`."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        t = context.t
        with ui.dialog() as self._dialog, ui.card().classes("yz-dialog yz-wide").props('data-testid="games-dialog"'):
            ui.label(t("games.title")).classes("yz-title")
            ui.label(t("games.autosaved")).classes("yz-note")
            ui.button(t("games.download"), on_click=self._download).props('flat no-caps data-testid="download"')
            self._list = Region("yz-games")
            ui.label(t("games.load")).classes("yz-subtitle")
            self._text = ui.textarea(t("games.paste")).props(
                f'outlined dense maxlength={limits.PAGE_BODY // 4} data-testid="paste"'
            )
            self._text.classes("yz-full yz-paste")
            file_field(context, "game-file", t("games.upload"), self._load, most=limits.BODY)
            self._problem = ui.label().classes("yz-bad").props('role="alert"')
            with ui.row():
                ui.button(
                    t("games.open"), on_click=lambda: self._load(str(self._text.value or "")), color=None
                ).classes("yz-primary").props('no-caps data-testid="load"')
                ui.button(t("close"), on_click=self._dialog.close).props("flat no-caps")

    async def open(self) -> None:
        """Open the dialog with the current list of games."""
        self._problem.set_text("")
        self._list.show(await asyncio.to_thread(self._games))
        self._dialog.open()

    def _games(self) -> Markup:
        context, t = self._context, self._context.t
        rows = []
        for one in context.store.list()[:SHOWN]:
            if one.record is None:
                continue
            players = ", ".join(
                f"{player.name} {points}" for player, points in zip(one.record.players, one.record.scores, strict=True)
            )
            done = one.record.position.sheet.filled.bit_count() + 1
            state = t("games.over") if one.record.over else t("head.turn", turn=done,
                                                              turns=len(one.record.game.categories))  # fmt: skip
            link = tag("a", players, href=f"/?game={quote(one.name)}", class_="yz-link")
            game = one.record.game.name(context.language)
            rows.append(tag("tr", tag("td", link), tag("td", game), tag("td", state), tag("td", str(one.date))))
        if not rows:
            return tag("p", t("games.none"), class_="yz-note")
        return tag("table", tag("tbody", *rows), class_="yz-list")

    def _download(self) -> None:
        ui.download.content(str(self._context.session.record), f"{self._context.table.id}.yatzy")

    async def _load(self, text: str) -> None:
        context = self._context
        try:
            record = await asyncio.to_thread(coaching.read_record, text)
            table = context.store.load(record)
        except YatzyError as error:
            self._problem.set_text(str(error))
            return
        self._dialog.close()
        self._text.set_value("")
        context.open(table)
