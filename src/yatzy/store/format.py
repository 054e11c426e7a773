"""The bytes of a table file.

    header   magic, format, JSON length, crc32, JSON: the key
    record   magic, stamp, own offset, layer, JSON length, crc32, JSON: the arrays; then their data
    ...      one record per layer, in the order they were finished
    index    magic, stamp, JSON: all records; then a tail of 32 bytes that says where the index begins

Header, record head, every array and index begin at multiples of 64 bytes; JSON is padded with spaces and
data with zeros, and the checksums cover the padding, so that every byte of a file is checked. Numbers are
little-endian. The stamp is a hash of the header: it identifies the records of a table, even when the header is lost.
"""

import hashlib
import json
import math
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message
from yatzy.store.key import TableKey

Array = npt.NDArray[Any]

FORMAT = 1
ALIGN = 64
BLOCK = 1 << 16
"""Bytes under one checksum of array data."""
_MOST_AXES = 32
_LARGEST = 1 << 62  # bytes: beyond any file, below what the integers of NumPy hold
_LONGEST_NAME = 100
_NUMBER = re.compile(r"[<|][biufc][0-9]{1,2}")

MAGIC = b"\x89YATZY\r\n"  # not text, and damaged by a transfer as text, like that of PNG
RECORD_MAGIC = b"\x89LAYER\r\n"
INDEX_MAGIC = b"\x89INDEX\r\n"
END_MAGIC = b"\x89YATZY END\r\n"

HEADER = struct.Struct("<8sIII")  # magic, format, JSON length, crc32
RECORD = struct.Struct("<8s16sQIII")  # magic, stamp, own offset, layer, JSON length, crc32
INDEX = struct.Struct("<8s16s")  # magic, stamp
TAIL = struct.Struct("<QQI12s")  # offset of the index, size of the file, crc32 of the index, end magic


class Unsound(Exception):  # noqa: N818  (what the bytes are)
    """The bytes are not what was written. Public functions turn this into a TableDamaged."""


class Foreign(Unsound):
    """The file is not a table, or not of this format."""


@dataclass(frozen=True, slots=True)
class Header:
    """A header as read."""

    key: TableKey
    stamp: bytes
    end: int


def no_array(layer: int, path: Path, name: str, names: Iterable[str]) -> InputError:
    """The error of an array that a layer does not have."""
    return InputError(
        "layer {layer} of {path} has no array {name!r}; it has {names}",
        layer=layer,
        path=path,
        name=name,
        names=", ".join(names),
    )


