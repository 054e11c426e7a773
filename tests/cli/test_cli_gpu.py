"""`--on gpu` from outside, on the device of the tests: the same files as without it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from helpers.command import answer, refusal, yatzy
from helpers.gpu_stand_in import StandIn, lend, needs_compiler
from helpers.small_games import CHANCE, PAIR, RUN

from yatzy.games import Bonus, Category, Face, Game
from yatzy.gpu.device import open_device

GAME = Game("four-boxes", 2, 3, 2, (Category("twos", Face(2)), PAIR, CHANCE, RUN), Bonus(3, 2))
UNTOLD = ("seconds", "path", "cached")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "four-boxes.toml"
    path.write_text(str(GAME), encoding="utf-8")
    return path


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    return lend(monkeypatch, StandIn())


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.table")}


@needs_compiler
@pytest.mark.parametrize(
    ("command", "kernels", "tables"),
    [
        (("solve",), ["solve_states"] * 4, 1),
        (("solve", "--objective", "target:12"), ["solve_curves"] * 4 + ["solve_states"] * 4, 2),
        (("solve", "--objective", "chance:0.5"), ["solve_curves"] * 4, 1),
        (("match", "tables", "--depth", "3"), ["solve_pairs"] * 3, 4),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else "",
)
def test_tables_have_the_bytes_of_the_cpu(
    command: tuple[str, ...], kernels: list[str], tables: int, game: Path, device: StandIn, tmp_path: Path
) -> None:
    name = command[: 1 + (command[0] == "match")]
    call: tuple[str | Path, ...] = (*name, game, *command[len(name) :])
    found = answer(*call, "--on", "gpu", "--tables", tmp_path / "gpu")
    assert sorted(kernel for kernel, _ in device.launches) == sorted(kernels)
    plain = answer(*call, "--tables", tmp_path / "cpu")
    assert len(device.launches) == len(kernels)
    assert {**found, **dict.fromkeys(UNTOLD)} == {**plain, **dict.fromkeys(UNTOLD)}
    assert files(tmp_path / "gpu") == files(tmp_path / "cpu")
    assert len(files(tmp_path / "gpu")) == tables
    assert answer(*call, "--on", "gpu", "--tables", tmp_path / "gpu")["cached"]
    assert len(device.launches) == len(kernels)


@needs_compiler
def test_wrong_values_would_be_seen(game: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wrong = StandIn().source.replace("mean = mean + row[group * LANES]", "mean = mean + row[group * LANES] * 0.999")
    lend(monkeypatch, StandIn(source=wrong))
    answer("solve", game, "--on", "gpu", "--tables", tmp_path / "gpu")
    answer("solve", game, "--tables", tmp_path / "cpu")
    assert files(tmp_path / "gpu") != files(tmp_path / "cpu")


def test_what_no_gpu_computes_is_refused(game: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tables = ("--tables", tmp_path / "tables")
    with monkeypatch.context() as patch:
        lend(patch, StandIn())
        told = refusal("solve", game, "--objective", "exp:0.01", "--on", "gpu", *tables)
        assert "exp:0.01: its tables are not computed on a GPU" in told
        (tmp_path / "worth.csv").write_text("points,worth\n0,0\n5,1\n", encoding="utf-8")
        told = refusal("solve", game, "--objective", f"utility:{tmp_path / 'worth.csv'}", "--on", "gpu", *tables)
        assert "its tables are not computed on a GPU" in told
    for place in ("dask", "dask:host:8786"):
        told = refusal("solve", game, "--on", place, *tables)
        assert f"--on {place}: the tables of expected are computed on one machine; workers compute curves" in told
    assert "--on elsewhere: must be one of" in refusal("solve", game, "--on", "elsewhere", *tables)
    assert not (tmp_path / "tables").exists()


def test_without_a_gpu_one_line_says_so(game: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    open_device.cache_clear()
    for command in (("solve",), ("match", "tables")):
        done = yatzy(*command, game, "--on", "gpu", "--tables", tmp_path / "tables")
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].startswith("yatzy: --on gpu: a GPU needs CuPy: pip install")
        assert "Traceback" not in done.stderr


def test_threads_by_on(game: Path, tmp_path: Path) -> None:
    found = answer("solve", game, "--on", "local:2", "--tables", tmp_path / "two")
    plain = answer("solve", game, "--tables", tmp_path / "plain")
    assert {**found, **dict.fromkeys(UNTOLD)} == {**plain, **dict.fromkeys(UNTOLD)}
