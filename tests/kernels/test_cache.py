"""Compiled kernels of other sources are not used."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from yatzy.kernels.cache import STAMP

SOLVE = """
from yatzy.kernels.play import sort_games
import numpy as np

order = np.zeros(3, np.int32)
sort_games(np.array([1, 0, 1], np.int32), np.zeros(3, np.int64), order)
print(order.tolist())
"""


def run(cache: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    return subprocess.run([sys.executable, "-c", SOLVE], capture_output=True, text=True, env=environment, check=False)


@pytest.mark.slow
def test_kernels_of_other_sources_are_compiled_again(tmp_path: Path) -> None:
    assert run(tmp_path).stdout == "[1, 0, 2]\n"
    (stamp,) = tmp_path.rglob(STAMP)
    (index,) = stamp.parent.glob("play.sort_games-*.nbi")
    version = pickle.loads(index.read_bytes())
    gone = b"cyatzy.kernels.play\nNoSuchClass\n."  # what an index holds after a class was renamed
    index.write_bytes(pickle.dumps(version) + gone)

    found = run(tmp_path)
    assert "NoSuchClass" in found.stderr  # such an index cannot be read: Numba itself does not help

    stamp.write_text("compiled from other sources", encoding="ascii")
    found = run(tmp_path)
    assert (found.stdout, found.stderr) == ("[1, 0, 2]\n", "")
    before = index.stat().st_mtime_ns
    assert run(tmp_path).stdout == "[1, 0, 2]\n"
    assert index.stat().st_mtime_ns == before  # used again
