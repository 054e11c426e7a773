"""The manifest of a pack: what its tables are, how exact they are, and how to tell whether they are whole.

A manifest comes from a stranger. Reading it checks that every field has its type and range; whether the tables are what
it says is checked when they are added.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import prod
from typing import Any

from yatzy.errors import InputError, Message, cause_of
from yatzy.store.format import FORMAT as TABLE_FORMAT
from yatzy.store.table import Table

FILE = "manifest.json"
TABLES = "tables"
"""The folder of the tables in a pack."""
FORMAT = 1
MOST_BYTES = 2**22
"""The largest manifest that is read."""
MOST_TABLES = 1000
_HASH = {"sha256": 64, "value_hash": 32}


@dataclass(frozen=True, slots=True)
class PackedTable:
    """A table of a pack."""

    file: str
    """Its path in the pack, with slashes."""
    bytes: int
    """The size of the file."""
    sha256: str
    """Of the file."""
    game: str
    """The id of the game."""
    game_hash: str
    """The hash of its rules, a key of the `games` of the manifest."""
    objective: str
    """The name of the objective, such as `expected`."""
    kind: str
    """The computation that made it; see `revision`."""
    table_format: int
    """Of the file."""
    revision: int
    """Of the computation: raised when its values would come out differently."""
    layers: int
    """As many as a sheet has categories, and one more."""
    values: int
    """The numbers in all its arrays."""
    value_hash: str
    """Of the numbers alone, so that tables with the same values have the same hash in any format; see `value_hash`."""
    error_bound: float | None
    """The most by which a value differs from the exact one; None if no bound is known."""
    error_bound_from: str | None
    """Why the bound holds, in words; None if no bound is known."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a pack holds."""

    program: str
    """The program that made the tables, with its version."""
    licence: str
    """Of everything in the pack, by its short name."""
    games: Mapping[str, str]
    """The rules of each game as TOML, by their hash."""
    tables: tuple[PackedTable, ...]
    """At least one."""

    def __str__(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def parse(cls, text: bytes, source: str) -> Manifest:
        """Read a manifest; errors start with `source`."""
        try:
            table = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError("{source}: is not JSON", source=source) from None
        if not isinstance(table, dict) or type(table.get("format")) is not int:
            raise InputError("{source}: is not the manifest of a pack of tables", source=source)
        if table["format"] != FORMAT:
            raise InputError(
                "{source}: has format {format}, and this program reads format {ours}",
                source=source,
                format=table["format"],
                ours=FORMAT,
            )
        try:
            return _manifest(table)
        except _Wrong as wrong:
            raise InputError("{source}: {reason}", source=source, reason=cause_of(wrong)) from None


class _Wrong(Exception):  # noqa: N818  (what the manifest is)
    """A field that is not as it should be."""


def _manifest(table: dict[str, Any]) -> Manifest:
    games, tables = table.get("games"), table.get("tables")
    if not isinstance(games, dict) or not all(isinstance(text, str) for text in games.values()):
        raise _Wrong(Message("games: must be texts by hash"))
    if not isinstance(tables, list) or not 1 <= len(tables) <= MOST_TABLES:
        raise _Wrong(Message("tables: must be a list of 1 to {most}", most=MOST_TABLES))
    about = {name: _text(table, name) for name in ("program", "licence")}
    return Manifest(**about, games=games, tables=tuple(_table(one, number) for number, one in enumerate(tables, 1)))


def _table(one: Any, number: int) -> PackedTable:
    if not isinstance(one, dict):
        raise _Wrong(Message("tables: {number} is not an object", number=number))
    found: dict[str, Any] = {}
    for field in fields(PackedTable):
        where = f"tables: {number}: {field.name}"
        value = one.get(field.name)
        if field.name in ("error_bound", "error_bound_from"):
            right = value is None or (isinstance(value, str) if field.name == "error_bound_from" else _is_bound(value))
            if not right:
                if field.name == "error_bound_from":
                    raise _Wrong(Message("{where}: must be a text or null", where=where))
                raise _Wrong(Message("{where}: must be a number or null", where=where))
        elif field.type == "int":
            if type(value) is not int or not 0 <= value < 1 << 62:
                raise _Wrong(Message("{where}: must be a whole number", where=where))
        elif not isinstance(value, str) or not value or len(value) > 5000:
            raise _Wrong(Message("{where}: must be a text", where=where))
        elif field.name in _HASH and not re.fullmatch(rf"[0-9a-f]{{{_HASH[field.name]}}}", value):
            raise _Wrong(Message("{where}: must be {hash} hex digits", where=where, hash=_HASH[field.name]))
        found[field.name] = value
    return PackedTable(**found)


def _is_bound(value: object) -> bool:
    return type(value) in (int, float) and isinstance(value, int | float) and 0 <= value < float("inf")


def _text(table: Mapping[str, Any], name: str) -> str:
    value = table.get(name)
    if not isinstance(value, str):
        raise _Wrong(Message("{name}: must be a text", name=name))
    return value


def value_hash(table: Table) -> str:
    """BLAKE2b (16 bytes) of the numbers of a table, layer by layer and array by array in the order of their names.

    Before the bytes of an array comes a line with its layer, name, type and lengths: `0 value <f8 1`.
    """
    digest = hashlib.blake2b(digest_size=16)
    for layer in range(table.layers):
        for name in sorted(table.names(layer)):
            dtype, shape = table.describe(layer, name)
            digest.update(f"{layer} {name} {dtype} {' '.join(map(str, shape))}\n".encode())
            array = table.array(layer, name)
            if array.size:
                digest.update(array.reshape(-1).view("u1").data)
    return digest.hexdigest()


def count_values(table: Table) -> int:
    """The numbers in all arrays of a table."""
    return sum(prod(table.describe(layer, name)[1]) for layer in range(table.layers) for name in table.names(layer))


def check_format(one: PackedTable, source: str) -> None:
    """Refuse a table in a format that this program does not read."""
    if one.table_format != TABLE_FORMAT:
        raise InputError(
            "{source}: {file}: has format {format}, and this program reads format {ours}",
            source=source,
            file=one.file,
            format=one.table_format,
            ours=TABLE_FORMAT,
        )
