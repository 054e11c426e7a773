"""`yatzy verify` from outside: what it prints, its exit codes, and what it refuses."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.command import START, answer, refusal, yatzy
from helpers.crafted import document, encode, read_layers
from helpers.gpu_stand_in import StandIn, lend, needs_compiler

from yatzy import ExpectedScore, load_game
from yatzy.gpu.device import open_device
from yatzy.matches.endgames import Endgames
from yatzy.solver import Solver
from yatzy.values.resources import Resources

TWO = load_game("two-yatzy")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    solver = Solver(tmp_path)
    solver.outlooks(TWO)
    solver.chances(TWO)
    Endgames(TWO, 2, Resources(tmp_path))
    return tmp_path


def spoil(folder: Path, kind: str, array: str) -> Path:
    """Alter the last number of a table, and mend its checksums."""
    path = next(folder.glob(f"*-{kind}.table"))
    key, layers = read_layers(path)
    layers[0][array].flat[-1] *= 0.99
    path.write_bytes(encode(document(key, layers)))
    return path


def test_all_tables_are_verified(folder: Path) -> None:
    done = yatzy("verify", "--all", "--tables", folder, "--games", "1000")
    assert done.returncode == 0, done.stderr
    names = [path.stem for path in sorted(folder.glob("*.table"))]
    assert len(names) == 6
    for name in names:
        assert re.search(rf"{re.escape(name)} +right", done.stdout)
    assert "1 − value, roles reversed" in done.stdout
    found = answer("verify", "--all", "--tables", folder, "--whole", "--games", "0")
    assert [one["name"] for one in found["tables"]] == names
    for one in found["tables"]:
        assert (one["verdict"], one["values"]) == ("sound", one["of"])
        assert one["difference"] <= one["bound"]
    assert (found["share"], found["seed"], found["on"]) == (1.0, 1, "local")


@pytest.mark.parametrize(
    ("language", "says", "told"),
    [
        ("sv", "FEL", "lager 0, läge two-yatzy~s.: innehåller "),
        ("de", "FALSCH", "Schicht 0, Zustand two-yatzy~s.: enthält "),
        ("en", "WRONG", "layer 0, state two-yatzy~s.: holds "),
    ],
)
def test_a_wrong_table_ends_with_1_and_names_the_state(language: str, says: str, told: str, folder: Path) -> None:
    path = spoil(folder, "expected", "value")
    done = yatzy("verify", "--all", "--whole", "--tables", folder, "--games", "0", "--language", language)
    assert done.returncode == 1
    assert says in done.stdout
    assert "two-yatzy~s." in done.stdout
    line = done.stderr.splitlines()[-1]
    assert line.startswith("yatzy: ")
    assert f" {path.stem}: {told}" in line
    shown = yatzy("verify", path.stem, "--whole", "--tables", folder, "--games", "0", "--json")
    assert shown.returncode == 1
    (one,) = json.loads(shown.stdout)["tables"]
    assert (one["verdict"], one["wrong"]) == ("wrong", 1)
    (fault,) = one["faults"]
    assert (fault["layer"], fault["state"]) == (0, "two-yatzy~s.")


def test_the_wrong_endgame_is_named(folder: Path) -> None:
    path = spoil(folder, "match-points=2", "waiting")
    done = yatzy("verify", path.stem, "--whole", "--tables", folder, "--games", "0")
    assert done.returncode == 1
    assert re.search(r"layer 0, state two-yatzy~\S+ two-yatzy~\S+, difference -?\d+: holds", done.stderr)


@needs_compiler
def test_tables_are_verified_on_a_gpu(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = lend(monkeypatch, StandIn())
    where = ("--on", "gpu", "--tables", folder, "--games", "0")
    done = yatzy("verify", "--all", *where)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("not checked") == 1  # the outlooks
    assert {kernel for kernel, _ in device.launches} == {"solve_curves", "solve_pairs", "solve_states"}
    found = answer("verify", "--all", *where)
    assert (found["share"], found["on"]) == (1.0, "gpu")
    for one in found["tables"]:
        assert one["objective"] == "outlook" or (one["verdict"], one["values"]) == ("sound", one["of"])
    outlooks = next(folder.glob("*-outlook.table")).stem
    assert "tables for outlook cannot be computed again on gpu" in refusal("verify", outlooks, *where)
    for kind, array, place in (
        ("expected", "value", "state two-yatzy~s.: holds"),
        ("chances", "chance", r"state two-yatzy~s., score \d+: holds"),
        ("match-points=2", "waiting", r"state two-yatzy~\S+ two-yatzy~\S+, difference -?\d+: holds"),
    ):
        path = spoil(folder, kind, array)
        done = yatzy("verify", path.stem, *where)
        assert done.returncode == 1
        assert re.search(f"layer 0, {place}", done.stderr), done.stderr


def test_what_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = ("--tables", folder)
    assert "--all" in refusal("verify", *where)
    assert "--all" in refusal("verify", "x", "--all", *where)
    assert "contradict" in refusal("verify", "--all", "--whole", "--share", "0.1", *where)
    assert "share: 2" in refusal("verify", "--all", "--share", "2", *where)
    assert "share: 0" in refusal("verify", "--all", "--share", "0", *where)
    assert "nonsense" in refusal("verify", "nonsense", *where)
    assert "nonsense" in refusal("verify", "nonsense" * 100, *where)
    told = refusal("verify", "--all", "--on", "dask", *where)
    assert "--on dask: tables cannot be verified there; there is local, gpu" in told
    told = refusal("verify", "--all", "--on", "gpu", "--share", "0.1", *where)
    assert "--on gpu always computes all states again; leave out --share" in told
    monkeypatch.setitem(sys.modules, "cupy", None)
    open_device.cache_clear()
    assert "--on gpu: a GPU needs CuPy: pip install" in refusal("verify", "--all", "--on", "gpu", *where)
    assert refusal("verify", "--all", "--game", "missing.toml", *where)
    assert refusal("verify", "--all", "--utility", "missing.csv", *where)


def test_an_empty_folder_has_nothing_to_verify(tmp_path: Path) -> None:
    done = yatzy("verify", "--all", "--tables", tmp_path)
    assert (done.returncode, done.stdout) == (0, "there are no finished tables\n")


def test_a_game_of_ones_own_needs_its_rules(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "cottage-yatzy.toml"
    path = Path(answer("solve", example, "--tables", tmp_path)["path"])
    where = ("--tables", tmp_path, "--games", "0")
    assert "--game" in refusal("verify", path.stem, *where)
    done = yatzy("verify", "--all", *where)
    assert done.returncode == 0
    assert "not checked" in done.stdout
    (found,) = answer("verify", "--all", "--game", example, "--share", "0.001", *where)["tables"]
    assert found["verdict"] == "sound"
    assert 0 < found["values"] < found["of"]


def test_tables_show_their_error_bounds(folder: Path) -> None:
    shown = yatzy("tables", "--tables", folder).stdout
    assert "error bound" in shown
    assert "of the number" in shown
    bounds = {one["objective"]: one["error_bound"] for one in answer("tables", "--tables", folder)["tables"]}
    assert all(bounds.values())
    assert bounds["match-points:0"]["bound"] == 0
    assert bounds["expected"]["bound"] < 1e-13
    assert bounds["outlook"]["measure"] == "relative"
    assert bounds["expected"]["measure"] == "absolute"


def test_ctrl_c_ends_a_verification_and_leaves_the_table_as_it_was(solved: Callable[[str], ExpectedScore]) -> None:
    path = solved("yatzy").table.path
    before = path.read_bytes()
    command = [sys.executable, "-c", START, "verify", path.stem, "--whole", "--tables", str(path.parent)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stderr is not None
    line = child.stderr.readline()
    assert line == f"Verifying {path.stem} ...\n"
    child.send_signal(signal.SIGINT)
    shown, told = child.communicate(timeout=300)
    assert (child.returncode, shown) == (130, ""), told
    assert "Traceback" not in told
    assert path.read_bytes() == before
