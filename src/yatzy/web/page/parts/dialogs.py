"""Dialogs. The title of a dialog is its heading, and its name for screen readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import ui


@contextmanager
def titled_dialog(title: str, id: str = "", classes: str = "") -> Iterator[ui.dialog]:
    """Add a dialog; `id` is for tests."""
    with ui.dialog() as dialog, ui.card().classes(f"yz-dialog {classes}") as card:
        dialog.props["aria-label"] = title
        if id:
            card.props(f'data-testid="{id}"')
        ui.label(title).classes("yz-title").props('role="heading" aria-level="2"')
        yield dialog


def set_title(dialog: ui.dialog, title: str) -> None:
    """Change the title of a dialog."""
    dialog.props["aria-label"] = title
    heading = next(one for one in dialog.descendants() if isinstance(one, ui.label))
    heading.set_text(title)
