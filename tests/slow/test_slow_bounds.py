"""The tests of the kernels once more with Numba's bounds checks on.

Checked and unchecked code have the same name in Numba's cache on disk, so the checked run gets a cache of its own.
Loads and stores of whole vectors (kernels/vectors.py) go by address and are not checked.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
KERNELS = (
    "values/test_solve.py",
    "values/test_curves.py",
    "evaluation/test_outlook.py",
    "strategies/test_strategies.py",
    "lab/test_simulate.py",
    "lab/test_traces.py",
    "lab/test_duel.py",
    "matches/test_endgames.py",
    "values/test_exact.py",
    "matches/test_match_search.py",
    "evaluation/test_review_turns.py",
)
QUICK = ("values/test_solve.py", "lab/test_duel.py")
"""Those that take a minute or two; checked code is slow to compile and to run."""
SCRATCH = """
import numpy as np
from numba import njit

@njit(cache=True, nogil=True, error_model="numpy")
def beyond(array, place):
    return array[place]

try:
    beyond(np.zeros(3), 5)
except IndexError:
    print("checked")
else:
    print("unchecked")
"""


def _run(arguments: list[str], cache: Path, folder: Path, checked: bool) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_BOUNDSCHECK": "1" if checked else "0"}
    environment.pop("PYTEST_XDIST_WORKER", None)
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment, cwd=folder
    )


@pytest.mark.slow
def test_bounds_checks_have_an_effect_on_cached_kernels(tmp_path: Path) -> None:
    script = tmp_path / "scratch.py"
    script.write_text(SCRATCH)
    for checked in (True, False):
        cache = tmp_path / f"cache-{checked}"
        for _ in range(2):  # compiled, then from the cache
            found = _run([str(script)], cache, tmp_path, checked)
            assert found.stdout.strip() == ("checked" if checked else "unchecked"), found.stderr
        assert list(cache.rglob("*.nbc"))


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        pytest.param("not slow and not full", QUICK, marks=pytest.mark.slow),
        pytest.param("not full", KERNELS, marks=pytest.mark.full),
    ],
)
def test_no_kernel_reads_out_of_bounds(chosen: str, names: tuple[str, ...], tmp_path: Path) -> None:
    files = [str(TESTS / name) for name in names]
    assert all(Path(file).exists() for file in files)
    found = _run(
        [
            "-m",
            "pytest",
            "-q",
            "-x",
            "-m",
            chosen,
            "-p",
            "no:cacheprovider",
            "--basetemp",
            str(tmp_path / "run"),
            *files,
        ],
        tmp_path / "cache",
        TESTS.parent,
        checked=True,
    )
    assert found.returncode == 0, found.stdout[-5000:] + found.stderr[-2000:]
