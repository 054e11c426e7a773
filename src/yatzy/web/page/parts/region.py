"""Parts of the page that are rendered as HTML and updated as a whole."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TypeVar

from nicegui.element import Element

from yatzy.web.page.parts.markup import Markup

Model = TypeVar("Model")


def set_property(element: Element, name: str, value: object) -> None:
    """Set a property of an element and send the element.

    NiceGUI wraps every list and dictionary among the properties in order to notice changes inside it, which costs more
    than sending it. Values set here are not wrapped.
    """
    dict.__setitem__(element._props, name, value)
    element.update()


class _Html(Element, component=Path(str(resources.files("yatzy.web") / "assets" / "region.js"))):
    """HTML that the browser updates by changing only what differs."""


class Region:
    """A part of the page. The server sends all of its HTML, and the browser updates only the elements that changed."""

    def __init__(self, classes: str = "", **attributes: str) -> None:
        self._element = _Html().classes(classes)
        for key, value in attributes.items():
            self._element._props[key.replace("_", "-")] = value
        self._element._props["html"] = self._shown = Markup()
        self._model: object = None
        self._visible = True

    def show(self, markup: Markup) -> None:
        """Show HTML. Nothing is sent if it has not changed."""
        self._model = None
        if self._shown != markup:
            self._shown = markup
            set_property(self._element, "html", markup)

    def show_model(self, model: Model, render: Callable[[Model], Markup]) -> None:
        """Render and show a model, unless it equals the previous one."""
        if model != self._model:
            self.show(render(model))
            self._model = model

    def set_visible(self, visible: bool) -> None:
        """Show or hide the region."""
        if visible != self._visible:
            self._visible = visible
            self._element.set_visibility(visible)
