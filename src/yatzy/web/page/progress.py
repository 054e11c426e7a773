"""The footer: the progress of tables that are being made."""

from __future__ import annotations

from nicegui import ui

from yatzy.games import Game
from yatzy.report.numbers import size_text
from yatzy.web.page.context import OnDemand, PageContext
from yatzy.web.page.disk import DiskDialog
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.region import Region
from yatzy.web.page.problems import table_name
from yatzy.web.tables import TABLES, State, TableStatus

SECONDS = 1.0


class ProgressLine:
    """Checks the tables every second, and refreshes the views when one has become ready."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._region = Region("yz-footer", role="contentinfo")
        self._ready: frozenset[tuple[Game, str]] | None = None
        disk = OnDemand(context, lambda: DiskDialog(context))
        context.on_action("disk", lambda _: disk().open())
        self._look()
        ui.timer(SECONDS, self._look)

    def _look(self) -> None:
        context = self._context
        stand = self._of_interest()
        self._region.show(self._line(stand))
        ready = frozenset((one.game, one.table) for one in stand if one.state is State.READY)
        before, self._ready = self._ready, ready
        if before is not None and ready - before:
            context.refresh_soon()
        elif context.waiting:
            context.progress()

    def _of_interest(self) -> list[TableStatus]:
        """The tables of the current game, and all others being made."""
        tables, game = self._context.tables, self._context.session.game
        stand = [tables.status_of(game, table) for table in TABLES]
        busy = [one for one in tables.busy() if one.game != game or one.table not in TABLES]
        return [*stand, *busy]

    def _line(self, stand: list[TableStatus]) -> Markup:
        t = self._context.t
        making = [one for one in stand if one.state in (State.MAKING, State.WAITING, State.FAILED)]
        parts = [] if making else [tag("span", self._summary(stand), class_="yz-quiet", data_testid="tables-line")]
        for one in making:
            name = table_name(one, self._context.language)
            if one.state is State.MAKING:
                share = round(100 * one.done)
                bar = tag("span", tag("span", style=f"width:{share}%"), class_="yz-bar", role="progressbar",
                          aria_valuenow=share, aria_valuemin=0, aria_valuemax=100, aria_label=name)  # fmt: skip
                parts.append(tag("span", name, " ", bar, f" {share} %", class_="yz-table"))
            else:
                state = t(f"tables.{one.state.value}")
                parts.append(tag("span", f"{name}: {state}", class_="yz-table yz-quiet", title=one.note or None))
        return join(*parts, self._size())

    def _summary(self, stand: list[TableStatus]) -> str:
        """Which tables of the game are ready, when none is being made."""
        t = self._context.t
        missing = [t(f"tables.{one.table}") for one in stand if one.state is State.MISSING]
        if not missing:
            return t("tables.ready")
        ready = [t(f"tables.{one.table}") for one in stand if one.state is State.READY and one.table in TABLES]
        said = t("disk.missing", tables=", ".join(missing))
        return f"{t('disk.ready', tables=', '.join(ready))} {said}" if ready else said

    def _size(self) -> Markup:
        size = size_text(self._context.tables.bytes_on_disk(), self._context.language)
        return tag("button", self._context.t("disk.size", size=size), type="button", class_="yz-text-button",
                   data_do="disk", data_key="disk", data_testid="disk")  # fmt: skip
