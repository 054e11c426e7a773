"""Read and check the keys of a game file. Every error names its key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from yatzy.errors import GameError, Message, SizeError

Table: TypeAlias = Mapping[str, Any]
"""A table of a TOML file."""
Choice = TypeVar("Choice", bound=Enum)
_TYPE_NAMES = {
    int: Message("a whole number"),
    str: Message("a text in quotes"),
    bool: Message("true or false"),
    dict: Message("a table"),
}


def get(key: str, table: Table, kind: type, default: Any = None, where: str = "") -> Any:
    """The value of a key, checked for its type; without a default the key is required."""
    value = table.get(key, default)
    if value is None:
        raise GameError("{where}{key}: is missing; it must be {type}", where=where, key=key, type=_TYPE_NAMES[kind])
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise GameError(
            "{where}{key}: must be {type}, not {value!r}",
            where=where,
            key=key,
            type=_TYPE_NAMES[kind],
            value=value,
        )
    return value


def get_integers(key: str, table: Table, where: str = "") -> tuple[int, ...]:
    """The value of a key that is a list of integers."""
    value = table.get(key)
    if not isinstance(value, list) or not all(type(item) is int for item in value):
        raise GameError("{where}{key}: must be a list of whole numbers", where=where, key=key)
    return tuple(value)


def get_choice(key: str, table: Table, kind: type[Choice], where: str = "") -> Choice:
    """The value of a key that is a member of an enumeration."""
    value = get(key, table, str, where=where)
    values = [member.value for member in kind]
    if value not in values:
        raise GameError(
            "{where}{key}: {value!r} is not one of {values}",
            where=where,
            key=key,
            value=value,
            values=", ".join(values),
        )
    return kind(value)


def check_keys(where: str, table: Table, known: Iterable[str], of: Message | str = "") -> None:
    """Raise GameError for an unknown key and suggest a similar one."""
    known = tuple(known)
    for key in table:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = Message("did you mean {name!r}?", name=close[0]) if close else known_are(known)
            raise GameError("{where}{key}: is not a key{of}; {hint}", where=where, key=shown(key), of=of, hint=hint)


def check_range(key: str | Message, value: int, low: int, high: int, size: Message | str = "") -> None:
    """Raise GameError if a number is out of range; with `size`, raise SizeError if it is too large."""
    if not low <= value <= high:
        kind = SizeError if value > high and size else GameError
        raise kind(
            "{key}: {value} is not from {low} to {high}{size}",
            key=key,
            value=value,
            low=low,
            high=high,
            size=size if value > high else "",
        )


def did_you_mean(name: str) -> Message:
    """The hint at a name that is close to a wrong one."""
    return Message("did you mean {name}?", name=name)


def known_are(names: Iterable[str]) -> Message:
    """The hint at all names, where none is close."""
    return Message("known are {names}", names=", ".join(names))


def shown(key: str) -> str:
    """A key for an error message; quoted and escaped if it is not printable."""
    return key if key.isprintable() else repr(key)
