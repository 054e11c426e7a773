"""HTML as text, with everything in it escaped: the one place where the page makes any.

`tag` escapes whatever is not `Markup` already, so a name is only ever text. Parts of the page that change with every
move are one such text each: one update, however many rows.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, *children: str | int | None, **attributes: str | float | bool | None) -> Markup:
    """An element. Attributes: `class_` and `data_do` lose their underscores; None and False leave one out."""
    said = "".join([_attribute(key, value) for key, value in attributes.items() if value is not None])
    return Markup(f"<{name}{said}>{join(*children)}</{name}>")


def join(*children: str | int | None) -> Markup:
    """Elements and texts one after the other."""
    said = [child if isinstance(child, Markup) else escape(str(child)) for child in children if child is not None]
    return Markup("".join(said))


@lru_cache(maxsize=4096, typed=True)
def _attribute(key: str, value: str | float | bool) -> str:
    if value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'
