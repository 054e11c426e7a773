"""The overlay that lists the keys."""

from __future__ import annotations

from nicegui import ui

from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.views import View

EVERYWHERE = (("L", "language"), ("D", "dark"), ("?", "help"), ("Esc", "close"))


class HelpOverlay:
    """The list of keys."""

    def __init__(self, context: PageContext, view: View) -> None:
        self._context, self._view = context, view
        with ui.dialog() as self._dialog, ui.card().classes("yz-dialog yz-help").props('data-testid="help-overlay"'):
            Region().show(self._content())
            ui.button(context.t("close"), on_click=self._dialog.close).props("flat no-caps")

    def toggle(self) -> None:
        """Open or close the overlay."""
        self._dialog.value = not self._dialog.value

    def _content(self) -> Markup:
        t, rows = self._context.t, [*self._view.keys, *EVERYWHERE]
        keys = [
            tag("tr", tag("th", tag("kbd", key), scope="row"), tag("td", t(f"help.key.{name}"))) for key, name in rows
        ]
        paragraphs = [tag("p", t(self._view.introduction))] if self._view.introduction else []
        return join(tag("h2", t("help.title")), *paragraphs, tag("table", tag("tbody", *keys), class_="yz-keys"))
