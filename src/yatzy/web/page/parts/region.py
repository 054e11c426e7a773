"""Parts of the page that are shown as HTML and change as a whole."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TypeVar

from nicegui.element import Element

from yatzy.web.page.parts.markup import Markup

Model = TypeVar("Model")


class _Html(Element, component=Path(str(resources.files("yatzy.web") / "assets" / "region.js"))):
    """HTML of which the browser changes only what differs."""


class Region:
    """A part of the page; the server sends all of it, the browser touches only the elements that have changed."""

    def __init__(self, classes: str = "", **attributes: str) -> None:
        self._element = _Html().classes(classes)
        for key, value in attributes.items():
            self._element._props[key.replace("_", "-")] = value
        self._element._props["html"] = self._shown = Markup()
        self._model: object = None

    def show(self, markup: Markup) -> None:
        """Show this, unless it is shown already."""
        self._model = None
        if self._shown != markup:
            self._element._props["html"] = self._shown = markup
            self._element.update()

    def show_model(self, model: Model, render: Callable[[Model], Markup]) -> None:
        """Show a model. One that equals the model shown before is not rendered again."""
        if model != self._model:
            self.show(render(model))
            self._model = model

    def set_visible(self, visible: bool) -> None:
        """Show or hide it."""
        self._element.set_visibility(visible)
