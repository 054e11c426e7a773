"""Blocks of numbers: whole or not at all, and whatever is wrong with a file is noticed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from yatzy.store.blocks import MOST_HEAD, hash_of_hashes, hash_rows, read_block, write_block

ABOUT = {"game": "abc", "depth": 3}
VALUES = np.linspace(0, 1, 1000, dtype=np.float32)
START = np.array([0, 10, 10, 400, 1000])


def written(path: Path) -> Path:
    write_block(path, ABOUT, VALUES, hash_rows(VALUES, START))
    return path


def test_a_block_is_read_as_written(tmp_path: Path) -> None:
    path = written(tmp_path / "deep" / "one.block")
    found = read_block(path, ABOUT, START)
    assert found is not None
    values, hashes = found
    assert np.array_equal(values, VALUES)
    assert hashes == hash_rows(VALUES, START)
    assert not values.flags.writeable
    assert path.stat().st_size % 64 == 4000 % 64
    before = path.read_bytes()
    written(path)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == ["one.block"]


def test_an_empty_block(tmp_path: Path) -> None:
    start = np.array([0, 0, 0])
    write_block(tmp_path / "none", ABOUT, VALUES[:0], hash_rows(VALUES[:0], start))
    found = read_block(tmp_path / "none", ABOUT, start)
    assert found is not None
    assert len(found[0]) == 0


def test_hashes_of_rows_do_not_depend_on_the_cuts() -> None:
    parts = [hash_rows(VALUES[:10], START[:3]), hash_rows(VALUES[10:], START[2:] - 10)]
    assert b"".join(parts) == hash_rows(VALUES, START)
    other = VALUES.copy()
    other[500] += np.float32(1e-7)
    assert hash_of_hashes(hash_rows(other, START)) != hash_of_hashes(hash_rows(VALUES, START))


def test_every_changed_byte_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "one.block")
    content = path.read_bytes()
    head = content.index(b"\n") + 1
    for place in [*range(head), *range(head, len(content), 97), len(content) - 1]:
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert read_block(path, ABOUT, START) is None, place
    path.write_bytes(content)
    assert read_block(path, ABOUT, START) is not None


@pytest.mark.parametrize("cut", [0, 1, 64, 1000, -1])
def test_a_cut_or_longer_file_is_noticed(cut: int, tmp_path: Path) -> None:
    path = written(tmp_path / "one.block")
    content = path.read_bytes()
    path.write_bytes(content[:cut])
    assert read_block(path, ABOUT, START) is None
    path.write_bytes(content + b"0000")
    assert read_block(path, ABOUT, START) is None


def test_another_block_is_noticed(tmp_path: Path) -> None:
    path = written(tmp_path / "one.block")
    assert read_block(path, {**ABOUT, "depth": 4}, START) is None
    assert read_block(path, ABOUT, np.array([0, 999])) is None
    assert read_block(path, ABOUT, np.array([0, 1000])) is None  # other rows
    assert read_block(tmp_path / "missing", ABOUT, START) is None
    (tmp_path / "long").write_bytes(b"{" * (2 * MOST_HEAD))
    assert read_block(tmp_path / "long", ABOUT, START) is None
