"""Ways to damage a file: some as disks do it, some as only a person can, with right checksums."""

from __future__ import annotations

import json
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from yatzy.games import load_game
from yatzy.matches.blocks import layout_of
from yatzy.matches.solving import BLOCK
from yatzy.store import Table, kept
from yatzy.store import format as layout
from yatzy.store.blocks import hash_rows, write_block
from yatzy.store.format import Array
from yatzy.values.curve_files import ROW

PAGE = 4096


def flip(data: bytes, rng: random.Random) -> bytes:
    """Some bits turned over."""
    changed = bytearray(data or b"\x00")
    for _ in range(rng.choice((1, 1, 2, 8))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def flip_near_an_end(data: bytes, rng: random.Random) -> bytes:
    """A bit of the first or last hundred bytes, where headers and indexes are."""
    changed = bytearray(data or b"\x00")
    at = rng.randrange(min(100, len(changed)))
    changed[at if rng.random() < 0.5 else -1 - at] ^= 1 << rng.randrange(8)
    return bytes(changed)


def truncate(data: bytes, rng: random.Random) -> bytes:
    """Cut off somewhere."""
    return data[: rng.randrange(len(data) + 1)]


def zero_page(data: bytes, rng: random.Random) -> bytes:
    """A page of zeros, or the whole of a short file."""
    at = rng.randrange(len(data) // PAGE + 1) * PAGE
    return data[:at] + bytes(len(data[at : at + PAGE])) + data[at + PAGE :]


def append(data: bytes, rng: random.Random) -> bytes:
    """More at the end: noise, or the beginning once more."""
    return data + (rng.randbytes(rng.choice((1, 7, 64, 5000))) if rng.random() < 0.6 else data[: rng.randrange(500)])


def double(data: bytes, rng: random.Random) -> bytes:
    """A piece twice."""
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:b] + data[a:]


def drop(data: bytes, rng: random.Random) -> bytes:
    """A piece gone."""
    a = rng.randrange(len(data) + 1)
    return data[:a] + data[a + rng.choice((1, 2, 64, 1000)) :]


def noise(data: bytes, rng: random.Random) -> bytes:
    """Something else altogether."""
    return rng.choice((b"", b"\x00", b"\n", b"{}", b"\xff\xfe", b"\x89YATZY\r\n", rng.randbytes(300)))


HARMS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flip, flip, flip_near_an_end, truncate, zero_page, append, double, drop, noise,
)  # fmt: skip

ODD: tuple[Any, ...] = (
    -1, 0, 1, 2, 3, 255, 2**31, 2**32 - 1, 2**32, 2**63, 2**64, -(2**63), 10**30, 1.5, float("nan"), float("inf"), None,
    True, "", "x", "expected", "\u0000", [], {}, [0], [-1], [2**40], [2**62, 2**62], "<f8", "<U9", "O", "V8", "<i1",
)  # fmt: skip