@dataclass(frozen=True, slots=True)
class ArrayEntry:
    """Where an array lies in the file, and its checksums."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    checksums: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """Bytes of the array itself."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize

    @property
    def stored(self) -> int:
        """Bytes in the file, padding included."""
        return aligned(self.nbytes)

    def blocks(self, start: int, stop: int) -> range:
        """Return the checksummed blocks that hold bytes `start` to `stop` of the array."""
        return range(start // BLOCK, -(-stop // BLOCK)) if stop > start else range(0)

    def span(self, block: int) -> tuple[int, int]:
        """Offset in the file and length of one block."""
        start = block * BLOCK
        return self.offset + start, min(BLOCK, self.stored - start)


@dataclass(frozen=True, slots=True)
class LayerEntry:
    """Where the record of a layer lies in the file."""

    layer: int
    offset: int
    data: int
    end: int
    arrays: tuple[ArrayEntry, ...]


def aligned(size: int) -> int:
    """`size` rounded up to the next multiple of 64."""
    return -(-size // ALIGN) * ALIGN


def _json(value: object, around: int) -> bytes:
    """JSON padded so that it and `around` bytes beside it fill a multiple of 64."""
    text = json.dumps(value, separators=(",", ":"), sort_keys=True).encode("ascii")
    return text.ljust(aligned(len(text) + around) - around)


def _loads(text: bytes, what: Message) -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise Unsound(Message("{what} does not read as JSON", what=what)) from None


def _refuse_constant(name: str) -> NoReturn:
    """NaN and infinities, which are not JSON."""
    raise ValueError(name)


def most_json(size: int) -> int:
    """The longest JSON text that a sound file of `size` bytes can hold.

    A checksum takes 11 bytes of text for 65,536 of data. Parsed JSON takes up to 30 times the memory of its text, so
    this limit keeps the memory for a crafted file near its own size.
    """
    return (1 << 20) + size // 1024


def _fields(value: object, *names: str) -> list[Any]:
    """The values of a JSON object that has just these names."""
    if not isinstance(value, dict) or set(value) != set(names):
        raise ValueError
    return [value[name] for name in names]


def _items(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError
    return value


def _count(value: object, most: int = _LARGEST) -> int:
    """A whole number from 0 to `most`; booleans and floats are refused."""
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError
    return value


# Header


def encode_header(key: TableKey) -> bytes:
    """Return the header for a key; the same key gives the same bytes."""
    fields = {"game": key.game, "game_hash": key.game_hash, "objective": key.objective, "layers": key.layers}
    if key.revision > 1:  # so that the headers of older tables stay what they are
        fields["revision"] = key.revision
    text = _json(fields, HEADER.size)
    head = HEADER.pack(MAGIC, FORMAT, len(text), 0)[:-4]
    return head + zlib.crc32(text, zlib.crc32(head)).to_bytes(4, "little") + text


def stamp_of(header: bytes) -> bytes:
    """The 16 bytes that identify the records and the index of a header."""
    return hashlib.blake2b(header, digest_size=16).digest()


def header_length(head: bytes) -> int:
    """Length of the whole header, from its first bytes; `Foreign` if they are not of this format."""
    magic, form, length, _ = HEADER.unpack(head)
    if magic != MAGIC:
        raise Foreign(Message("is not a table: it does not begin as one"))
    if form != FORMAT:
        raise Foreign(Message("has format {form}, and this program reads format {format}", form=form, format=FORMAT))
    return HEADER.size + int(length)


def decode_header(header: bytes) -> Header:
    """Return a whole header, checked."""
    *_, crc = HEADER.unpack_from(header)
    text = header[HEADER.size :]
    if zlib.crc32(text, zlib.crc32(header[: HEADER.size - 4])) != crc:
        raise Unsound(Message("its header is damaged"))
    try:
        fields = _loads(text, Message("its header"))
        revised = ("revision",) if isinstance(fields, dict) and "revision" in fields else ()
        key = TableKey(*_fields(fields, "game", "game_hash", "objective", "layers", *revised))
        if revised and key.revision == 1:  # a key has one header
            raise ValueError
    except (ValueError, InputError):
        raise Unsound(Message("its header does not describe a table")) from None
    return Header(key, stamp_of(header), len(header))


# Records


def little_endian(name: str, array: npt.ArrayLike) -> Array:
    """Return the array as it is stored: contiguous, little-endian, of plain numbers."""
    plain = np.asarray(array)
    if not 0 < len(name) <= _LONGEST_NAME or plain.ndim > _MOST_AXES:
        raise InputError(
            "array {name!r:.80}: needs a name of 1 to {letters} letters, and {axes} axes at most",
            name=name,
            letters=_LONGEST_NAME,
            axes=_MOST_AXES,
        )
    if plain.dtype.kind not in "biufc":
        raise InputError(
            "array {name!r} has type {dtype}; a table holds numbers and truth values", name=name, dtype=plain.dtype
        )
    return np.asarray(plain, dtype=plain.dtype.newbyteorder("<"), order="C")


def as_bytes(array: Array) -> memoryview:
    """Return the bytes of a contiguous array, without a copy; also of an empty one."""
    return array.reshape(-1).view(np.uint8).data


def checksums(data: memoryview) -> tuple[int, ...]:
    """crc32 of each block of `data` padded with zeros."""
    sums = [zlib.crc32(data[start : start + BLOCK]) for start in range(0, len(data), BLOCK)]
    if sums:
        sums[-1] = zlib.crc32(padding(len(data)), sums[-1])
    return tuple(sums)


def padding(size: int) -> bytes:
    """Return the zeros that follow `size` bytes of data."""
    return bytes(aligned(size) - size)


def encode_record(stamp: bytes, offset: int, layer: int, arrays: Mapping[str, Array]) -> tuple[bytes, LayerEntry]:
    """Return the head of a record to be written at `offset`, and its entry; `arrays` are `little_endian`."""
    described, at = [], 0
    for name, array in arrays.items():
        sums = checksums(as_bytes(array))
        described.append(ArrayEntry(name, array.dtype.str, array.shape, at, sums))
        at += aligned(array.nbytes)
    text = _json(_plain(described, 0), RECORD.size)
    head = RECORD.pack(RECORD_MAGIC, stamp, offset, layer, len(text), 0)[:-4]
    head += zlib.crc32(text, zlib.crc32(head)).to_bytes(4, "little") + text
    return head, _layer_entry(layer, offset, offset + len(head), _plain(described, 0))


def record_length(head: bytes, stamp: bytes, offset: int) -> int:
    """Length of the whole record head, from its first bytes."""
    magic, found, at, _, length, _ = RECORD.unpack(head)
    if (magic, found, at) != (RECORD_MAGIC, stamp, offset):
        raise Unsound(Message("no layer begins at byte {offset}", offset=offset))
    return RECORD.size + int(length)


def decode_record(head: bytes) -> LayerEntry:
    """The head of a record, checked. Its data are not checked."""
    _, _, offset, layer, _, crc = RECORD.unpack_from(head)
    text = head[RECORD.size :]
    if zlib.crc32(text, zlib.crc32(head[: RECORD.size - 4])) != crc:
        raise Unsound(Message("the description of layer {layer} is damaged", layer=layer))
    return _layer_entry(layer, offset, offset + len(head), _loads(text, Message("layer {layer}", layer=layer)))


def _plain(arrays: Sequence[ArrayEntry], data: int) -> list[dict[str, object]]:
    return [
        {
            "name": array.name,
            "dtype": array.dtype,
            "shape": list(array.shape),
            "offset": array.offset - data,
            "crc32": list(array.checksums),
        }
        for array in arrays
    ]


def _layer_entry(layer: int, offset: int, data: int, described: object) -> LayerEntry:
    """Return an entry from its JSON; offsets in JSON count from the beginning of the layer's data."""
    try:
        arrays = tuple(_array_entries(data, _items(described)))
    except ValueError:
        raise Unsound(Message("the description of layer {layer} does not read as one", layer=layer)) from None
    return LayerEntry(layer, offset, data, data + sum(array.stored for array in arrays), arrays)


def _array_entries(data: int, described: list[Any]) -> Iterator[ArrayEntry]:
    at, names = data, set[str]()
    for one in described:
        name, dtype, lengths, offset, sums = _fields(one, "name", "dtype", "shape", "offset", "crc32")
        if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or name in names:
            raise ValueError
        shape = _shape(lengths, _item_size(dtype))
        entry = ArrayEntry(
            name, dtype, shape, data + _count(offset), tuple(_count(crc, 0xFFFFFFFF) for crc in _items(sums))
        )
        # There are no gaps, so checksums cover every byte.
        if entry.offset != at or len(entry.checksums) != len(entry.blocks(0, entry.stored)):
            raise ValueError
        yield entry
        names.add(name)
        at += entry.stored


def array_bytes(dtype: object, lengths: object) -> tuple[tuple[int, ...], int]:
    """The shape and size in bytes of an array as JSON describes it; ValueError for what `little_endian` never gives."""
    item_size = _item_size(dtype)
    shape = _shape(lengths, item_size)
    return shape, math.prod(shape) * item_size


def _item_size(dtype: object) -> int:
    """The size of one number in bytes; ValueError for types that `little_endian` never returns."""
    if not isinstance(dtype, str) or not _NUMBER.fullmatch(dtype):
        raise ValueError
    try:
        known = np.dtype(dtype)
    except TypeError:
        raise ValueError from None
    if known.str != dtype or known.kind not in "biufc":
        raise ValueError
    return known.itemsize


def _shape(lengths: object, item_size: int) -> tuple[int, ...]:
    shape = tuple(_count(length) for length in _items(lengths))
    # NumPy multiplies the other lengths even where one is 0.
    if len(shape) > _MOST_AXES or math.prod(max(length, 1) for length in shape) * item_size > _LARGEST:
        raise ValueError
    return shape


# Index


def encode_index(stamp: bytes, offset: int, layers: Sequence[LayerEntry]) -> bytes:
    """Return the index and tail to be written at `offset`, the end of the last record."""
    rows = [
        {"layer": one.layer, "offset": one.offset, "data": one.data, "arrays": _plain(one.arrays, one.data)}
        for one in layers
    ]
    body = INDEX.pack(INDEX_MAGIC, stamp) + _json(rows, INDEX.size + TAIL.size)
    tail = TAIL.pack(offset, offset + len(body) + TAIL.size, 0, END_MAGIC)
    crc = zlib.crc32(tail[:16], zlib.crc32(body))
    return body + tail[:16] + crc.to_bytes(4, "little") + END_MAGIC


def index_offset(tail: bytes, size: int) -> int:
    """Where the index begins, from the tail of a file of `size` bytes."""
    offset, whole, _, magic = TAIL.unpack(tail)
    if magic != END_MAGIC or whole != size or not 0 < offset < size - TAIL.size:
        raise Unsound(Message("it does not end as a whole table does"))
    return int(offset)


def decode_index(index: bytes, stamp: bytes, start: int) -> tuple[LayerEntry, ...]:
    """Check index and tail; return the records in the order of the file, the first at `start`."""
    body, tail = index[: -TAIL.size], index[-TAIL.size :]
    offset, _, crc, _ = TAIL.unpack(tail)
    if zlib.crc32(tail[:16], zlib.crc32(body)) != crc or len(body) < INDEX.size:
        raise Unsound(Message("its index is damaged"))
    magic, found = INDEX.unpack_from(body)
    if magic != INDEX_MAGIC or found != stamp:
        raise Unsound(Message("its index belongs to another table"))
    try:
        layers = tuple(_index_row(row) for row in _items(_loads(body[INDEX.size :], Message("its index"))))
    except ValueError:
        raise Unsound(Message("its index does not read as one")) from None
    if [start, *(one.end for one in layers)] != [*(one.offset for one in layers), offset]:
        raise Unsound(Message("its index leaves gaps"))
    return layers


def _index_row(row: object) -> LayerEntry:
    layer, offset, data, arrays = _fields(row, "layer", "offset", "data", "arrays")
    if _count(data) < _count(offset) + RECORD.size:  # the head of the record comes first
        raise ValueError
    return _layer_entry(_count(layer, 0xFFFFFFFF), offset, data, arrays)
