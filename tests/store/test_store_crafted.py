"""Tables with right checksums and crafted headers or indexes: each is refused in one line, and built again."""

from __future__ import annotations

import json
import os
import resource
import struct
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.crafted import Document, Layers, describe, document, encode
from typer.testing import CliRunner

from yatzy.cli.app import app
from yatzy.errors import TableDamaged, TableError, TableUnwritable
from yatzy.store import Table, TableKey, TableState, list_tables, open_or_build, table_path, verify_table

KEY = TableKey("yatzy", "0123456789abcdef", "expected", 2)
LAYERS: Layers = [{"value": np.arange(5.0)}, {"value": np.arange(7.0), "best": np.zeros((2, 3), np.uint8)}]


def write(path: Path, changed: Document) -> Path:
    path.write_bytes(encode(changed))
    return path


def header(**fields: Any) -> Document:
    sound = document(KEY, LAYERS)
    return Document({**sound.header, **fields}, sound.records)


def array(**fields: Any) -> Document:
    """The first array of layer 1 described otherwise, in its record and in the index."""
    sound = document(KEY, LAYERS)
    layer, described, data = sound.records[1]
    return Document(sound.header, [sound.records[0], (layer, [{**described[0], **fields}, *described[1:]], data)])


def test_the_encoder_writes_what_the_program_writes(tmp_path: Path) -> None:
    """Otherwise the files below would be refused for another reason than the one they are made for."""
    with Table(write(tmp_path / "x.table", document(KEY, LAYERS)), KEY) as table:
        assert table.verify() == []
        for layer, arrays in enumerate(LAYERS):
            for name, values in arrays.items():
                np.testing.assert_array_equal(table.array(layer, name), values, strict=True)


