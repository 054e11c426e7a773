"""Endgame tables on a disk that fills up, a real one: a small tmpfs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from yatzy import load_game
from yatzy.errors import SizeError, TableUnwritable
from yatzy.matches import endgames
from yatzy.matches.endgames import Endgames, size_needed
from yatzy.values.resources import Resources

YACHT, DEPTH = load_game("yacht"), 4


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with room for about half of the tables."""
    folder = tmp_path / "disk"
    folder.mkdir()
    size = size_needed(YACHT, DEPTH) // 2
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"a tmpfs cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_too_small_a_disk_is_refused_before_anything_is_written(small_disk: Path) -> None:
    with pytest.raises(SizeError, match=r"still to be written; .* free in"):
        Endgames(YACHT, DEPTH, Resources(small_disk))
    assert not list(small_disk.glob("*.table"))
    assert not list(small_disk.glob("*.part"))


def test_a_disk_that_fills_up_keeps_what_is_finished(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgames, "PIECE", 2**14)
    monkeypatch.setattr(endgames, "_refuse_if_disk_too_small", lambda *_: None)  # others may write, too
    with pytest.raises(TableUnwritable, match=r"full|No space left"):
        Endgames(YACHT, DEPTH, Resources(small_disk))
    kept = {path.name: path.stat().st_size for path in small_disk.iterdir() if path.suffix in (".table", ".part")}
    assert sum(size > 0 for size in kept.values()) >= DEPTH
    subprocess.run(["mount", "-o", f"remount,size={4 * size_needed(YACHT, DEPTH)}", str(small_disk)], check=True)
    told: list[str] = []
    made = Endgames(YACHT, DEPTH, Resources(small_disk, report=told.append))
    assert any("resuming" in line for line in told), told
    whole = Endgames(YACHT, DEPTH, Resources(small_disk.parent / "elsewhere"))
    for one, other in zip(made.tables, whole.tables, strict=True):
        assert Path(one.solved.path).read_bytes() == Path(other.solved.path).read_bytes()
    assert os.listdir(small_disk)
