"""The registry of names, and the parser that uses it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

from yatzy.errors import InputError
from yatzy.names.base import Name

N = TypeVar("N", bound=Name)
_REGISTERED: list[type[Name]] = []
SHORT = 60
"""Texts up to this length are cached; longer ones, which can only come from strangers or paths, would take memory."""


def register(name: type[N]) -> type[N]:
    """Class decorator: add the class to the registry, so that its names are parsed and listed."""
    if any((other.noun, other.form) == (name.noun, name.form) for other in _REGISTERED):
        raise ValueError(f"there already is a name of the form {name.form}")
    _REGISTERED.append(name)
    _parse_short.cache_clear()
    return name


def unregister(name: type[Name]) -> None:
    """Undo `register`."""
    _REGISTERED.remove(name)
    _parse_short.cache_clear()


def registered(kind: type[N]) -> tuple[type[N], ...]:
    """The registered classes of a kind, such as `Objective`, in the order of registration."""
    return tuple(name for name in _REGISTERED if issubclass(name, kind))


def forms(kind: type[Name], players: int = 2) -> tuple[str, ...]:
    """The forms of all names of a kind for this number of players, for help texts and errors."""
    return tuple(form for name in registered(kind) for form in name.forms(players))


def find(kind: type[N], text: str) -> type[N] | None:
    """The registered class of a kind whose form matches a text; if several match, the last registered one."""
    text = text.strip()
    return next((name for name in reversed(registered(kind)) if name.rest_of(text) is not None), None)


def parse(kind: type[N], text: str, players: int = 2) -> N:
    """Parse a text as a name of a kind. The error for an unknown name lists those for this number of players."""
    text = text.strip()
    parsed: N = (_parse_short if len(text) <= SHORT else _parse)(kind, text, players)
    return parsed


def _parse(kind: type[N], text: str, players: int) -> N:
    name = find(kind, text)
    if name is None:
        shown = repr(text if len(text) <= 60 else f"{text[:60]}…")
        raise InputError(kind.unknown(shown, ", ".join(forms(kind, players))))
    return name.read(name.rest_of(text) or "")


_parse_short: Any = lru_cache(maxsize=256)(_parse)  # the page asks for the same few names with every click
