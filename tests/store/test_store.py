"""Tables on disk: what is written is read back, by anyone, from the right folder."""

import hashlib
import json
import os
import struct
import subprocess
import sys
import threading
import zlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from yatzy.errors import InputError, TableDamaged, TableError, TableForeign, TableMissing, TableUnwritable
from yatzy.store import (
    Table,
    TableKey,
    TableState,
    TableWriter,
    list_tables,
    open_or_build,
    remove_tables,
    source,
    table_path,
    tables_folder,
)
from yatzy.store.format import BLOCK, encode_header, little_endian, most_json

KEY = TableKey("yatzy", "0123456789abcdef", "expected", 3)


def values(layer: int) -> dict[str, npt.NDArray[Any]]:
    rows = np.arange(5 + layer)
    return {"value": rows * 1.5 + layer, "best": (rows % 3).astype(np.uint8)}


def build(writer: TableWriter) -> None:
    for layer in reversed(writer.missing):
        writer.append(layer, values(layer))


def one_layer(folder: Path, arrays: dict[str, npt.NDArray[Any]]) -> Table:
    key = replace(KEY, layers=1)
    with TableWriter(folder, key) as writer:
        writer.append(0, arrays)
        return Table(writer.finish(), key)


ARRAYS: dict[str, npt.NDArray[Any]] = {
    "float64": np.linspace(-1, 1, 12).reshape(3, 4),
    "float32": np.array([np.nan, np.inf, -0.0], np.float32),
    "float16": np.array([1.5], np.float16),
    "complex": np.array([1 + 2j]),
    "int8": np.array([-128, 127], np.int8),
    "uint64": np.array([2**64 - 1], np.uint64),
    "bool": np.array([[True], [False]]),
    "big-endian": np.array([1, 2, 3], ">i4"),
    "strided": np.arange(24).reshape(4, 6)[::2, ::-3],
    "fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "scalar": np.array(7.0),
    "empty": np.empty(0, np.float32),
    "empty rows": np.empty((4, 0, 2), np.int16),
    "cube": np.arange(2 * 3 * 5, dtype=np.uint16).reshape(2, 3, 5),
}


def test_round_trip_of_types_and_shapes(tmp_path: Path) -> None:
    with one_layer(tmp_path, ARRAYS) as table:
        assert table.names(0) == tuple(ARRAYS)
        for name, array in ARRAYS.items():
            back = table.array(0, name)
            assert back.dtype == array.dtype.newbyteorder("<")
            np.testing.assert_array_equal(back, array, strict=False)
            assert back.shape == array.shape
            assert not back.flags.writeable
        assert table.verify() == []


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    hnp.arrays(
        st.one_of(
            hnp.boolean_dtypes(),
            hnp.integer_dtypes(),
            hnp.floating_dtypes(sizes=(16, 32, 64)),
            hnp.complex_number_dtypes(sizes=(64, 128)),
        ),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=6),
    )
)
def test_round_trip_of_any_array(tmp_path_factory: pytest.TempPathFactory, array: npt.NDArray[Any]) -> None:
    with one_layer(tmp_path_factory.mktemp("any"), {"value": array, "after": np.arange(3)}) as table:
        back = table.array(0, "value")
        assert back.shape == array.shape
        assert back.astype(array.dtype).tobytes() == array.tobytes()
        np.testing.assert_array_equal(table.array(0, "after"), np.arange(3))


def test_what_is_not_a_number_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with TableWriter(tmp_path, KEY) as writer:
        before = writer.path.read_bytes()
        for bad in (np.array(["text"]), np.array([object()]), np.zeros(2, "M8[s]")):
            with pytest.raises(InputError, match="'value'"):
                writer.append(0, {"value": bad})
        assert writer.path.read_bytes() == before


