"""The best chances from the start, with two layers in memory: those of the table, also after interruptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.small_games import CHANCE, PAIR, RUN

from yatzy import Solver
from yatzy.errors import SizeError, TableMissing
from yatzy.games import Game, Position, load_game
from yatzy.store.files import locked
from yatzy.values import start_curve as module
from yatzy.values.curves import BestChances, build_chances
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
    monkeypatch.setattr(module, "build_chances", None)
    again = start_curve(GAME, Resources(tmp_path))
    assert again.low == first.low
    assert np.array_equal(again.chance, first.chance)


@pytest.mark.parametrize("damage", [False, True])
def test_an_interruption_goes_on_from_the_layer_on_disk(
    damage: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = start_curve(GAME, Resources(tmp_path / "whole"))
    monkeypatch.setattr("yatzy.store.pace.RATE", 1e18)
    solved = list[int]()

    def build(compiled: Any, layers: Any, *rest: Any, stop_at: int | None = None, **other: Any) -> None:
        append = layers.append

        def watched(layer: int, arrays: Any) -> None:
            if layer == stop_at:
                raise KeyboardInterrupt
            solved.append(layer)
            append(layer, arrays)

        layers.append = watched
        build_chances(compiled, layers, *rest, **other)

    monkeypatch.setattr(module, "build_chances", lambda *args, **other: build(*args, stop_at=1, **other))
    with pytest.raises(KeyboardInterrupt):
        start_curve(GAME, Resources(tmp_path))
    assert solved == [3, 2]
    (left,) = tmp_path.rglob("layer-*.block")
    if damage:
        left.write_bytes(left.read_bytes()[:-1] + b"!")
    monkeypatch.setattr(module, "build_chances", build)
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
    remove = module._Layers.remove_all
    monkeypatch.setattr(module._Layers, "remove_all", lambda *args, **other: None)
    expected = start_curve(GAME, Resources(tmp_path))
    assert len(list(tmp_path.rglob("layer-*.block"))) == len(GAME.categories)
    next(tmp_path.rglob("start-curve-*.kept")).unlink()
    monkeypatch.setattr(module._Layers, "remove_all", remove)
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
    monkeypatch.setattr(module, "build_chances", None)
    assert np.array_equal(start_curve(GAME, Resources(tmp_path)).chance, expected.chance)


def test_nothing_is_computed_where_nothing_may_be_written(tmp_path: Path) -> None:
    with pytest.raises(TableMissing, match="yatzy distribution --game three-boxes --best"):
        start_curve(GAME, Resources(tmp_path, read_only=True))
    assert not list(tmp_path.iterdir())
