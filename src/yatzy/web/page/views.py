"""The views of the page: each declares itself as `VIEW` in the `view.py` of its folder, and is found there."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from yatzy.web import page
from yatzy.web.page.context import PageContext


@dataclass(frozen=True, slots=True)
class View:
    """A view of the page; the text `nav.NAME` is its title."""

    name: str
    path: str
    """Its address on the server."""
    show: Callable[[PageContext], object]
    """Adds it to the page being built."""
    place: int
    """Its place in the header, from left to right."""
    keys: tuple[tuple[str, str], ...] = ()
    """Keys of the keyboard ({space} is the space bar), each with the name of the text that says what it does
    (`help.key.NAME`)."""
    introduction: str = ""
    """The key of a text above the list of keys."""
    of_game: bool = True
    """Whether links to it name the current game."""


@cache
def all_views() -> dict[str, View]:
    """The views by name, in the order of the header."""
    folders = [f"{page.__name__}.{found.name}" for found in pkgutil.iter_modules(page.__path__) if found.ispkg]
    modules = [import_module(f"{folder}.view") for folder in folders if find_spec(f"{folder}.view")]
    views = [module.VIEW for module in modules if hasattr(module, "VIEW")]
    return {view.name: view for view in sorted(views, key=lambda view: view.place)}
