"""The tutor at the table: warns before a move that loses too much."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui

from yatzy.coach.play.tutor import Tutor, TutorWarning, warn_from
from yatzy.errors import YatzyError
from yatzy.games import Move
from yatzy.names import parse_objective
from yatzy.report.numbers import loss_text
from yatzy.report.words import capital, grade_name, move_phrase
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.dialogs import titled_dialog

THRESHOLDS = ("off", "inaccuracy", "mistake", "blunder")


class TutorDialog:
    """The warning, and the dialog for its threshold."""

    def __init__(self, context: PageContext, play: Callable[[Move], Awaitable[None]]) -> None:
        self._context, self._play = context, play
        self._warning: TutorWarning | None = None
        t = context.t
        with titled_dialog(t("tool.tutor")) as self._dialog:
            self._dialog.props('role="alertdialog"')
            self._said = ui.label().classes("yz-strong").props('data-testid="tutor-said"')
            self._better = ui.label().classes("yz-note")
            with ui.row():
                ui.button(t("tutor.again"), on_click=self._dialog.close, color=None).classes("yz-primary").props(
                    "no-caps autofocus data-testid=again"
                )
                ui.button(t("tutor.anyway"), on_click=self._anyway).props("flat no-caps data-testid=anyway")
                ui.button(t("tutor.show"), on_click=self._show).props("flat no-caps")
        with titled_dialog(t("tutor.title")) as self._choice:
            options = {name: t(f"tutor.{name}") for name in THRESHOLDS}
            current = context.preferences.tutor if context.preferences.tutor in options else "off"
            ui.radio(options, value=current, on_change=lambda event: self._set(event.value))
            ui.button(t("close"), on_click=self._choice.close).props("flat no-caps")

    def choose(self) -> None:
        """Open the dialog for the threshold."""
        self._choice.open()

    async def objects(self, move: Move, objective: str) -> bool:
        """Warn if a move loses too much. True if warned; then the player decides."""
        context, threshold = self._context, self._context.tutor
        if threshold is None:
            return False
        position = context.position
        try:
            if parse_objective(objective).several:
                advice = context.advices.get(objective)  # a search is not repeated for a warning
                given = warn_from(advice, move, threshold) if advice is not None else None
            else:
                judge = await context.service.solution(position.game, objective)
                given = Tutor(judge, threshold).warn(position, move)
        except YatzyError:
            return False  # no table yet, or an illegal move, which is refused later
        if given is None:
            return False
        self._warn(given)
        return True

    def _warn(self, given: TutorWarning) -> None:
        self._warning = given
        language = self._context.language
        loss, grade = loss_text(given.loss, given.unit, language), grade_name(given.grade, language)
        self._said.set_text(self._context.t("tutor.loses", loss=loss, grade=grade, sign=given.grade.sign))
        self._better.set_text("\N{NO-BREAK SPACE}")
        self._dialog.open()

    def _show(self) -> None:
        if self._warning is not None:
            best = move_phrase(self._warning.where, self._warning.best.move, self._context.language)
            self._better.set_text(self._context.t("tutor.best", move=capital(best)))

    async def _anyway(self) -> None:
        self._dialog.close()
        if self._warning is not None and self._context.position is self._warning.position:
            await self._play(self._warning.move)

    def _set(self, threshold: str) -> None:
        self._context.preferences.tutor = threshold
        self._context.remember("tutor", threshold)
        self._context.refresh_soon()