CRAFTED: dict[str, Document] = {
    "four billion layers": header(layers=4294967295),
    "a layer more": header(layers=3),
    "layers below 0": header(layers=-1),
    "layers as a fraction": header(layers=2.0),
    "layers as truth": header(layers=True),
    "layers beyond 32 bits": header(layers=2**64),
    "game as a number": header(game=5),
    "game as a list": header(game=["yatzy"]),
    "game of two lines": header(game="a\nb"),
    "game with a terminal code": header(game="a\x1b[2J"),
    "a very long game": header(game="x" * 6000),
    "no game": header(game=""),
    "hash as a list": header(game_hash=["0" * 12]),
    "a long hash": header(game_hash="0" * 5000),
    "more in the header": header(more=1),
    "deep JSON": Document(b"[" * 200_000, []),
    "NaN": Document(b'{"game":NaN}', []),
    "a number of 10,000 digits": Document(b"1" * 10_000, []),
    "a long header": Document(b'"' + b"x" * (3 << 20) + b'"', []),
    "shape below 0": array(shape=[-7]),
    "shape beyond memory": array(shape=[2**62]),
    "shape whose product overflows": array(shape=[2**32, 2**32, 7]),
    "shape of nothing and everything": array(shape=[0, 2**62, 2**62], crc32=[]),
    "shape of fractions": array(shape=[7.0]),
    "shape of truth": array(shape=[True]),
    "shape of lists": array(shape=[[7]]),
    "shape as a number": array(shape=7),
    "shape as text": array(shape="7"),
    "70 axes": array(shape=[1] * 69 + [7]),
    "objects": array(dtype="|O"),
    "raw bytes": array(dtype="|V8"),
    "structures": array(dtype="<i4,<f4"),
    "text": array(dtype="<U2"),
    "times": array(dtype="<M8[s]"),
    "big endian": array(dtype=">f8"),
    "type by its name": array(dtype="float64"),
    "type as a list": array(dtype=[["a", "<f8"]]),
    "name as a number": array(name=5),
    "no name": array(name=""),
    "a long name": array(name="x" * 1000),
    "the same name twice": array(name="best"),
    "offset below 0": array(offset=-64),
    "offset into another array": array(offset=64),
    "offset as a fraction": array(offset=0.0),
    "checksum as text": array(crc32=["1"]),
    "checksum beyond 32 bits": array(crc32=[2**40]),
    "checksums as text": array(crc32="1"),
    "too many checksums": array(crc32=[1] * 9),
    "arrays as an object": Document(header().header, [(0, {}, []), (1, {}, [])]),
    "arrays as null": Document(header().header, [(0, None, []), (1, [None], [])]),
    "the same layer twice": Document(header().header, [(0, *describe(LAYERS[0])), (0, *describe(LAYERS[0]))]),
    "layers of other numbers": Document(header().header, [(7, *describe(LAYERS[0])), (8, *describe(LAYERS[1]))]),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_headers_are_refused_in_one_line(name: str, tmp_path: Path) -> None:
    path = write(tmp_path / "x.table", CRAFTED[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TableError) as caught:
        Table(path)
    line = str(caught.value)
    assert line.startswith(str(path))
    assert line.isprintable()
    assert len(line) < 1000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes
    (info,) = list_tables(tmp_path)
    assert info.state is TableState.UNREADABLE
    assert verify_table(path) == [line]


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_tables_and_parts_are_built_again(name: str, tmp_path: Path) -> None:
    """What is sound in them may be kept; the table that comes of it is right."""
    for suffix in (".table", ".part"):
        folder = tmp_path / suffix
        folder.mkdir()
        write(folder / f"{KEY.name}{suffix}", CRAFTED[name])

        def build(writer: Any) -> None:
            for layer in writer.missing:
                writer.append(layer, LAYERS[layer])

        with open_or_build(folder, KEY, build) as table:
            assert table.verify() == []
            assert table.key == KEY


@pytest.mark.parametrize(
    "row", [{"data": 0}, {"data": 64}, {"offset": -1}, {"offset": True}, {"layer": 1.0}, {"data": None}]
)
def test_crafted_indexes_are_refused(row: dict[str, Any], tmp_path: Path) -> None:
    file = encode(document(KEY, LAYERS))
    (offset,) = struct.unpack("<Q", file[-32:-24])
    rows = json.loads(file[offset + 24 : -32])
    rows[1] |= row
    sound = document(KEY, LAYERS)
    path = write(tmp_path / "x.table", Document(sound.header, sound.records, rows))
    with pytest.raises(TableDamaged, match="index"):
        Table(path)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX systems")
def test_a_pipe_or_device_is_no_table_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.table")
    with pytest.raises(TableError, match="is not a plain file"):
        Table(tmp_path / "x.table")
    with pytest.raises(TableError, match="cannot be read"):
        Table(Path("a\0b"))
    assert [info.state for info in list_tables(tmp_path)] == [TableState.UNREADABLE]


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX systems")
def test_a_link_in_place_of_a_part_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / f"{KEY.name}.part").symlink_to(victim)
    with pytest.raises(TableUnwritable, match="cannot write the table"):
        open_or_build(tmp_path, KEY, lambda writer: None)
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("year", [300_000_000_000, 10**18, -(10**18), 253_402_300_800])
def test_a_file_time_beyond_all_years_does_not_break_the_list(year: int, tmp_path: Path) -> None:
    path = write(table_path(tmp_path, KEY), document(KEY, LAYERS))
    try:
        os.utime(path, (0, year))
    except (OSError, OverflowError):
        pytest.skip("this file system has no such times")
    (info,) = list_tables(tmp_path)
    assert info.state is TableState.SOUND
    assert datetime(1, 1, 1, tzinfo=UTC) < info.modified.astimezone()


def test_swapped_files_are_named(tmp_path: Path) -> None:
    keys = [KEY, TableKey("yatzy", "0123456789abcdef", "exp:0.1", 2)]
    for key, other in zip(keys, keys[::-1], strict=True):
        write(table_path(tmp_path, key), document(other, LAYERS))
    result = CliRunner().invoke(app, ["tables", "verify", "--tables", str(tmp_path)])
    assert isinstance(result.exception, TableDamaged)
    for key, other in zip(keys, keys[::-1], strict=True):
        assert (
            f"{key.name}: {table_path(tmp_path, key)} is for {other}; its name should be {other.name}" in result.output
        )
        assert key.name in str(result.exception)


def test_memory_for_a_crafted_file_stays_near_its_size(tmp_path: Path) -> None:
    """A header of 16 MB of brackets is not parsed; no sound file has one."""
    path = tmp_path / "x.table"
    text = b"[" + b"[]," * (16 << 20) + b"[]]"
    text = text.ljust(-(-(len(text) + 20) // 64) * 64 - 20)
    head = struct.pack("<8sII", b"\x89YATZY\r\n", 1, len(text))
    path.write_bytes(head + struct.pack("<I", zlib.crc32(head + text)) + text)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TableDamaged, match="longer than a file of"):
        Table(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
