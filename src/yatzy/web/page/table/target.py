"""A record to beat: the best chance of at least one point more, now and over the course of the game."""

from __future__ import annotations

from nicegui import ui

from yatzy.errors import YatzyError
from yatzy.games import Position, Sheet
from yatzy.report.numbers import percent
from yatzy.report.words import objective_label
from yatzy.web.page.context import OnDemand, PageContext, progress_of, record_objective, whole_number
from yatzy.web.page.parts.dialogs import titled_dialog
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.parts.region import Region

WIDTH, HEIGHT = 120, 28
MOST = 9998
"""Maximum record to beat."""


class TargetLine:
    """Shows the current chance of beating the record."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._region = Region("yz-target")
        self._known: dict[tuple[int, Sheet], float] = {}
        self._dialog = OnDemand(context, lambda: TargetDialog(context))
        context.on_change(self._show)

    def choose(self) -> None:
        """Open the dialog for the record to beat."""
        self._dialog().open()

    @property
    def _seat(self) -> int:
        """The player whose record it is: the first human."""
        players = self._context.session.players
        return next((seat for seat, player in enumerate(players) if player.strategy is None), 0)

    async def _show(self) -> None:
        context, t = self._context, self._context.t
        if context.target is None:
            self._region.show(_button(t("target.ask"), ""))
            return
        said, line = "", None
        try:
            history = [await self._chance(sheet) for sheet in self._sheets()]
            now = await self._now()
            said, line = percent(now, 1, context.language), _spark([*history, now], t("target.history"))
        except YatzyError as error:
            said = progress_of(error, context.language)
        label = objective_label(self._objective, context.language, long=True)
        self._region.show(join(_button(t("target.chance", name=label), said), line))

    def _sheets(self) -> list[Sheet]:
        """The player's sheet before each of their turns."""
        seat, record = self._seat, self._context.session.record
        found = [position.sheets[seat] for position in record.positions if position.mover == seat or position.over]
        return list(dict.fromkeys(found))

    async def _now(self) -> float:
        position, seat = self._context.position, self._seat
        sheet = position.sheets[seat]
        if position.mover != seat or position.over or position.between_turns:
            return await self._chance(sheet)
        alone = Position((sheet,), position.dice, position.rolls_left)
        return (await self._context.service.value(alone, self._objective))[1]

    @property
    def _objective(self) -> str:
        return record_objective(self._context.target or 0)

    async def _chance(self, sheet: Sheet) -> float:
        target = (self._context.target or 0) + 1
        if sheet.over:
            return float(sheet.points >= target)
        key = (target, sheet)
        if key not in self._known:
            self._known[key] = (await self._context.service.value(Position((sheet,)), self._objective))[1]
        return self._known[key]


class TargetDialog:
    """The dialog for the record to beat."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        t = context.t
        with titled_dialog(t("target.title")) as self._dialog:
            ui.label(t("target.about")).classes("yz-note")
            self._number = ui.number(t("target.record"), value=context.target, min=0, max=MOST, format="%d").props(
                'outlined data-testid="target-number"'
            )
            self._number.classes("yz-full")
            with ui.row():
                ui.button(t("target.set"), on_click=self._set, color=None).classes("yz-primary").props(
                    'no-caps data-testid="target-set"'
                )
                ui.button(t("target.none"), on_click=lambda: self._keep(None)).props("flat no-caps")

    def open(self) -> None:
        """Open the dialog."""
        self._dialog.open()

    def _set(self) -> None:
        value = whole_number(self._number.value, -1)
        self._keep(value if 0 <= value <= MOST else None)

    def _keep(self, target: int | None) -> None:
        self._context.preferences.target = target
        self._context.remember("target", "" if target is None else target)
        self._context.sort = ""  # all advice follows the record, or the objectives as before
        self._dialog.close()
        self._context.refresh_soon()


def _button(label: str, said: str) -> Markup:
    chance = tag("b", said, data_testid="target-chance") if said else None
    return tag("button", label, chance, type="button", class_="yz-button yz-target-button", data_do="target",
               data_key="target", data_testid="target")  # fmt: skip


def _spark(chances: list[float], label: str) -> Markup:
    """The history of the chance as a sparkline, from 0 to 1."""
    step = WIDTH / max(len(chances) - 1, 1)
    points = " ".join(f"{2 + i * step:.1f},{2 + (1 - chance) * HEIGHT:.1f}" for i, chance in enumerate(chances))
    said = ", ".join(f"{100 * chance:.0f} %" for chance in chances)
    x, y = points.rpartition(" ")[2].split(",")
    return tag("svg", tag("polyline", points=points), tag("circle", cx=x, cy=y, r=2.5),
               viewBox=f"0 0 {WIDTH + 4} {HEIGHT + 4}", class_="yz-spark", role="img",
               aria_label=f"{label}: {said}")  # fmt: skip
