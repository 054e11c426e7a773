"""What moves are valued by: the columns beside each move, chosen by the player."""

from __future__ import annotations

from nicegui import ui

from yatzy.errors import YatzyError
from yatzy.web import requests
from yatzy.web.page.context import PageContext

FORMS = ("target", "chance", "match:emp", "match:dyns")
"""Objectives with a number, besides the expected score."""
DEFAULTS = {"target": 300, "chance": 50, "match:emp": 1, "match:dyns": 1}


class ColumnsDialog:
    """A switch and a number for each kind of objective."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        t, self._rows = context.t, dict[str, tuple[ui.checkbox, ui.number]]()
        with ui.dialog() as self._dialog, ui.card().classes("yz-dialog").props('data-testid="columns-dialog"'):
            ui.label(t("columns.title")).classes("yz-title")
            self._expected = ui.checkbox(t("columns.expected"))
            for form in FORMS:
                key = form.replace(":", "_")
                with ui.row().classes("yz-form-row"):
                    check = ui.checkbox(t(f"columns.{key}")).props(f'data-testid="column-{key}"')
                    number = ui.number(value=DEFAULTS[form], min=1, max=9999, format="%d").props(
                        f'dense outlined aria-label="{t(f"columns.{key}_number")}" data-testid="number-{key}"'
                    )
                    number.classes("yz-number")
                self._rows[form] = (check, number)
            ui.label(t("columns.note")).classes("yz-note")
            self._problem = ui.label().classes("yz-bad")
            with ui.row():
                ui.button(t("columns.use"), on_click=self._use, color=None).classes("yz-primary").props(
                    'no-caps data-testid="columns-use"'
                )
                ui.button(t("cancel"), on_click=self._dialog.close).props("flat no-caps")

    def open(self) -> None:
        """Show what is chosen now."""
        chosen = self._context.preferences.objectives
        self._expected.value = "expected" in chosen
        several = len(self._context.session.players) > 1
        for form, (check, number) in self._rows.items():
            found = next((one for one in chosen if one.startswith(f"{form}:")), None)
            check.value = found is not None
            if found is not None:
                last = found.rpartition(":")[2]
                number.value = round(100 * float(last), 6) if form == "chance" else int(last)
            elif form == "target" and self._context.target is not None:
                number.value = self._context.target + 1
            check.set_enabled(several or not form.startswith("match"))
        self._problem.set_text("")
        self._dialog.open()

    def _use(self) -> None:
        context = self._context
        names = ["expected"] if self._expected.value else []
        try:
            for form, (check, number) in self._rows.items():
                if check.value and check.enabled:
                    value = number.value if isinstance(number.value, int | float) else 0
                    said = f"{value / 100:g}" if form == "chance" else f"{value:.0f}"
                    names.append(requests.check_any_objective(f"{form}:{said}", context.position))
        except YatzyError as error:
            self._problem.set_text(str(error))
            return
        context.preferences.objectives = names or ["expected"]
        context.remember("objectives", " ".join(context.preferences.objectives))
        self._dialog.close()
        context.refresh_soon()
