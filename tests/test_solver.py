"""The solver: each table is opened once, `open` computes nothing, and `build` builds what is missing."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest

from yatzy import load_game
from yatzy.errors import InputError, NotFromData, TableMissing
from yatzy.names import Origin
from yatzy.solver import Solver, solve
from yatzy.values.opened import Opened

GAME, OTHER = load_game("two-yatzy"), load_game("yacht")


def test_open_says_what_builds_a_missing_table(tmp_path: Path) -> None:
    solver = Solver(tmp_path)
    for name, command in (
        ("expected", "yatzy solve two-yatzy'"),
        ("target:4", "yatzy solve two-yatzy --objective target:1'"),
        ("exp:0.1", "yatzy solve two-yatzy --objective exp:0.1'"),
    ):
        assert not solver.ready(GAME, name)
        with pytest.raises(TableMissing, match=f"{name}: .* run '{command}"):
            solver.open(GAME, name)
    assert not list(tmp_path.rglob("*.table"))
    for name in ("expected", "target:4", "exp:0.1"):
        built = solver.build(GAME, name)
        assert solver.ready(GAME, name)
        assert solver.open(GAME, name) is built
        assert Solver(tmp_path).open(GAME, name).objective == name


def test_objectives_share_their_tables(tmp_path: Path) -> None:
    solver = Solver(tmp_path)
    four, five = solver.build(GAME, "target:4"), solver.build(GAME, "target:5")
    assert four is not five
    assert four.table is five.table is solver.chances(GAME).table
    assert solver.search(GAME, "match:emp:1").chances is solver.chances(GAME)
    assert solver.search(GAME, "match:emp:1") is solver.search(GAME, "match:emp:1")
    assert solver.search(GAME, "match:emp:1") is not solver.search(GAME, "match:emp:1", "win")
    assert solver.evaluator(GAME, "match:emp:1", 2) is solver.search(GAME, "match:emp:1")
    assert solver.evaluator(GAME, "target:4") is four
    solver.forget(GAME)
    assert solver.build(GAME, "target:4") is not four


def test_a_file_is_read_again_and_only_for_a_person(tmp_path: Path) -> None:
    file = tmp_path / "worth.csv"
    file.write_text("points,worth\n0,0\n1,1\n", encoding="utf-8")
    solver, name = Solver(tmp_path), f"utility:{file}"
    with pytest.raises(NotFromData):
        solver.build(GAME, name)
    first = solver.build(GAME, name, Origin.PERSON)
    file.write_text("points,worth\n0,0\n1,2\n", encoding="utf-8")
    assert solver.build(GAME, name, Origin.PERSON).objective != first.objective


def test_solve_is_for_the_expected_score_unless_told_otherwise(tmp_path: Path) -> None:
    solver = Solver(tmp_path)
    assert solve(GAME, solver=solver) is solver.expected(GAME)
    assert solve(GAME, "target:4", solver).objective == "target:4"
    with pytest.raises(InputError, match="for one player"):
        solve(GAME, "match:emp:1", solver)


def test_threads_open_a_thing_once_and_do_not_wait_for_others() -> None:
    opened, made = Opened(2), list[str]()

    def make(name: str) -> str:
        sleep(0.02)
        made.append(name)
        return name

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: opened.get(GAME, number % 2, lambda: make(str(number % 2))), range(16)))
    assert sorted(made) == ["0", "1"]
    assert found == ["0", "1"] * 8


def test_the_thing_used_longest_ago_is_closed() -> None:
    opened, made = Opened(2), list[str]()
    for name in "abacabc":
        opened.get(GAME, name, lambda name=name: made.append(name))  # type: ignore[misc]
    assert made == ["a", "b", "c", "b", "c"]


def test_what_could_not_be_opened_is_tried_again() -> None:
    opened = Opened(2)
    with pytest.raises(ZeroDivisionError):
        opened.get(GAME, "a", lambda: 1 // 0)
    assert opened.get(GAME, "a", lambda: 5) == 5
    assert opened.get(OTHER, "a", lambda: 6) == 6
    opened.forget(GAME)
    assert opened.get(GAME, "a", lambda: 7) == 7
    assert opened.get(OTHER, "a", lambda: 8) == 6


def test_a_table_in_use_does_not_keep_all_others_open(tmp_path: Path) -> None:
    solver = Solver(tmp_path)
    held = solver.expected(GAME)
    others = list[Callable[[], object]]([weakref.ref(solver.chances(GAME)), weakref.ref(solver.build(GAME, "exp:0.5"))])
    del solver
    gc.collect()
    assert held.game == GAME
    assert [table() for table in others] == [None, None]
