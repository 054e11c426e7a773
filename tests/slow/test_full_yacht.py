"""Two-player Yacht from the first roll: the hashes of docs/scale.md, wherever it is solved and whoever is killed."""

from __future__ import annotations

import os
import re
import signal
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from yatzy import load_game
from yatzy.matches.solving import Keep, SolvedMatch, solve_match
from yatzy.values.resources import Resources
from yatzy.workers.places import Dask

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore")]

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
DEPTHS = 24
LIKELY = 240.0
"""Seconds in which a worker is killed, at a random moment: about as long as it takes on two cores."""


def stated() -> dict[int, str]:
    """The hashes of the page, by depth."""
    section = PAGE.read_text("utf-8").partition("### Yacht\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \| [\d,]+ \| [\d,]+ \| `([0-9a-f]{32})` \|$", section, re.M)
    return {int(depth): hash_ for depth, hash_ in rows}


def solve(executor: Executor, folder: Path) -> SolvedMatch:
    return solve_match(load_game("yacht"), executor, Keep.NONE, Resources(folder))


def check(result: SolvedMatch) -> None:
    assert {layer.depth: layer.hash for layer in result.layers} == stated()
    assert len(stated()) == DEPTHS + 1
    assert round(result.value, 6) == 0.493862


@pytest.mark.parametrize("threads", [1, 2])
def test_on_threads(threads: int, tmp_path: Path) -> None:
    with ThreadPoolExecutor(threads) as pool:
        check(solve(pool, tmp_path))


def test_on_two_workers_of_dask(tmp_path: Path) -> None:
    with Dask().open(tmp_path) as executor:
        check(solve(executor, tmp_path))


@pytest.mark.parametrize("seed", range(10))
def test_a_worker_of_dask_is_killed(seed: int, tmp_path: Path) -> None:
    random, ended, killed = Random(seed), Event(), list[int]()

    def kill(pids: list[int], after: float) -> None:
        if not ended.wait(after):
            killed.append(random.choice(pids))
            os.kill(killed[0], signal.SIGKILL)

    with Dask().open(tmp_path) as executor:
        pids = sorted(executor._client.run(os.getpid).values())  # type: ignore[attr-defined]
        killer = Thread(target=kill, args=(pids, random.uniform(0.05, 0.95) * LIKELY))
        begin = time.perf_counter()
        killer.start()
        try:
            result = solve(executor, tmp_path)
        finally:
            ended.set()
            killer.join()
        print(f"seed {seed}: killed {len(killed)} of {len(pids)}, {time.perf_counter() - begin:.0f} s")
    check(result)
    assert killed
