"""Two-player Yacht from the first roll: the hashes of docs/scale.md, wherever it is solved and whoever is killed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from helpers.killed_workers import Killer, busy_counts

from yatzy import load_game
from yatzy.matches.solving import BLOCK, Keep, SolvedMatch, solve_match
from yatzy.values.resources import Progress, Resources
from yatzy.workers.places import Dask

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore")]

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
DEPTHS = 24


def stated() -> dict[int, str]:
    """The hashes of the page, by depth."""
    section = PAGE.read_text("utf-8").partition("### Yacht\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \| [\d,]+ \| [\d,]+ \| `([0-9a-f]{32})` \|$", section, re.M)
    return {int(depth): hash_ for depth, hash_ in rows}


def solve(executor: Executor, folder: Path, progress: Callable[..., Progress] | None = None) -> SolvedMatch:
    return solve_match(load_game("yacht"), executor, Keep.NONE, Resources(folder, progress=progress))


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
    random, begin = Random(seed), time.perf_counter()
    when = random.choice(busy_counts(load_game("yacht"), BLOCK))
    with Dask().open(tmp_path) as executor:
        killer = Killer(executor, random, [when])
        result = solve(executor, tmp_path, killer.watch)
    print(f"seed {seed}: killed after {when} of {killer.blocks} blocks, {time.perf_counter() - begin:.0f} s")
    check(result)
    assert len(killer.killed) == 1