def mutate(value: Any, rng: random.Random, depth: int = 0) -> Any:
    """Change one thing inside JSON."""
    if isinstance(value, dict) and value and (depth == 0 or rng.random() < 0.9):
        name = rng.choice(sorted(value))
        action = rng.random()
        if action < 0.1:
            return {key: one for key, one in value.items() if key != name}
        if action < 0.15:
            return {**value, "more": rng.choice(ODD)}
        return {**value, name: mutate(value[name], rng, depth + 1)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        action = rng.random()
        if action < 0.1:
            return value[:at] + value[at + 1 :]
        if action < 0.2:
            return [*value, value[at]]
        return [*value[:at], mutate(value[at], rng, depth + 1), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.4:
        return value + rng.choice((-64, -1, 1, 64, 1000))
    return rng.choice(ODD)


def crafted(path: Path, rng: random.Random) -> None:
    """Give a file with checksums other contents, and every checksum right."""
    if path.suffix == kept.SUFFIX:
        path.write_bytes(_crafted_result(path, rng))
    elif path.suffix == ".block":
        _craft_block(path, rng)
    else:
        path.write_bytes(_crafted_table(path, rng))


def _crafted_result(path: Path, rng: random.Random) -> bytes:
    """A kept result with something wrong in it, most often in its arrays."""
    _, _, body = path.read_bytes().partition(b"\n")
    about, _, data = body.partition(b"\n")
    try:
        arrays = kept.decode_arrays(data)
    except (ValueError, TypeError):  # it holds JSON
        arrays = {}
    if rng.random() < 0.1:
        about = json.dumps(mutate(json.loads(about), rng), sort_keys=True).encode()
    elif not arrays:
        data = kept.encode_json(mutate(json.loads(data), rng))
    elif rng.random() < 0.3:
        data = kept.encode_arrays(_other_arrays(arrays, rng))
    else:
        some = rng.sample(sorted(arrays), rng.choice((1, 1, len(arrays))))
        data = kept.encode_arrays(arrays | {name: _other_facts_or_contents(name, arrays[name], rng) for name in some})
    body = about + b"\n" + data
    return kept._MAGIC + kept._FORMAT + b" " + kept._hash(body) + b"\n" + body


def _other_facts_or_contents(name: str, array: Array, rng: random.Random) -> Array:
    if name != "facts":
        return _other_contents(array, rng)
    return np.frombuffer(json.dumps(mutate(json.loads(array.tobytes()), rng)).encode(), np.uint8)  # as a layer has them


def _craft_block(path: Path, rng: random.Random) -> None:
    """A block with other numbers, or more or fewer, or with something else in its first line."""
    data = path.read_bytes()
    head, _, numbers = data.partition(b"\n")
    about = kept.unseal(head.decode())
    assert about is not None
    values = np.frombuffer(numbers, "<f4")
    if "movers" in about:
        game = load_game(path.parents[4] / "fresh.toml")
        low, high = about["movers"]
        start = layout_of(game, about["depth"], BLOCK).start[low : high + 1]
        start = start - start[0]
    else:
        start = np.append(np.arange(0, len(values), ROW), len(values))
    what = rng.choice(("head", "length", "contents", "contents"))
    if what == "head":
        about = mutate(about, rng)
    elif what == "length":
        values = rng.choice((values[: len(values) // 2], np.concatenate([values, values])))
        start = np.array([0, len(values)])
    else:
        values = _other_contents(values, rng).astype(np.float32)
    fields = {name: value for name, value in about.items() if name not in ("values", "rows")}
    write_block(path, fields, values, hash_rows(values, start))


def _crafted_table(path: Path, rng: random.Random) -> bytes:
    """A table or strategy file with something wrong in it."""
    with Table(path) as table:
        key = table.key
        layers = {
            layer: {name: np.array(table.array(layer, name)) for name in table.names(layer)}
            for layer in range(table.layers)
        }
    fields: dict[str, Any] = {
        "game": key.game, "game_hash": key.game_hash, "objective": key.objective, "layers": key.layers,
    }  # fmt: skip
    what = rng.choice(("header", "contents", "contents", "record", "record", "index", "arrays", "order"))
    if what == "header":
        fields = mutate(fields, rng)
    elif what == "contents":
        for layer in rng.sample(sorted(layers), rng.randint(1, len(layers))):
            layers[layer] = {name: _other_contents(array, rng) for name, array in layers[layer].items()}
    elif what == "arrays":
        layer = rng.choice(sorted(layers))
        layers[layer] = _other_arrays(layers[layer], rng)
    order = sorted(layers)
    if what == "order":
        rng.shuffle(order)
    return _encode(fields, [(layer, layers[layer]) for layer in order], what, rng)


def _other_contents(array: Array, rng: random.Random) -> Array:
    random_numbers = np.random.default_rng(rng.randrange(2**32))
    if array.dtype.kind == "f":
        odd = random_numbers.choice([np.nan, np.inf, -np.inf, 1e308, -1.0, 0.0, 1e-320], size=array.shape)
        with np.errstate(over="ignore"):
            return odd.astype(array.dtype)
    if array.dtype.kind == "b":
        return random_numbers.integers(0, 2, array.shape).astype(bool)
    info = np.iinfo(array.dtype)
    if rng.random() < 0.5:
        return random_numbers.integers(info.min, info.max, array.shape, array.dtype, endpoint=True)
    changed = array.copy().reshape(-1)
    if len(changed):
        changed[random_numbers.integers(0, len(changed), 3)] = rng.choice((info.min, info.max, 0, 1))
    return changed.reshape(array.shape)


def _other_arrays(arrays: dict[str, Array], rng: random.Random) -> dict[str, Array]:
    """An array left out, cut, of another type or under another name."""
    name = rng.choice(sorted(arrays))
    rest = {other: array for other, array in arrays.items() if other != name}
    array = arrays[name]
    match rng.randrange(5):
        case 0:
            return rest
        case 1:
            return {**rest, name: np.ascontiguousarray(array.reshape(-1)[: array.size // 2])}
        case 2:
            return {**rest, name: array.astype(rng.choice(("<f8", "<i8", "|u1", "<f4")))}
        case 3:
            return {**rest, "other": array}
        case _:
            return {**rest, name: np.concatenate([array.reshape(-1)] * 2)}


def _encode(fields: Any, layers: list[tuple[int, dict[str, Array]]], what: str, rng: random.Random) -> bytes:
    """A whole file around such a header and such layers; every checksum and offset fits."""
    header = _sealed(struct.pack("<8sII", layout.MAGIC, layout.FORMAT, 0), layout._json(fields, layout.HEADER.size))
    stamp, pieces, at = layout.stamp_of(header), [header], len(header)
    chosen, entries = rng.randrange(len(layers)) if layers else 0, []
    for number, (layer, arrays) in enumerate(layers):
        plain = {name: layout.little_endian(name, array) for name, array in arrays.items()}
        head, entry = layout.encode_record(stamp, at, layer, plain)
        if what == "record" and number == chosen:
            described = mutate(json.loads(head[layout.RECORD.size :]), rng)
            if rng.random() < 0.2:
                layer = rng.choice((0, 1, 99, 2**32 - 1))
            text = layout._json(described, layout.RECORD.size)
            head = _sealed(struct.pack("<8s16sQII", layout.RECORD_MAGIC, stamp, at, layer, 0), text)
        pieces += [head, *(bytes(layout.as_bytes(one)) + layout.padding(one.nbytes) for one in plain.values())]
        at = sum(map(len, pieces))
        entries.append(entry)
    index = layout.encode_index(stamp, at, entries)
    if what == "index":
        rows = mutate(json.loads(index[layout.INDEX.size : -layout.TAIL.size]), rng)
        body = layout.INDEX.pack(layout.INDEX_MAGIC, stamp)
        body += layout._json(rows, layout.INDEX.size + layout.TAIL.size)
        tail = struct.pack("<QQ", at, at + len(body) + layout.TAIL.size)
        index = body + tail + zlib.crc32(tail, zlib.crc32(body)).to_bytes(4, "little") + layout.END_MAGIC
    return b"".join([*pieces, index])


def _sealed(head: bytes, text: bytes) -> bytes:
    """A head whose last number is the length of its JSON, then the checksum, then the JSON."""
    head = head[:-4] + len(text).to_bytes(4, "little")
    return head + zlib.crc32(text, zlib.crc32(head)).to_bytes(4, "little") + text
