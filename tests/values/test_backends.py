"""Backends in Python: the name is checked, and nothing is imported for those who do not ask."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from helpers.gpu_stand_in import StandIn, lend, needs_compiler

from yatzy.errors import InputError
from yatzy.games import load_game
from yatzy.solver import Solver

GAME = load_game("two-yatzy")


def test_an_unknown_backend_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"backend: tpu must be one of cpu, gpu"):
        Solver(tmp_path, backend="tpu").expected(GAME)


@needs_compiler
def test_a_solver_builds_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device, seen = lend(monkeypatch, StandIn()), list[tuple[int, int]]()
    solver = Solver(tmp_path, progress=lambda *_: lambda done, of: seen.append((done, of)), backend="gpu")
    found, plain = solver.build(GAME, "target:4"), Solver(tmp_path / "plain").build(GAME, "target:4")
    assert found.table.path.read_bytes() == plain.table.path.read_bytes()
    assert {kernel for kernel, _ in device.launches} == {"solve_curves", "solve_states"}
    assert [of for done, of in seen if done == of]


@needs_compiler
def test_an_interrupted_build_is_continued_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device, done = lend(monkeypatch, StandIn()), list[int]()

    def stop(now: int, of: int) -> None:
        done.append(now)
        if len(done) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Solver(tmp_path, progress=lambda *_: stop, backend="gpu").expected(GAME)
    assert device.launches
    reports = list[str]()
    solved, plain = Solver(tmp_path, report=reports.append).expected(GAME), Solver(tmp_path / "plain").expected(GAME)
    # That of the full sheets, and one of the device.
    assert reports == [f"resuming {solved.table.path.stem}: 2 of 3 layers are done"]
    assert solved.table.path.read_bytes() == plain.table.path.read_bytes()


def test_nothing_of_a_gpu_is_imported_without_asking(tmp_path: Path) -> None:
    code = "import sys; from yatzy.solver import Solver; from yatzy.games import load_game\n"
    code += f"Solver({str(tmp_path)!r}).build(load_game('two-yatzy'), 'target:4')\n"
    code += "print([name for name in sys.modules if name.startswith(('yatzy.gpu', 'cupy'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
