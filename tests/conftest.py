"""Shared by all tests: tables of their own, and solved games made once."""

from __future__ import annotations

import gc
import os
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

from yatzy import ExpectedScore, load_game
from yatzy.evaluation.outlook import Outlooks
from yatzy.solver import Solver
from yatzy.values.curves import BestChances

# A shell lets what it starts in the background ignore Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadlines, which a busy machine misses, and the same examples in every run.
# With --hypothesis-profile random every run draws its own.
settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("random"), derandomize=True)
settings.load_profile("same")


def pytest_collection_finish() -> None:
    """Collect garbage less often: what tests import and share stays until the end, and looking through all of it
    takes a third of a second."""
    gc.freeze()
    gc.set_threshold(7000, 10, 50)


def _shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this run, the same for all its workers."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session", autouse=True)
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of tables for this run; nobody's cache is read or written."""
    # Workers that share a run share its tables: the store sees to it that one makes what the others wait for.
    folder = _shared(tmp_path_factory) / "tables"
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("YATZY_TABLES", str(folder))
        patch.delenv("YATZY_LANGUAGE", raising=False)
        yield folder


@pytest.fixture(scope="session", autouse=True)
def _each_kernel_is_compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Workers that need the same kernel at once do not both compile it: one does, and the other loads what it saved."""
    compile_now, folder = Dispatcher.compile, _shared(tmp_path_factory)

    def compile_or_wait(self: Any, signature: Any) -> Any:
        kernel = self.py_func
        if not (kernel.__module__ or "").startswith("yatzy."):
            return compile_now(self, signature)  # not kept on disk, or not ours
        # A kernel waits for those that it calls, and they never for it. So nobody waits forever.
        with global_compiler_lock, FileLock(folder / f"{kernel.__module__}.{kernel.__qualname__}.lock"):
            return compile_now(self, signature)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dispatcher, "compile", compile_or_wait)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_the_disk() -> Iterator[None]:
    """No file of a test must outlast a power cut, and waiting until it would takes longer than most tests."""
    wait = os.fsync

    def pass_files(descriptor: int) -> None:
        kind = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            wait(descriptor)  # which refuses pipes, for one

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", pass_files)
        yield


@pytest.fixture(scope="session")
def solved() -> Callable[[str], ExpectedScore]:
    """Solve a preset, each once."""
    known: dict[str, ExpectedScore] = {}

    def solve(id: str) -> ExpectedScore:
        if id not in known:
            known[id] = Solver().expected(load_game(id))
        return known[id]

    return solve


@pytest.fixture(scope="session")
def chances() -> Callable[[str], BestChances]:
    """The curves of a preset, each made once: most of a minute for the large ones."""
    known: dict[str, BestChances] = {}

    def solve(id: str) -> BestChances:
        if id not in known:
            known[id] = BestChances(load_game(id))
        return known[id]

    return solve


@pytest.fixture(scope="session")
def outlooks(solved: Callable[[str], ExpectedScore]) -> Callable[[str], Outlooks]:
    """The outlooks of a preset, each table made once: some ten seconds for the large ones."""
    known: dict[str, Outlooks] = {}

    def solve(id: str) -> Outlooks:
        if id not in known:
            known[id] = Outlooks(load_game(id), solved(id))
        return known[id]

    return solve
