"""Read and check the keys of a game file. Every error names its key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from yatzy.errors import GameError, SizeError

Table: TypeAlias = Mapping[str, Any]
"""A table of a TOML file."""
Choice = TypeVar("Choice", bound=Enum)
_TYPE_NAMES = {int: "a whole number", str: "a text in quotes", bool: "true or false", dict: "a table"}


def get(key: str, table: Table, kind: type, default: Any = None, where: str = "") -> Any:
    """The value of a key, checked for its type; without a default the key is required."""
    value = table.get(key, default)
    if value is None:
        raise GameError(f"{where}{key}: is missing; it must be {_TYPE_NAMES[kind]}")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise GameError(f"{where}{key}: must be {_TYPE_NAMES[kind]}, not {value!r}")
    return value


def get_integers(key: str, table: Table, where: str = "") -> tuple[int, ...]:
    """The value of a key that is a list of integers."""
    value = table.get(key)
    if not isinstance(value, list) or not all(type(item) is int for item in value):
        raise GameError(f"{where}{key}: must be a list of whole numbers")
    return tuple(value)


def get_choice(key: str, table: Table, kind: type[Choice], where: str = "") -> Choice:
    """The value of a key that is a member of an enumeration."""
    value = get(key, table, str, where=where)
    values = [member.value for member in kind]
    if value not in values:
        raise GameError(f"{where}{key}: {value!r} is not one of {', '.join(values)}")
    return kind(value)


def check_keys(where: str, table: Table, known: Iterable[str], of: str = "") -> None:
    """Raise GameError for an unknown key and suggest a similar one."""
    known = tuple(known)
    for key in table:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
            raise GameError(f"{where}{shown(key)}: is not a key{of}; {hint}")


def check_range(key: str, value: int, low: int, high: int, size: str = "") -> None:
    """Raise GameError if a number is out of range; with `size`, raise SizeError if it is too large."""
    if not low <= value <= high:
        kind = SizeError if value > high and size else GameError
        raise kind(f"{key}: {value} is not from {low} to {high}{size if value > high else ''}")


def shown(key: str) -> str:
    """A key for an error message; quoted and escaped if it is not printable."""
    return key if key.isprintable() else repr(key)