def test_a_table_says_what_it_is(tmp_path: Path) -> None:
    with open_or_build(tmp_path, KEY, build) as table:
        assert table.key == KEY
        assert table.layers == 3
        assert table.path == table_path(tmp_path, KEY) == tmp_path / "yatzy-0123456789ab-expected.table"
        assert table.size == table.path.stat().st_size
        for layer in range(3):
            for name, array in values(layer).items():
                np.testing.assert_array_equal(table.array(layer, name), array)
    assert not table.path.with_suffix(".part").exists()


def test_arrays_are_aligned_in_the_file(tmp_path: Path) -> None:
    with one_layer(tmp_path, {"odd": np.ones(3, np.uint8), "value": np.ones(2)}) as table:
        assert table.array(0, "value").ctypes.data % 64 == 0


def test_a_revision_is_part_of_the_key_the_name_and_the_header(tmp_path: Path) -> None:
    old, new = open_or_build(tmp_path, KEY, build), open_or_build(tmp_path, replace(KEY, revision=2), build)
    assert new.path.stem == f"{old.path.stem}~2"
    assert (b"revision" in encode_header(old.key), b"revision" in encode_header(new.key)) == (False, True)
    assert Table(new.path).key == replace(KEY, revision=2)
    assert "revision 2" in str(new.key)
    new.path.replace(old.path)
    with pytest.raises(TableForeign, match="revision 2, not for"):
        Table(old.path, KEY)
    told: list[str] = []
    assert open_or_build(tmp_path, KEY, build, told.append).key == KEY
    assert "it is rebuilt now" in told[0]
    assert replace(KEY, objective="expected~2").name != replace(KEY, revision=2).name


@pytest.mark.parametrize("revision", [0, -1, 1.0, "2", None, True, 1 << 32])
def test_a_revision_is_a_number_from_1_on(revision: Any) -> None:
    with pytest.raises(InputError, match="revision must be a number from 1"):
        replace(KEY, revision=revision)


