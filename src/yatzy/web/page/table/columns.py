"""The dialog for choosing objectives, which are shown as columns beside the moves."""

from __future__ import annotations

from nicegui import ui

from yatzy.errors import YatzyError
from yatzy.names import Expected, MatchObjective, Objective, Others, Target, objective_examples, parse_objective
from yatzy.web import requests
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.dialogs import titled_dialog


def offered() -> tuple[Objective, ...]:
    """The objectives offered: those with at most one number, with its default."""
    return tuple(one for one in objective_examples() if one.number is not None or str(one) == one.form)


def text_or(context: PageContext, key: str, fallback: str) -> str:
    """A text of the page, or the fallback if the page has none, as for a newly registered objective."""
    try:
        return context.t(key)
    except KeyError:
        return fallback


class ColumnsDialog:
    """A checkbox per objective, with a number field if it needs one."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        t, self._rows = context.t, list[tuple[Objective, ui.checkbox, ui.number | None]]()
        with titled_dialog(t("columns.title"), "columns-dialog") as self._dialog:
            for one in offered():
                self._rows.append((one, *self._row(one)))
            self._against = ui.checkbox(t("columns.against")).props('data-testid="column-against"')
            ui.label(t("columns.note")).classes("yz-note")
            self._problem = ui.label().classes("yz-bad")
            with ui.row():
                ui.button(t("columns.use"), on_click=self._use, color=None).classes("yz-primary").props(
                    'no-caps data-testid="columns-use"'
                )
                ui.button(t("cancel"), on_click=self._dialog.close).props("flat no-caps")

    def _row(self, one: Objective) -> tuple[ui.checkbox, ui.number | None]:
        key = one.label.key
        words = text_or(self._context, f"columns.{key}", one.help)
        if one.number is None:
            return ui.checkbox(words).props(f'data-testid="column-{key}"'), None
        with ui.row().classes("yz-form-row"):
            check = ui.checkbox(words).props(f'data-testid="column-{key}"')
            of_number = text_or(self._context, f"columns.{key}_number", one.form)
            number = ui.number(value=one.number, min=1, max=9999, format="%d").props(
                f'dense outlined aria-label="{of_number}" data-testid="number-{key}"'
            )
            number.classes("yz-number")
        return check, number

    def open(self) -> None:
        """Open the dialog with the current choice."""
        context = self._context
        chosen = [found for text in context.preferences.objectives if (found := _read(text)) is not None]
        several = len(context.session.players) > 1
        for one, check, number in self._rows:
            found = next((name for name in chosen if type(name) is type(one)), None)
            check.value = found is not None
            if number is not None and found is not None:
                number.value = found.number
            elif number is not None and isinstance(one, Target) and context.target is not None:
                number.value = context.target + 1
            check.set_enabled(several or not one.several)
        matches = (one for one in chosen if isinstance(one, MatchObjective))
        self._against.value = any(one.others is Others.AGAINST_YOU for one in matches)
        self._against.set_enabled(len(context.session.players) > 2)
        self._problem.set_text("")
        self._dialog.open()

    def _use(self) -> None:
        context, names = self._context, []
        try:
            for one, check, number in self._rows:
                if check.value and check.enabled:
                    value = number.value if number is not None and isinstance(number.value, int | float) else 0
                    name = str(one if number is None else type(one).of_number(value))
                    if one.several and self._against.value and self._against.enabled:
                        name += f":{Others.AGAINST_YOU.value}"
                    names.append(requests.check_any_objective(name, context.position))
        except YatzyError as error:
            self._problem.set_text(self._context.problem(error))
            return
        fresh = [name for name in names if name not in context.objectives]
        context.preferences.objectives = names or [str(Expected())]
        if fresh:  # an objective that was just chosen is the one to play for
            context.preferences.objectives = [*fresh, *(name for name in names if name not in fresh)]
            context.sort = fresh[0]
        context.remember("objectives", " ".join(context.preferences.objectives))
        self._dialog.close()
        context.refresh_soon()


def _read(text: str) -> Objective | None:
    """Parse an objective stored in the browser. None if it is no longer valid."""
    try:
        return parse_objective(text)
    except YatzyError:
        return None
