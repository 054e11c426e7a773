"""The overlay with help: what to tap, and the keys."""

from __future__ import annotations

from nicegui import ui

from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.dialogs import titled_dialog
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.views import View

EVERYWHERE = (("L", "language"), ("D", "dark"), ("?", "help"), ("Esc", "close"))


class HelpOverlay:
    """What can be done in a view, with fingers and with keys."""

    def __init__(self, context: PageContext, view: View) -> None:
        self._context, self._view = context, view
        with titled_dialog(context.t("help.title"), "help-overlay", "yz-help") as self._dialog:
            Region().show(self._content())
            ui.button(context.t("close"), on_click=self._dialog.close).props("flat no-caps")

    def toggle(self) -> None:
        """Open or close the overlay."""
        self._dialog.value = not self._dialog.value

    def _content(self) -> Markup:
        t, rows = self._context.t, [*self._view.keys, *EVERYWHERE]
        keys = [
            tag("tr", tag("th", tag("kbd", key.format(space=t("help.space"))), scope="row"),
                tag("td", t(f"help.key.{name}")))
            for key, name in rows
        ]  # fmt: skip
        paragraphs = [tag("p", t(self._view.introduction))] if self._view.introduction else []
        heading = tag("h3", t("help.keys"), class_="yz-subtitle")
        return join(*paragraphs, heading, tag("table", tag("tbody", *keys), class_="yz-keys"))
