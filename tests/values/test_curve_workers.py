"""Curves that workers solve in pieces: those of one process, also after losses, interruptions and damage."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers.small_games import CHANCE, PAIR, RUN

from yatzy.errors import InputError, SizeError, TableDamaged
from yatzy.games import Category, Chance, Game
from yatzy.model import compile_game
from yatzy.store.kept import KeptResults, decode_arrays, encode_arrays
from yatzy.values import curve_workers as module
from yatzy.values.curve_files import CurveFiles
from yatzy.values.curve_layers import estimated_bytes, estimated_layers
from yatzy.values.curve_workers import CurveTask, solve_piece
from yatzy.values.curves import BestChances
from yatzy.values.resources import Resources
from yatzy.values.start_curve import START, start_curve

GAME = Game("four-boxes", 2, 3, 2, (PAIR, CHANCE, RUN, Category("any", Chance())))
"""Its layers have 1, 4, 6, 4 and 1 states, so there are 15 pieces of a state."""


class Watched(Executor):
    """Solves each piece at once, after calling a function with it."""

    def __init__(self, see: Callable[[CurveTask], None]) -> None:
        self.see = see

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        self.see(arguments[0])
        done = Future[Any]()
        done.set_result(work(*arguments, **options))
        return done


def stopping(after: int) -> Watched:
    """Stops, as an interruption does, when a number of pieces was given out."""
    seen = list[CurveTask]()

    def see(task: CurveTask) -> None:
        if len(seen) == after:
            raise KeyboardInterrupt
        seen.append(task)

    return Watched(see)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "VALUES", 1)
    monkeypatch.setattr(module, "STEP", 1)


def table_of(folder: Path, **other: Any) -> bytes:
    return BestChances(GAME, Resources(folder, **other)).table.path.read_bytes()


def test_the_table_has_the_usual_bytes(tmp_path: Path) -> None:
    told = list[tuple[int, int]]()
    usual = table_of(tmp_path / "usual")
    with ThreadPoolExecutor(2) as executor:
        found = table_of(tmp_path / "shared", executor=executor, progress=lambda *what: lambda *n: told.append(n))
    assert found == usual
    assert told[-1][0] == told[-1][1]
    assert not list((tmp_path / "shared").rglob("layer-*"))
    assert sorted(path.suffix for path in (tmp_path / "shared").iterdir()) == [".lock", ".table"]


def test_other_processes_do_the_work(tmp_path: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert table_of(tmp_path / "shared", executor=executor) == table_of(tmp_path / "usual")


@pytest.mark.parametrize("pieces", [0, 1, 7, 14])
def test_an_interruption_goes_on_with_the_missing_pieces(pieces: int, tmp_path: Path) -> None:
    with stopping(pieces) as executor, pytest.raises(KeyboardInterrupt):
        table_of(tmp_path / "shared", executor=executor)
    missing = list[CurveTask]()

    def count(task: CurveTask) -> None:
        if module._read_piece(task) is None:
            missing.append(task)

    with Watched(count) as executor:
        found = table_of(tmp_path / "shared", executor=executor)
        rest = len(missing)
        assert table_of(tmp_path / "whole", executor=executor) == found
    assert rest == len(missing) - rest - pieces


@pytest.mark.parametrize("pieces", [0, 7, 14])
def test_the_curve_of_the_start_is_the_usual_one(pieces: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = start_curve(GAME, Resources(tmp_path / "usual"))
    with stopping(pieces) as executor, pytest.raises(KeyboardInterrupt):
        start_curve(GAME, Resources(tmp_path / "shared", executor=executor))
    with ThreadPoolExecutor(2) as pool:
        found = start_curve(GAME, Resources(tmp_path / "shared", executor=pool))
    assert (found.low, found.chance.tolist()) == (usual.low, usual.chance.tolist())
    assert sorted(path.suffix for path in (tmp_path / "shared").rglob("*.*")) == [".kept", ".lock"]


def test_threads_go_on_and_leave_no_files_of_workers(tmp_path: Path) -> None:
    with stopping(7) as executor:
        for solve in (BestChances, start_curve):
            with pytest.raises(KeyboardInterrupt):
                solve(GAME, Resources(tmp_path, executor=executor))
    assert len(list(tmp_path.rglob("layer-*.block"))) == 2
    BestChances(GAME, Resources(tmp_path))
    start_curve(GAME, Resources(tmp_path))
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(("layer-", "pieces-", "curve-"))]
    assert not list(tmp_path.glob("*.work"))


def test_a_curve_of_the_start_that_could_not_be_written_is_not_solved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = KeptResults.write

    def full(self: KeptResults, key: Any, data: bytes) -> None:
        if self._computation is START:
            raise InputError("No space left on device")
        write(self, key, data)

    with monkeypatch.context() as patch, ThreadPoolExecutor(1) as pool:
        patch.setattr(KeptResults, "write", full)
        with pytest.raises(InputError, match="No space"):
            start_curve(GAME, Resources(tmp_path, executor=pool))
    tasks = list[CurveTask]()

    def see(task: CurveTask) -> None:
        assert module._read_piece(task) is not None
        tasks.append(task)

    with Watched(see) as executor:
        start_curve(GAME, Resources(tmp_path, executor=executor))
    assert [task.layer for task in tasks] == [0]


# Files that are damaged or crafted


def piece_of(folder: Path) -> tuple[CurveTask, Path]:
    """A piece that an interrupted run left, and its file."""
    tasks = list[CurveTask]()

    def see(task: CurveTask) -> None:
        tasks.append(task)
        if len(tasks) == 8:
            raise KeyboardInterrupt

    with Watched(see) as executor, pytest.raises(KeyboardInterrupt):
        table_of(folder, executor=executor)
    return tasks[6], module._pieces(tasks[6]).path(module._key(tasks[6]))


def test_a_damaged_piece_is_solved_again(tmp_path: Path) -> None:
    _, path = piece_of(tmp_path / "shared")
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with ThreadPoolExecutor(1) as executor:
        assert table_of(tmp_path / "shared", executor=executor) == table_of(tmp_path / "usual")


def change(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def craft(arrays: dict[str, Any]) -> None:
        arrays[name] = value(arrays[name])

    return craft


@pytest.mark.parametrize(
    "craft",
    [
        change("low", lambda low: low.astype(np.float64)),
        change("low", lambda low: low[:-1]),
        change("low", lambda low: low + 10**6),
        change("offset", lambda offset: offset + 1),
        change("chance", lambda chance: chance[:-1]),
        change("chance", lambda chance: chance * np.nan),
        lambda arrays: arrays.pop("offset"),
    ],
)
def test_a_crafted_piece_is_solved_again(craft: Callable[[dict[str, Any]], None], tmp_path: Path) -> None:
    task, _ = piece_of(tmp_path / "shared")
    pieces, key = module._pieces(task), module._key(task)
    arrays = pieces.read(key, decode_arrays)
    assert arrays is not None
    craft(arrays)
    pieces.write(key, encode_arrays(arrays))
    with ThreadPoolExecutor(1) as executor:
        assert table_of(tmp_path / "shared", executor=executor) == table_of(tmp_path / "usual")


def test_a_worker_that_does_not_see_the_layer_says_so(tmp_path: Path) -> None:
    task, _ = piece_of(tmp_path / "shared")
    with pytest.raises(TableDamaged, match=r"elsewhere: is damaged or missing, or .* does not share the folder"):
        solve_piece(replace(task, folder=str(tmp_path / "elsewhere")))


def test_a_piece_that_is_gone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "solve_piece", print)  # does nothing
    with ThreadPoolExecutor(1) as executor, pytest.raises(TableDamaged, match="start the same command again"):
        table_of(tmp_path / "shared", executor=executor)


def test_a_full_disk_is_told_before_the_first_layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table and three layers must fit beside each other; what is there after an interruption does not count."""
    free, compiled = 0, compile_game(GAME)

    def usage(folder: Path) -> SimpleNamespace:
        return SimpleNamespace(free=free)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    sizes = estimated_layers(compiled).tolist()
    three = int(max(2 * one + after for one, after in pairwise(sizes)))
    free = estimated_bytes(GAME) + three - 1
    with stopping(7) as executor, pytest.raises(SizeError, match=r"GiB more in the folder that workers share"):
        table_of(tmp_path, executor=executor)
    assert not list(tmp_path.rglob("layer-*"))
    free += 1
    with stopping(7) as executor, pytest.raises(KeyboardInterrupt):
        table_of(tmp_path, executor=executor)
    (part,), (work,) = tmp_path.glob("*.part"), tmp_path.glob("*.work")
    there = CurveFiles(compiled, work).size()
    assert there > 0
    assert part.stat().st_size > estimated_bytes(GAME)  # so nothing more is needed for the table
    free = max(three - there, 0)
    with ThreadPoolExecutor(1) as pool:
        table_of(tmp_path, executor=pool)
