"""Builds the HTML of all parts of the page, with everything escaped.

`tag` escapes everything that is not `Markup` already, so names cannot inject HTML. Each part of the page that changes
with every move is a single string, so it takes one update regardless of its number of rows.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape


class Markup(str):
    """A string of HTML that is already escaped."""

    __slots__ = ()


GAP = Markup("\0")
"""A gap of a `Template`, as content or as the value of an attribute."""


class Template:
    """HTML with gaps. It is built once, and only the values that fill the gaps are escaped each time."""

    def __init__(self, markup: Markup) -> None:
        self._first, *self._others = markup.split(GAP)

    def fill(self, *values: str | int) -> Markup:
        """The HTML with these values, in the order in which the gaps stand in it."""
        pieces = [self._first]
        for value, after in zip(values, self._others, strict=True):
            pieces += (value if isinstance(value, Markup) else _escaped(str(value)), after)
        return Markup("".join(pieces))


def tag(name: str, *children: str | int | None, **attributes: str | float | bool | None) -> Markup:
    """An element. `class_` becomes the attribute `class`, `data_do` `data-do`; None and False omit an attribute."""
    said = "".join([_attribute(key, value) for key, value in attributes.items() if value is not None])
    return Markup(f"<{name}{said}>{join(*children)}</{name}>")


def join(*children: str | int | None) -> Markup:
    """Concatenate elements and texts."""
    said = [child if isinstance(child, Markup) else _escaped(str(child)) for child in children if child is not None]
    return Markup("".join(said))


SHORT = 200
"""Texts up to this length are cached with their escapes; strangers may send long ones."""
_escaped_short = lru_cache(maxsize=4096)(escape)


def _escaped(text: str) -> str:
    return _escaped_short(text) if len(text) <= SHORT else escape(text)


def _attribute(key: str, value: str | float | bool) -> str:
    return (_new_attribute if isinstance(value, str) and len(value) > SHORT else _short_attribute)(key, value)


def _new_attribute(key: str, value: str | float | bool) -> str:
    if value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


_short_attribute = lru_cache(maxsize=4096, typed=True)(_new_attribute)