def test_the_file_is_as_documented(tmp_path: Path) -> None:
    """Reads a table by docs/tables.md alone."""
    file = open_or_build(tmp_path, KEY, build).path.read_bytes()
    magic, form, length, crc = struct.unpack_from("<8sIII", file)
    assert (magic, form) == (b"\x89YATZY\r\n", 1)
    header = file[: 20 + length]
    assert crc == zlib.crc32(header[:16] + header[20:])
    assert TableKey(**json.loads(header[20:])) == KEY
    stamp = hashlib.blake2b(header, digest_size=16).digest()
    at, found = len(header), []
    while file[at : at + 8] == b"\x89LAYER\r\n":
        assert at % 64 == 0
        own_stamp, own_offset, layer, length, crc = struct.unpack_from("<16sQIII", file, at + 8)
        assert (own_stamp, own_offset) == (stamp, at)
        text = file[at + 44 : at + 44 + length]
        assert crc == zlib.crc32(file[at : at + 40] + text)
        found.append({"layer": layer, "offset": at, "data": at + 44 + length, "arrays": json.loads(text)})
        at += 44 + length
        end = at
        for one in found[-1]["arrays"]:
            right = values(layer)[one["name"]]
            start = at + one["offset"]
            back = np.frombuffer(file, one["dtype"], right.size, start).reshape(one["shape"])
            np.testing.assert_array_equal(back, right, strict=True)
            end = start + -(-right.nbytes // 64) * 64
            assert one["crc32"] == [zlib.crc32(file[start:end])]
        at = end
    assert [one["layer"] for one in found] == [2, 1, 0]
    assert file[at : at + 24] == b"\x89INDEX\r\n" + stamp
    assert json.loads(file[at + 24 : -32]) == found
    crc = zlib.crc32(file[at:-16])
    assert struct.unpack("<QQI12s", file[-32:]) == (at, len(file), crc, b"\x89YATZY END\r\n")


def test_build_is_called_only_when_something_is_missing(tmp_path: Path) -> None:
    open_or_build(tmp_path, KEY, build).close()

    def never(writer: TableWriter) -> None:
        raise AssertionError(f"called for {writer.missing}")

    open_or_build(tmp_path, KEY, never).close()
    with pytest.raises(AssertionError):
        open_or_build(tmp_path, replace(KEY, objective="other"), never)


def test_read_gives_rows_and_checks_only_their_blocks(tmp_path: Path) -> None:
    rows = np.arange(3 * BLOCK // 8 + 5, dtype=np.int64).reshape(-1, 1)
    path = one_layer(tmp_path, {"value": rows}).path
    data = bytearray(path.read_bytes())
    at = data.find(rows[BLOCK // 8 : BLOCK // 8 + 3].tobytes())  # first bytes of the second block
    data[at] ^= 1
    path.write_bytes(data)
    with Table(path) as table:
        np.testing.assert_array_equal(table.read(0, "value", 0, BLOCK // 8), rows[: BLOCK // 8])
        np.testing.assert_array_equal(table.read(0, "value", BLOCK // 4, len(rows)), rows[BLOCK // 4 :])
        for at in (9, BLOCK // 8 + 9):
            assert len(table.read(0, "value", at, at)) == 0
        with pytest.raises(TableDamaged, match=r"layer 0, array 'value', is damaged in block 2 of 4"):
            table.read(0, "value", BLOCK // 8 - 1, BLOCK // 8 + 1)
        with pytest.raises(TableDamaged):
            table.array(0, "value")
        assert len(table.verify()) == 1


def test_read_at_gives_rows_and_checks_only_their_blocks(tmp_path: Path) -> None:
    numbers = np.arange(3 * BLOCK // 8 + 5, dtype=np.int64)
    path = one_layer(tmp_path, {"value": numbers, "none": numbers[:0]}).path
    data = bytearray(path.read_bytes())
    data[data.find(numbers[BLOCK // 8 : BLOCK // 8 + 3].tobytes())] ^= 1  # the second block
    path.write_bytes(data)
    with Table(path) as table:
        rows = np.array([[0, BLOCK // 8 - 1], [BLOCK // 4, len(numbers) - 1], [7, 7]])
        np.testing.assert_array_equal(table.read_at(0, "value", rows), rows)
        for at in (BLOCK // 8, BLOCK // 4 - 1):
            with pytest.raises(TableDamaged, match="block 2 of 4"):
                table.read_at(0, "value", np.array([0, at]))
        for at in (-1, len(numbers)):
            with pytest.raises(InputError, match="are not in array 'value'"):
                table.read_at(0, "value", np.array([0, at]))
        for name in ("value", "none"):
            assert table.read_at(0, name, np.empty(0, np.int64)).shape == (0,)


def test_verify_reports_progress(tmp_path: Path) -> None:
    seen: list[int] = []
    with one_layer(tmp_path, {"value": np.zeros(BLOCK), "other": np.zeros(1)}) as table:
        assert table.verify(seen.append) == []
    assert seen == sorted(seen)
    assert seen[-1] == 8 * BLOCK + 64


def test_wrong_questions_are_refused(tmp_path: Path) -> None:
    table = open_or_build(tmp_path, KEY, build)
    with pytest.raises(InputError, match="layers 0 to 2"):
        table.array(3, "value")
    with pytest.raises(InputError, match="value, best"):
        table.array(0, "worst")
    for start, stop in ((-1, 2), (3, 2), (0, 6)):
        with pytest.raises(InputError, match="which has 5"):
            table.read(0, "value", start, stop)
    array = table.array(1, "value")
    table.close()
    np.testing.assert_array_equal(array, values(1)["value"])
    with pytest.raises(TableError, match="closed"):
        table.array(1, "value")
    with pytest.raises(TableMissing):
        Table(tmp_path / "none.table")


def test_writer_reads_back_and_refuses_disorder(tmp_path: Path) -> None:
    with TableWriter(tmp_path, KEY) as writer:
        assert writer.missing == (0, 1, 2)
        writer.append(2, {**values(2), "none": np.empty((0, 3))})
        assert writer.done == {2}
        back = writer.array(2, "value")
        assert not back.flags.writeable
        np.testing.assert_array_equal(back, values(2)["value"])
        assert writer.array(2, "none").shape == (0, 3)
        with pytest.raises(InputError, match="already done"):
            writer.append(2, values(2))
        with pytest.raises(InputError, match="layers 0 to 2"):
            writer.append(3, values(3))
        with pytest.raises(InputError, match="not done"):
            writer.array(0, "value")
        with pytest.raises(InputError, match="value, best, none"):
            writer.array(2, "worst")
        with pytest.raises(InputError, match="layers 0, 1 "):
            writer.finish()
        writer.append(0, values(0))
        writer.append(1, values(1))
        with Table(writer.finish(), KEY) as table:
            np.testing.assert_array_equal(table.array(2, "best"), values(2)["best"])


def test_threads_read_at_once(tmp_path: Path) -> None:
    rows = np.arange(4 * BLOCK // 8, dtype=np.int64)
    path = one_layer(tmp_path, {"good": rows, "bad": rows}).path
    data = bytearray(path.read_bytes())
    data[-BLOCK] ^= 1  # within the last array
    path.write_bytes(data)
    results: list[str] = []
    start = threading.Barrier(8)

    def work(table: Table) -> None:
        start.wait()
        for name in ("good", "bad"):
            try:
                right = np.array_equal(table.array(0, name), rows)
                results.append(f"{name} {'right' if right else 'wrong'}")
            except TableDamaged:
                results.append(f"{name} refused")

    with Table(path) as table:
        threads = [threading.Thread(target=work, args=(table,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(results) == ["bad refused"] * 8 + ["good right"] * 8


def test_names_are_safe_and_differ() -> None:
    assert KEY.name == "yatzy-0123456789ab-expected"
    assert replace(KEY, objective="at-least:250").name == "yatzy-0123456789ab-at-least=250"
    odd = [
        "a:b",
        "a.b",
        "a=b",
        "a,b",
        "a/b",
        "a\\b",
        "A:b",
        "a b",
        "../b",
        "ä",
        "a_b",
        "a%b",
        "x" * 300,
        "x" * 301,
    ]
    names = [replace(KEY, objective=text).name for text in odd]
    assert len({name.casefold() for name in names}) == len(odd)
    for name in names:
        assert not set(name) - set("abcdefghijklmnopqrstuvwxyz0123456789-_+=,%")
        assert len(name) < 200


@pytest.mark.parametrize(
    "change",
    [{"game": ""}, {"objective": ""}, {"game_hash": "abc"}, {"game_hash": "X" * 12}, {"layers": -1}],
)
def test_wrong_keys_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        replace(KEY, **change)


def test_a_table_may_have_no_layers(tmp_path: Path) -> None:
    key = replace(KEY, layers=0)
    with TableWriter(tmp_path, key) as writer, Table(writer.finish(), key) as table:
        assert table.key == key
        assert table.verify() == []


def test_a_foreign_table_is_refused(tmp_path: Path) -> None:
    path = open_or_build(tmp_path, KEY, build).path
    for other in (
        replace(KEY, game="maxi"),
        replace(KEY, game_hash="0123456789abffff"),
        replace(KEY, objective="other"),
        replace(KEY, layers=2),
    ):
        with pytest.raises(TableForeign, match=r"expected\.table is for yatzy"):
            Table(path, other)
    newer = bytearray(path.read_bytes())
    newer[8] = 9
    path.write_bytes(newer)
    with pytest.raises(TableForeign, match="format 9"):
        Table(path, KEY)
    path.write_text("something else altogether, of some length")
    with pytest.raises(TableForeign, match="not a table"):
        Table(path, KEY)


def test_a_foreign_file_under_our_name_is_reported_and_rebuilt(tmp_path: Path) -> None:
    other = replace(KEY, game_hash="0123456789abffff")  # the same name, by its first digits
    open_or_build(tmp_path, other, build).close()
    lines: list[str] = []
    asked: list[tuple[int, ...]] = []

    def noted(writer: TableWriter) -> None:
        asked.append(writer.missing)
        build(writer)

    with open_or_build(tmp_path, KEY, noted, lines.append) as table:
        assert table.key == KEY
        assert table.verify() == []
    assert asked == [(0, 1, 2)]
    assert len(lines) == 1
    assert "0123456789ab-expected.table is for yatzy" in lines[0]


def test_folder_by_option_environment_and_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("YATZY_TABLES", str(tmp_path / "environment"))
    assert tables_folder(tmp_path / "option") == tmp_path / "option"
    assert tables_folder(str(tmp_path / "option")) == tmp_path / "option"
    assert tables_folder() == tmp_path / "environment"
    assert tables_folder("~/tables") == Path.home() / "tables"
    monkeypatch.setenv("YATZY_TABLES", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    default = tables_folder()
    assert default.name == "tables"
    assert "yatzy" in default.parts
    assert list(tmp_path.iterdir()) == []


def test_listing(tmp_path: Path) -> None:
    assert list_tables(tmp_path / "none") == []
    folder = tmp_path / "made" / "deep"
    open_or_build(folder, KEY, build).close()
    with TableWriter(folder, replace(KEY, objective="part")) as writer:
        writer.append(2, values(2))
    (folder / "junk.table").write_bytes(b"junk")
    (folder / "yatzy-0123456789ab-renamed.table").write_bytes(table_path(folder, KEY).read_bytes())
    (folder / "notes.txt").write_text("not ours")
    found = {info.name: info for info in list_tables(folder)}
    assert list(found) == ["junk", KEY.name, "yatzy-0123456789ab-part", "yatzy-0123456789ab-renamed"]
    sound = found[KEY.name]
    assert (sound.game, sound.game_hash, sound.objective) == ("yatzy", "0123456789abcdef", "expected")
    assert (sound.state, sound.layers, sound.layers_done) == (TableState.SOUND, 3, 3)
    assert sound.size == sound.path.stat().st_size
    assert sound.modified.timestamp() == pytest.approx(sound.path.stat().st_mtime, abs=1e-3)
    part = found["yatzy-0123456789ab-part"]
    assert (part.state, part.layers, part.layers_done) == (TableState.UNFINISHED, 3, 1)
    for name in ("junk", "yatzy-0123456789ab-renamed"):
        assert found[name].state is TableState.UNREADABLE
        assert found[name].problem


def test_unfinished_work_is_gone_when_a_table_is_finished(tmp_path: Path) -> None:
    for layers in ((), (2, 1, 0)):  # an interruption may come after the last layer
        with TableWriter(tmp_path, KEY) as writer:
            (writer.work / "pieces").mkdir(parents=True, exist_ok=True)
            for layer in layers:
                writer.append(layer, values(layer))
    with open_or_build(tmp_path, KEY, build) as table:
        assert not writer.work.exists()
        assert table.path.exists()


def test_removing(tmp_path: Path) -> None:
    first = open_or_build(tmp_path, KEY, build).path
    other = replace(KEY, objective="other")
    second = open_or_build(tmp_path, other, build).path
    with TableWriter(tmp_path, KEY) as writer:
        writer.work.mkdir()
        (writer.work / "layer").touch()
    with pytest.raises(InputError, match=f"'nothing'.*{KEY.name}, {other.name}"):
        remove_tables(tmp_path, [KEY.name, "nothing"])
    assert first.exists()
    assert remove_tables(tmp_path, [KEY.name, KEY.name]) == [first, first.with_suffix(".part")]
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{other.name}.lock", second.name]
    assert remove_tables(tmp_path, [other.name]) == [second]
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="none"):
        remove_tables(tmp_path, [KEY.name])


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for action in (lambda f: open_or_build(f, KEY, build), lambda f: TableWriter(f, KEY)):
        with pytest.raises(TableUnwritable, match=r"file.*YATZY_TABLES") as caught:
            action(tmp_path / "file" / "tables")
        assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_closed_folder_serves_its_tables_but_takes_none(tmp_path: Path) -> None:
    open_or_build(tmp_path, KEY, build).close()
    tmp_path.chmod(0o555)
    try:
        open_or_build(tmp_path, KEY, build).close()
        with pytest.raises(TableUnwritable, match="Permission denied"):
            open_or_build(tmp_path, replace(KEY, objective="other"), build)
    finally:
        tmp_path.chmod(0o755)


def test_importing_needs_numpy_only() -> None:
    code = (
        "import sys, numpy; before = set(sys.modules); import yatzy.store; "
        "print({'filelock', 'platformdirs', 'numba', 'rich'} & (set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(("name", "axes"), [("", 1), ("x" * 101, 1), ("x", 33)])
def test_names_and_axes_of_arrays_have_a_limit(name: str, axes: int) -> None:
    with pytest.raises(InputError, match="needs a name of 1 to 100 letters, and 32 axes at most"):
        little_endian(name, np.zeros((1,) * axes))


def test_arrays_at_the_limit_are_stored() -> None:
    assert little_endian("x" * 100, np.zeros((1,) * 32)).shape == (1,) * 32


def test_an_empty_array_may_be_as_wide_as_any(tmp_path: Path) -> None:
    widest = np.empty((0, 2**59, 1), np.float32)
    with one_layer(tmp_path, {"value": widest, "after": np.arange(3)}) as table:
        assert table.array(0, "value").shape == widest.shape
        assert table.array(0, "after").tolist() == [0, 1, 2]


def test_a_single_number_has_no_rows(tmp_path: Path) -> None:
    with one_layer(tmp_path, {"value": np.array(3.5)}) as table:
        assert table.array(0, "value") == 3.5
        with pytest.raises(InputError, match="rows 0 to 1 are not in array 'value', which has 0"):
            table.read(0, "value", 0, 1)


def test_long_names_are_cut_so_that_three_parts_fit_a_file_name() -> None:
    short = replace(KEY, objective="x" * 80)
    assert short.name.endswith("-" + "x" * 80)
    long = [replace(KEY, objective="x" * 81), replace(KEY, objective="x" * 80 + "y")]
    cut = [key.name.removeprefix("yatzy-0123456789ab-") for key in long]
    assert [len(name) for name in cut] == [80, 80]
    assert cut[0] != cut[1]


def test_a_table_is_read_without_pread_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, which has none."""
    table = one_layer(tmp_path, {"value": np.arange(1000.0)})
    monkeypatch.setattr(source, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.delattr(os, "pread")
    again = Table(table.path, table.key)
    assert np.array_equal(again.read(0, "value", 0, 1000), np.arange(1000.0))
    assert np.array_equal(again.read(0, "value", 500, 510), np.arange(500.0, 510.0))


@pytest.mark.skipif(sys.platform == "win32", reason="has no pread")
def test_a_system_may_read_fewer_bytes_than_were_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, read = one_layer(tmp_path, {"value": np.arange(1000.0)}), os.pread
    monkeypatch.setattr(os, "pread", lambda file, length, offset: read(file, min(length, 700), offset))
    again = Table(table.path, table.key)
    assert again.verify() == []
    assert np.array_equal(again.read(0, "value", 0, 1000), np.arange(1000.0))


@pytest.mark.skipif(sys.platform == "win32", reason="reads there move the position")
def test_reading_does_not_move_the_position_that_a_forked_process_shares(tmp_path: Path) -> None:
    opened = source.Source(one_layer(tmp_path, {"value": np.arange(1000.0)}).path)
    assert len(opened.read(8, 100)) == 100
    assert opened._file.tell() == 0
    opened.close()


def test_the_json_of_a_large_table_may_take_a_thousandth_of_it() -> None:
    assert [most_json(size) for size in (0, 2**20, 2**30)] == [2**20, 2**20 + 2**10, 2**20 + 2**20]
