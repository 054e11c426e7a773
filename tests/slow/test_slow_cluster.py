"""Dask: the same results as in this process, also when workers are killed, and refusals before any work."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.command import START, yatzy_process
from helpers.killed_workers import Killer, busy_counts

from yatzy import Solver, load_game, simulate
from yatzy.games import Category, Chance, Game, Groups, Straight
from yatzy.lab.duel import parse_duellist, play_off
from yatzy.lab.remote import play_off_with, simulate_with
from yatzy.lab.seat_orders import play_all_orders
from yatzy.lab.strength import measure_strength
from yatzy.matches.endgames import Endgames
from yatzy.matches.solving import Keep, SolvedMatch, open_endgames, solve_match
from yatzy.values import curve_workers
from yatzy.values.curves import BestChances
from yatzy.values.resources import Resources
from yatzy.workers.places import Dask

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # Dask leaves warnings of its own when processes die
]

PAIR, TRIPLE = Category("pair", Groups((2,))), Category("triple", Groups((3,)))
FIXED_PAIR, RUN = Category("pair-fixed", Groups((2,), points=7)), Category("run", Straight(length=3, points=15))
GAME = Game("six-boxes", 3, 6, 3, (PAIR, TRIPLE, FIXED_PAIR, RUN, Category("all", Chance()), Category("any", Chance())))
BLOCK = 2000


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def cluster(shared: Path) -> Iterator[Executor]:
    with Dask().open(shared) as executor:
        yield executor


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> SolvedMatch:
    with ThreadPoolExecutor(1) as pool:
        return solve_match(GAME, pool, resources=Resources(tmp_path_factory.mktemp("here")), block=BLOCK)


def hashes(result: SolvedMatch) -> list[str]:
    return [layer.hash for layer in result.layers]


def test_a_solution_is_the_same_on_a_cluster(cluster: Executor, here: SolvedMatch, tmp_path: Path) -> None:
    there = solve_match(GAME, cluster, resources=Resources(tmp_path), block=BLOCK)
    assert hashes(there) == hashes(here)
    assert there.value == here.value


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_worker_costs_its_block_only(seed: int, cluster: Executor, here: SolvedMatch, tmp_path: Path) -> None:
    random = Random(seed)
    killer = Killer(cluster, random, random.sample(busy_counts(GAME, BLOCK), 2))
    there = solve_match(GAME, cluster, resources=Resources(tmp_path, progress=killer.watch), block=BLOCK)
    assert len(killer.killed) == 2
    assert hashes(there) == hashes(here)


def test_tables_of_a_cluster_have_the_usual_bytes(cluster: Executor, shared: Path, tmp_path: Path) -> None:
    there = open_endgames(GAME, 5, Resources(shared, executor=cluster))
    usual = Endgames(GAME, 5, Resources(tmp_path))
    assert there.tables[5].solved.cached
    for one, other in zip(there.tables, usual.tables, strict=True):
        assert one.solved.path.read_bytes() == other.solved.path.read_bytes()


def test_games_and_matches_are_the_same_on_a_cluster(cluster: Executor, shared: Path, tmp_path: Path) -> None:
    solver, game = Solver(shared, executor=cluster), load_game("two-yatzy")
    strategy = solver.strategy(game, "expected")
    assert (simulate_with(strategy, 300_000, 7, solver).total == simulate(strategy, 300_000, 7).total).all()
    emp, greedy = (parse_duellist(name, game, solver) for name in ("match:emp:1", "greedy"))
    there, here = play_off_with(emp, greedy, 3000, 3, solver), play_off(emp, greedy, 3000, 3)
    assert (there.points == here.points).all()
    assert there.means == here.means
    orders = play_all_orders([emp, greedy, greedy], 3000, 5, solver=solver, folder=tmp_path / "orders")
    assert (orders.scores == play_all_orders([emp, greedy, greedy], 3000, 5).scores).all()


def test_strength_is_the_same_on_a_cluster(cluster: Executor, shared: Path, tmp_path: Path) -> None:
    names, depths = ["expected", "match:emp:1"], {2: 700, 4: 30}
    there = measure_strength(GAME, names, depths, 3, tmp_path / "there", Solver(shared, executor=cluster), 3)
    here = measure_strength(GAME, names, depths, 3, tmp_path / "here", Solver(tmp_path), 3)
    assert there.judged == here.judged


def curve_table(folder: Path, **other: Any) -> bytes:
    return BestChances(GAME, Resources(folder, **other)).table.path.read_bytes()


@pytest.mark.parametrize("kills", range(4))
def test_curves_have_the_usual_bytes_also_when_workers_are_killed(
    kills: int, cluster: Executor, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curve_workers, "VALUES", 1)
    monkeypatch.setattr(curve_workers, "STEP", 1)
    killer = Killer(cluster, Random(kills), range(5, 5 + 8 * kills, 8))
    folder = shared / f"curves-{kills}"
    assert curve_table(folder, executor=cluster, progress=killer.watch) == curve_table(tmp_path)
    assert len(killer.killed) == kills
    assert killer.blocks > 8 * kills + 5
    assert [path.suffix for path in folder.iterdir() if path.suffix != ".lock"] == [".table"]


# Commands that are stopped while workers solve curves


def pieces(tables: Path) -> set[Path]:
    """Those of the current layer."""
    return set(tables.glob("*.work/pieces-*/*.kept"))


def stopped(stop: Callable[[subprocess.Popen[str]], None], tables: Path, on: str) -> subprocess.CompletedProcess[str]:
    """A command in a group of its own, as a terminal starts it, that is stopped when there is a piece."""
    arguments = ["solve", "yatzy", "--objective", "target:250", "--tables", str(tables), "--on", on]
    process = subprocess.Popen(
        [sys.executable, "-c", START, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        while not pieces(tables):
            assert process.poll() is None, process.communicate()
            time.sleep(0.1)
        stop(process)
        told = process.communicate(timeout=60)
        return subprocess.CompletedProcess(arguments, process.returncode, *told)
    finally:
        process.kill()


def test_ctrl_c_in_a_terminal_is_one_line(tmp_path: Path) -> None:
    """The terminal sends it to the workers too."""
    done = stopped(lambda process: os.killpg(process.pid, signal.SIGINT), tmp_path, "dask")
    assert done.returncode == 130
    assert [line for line in done.stderr.splitlines() if not line.startswith("Solving")] == [
        "yatzy: interrupted; finished results are kept, and the same command resumes"
    ]


def test_clusters_on_one_machine_do_not_meet(cluster: Executor, tmp_path: Path) -> None:
    done = yatzy_process("solve", "two-yatzy", "--objective", "target:5", "--tables", tmp_path, "--on", "dask")
    assert done.returncode == 0
    assert "Port" not in done.stderr


# A cluster with an address


def start_scheduler(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A scheduler without workers, and its file."""
    file = folder / "scheduler.json"
    command = [sys.executable, "-m", "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    process = subprocess.Popen([*command, "--scheduler-file", file], cwd=folder, stderr=subprocess.DEVNULL)
    while not file.exists() or not file.read_text("utf-8"):
        assert process.poll() is None
    return process, str(file)


def start_workers(address: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "dask",
        "worker",
        "--scheduler-file",
        address,
        "--nworkers",
        "2",
        "--nthreads",
        "1",
    ]
    return subprocess.Popen([*command, "--memory-limit", "0", "--no-dashboard"], cwd=folder, stderr=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The file of a scheduler without workers."""
    process, file = start_scheduler(tmp_path_factory.mktemp("scheduler"))
    try:
        yield file
    finally:
        process.terminate()
        process.wait()


def told(*arguments: str | Path, **options: Any) -> str:
    """The one line with which a command is refused."""
    done = yatzy_process(*arguments, **options)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_an_address_without_scheduler_or_workers_is_refused(address: str, tmp_path: Path) -> None:
    at = ("--tables", tmp_path / "tables")
    assert "no scheduler answers there" in told("match", "solve", "--on", "dask:tcp://127.0.0.1:9", *at)
    assert "the scheduler has no workers" in told("simulate", "--on", f"dask:{address}", *at)
    assert not list(tmp_path.rglob("*.block"))


def test_a_command_on_an_address(address: str, tmp_path: Path) -> None:
    worker = start_workers(address, tmp_path)
    try:
        game = tmp_path / "game.toml"
        game.write_text(str(GAME), encoding="utf-8")
        done = yatzy_process(
            "match", "solve", game, "--on", f"dask:{address}", "--tables", tmp_path / "tables", "--json"
        )
        assert done.returncode == 0, done.stderr
        assert "depth 12 of 12" in done.stderr
        found = json.loads(done.stdout)
    finally:
        worker.terminate()
        worker.wait()
    with ThreadPoolExecutor(2) as pool:
        here = solve_match(GAME, pool, Keep.NONE, Resources(tmp_path / "here"))
    assert [layer["hash"] for layer in found["layers"]] == hashes(here)
    assert found["value"] == here.value


def test_a_scheduler_that_is_lost_is_one_line(tmp_path: Path) -> None:
    scheduler, address = start_scheduler(tmp_path)
    workers = start_workers(address, tmp_path)

    def lose(process: subprocess.Popen[str]) -> None:
        scheduler.kill()

    try:
        done = stopped(lose, tmp_path / "tables", f"dask:{address}")
    finally:
        for one in (scheduler, workers):
            one.kill()
            one.wait()
    assert done.returncode == 1
    (line,) = (line for line in done.stderr.splitlines() if not line.startswith("Solving"))
    assert line.startswith("yatzy: the workers are gone: ")
    assert line.endswith("; finished results are kept, and the same command resumes")


def test_without_workers_a_command_waits_and_says_so_also_until_the_scheduler_is_lost(tmp_path: Path) -> None:
    scheduler, address = start_scheduler(tmp_path)
    workers = [start_workers(address, tmp_path)]
    tables, says = tmp_path / "tables", f"--on dask:{address}: the scheduler has no workers now; waiting for one\n"

    def end_workers(process: subprocess.Popen[str]) -> None:
        """Wait until the command has noticed."""
        workers[-1].terminate()
        workers[-1].wait()
        assert process.stderr is not None
        for line in process.stderr:
            if not line.startswith("Solving"):
                assert line == says
                return

    def lose(process: subprocess.Popen[str]) -> None:
        end_workers(process)
        before = pieces(tables)
        workers.append(start_workers(address, tmp_path))
        while not pieces(tables) - before:
            assert process.poll() is None
            time.sleep(0.1)
        end_workers(process)
        scheduler.kill()

    try:
        done = stopped(lose, tables, f"dask:{address}")
    finally:
        for one in (scheduler, *workers):
            one.kill()
            one.wait()
    assert done.returncode == 1
    assert done.stderr == (
        "yatzy: the workers are gone: the connection to the scheduler was lost; "
        "finished results are kept, and the same command resumes\n"
    )
    assert list(tables.glob("*.work"))
