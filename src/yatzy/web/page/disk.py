"""The dialog of the tables on disk: how much each game takes, and removing them."""

from __future__ import annotations

import asyncio

from nicegui import ui

from yatzy.errors import YatzyError
from yatzy.games.gamefile import preset_with
from yatzy.report.numbers import size_text
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.dialogs import titled_dialog
from yatzy.web.page.parts.markup import Markup, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.stored import StoredGame, stored_games


class DiskDialog:
    """The dialog of the tables on disk. Only a browser on the machine of the server may remove them."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._asked: str | None = None
        """The game whose removal is to be confirmed."""
        t = context.t
        with titled_dialog(t("disk.title"), "disk-dialog", "yz-wide") as self._dialog:
            ui.label(t("disk.about")).classes("yz-note")
            self._list = Region("yz-games yz-disk")
            ui.label(t("disk.remove_note" if context.visitor.at_home else "disk.not_here")).classes("yz-note yz-fine")
            self._problem = ui.label().classes("yz-bad").props('role="alert"')
            ui.button(t("close"), on_click=self._dialog.close).props("flat no-caps")
        context.on_action("remove-tables", self._remove)

    async def open(self) -> None:
        """Open the dialog with the present sizes."""
        self._asked = None
        self._problem.set_text("")
        await self._show()
        self._dialog.open()

    async def _show(self) -> None:
        try:
            stored = await asyncio.to_thread(stored_games, self._context.tables.folder)
        except YatzyError as error:
            self._problem.set_text(self._context.problem(error))
            return
        self._list.show(self._rows(stored))

    def _rows(self, stored: list[StoredGame]) -> Markup:
        t, language = self._context.t, self._context.language
        if not stored:
            return tag("p", t("disk.none"), class_="yz-note")
        rows = []
        for one in stored:
            button = None
            if self._context.visitor.at_home:
                key = "disk.sure" if one.rules == self._asked else "disk.remove"
                button = tag("button", t(key), type="button", class_="yz-button", data_do="remove-tables",
                             data_arg=one.rules, data_key=f"remove-{one.rules}",
                             data_testid=f"remove-{one.game}")  # fmt: skip
            count = tag("div", t("disk.count", count=len(one.tables)), class_="yz-note yz-fine")
            rows.append(tag("tr", tag("td", self._name(one), count),
                            tag("td", size_text(one.size, language), class_="yz-num"), tag("td", button)))  # fmt: skip
        total = size_text(sum(one.size for one in stored), language)
        rows.append(tag("tr", tag("td", t("disk.total")), tag("td", total, class_="yz-num"), tag("td"),
                        class_="yz-strong"))  # fmt: skip
        return tag("table", tag("tbody", *rows), class_="yz-list", data_testid="disk-list")

    def _name(self, stored: StoredGame) -> str:
        if not stored.rules:
            return self._context.t("disk.unreadable")
        game = preset_with(stored.game, stored.rules)
        return stored.game if game is None else game.name(self._context.language)

    async def _remove(self, rules: str) -> None:
        context = self._context
        if not context.visitor.at_home:
            return
        if self._asked != rules:  # ask once
            self._asked = rules
            await self._show()
            return
        self._asked = None
        try:
            freed = await asyncio.to_thread(self._remove_now, rules)
            self._problem.set_text("")
            context.tell(context.t("disk.freed", size=size_text(freed, context.language)))
        except YatzyError as error:
            self._problem.set_text(self._context.problem(error))
        await self._show()
        context.refresh_soon()

    def _remove_now(self, rules: str) -> int:
        """Remove the tables of a game. Returns their size in bytes."""
        tables = self._context.tables
        stored = next((one for one in stored_games(tables.folder) if one.rules == rules), None)
        if stored is None:
            return 0
        tables.remove(stored)
        return stored.size
