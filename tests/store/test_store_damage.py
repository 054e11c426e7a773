"""Tables on disk: damage, cuts and full disks at every byte."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from yatzy.errors import TableDamaged, TableError, TableUnwritable
from yatzy.store import (
    Table,
    TableKey,
    TableState,
    TableWriter,
    disk,
    list_tables,
    open_or_build,
    repair,
    writer,
)
from yatzy.store.format import RECORD_MAGIC, Unsound
from yatzy.store.source import Source

KEY = TableKey("yatzy", "0123456789abcdef", "expected", 3)


def values(layer: int) -> dict[str, npt.NDArray[Any]]:
    return {"value": np.arange(3 + layer) * 1.5 + layer, "best": np.full(2, layer, np.uint8)}


class Builder:
    """Builds missing layers in order and remembers which."""

    def __init__(self) -> None:
        self.built: list[int] = []

    def __call__(self, writer: TableWriter) -> None:
        for layer in writer.missing:
            writer.append(layer, values(layer))
            self.built.append(layer)


def make(folder: Path) -> bytes:
    with open_or_build(folder, KEY, Builder()) as table:
        return table.path.read_bytes()


def assert_right(table: Table) -> None:
    assert table.verify() == []
    for layer in range(KEY.layers):
        for name, array in values(layer).items():
            np.testing.assert_array_equal(table.array(layer, name), array, strict=True)


def ends_of_records(path: Path) -> tuple[int, list[int]]:
    """End of the header and of each record."""
    source = Source(path)
    header = source.header()
    ends = [entry.end for entry in source.records(header.end, header.stamp)]
    source.close()
    return header.end, ends


def test_every_flipped_byte_is_detected_and_never_returned(tmp_path: Path) -> None:
    whole = make(tmp_path)
    path = tmp_path / "flipped.table"
    lines: list[str] = []  # said at opening
    refused: list[str] = []  # said at reading
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        try:
            table = Table(path, KEY)
        except TableError as error:
            lines.append(str(error))
            continue
        with table:
            assert len(table.verify()) == 1, f"byte {at} is not guarded"
            for layer in range(KEY.layers):
                for name, array in values(layer).items():
                    try:
                        back = table.array(layer, name)
                    except TableDamaged as error:
                        refused.append(f"{error}")
                        assert f"layer {layer}, array {name!r}" in refused[-1]
                    else:
                        np.testing.assert_array_equal(back, array)
    assert 0 < len(lines) < len(whole)
    assert 0 < len(refused) < len(whole)
    for line in lines + refused:
        assert line.startswith(f"{path}")
        assert "yatzy tables remove flipped" in line
        assert "\n" not in line


def test_every_cut_of_a_finished_table_is_refused(tmp_path: Path) -> None:
    whole = make(tmp_path)
    path = tmp_path / "cut.table"
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(TableError):
            Table(path, KEY)
    path.write_bytes(whole + b"\0")
    with pytest.raises(TableDamaged, match="does not end"):
        Table(path, KEY)


def test_an_interruption_at_every_byte_resumes_after_the_last_whole_layer(tmp_path: Path) -> None:
    whole = make(tmp_path / "reference")  # the index is written to the part too, before it is renamed
    start, ends = ends_of_records(tmp_path / "reference" / f"{KEY.name}.table")
    assert len(ends) == KEY.layers
    for length in range(len(whole) + 1):
        part = tmp_path / f"{KEY.name}.part"
        part.write_bytes(whole[:length])
        builder = Builder()
        with TableWriter(tmp_path, KEY) as resumed:
            kept = sum(end <= length for end in ends)
            assert resumed.done == set(range(kept))
            assert part.stat().st_size == max([start, *ends[:kept]])
            for layer in resumed.done:
                np.testing.assert_array_equal(resumed.array(layer, "value"), values(layer)["value"])
            builder(resumed)
            assert builder.built == list(range(kept, KEY.layers))
            assert resumed.finish().read_bytes() == whole


def test_every_flipped_byte_of_a_part_is_dropped(tmp_path: Path) -> None:
    whole = make(tmp_path / "reference")
    start, ends = ends_of_records(tmp_path / "reference" / f"{KEY.name}.table")
    for at in range(ends[-1]):
        (tmp_path / f"{KEY.name}.part").write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        builder = Builder()
        with TableWriter(tmp_path, KEY) as resumed:
            builder(resumed)
            assert builder.built == list(range(sum(end <= at for end in ends) if at >= start else 0, KEY.layers))
            assert resumed.finish().read_bytes() == whole


def test_repair_mends_damage_anywhere_and_builds_only_damaged_layers(tmp_path: Path) -> None:
    whole = make(tmp_path)
    path = tmp_path / f"{KEY.name}.table"
    start, ends = ends_of_records(path)
    starts = [start, *ends[:-1]]
    for at in range(0, len(whole), 5):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        lines: list[str] = []
        builder = Builder()
        with repair(tmp_path, KEY, builder, lines.append) as table:
            assert_right(table)
        assert str(path) in lines[0]
        hit = [layer for layer in range(KEY.layers) if starts[layer] <= at < ends[layer]]
        assert set(builder.built) <= set(hit), f"byte {at}"
        # The index knows where data lie when only the description in the record is hit.
        data = [at >= ends[layer] - 128 for layer in hit]
        assert len(builder.built) == sum(data)
    builder = Builder()
    repair(tmp_path, KEY, builder).close()
    assert builder.built == []


def test_sound_layers_are_salvaged_without_header_and_index(tmp_path: Path) -> None:
    whole = bytearray(make(tmp_path))
    path = tmp_path / f"{KEY.name}.table"
    _, ends = ends_of_records(path)
    whole[3] ^= 1  # magic
    whole[ends[0] + 50] ^= 1  # description of layer 1
    path.write_bytes(whole[: ends[-1] + 20])
    lines: list[str] = []
    builder = Builder()
    with open_or_build(tmp_path, KEY, builder, lines.append) as table:
        assert_right(table)
    assert builder.built == [1]
    assert "not a table" in lines[0]
    assert lines[-1] == f"kept 2 sound layers of {KEY.name}.table"


@pytest.mark.parametrize("at", [0, 1, 63])
def test_data_that_look_like_a_layer_are_not_taken_for_one(at: int, tmp_path: Path) -> None:
    data = np.frombuffer((bytes(at) + RECORD_MAGIC).ljust(640, b"x"), np.uint8)

    def build(writer: TableWriter) -> None:
        for layer in writer.missing:
            writer.append(layer, {"data": data})
            built.append(layer)

    built = list[int]()
    with open_or_build(tmp_path, KEY, build) as table:
        path = table.path
    _, ends = ends_of_records(path)
    damaged = bytearray(path.read_bytes())
    damaged[3] ^= 1  # magic
    damaged[ends[0] + 50] ^= 1  # the description of layer 1, so that the next one is looked for in its data
    path.write_bytes(damaged[:-20])
    built.clear()
    with open_or_build(tmp_path, KEY, build) as table:
        assert all(np.array_equal(table.array(layer, "data"), data) for layer in range(KEY.layers))
    assert built == [1]


@pytest.mark.skipif(sys.platform == "win32", reason="has no pread")
def test_bytes_that_a_disk_cannot_read_are_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path)
    with Table(tmp_path / f"{KEY.name}.table", KEY) as table:
        source, read = Source(table.path), os.pread
        header = source.header()
        entry = list(source.records(header.end, header.stamp))[1]
        (bad,) = (array for array in entry.arrays if array.name == "value")

        def failing(file: int, length: int, offset: int) -> bytes:
            if offset <= bad.offset < offset + length:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return read(file, length, offset)

        monkeypatch.setattr(os, "pread", failing)
        (problem,) = table.verify()
        assert "layer 1, array 'value', is damaged" in problem
        with pytest.raises(TableDamaged, match="layer 1, array 'value'"):
            table.array(1, "value")
        where = f"bytes {bad.offset} to {bad.offset + 16} cannot be read: {os.strerror(errno.EIO)}"
        with pytest.raises(Unsound, match=where):
            source.read(bad.offset, 16)
        assert table.array(0, "value").tolist() == values(0)["value"].tolist()
        source.close()


def test_layers_of_another_table_are_not_salvaged(tmp_path: Path) -> None:
    other = replace(KEY, game_hash="0123456789abffff")
    foreign = open_or_build(tmp_path, other, Builder()).path
    assert foreign.name == f"{KEY.name}.table"
    foreign.write_bytes(foreign.read_bytes()[:-1])
    builder = Builder()
    open_or_build(tmp_path, KEY, builder).close()
    assert builder.built == [0, 1, 2]


def test_a_foreign_or_broken_part_is_started_over(tmp_path: Path) -> None:
    with TableWriter(tmp_path, replace(KEY, game_hash="0123456789abffff")) as other:
        other.append(0, values(0))
    lines: list[str] = []
    with TableWriter(tmp_path, KEY, lines.append) as fresh:
        assert fresh.done == frozenset()
        assert "starting over" in lines[0]
    fresh.path.write_bytes(b"junk")
    with TableWriter(tmp_path, KEY, lines.append) as fresh:
        assert fresh.done == frozenset()
    assert len(lines) == 2


def test_an_error_in_build_keeps_what_is_done(tmp_path: Path) -> None:
    def interrupted(writer: TableWriter) -> None:
        writer.append(0, values(0))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_or_build(tmp_path, KEY, interrupted)
    [info] = list_tables(tmp_path)
    assert (info.state, info.layers_done) == (TableState.UNFINISHED, 1)
    lines: list[str] = []
    builder = Builder()
    with open_or_build(tmp_path, KEY, builder, lines.append) as table:
        assert_right(table)
    assert builder.built == [1, 2]
    assert lines == [f"resuming {KEY.name}: 1 of 3 layers are done"]


@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS])
def test_a_write_that_fails_keeps_what_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int) -> None:
    whole = make(tmp_path / "reference")

    def failing(room: int) -> Callable[[FileIO, int, Iterable[bytes | memoryview]], None]:
        def write_at(file: FileIO, offset: int, pieces: Iterable[bytes | memoryview]) -> None:
            disk.write_at(file, offset, [b"".join(pieces)[:room]])
            raise OSError(reason, os.strerror(reason))

        return write_at

    for room in range(0, 400, 37):
        with TableWriter(tmp_path, KEY) as unlucky:
            unlucky.append(0, values(0))
            good = unlucky.path.read_bytes()
            with monkeypatch.context() as patched:
                patched.setattr(writer, "write_at", failing(room))
                with pytest.raises(TableUnwritable) as caught:
                    unlucky.append(1, values(1))
                assert os.strerror(reason) in str(caught.value)
                assert str(unlucky.path) in str(caught.value)
                assert "layer 1 (" in str(caught.value)
                assert "\n" not in str(caught.value)
            assert unlucky.path.read_bytes() == good
            Builder()(unlucky)  # room was made: the same writer goes on
            with monkeypatch.context() as patched:
                patched.setattr(writer, "write_at", failing(room))
                with pytest.raises(TableUnwritable):
                    unlucky.finish()
            assert unlucky.finish().read_bytes() == whole


FULL = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from yatzy.errors import TableUnwritable
from yatzy.store import TableKey, open_or_build
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (25_000, 25_000))
def build(writer):
    for layer in writer.missing:
        writer.append(layer, {"value": np.full(1000, float(layer))})
try:
    open_or_build(Path(sys.argv[1]), TableKey("yatzy", "0123456789abcdef", "expected", 5), build)
except TableUnwritable as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit on the size of a file")
def test_a_real_lack_of_room(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True, timeout=300
    )
    [line] = done.stdout.splitlines()
    assert line.startswith("cannot write layer 3 (")
    assert os.strerror(errno.EFBIG) in line
    with TableWriter(tmp_path, replace(KEY, layers=5)) as resumed:
        assert resumed.done == {0, 1, 2}
        for layer in (3, 4):
            resumed.append(layer, {"value": np.full(1000, float(layer))})
        with Table(resumed.finish()) as table:
            assert [table.array(layer, "value")[-1] for layer in range(5)] == [0, 1, 2, 3, 4]
