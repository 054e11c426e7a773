"""The best chances from the start, with two layers in memory: those of the table, also after interruptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.small_games import CHANCE, PAIR, RUN

from yatzy import Solver
from yatzy.errors import InputError, SizeError, TableMissing
from yatzy.games import Game, Position, load_game
from yatzy.model import compile_game
from yatzy.store.blocks import hash_rows, write_block
from yatzy.store.files import locked
from yatzy.store.kept import KeptResults, decode_arrays, encode_arrays
from yatzy.store.pace import WritePace
from yatzy.values import start_curve as module
from yatzy.values.curve_files import CurveFiles
from yatzy.values.curve_layers import build_chances, build_where
from yatzy.values.curves import BestChances
from yatzy.values.resources import Resources
from yatzy.values.start_curve import start_curve

GAME = Game("three-boxes", 2, 3, 2, (PAIR, CHANCE, RUN))


@pytest.mark.parametrize("game", [GAME, load_game("yacht")], ids=lambda game: game.id)
def test_it_is_the_curve_of_the_table(game: Game, tmp_path: Path) -> None:
    found = start_curve(game, Resources(tmp_path / "start"))
    table = BestChances(game, Resources(tmp_path / "table")).curve(Position.start(game).sheet)
    assert found.low == table.low
    assert np.array_equal(found.chance, table.chance)


def test_it_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = start_curve(GAME, Resources(tmp_path))
    monkeypatch.setattr(module, "build_where", None)
    again = start_curve(GAME, Resources(tmp_path))
    assert again.low == first.low
    assert np.array_equal(again.chance, first.chance)


@pytest.mark.parametrize("damage", ["", "values", "index"])
def test_an_interruption_goes_on_from_the_layer_on_disk(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = start_curve(GAME, Resources(tmp_path / "whole"))
    monkeypatch.setattr("yatzy.store.pace.RATE", 1e18)
    solved = list[int]()

    def build(compiled: Any, layers: Any, *rest: Any, stop_at: int | None = None) -> None:
        append = layers.append

        def watched(layer: int, arrays: Any) -> None:
            if layer == stop_at:
                raise KeyboardInterrupt
            solved.append(layer)
            append(layer, arrays)

        layers.append = watched
        build_where(compiled, layers, *rest)

    monkeypatch.setattr(module, "build_where", lambda *args: build(*args, stop_at=1))
    with pytest.raises(KeyboardInterrupt):
        start_curve(GAME, Resources(tmp_path))
    assert solved == [3, 2]
    (left,) = tmp_path.rglob("layer-*.block")
    if damage == "values":
        left.write_bytes(left.read_bytes()[:-1] + b"!")
    elif damage:
        (index,) = tmp_path.rglob("curve-layer-*.kept")
        index.unlink()
    monkeypatch.setattr(module, "build_where", build)
    found = start_curve(GAME, Resources(tmp_path))
    assert np.array_equal(found.chance, expected.chance)
    assert solved == ([3, 2, 3, 2, 1, 0] if damage else [3, 2, 1, 0])
    assert not list(tmp_path.rglob("layer-*"))


def test_too_little_memory_is_told_before_the_first_layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "available_memory", lambda: 100)
    with pytest.raises(SizeError, match=r"three-boxes take about 0\.0 GiB of memory, but 0\.0 GiB are free"):
        start_curve(GAME, Resources(tmp_path))


def test_a_solver_builds_no_large_table_for_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solver, start = Solver(tmp_path), Position.start(GAME)
    monkeypatch.setattr(module, "LARGE", 0)
    first, chances = solver.best_chances(start)
    assert not list(tmp_path.glob("*.table"))
    usual = Solver(tmp_path / "usual")
    usual.chances(GAME)
    for where in (start, start.roll((2, 2))):
        low, expected = usual.best_chances(where)
        assert (solver.best_chances(where)[0], solver.best_chances(where)[1].tolist()) == (low, expected.tolist())
    assert (first, len(list(tmp_path.glob("*.table")))) == (0, 1)  # for the roll
    assert np.array_equal(chances, usual.best_chances(start)[1])
    assert list((tmp_path / "starts").rglob("*.kept"))
    assert not list((tmp_path / "usual").rglob("*.kept"))


def test_files_of_layers_that_a_killed_run_left_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yatzy.store.pace.RATE", 1e18)
    remove = CurveFiles.remove
    monkeypatch.setattr(CurveFiles, "remove", lambda *args: None)
    expected = start_curve(GAME, Resources(tmp_path))
    assert len(list(tmp_path.rglob("layer-*.block"))) == len(GAME.categories)
    next(tmp_path.rglob("start-curve-*.kept")).unlink()
    monkeypatch.setattr(CurveFiles, "remove", remove)
    assert np.array_equal(start_curve(GAME, Resources(tmp_path)).chance, expected.chance)
    assert not list(tmp_path.rglob("layer-*"))
    assert len(list(tmp_path.rglob("*.kept"))) == 1


def test_it_is_read_again_when_the_lock_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = start_curve(GAME, Resources(tmp_path))
    (kept,) = tmp_path.rglob("*.kept")
    content = kept.read_bytes()
    kept.unlink()

    def other_process_first(*args: Any) -> Any:
        kept.write_bytes(content)
        return locked(*args)

    monkeypatch.setattr(module, "locked", other_process_first)
    monkeypatch.setattr(module, "build_where", None)
    assert np.array_equal(start_curve(GAME, Resources(tmp_path)).chance, expected.chance)


def test_nothing_is_computed_where_nothing_may_be_written(tmp_path: Path) -> None:
    with pytest.raises(TableMissing, match="yatzy distribution --game three-boxes --best"):
        start_curve(GAME, Resources(tmp_path, read_only=True))
    assert not list(tmp_path.iterdir())


# Files whose checksums are right, but that another program wrote


def doubled(arrays: dict[str, Any]) -> None:
    arrays["low"] = arrays["low"].astype(np.float64)


def shortened(arrays: dict[str, Any]) -> None:
    arrays["low"] = arrays["low"][:-1]


def backwards(arrays: dict[str, Any]) -> None:
    arrays["offset"][1] = arrays["offset"][-1]


def late(arrays: dict[str, Any]) -> None:
    arrays["offset"] += 1


def high(arrays: dict[str, Any]) -> None:
    arrays["low"][0] = 10**6


def uncertain(arrays: dict[str, Any]) -> None:
    arrays["chance"][0] = np.nan


@pytest.mark.parametrize(
    "craft", [None, doubled, shortened, backwards, late, high, uncertain, lambda arrays: arrays.pop("offset")]
)
def test_a_crafted_layer_is_not_read(craft: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yatzy.store.pace.RATE", 1e18)
    compiled = compile_game(GAME)
    files = CurveFiles(compiled, tmp_path)
    build_chances(compiled, module._Layers(files, compiled.states.layers, WritePace(tmp_path), None))
    (path,) = tmp_path.glob("layer-*.block")
    assert path == files._path(1)
    found = files.read(1)
    assert found is not None
    arrays = {name: array.copy() for name, array in found.items()}
    if craft is not None:
        craft(arrays)
    chance = arrays.pop("chance")
    if craft is late:
        chance = np.append(chance, np.float32(0.5))
    files._index.write(files._key(1), encode_arrays(arrays))
    write_block(path, files._key(1), chance, hash_rows(chance, np.array([0, len(chance)])))
    assert (files.read(1) is None) == (craft is not None)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("low", np.array([1.5])),
        ("low", np.array([1, 1], np.int32)),
        ("low", np.array([-5], np.int32)),
        ("chance", np.ones((2, 2), np.float32)),
        ("chance", np.array([0.5])),
        ("chance", np.array([2.0], np.float32)),
        ("chance", np.array([np.nan], np.float32)),
    ],
)
def test_a_crafted_result_is_computed_again(name: str, wrong: Any, tmp_path: Path) -> None:
    expected = start_curve(GAME, Resources(tmp_path))
    kept = KeptResults(tmp_path / "starts" / f"{GAME.id}-{GAME.hash[:12]}", module.START)
    key = {"game": GAME.id, "hash": GAME.hash}
    arrays = kept.read(key, decode_arrays)
    assert arrays is not None
    kept.write(key, encode_arrays({**arrays, name: wrong}))
    reports = list[str]()
    found = start_curve(GAME, Resources(tmp_path, report=reports.append))
    assert (found.low, found.chance.tolist()) == (expected.low, expected.chance.tolist())
    assert reports
    assert all("is damaged; it is computed again" in line for line in reports)


# Saving layers is optional


@pytest.mark.parametrize("which", ["write_block", "_index"])
def test_a_full_disk_does_not_end_the_computation(which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = start_curve(GAME, Resources(tmp_path / "whole"))
    monkeypatch.setattr("yatzy.store.pace.RATE", 1e18)
    reports, write = list[str](), KeptResults.write

    def full(*args: Any) -> None:
        raise InputError("{path}: cannot be written: {reason}", path="layer", reason="No space left on device")

    def full_for_layers(kept: Any, key: Any, data: bytes) -> None:
        if "layer" in key:
            full()
        write(kept, key, data)

    if which == "_index":
        monkeypatch.setattr(KeptResults, "write", full_for_layers)
    else:
        monkeypatch.setattr("yatzy.values.curve_files.write_block", full)
    found = start_curve(GAME, Resources(tmp_path, report=reports.append))
    assert np.array_equal(found.chance, expected.chance)
    told = "layer: cannot be written: No space left on device; the computation goes on without saving"
    assert reports == [told] * len(GAME.categories)
    assert len(list(tmp_path.glob("starts/*/*.kept"))) == 1


def test_a_mapped_layer_that_cannot_be_removed_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, a file that is mapped cannot be removed."""
    expected = start_curve(GAME, Resources(tmp_path / "whole"))
    monkeypatch.setattr("yatzy.store.pace.RATE", 1e18)
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.suffix == ".block":
            raise PermissionError(13, "Permission denied", str(path))
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    assert np.array_equal(start_curve(GAME, Resources(tmp_path)).chance, expected.chance)
