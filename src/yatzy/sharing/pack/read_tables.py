"""Read the tables of solved dice games with NumPy alone; Python 3.11 or later.

    python read_tables.py                                   list the tables beside this file
    python read_tables.py yatzy ones=3,chance=20            the value of a sheet with these boxes filled

As a module:

    pack = Pack(".")                                        the folder with manifest.json
    table = pack.table("yatzy", "expected")
    table.value({"ones": 3, "chance": 20})                  expected points still to come

A table has one row for every state between turns, in layers by the number of filled boxes. `States` finds the row.
"""

import json
import struct
import sys
import tomllib
import zlib
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]

BLOCK = 65536
"""Bytes under one checksum."""


def read_table(path: str | Path) -> tuple[dict[str, Any], dict[int, dict[str, Numbers]]]:
    """The key of a table file, and its arrays by layer and name. Every checksum is compared."""
    data = Path(path).read_bytes()
    magic, form, length, crc = struct.unpack_from("<8sIII", data)
    if magic != b"\x89YATZY\r\n" or form != 1:
        raise ValueError(f"{path} is not a table of format 1")
    if zlib.crc32(data[20 : 20 + length], zlib.crc32(data[:16])) != crc:
        raise ValueError(f"{path}: the header is damaged")
    start, size, crc, end = struct.unpack("<QQI12s", data[-32:])
    found = zlib.crc32(data[-32:-16], zlib.crc32(data[start:-32]))
    if (end, size, crc) != (b"\x89YATZY END\r\n", len(data), found):
        raise ValueError(f"{path}: the index is damaged")
    layers: dict[int, dict[str, Numbers]] = {}
    for row in json.loads(data[start + 24 : -32]):
        arrays = layers.setdefault(row["layer"], {})
        for one in row["arrays"]:
            count, first = prod(one["shape"]), row["data"] + one["offset"]
            stored = -(-count * np.dtype(one["dtype"]).itemsize // 64) * 64  # padded with zeros
            for number, crc in enumerate(one["crc32"]):
                at = first + number * BLOCK
                if zlib.crc32(data[at : min(at + BLOCK, first + stored)]) != crc:
                    raise ValueError(f"{path}: layer {row['layer']}, array {one['name']} is damaged")
            arrays[one["name"]] = np.frombuffer(data, one["dtype"], count, first).reshape(one["shape"])
    return json.loads(data[20 : 20 + length]), layers


class States:
    """The numbering of the states of a game.

    A state is a class of upper sums, the Joker box (0 open, 1 filled with 0, 2 filled with its points; always 0 in a
    game without Joker) and the set of the other filled lower boxes. Upper sums with the same filled upper boxes are one
    class if the bonus needs the same from there: the least sum that can still be made and wins it. "Won" and "out of
    reach" are one class. Blocks of a class, a box and a number of other lower boxes follow each other by layer; inside
    a block are all sets of that size, in ascending order of their bits.
    """

    def __init__(self, game: dict[str, Any]) -> None:
        self.ids = [one["id"] for one in game["categories"]]
        faces = {i: one["face"] for i, one in enumerate(game["categories"]) if one["pattern"] == "face"}
        self.joker = self.ids.index(game["joker"]["category"]) if "joker" in game else None
        self.rest = [i for i in range(len(self.ids)) if i not in faces and i != self.joker]
        self.threshold = game["bonus"]["threshold"] if "bonus" in game else 0
        self.upper, forced = sum(1 << i for i in faces), game.get("forced_order", False)
        sets = [0]
        for i in faces:
            sets += [sets[-1] | 1 << i] if forced else [one | 1 << i for one in sets]
        self.classes: dict[tuple[int, int], int] = {}  # (filled upper boxes, capped sum) -> class
        count: list[int] = []
        for filled in sorted(sets, key=lambda one: (one.bit_count(), one)):
            known: dict[int, int] = {}
            future = sorted(_sums(faces, self.upper & ~filled, game["dice"]))
            for total in sorted({min(one, self.threshold) for one in _sums(faces, filled, game["dice"])}):
                missing = next((one for one in future if total + one >= self.threshold), 0)
                if missing not in known:
                    known[missing] = len(count)
                    count.append(filled.bit_count())
                self.classes[filled, total] = known[missing]
        n = len(self.rest)
        masks = [(1 << i) - 1 for i in range(n + 1)] if forced else list(range(1 << n))
        self.rank: dict[int, int] = {}
        sizes = [0] * (n + 1)
        for mask in masks:
            self.rank[mask] = sizes[mask.bit_count()]
            sizes[mask.bit_count()] += 1
        upper_of = {number: filled for (filled, _), number in self.classes.items()}
        blocks = [
            (count[u] + (box > 0) + j, u, box, j)
            for u in range(len(count))
            for box in range(1 if self.joker is None else 3)
            for j in range(n + 1)
            if not forced or self._leads(upper_of[u], box, j)
        ]
        self.start: dict[tuple[int, int, int], int] = {}
        rows: dict[int, int] = {}
        for layer, u, box, j in sorted(blocks, key=lambda one: one[0]):
            self.start[u, box, j] = rows.get(layer, 0)
            rows[layer] = rows.get(layer, 0) + sizes[j]
        self.rows = rows  # layer -> number of its states

    def _leads(self, upper: int, box: int, size: int) -> bool:
        """Whether these boxes are the first of the sheet, as a forced order requires."""
        filled = (
            upper | sum(1 << i for i in self.rest[:size]) | (0 if self.joker is None or not box else 1 << self.joker)
        )
        return filled & (filled + 1) == 0

    def row(self, filled: int, upper_sum: int = 0, box_pays: bool = False) -> tuple[int, int]:
        """The layer and the row of a state. filled: the bits of the filled boxes, in the order of the sheet."""
        box = 0 if self.joker is None or not filled >> self.joker & 1 else 2 if box_pays else 1
        mask = sum(1 << bit for bit, i in enumerate(self.rest) if filled >> i & 1)
        number = self.classes[filled & self.upper, min(upper_sum, self.threshold)]
        return filled.bit_count(), self.start[number, box, mask.bit_count()] + self.rank[mask]


def _sums(faces: dict[int, int], filled: int, dice: int) -> set[int]:
    """The sums that these upper boxes can have."""
    found = {0}
    for i, face in faces.items():
        if filled >> i & 1:
            found = {one + face * count for one in found for count in range(dice + 1)}
    return found


class Table:
    """A table of a game."""

    def __init__(self, path: str | Path, game: dict[str, Any]) -> None:
        self.key, self.layers = read_table(path)
        self.game, self.states = game, States(game)

    def row(self, boxes: dict[str, int]) -> tuple[int, int]:
        """The layer and the row of a sheet, given the points in its filled boxes by id."""
        filled = sum(1 << self.states.ids.index(id) for id in boxes)
        upper = sum(points for id, points in boxes.items() if self.states.upper >> self.states.ids.index(id) & 1)
        joker = self.game.get("joker", {}).get("category")
        return self.states.row(filled, upper, boxes.get(joker, 0) > 0)

    def value(self, boxes: dict[str, int]) -> float:
        """The number that the table has for a sheet: for `expected`, the expected points still to come."""
        layer, row = self.row(boxes)
        return float(self.layers[layer]["value"][row])

    def curve(self, boxes: dict[str, int]) -> Numbers:
        """For `chances`: the best chances of at least 0, 1, 2, … more points."""
        layer, row = self.row(boxes)
        arrays = self.layers[layer]
        first, last = arrays["offset"][row : row + 2]
        return np.concatenate([np.ones(arrays["low"][row]), arrays["chance"][first:last]])


class Pack:
    """A folder of tables with its manifest."""

    def __init__(self, folder: str | Path = ".") -> None:
        self.folder = Path(folder)
        self.manifest = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))

    def table(self, game: str, objective: str = "expected") -> Table:
        """The table of a game, by its id or the hash of its rules, for an objective."""
        for one in self.manifest["tables"]:
            if game in (one["game"], one["game_hash"]) and one["objective"] == objective:
                rules = tomllib.loads(self.manifest["games"][one["game_hash"]])
                return Table(self.folder / one["file"], rules)
        raise KeyError(f"there is no table of {game} for {objective}")


if __name__ == "__main__":
    pack = Pack(Path(__file__).parent)
    if len(sys.argv) < 2:
        for one in pack.manifest["tables"]:
            print(f"{one['game']}  {one['objective']}  {one['values']:,} values")
    else:
        pairs = [one.split("=") for one in "".join(sys.argv[2:3]).split(",") if one]
        print(pack.table(sys.argv[1]).value({id: int(points) for id, points in pairs}))
