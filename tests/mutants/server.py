"""`python -m mutants.server TREE`: runs chosen tests of a copy of the tree, each time in a forked process.

The libraries and the kernels are imported once, and nothing of the rooms that are changed. A job is a line of JSON on
standard input; its outcome is a line of JSON on standard output.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Generator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from mutants.tree import KILLED, SURVIVED, TIMEOUT
from mutants.watching import CoveragePlugin

MEMORY = 16 << 30
"""Bytes that the tests may address."""
SPARE, TIMES = 30.0, 5.0
"""A test may take that many CPU seconds, and that many times what it took without a mutant."""


EARLY = "ignore::pytest.PytestAssertRewriteWarning"
"""The plugins of pytest are imported before it starts."""


class ChosenPlugin:
    """Runs chosen tests in their order, each with a limit of CPU time, and notes the one that fails."""

    def __init__(self, seconds: dict[str, float], note: Path) -> None:
        self.seconds, self.note = seconds, note
        self.order = {test: number for number, test in enumerate(seconds)}

    def pytest_configure(self) -> None:
        """A failure need not become a small one."""
        phases = [phase for phase in hypothesis.Phase if phase is not hypothesis.Phase.shrink]
        hypothesis.settings.register_profile("mutants", hypothesis.settings.get_profile("same"), phases=phases)
        hypothesis.settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the other tests."""
        items[:] = sorted((one for one in items if one.nodeid in self.order), key=lambda one: self.order[one.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """SIGPROF ends the process at the limit."""
        self.note.write_text(item.nodeid, encoding="utf-8")
        signal.setitimer(signal.ITIMER_PROF, SPARE + TIMES * self.seconds[item.nodeid])
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


def import_libraries() -> None:
    """Import what no mutant changes."""
    for plugin in entry_points(group="pytest11"):
        plugin.load()
    for name in ("numpy", "numba", "typer", "rich.console", "matplotlib.figure", "polars", "yatzy.kernels"):
        importlib.import_module(name)
    kernels = Path(str(sys.modules["yatzy.kernels"].__file__)).parent
    for path in kernels.glob("[!_]*.py"):
        importlib.import_module(f"yatzy.kernels.{path.stem}")


def serve(tree: Path) -> None:
    """Answer jobs until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    log = os.open(tree / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    while line := sys.stdin.readline():
        job = json.loads(line)
        note = tree / "note.txt"
        note.unlink(missing_ok=True)
        os.truncate(log, 0)
        child = os.fork()
        if child == 0:
            code = 3
            try:
                code = _run(tree, job, note)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        status, seconds = _wait(child, job["limit"])
        outcome = TIMEOUT if status in (-signal.SIGPROF, -signal.SIGALRM) else KILLED
        if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            outcome = SURVIVED
        said = (tree / "said.txt").read_text(encoding="utf-8", errors="replace").splitlines()[-8:]
        by = note.read_text(encoding="utf-8") if outcome != SURVIVED and note.exists() else ""
        json.dump({"outcome": outcome, "seconds": seconds, "by": by, "said": "\n".join(said)}, answers)
        print(file=answers, flush=True)


def _run(tree: Path, job: dict[str, Any], note: Path) -> int:
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    options = ["-x", "-q", "--tb=line", "-W", EARLY, "-p", "no:cacheprovider", "--basetemp", str(tree / "run")]
    if room := job.get("watch"):
        plugin: object = CoveragePlugin(tree, room, tree / "watched.json")
        files = [str(tree / file) for file in job["files"]]
    else:
        plugin = ChosenPlugin(job["tests"], note)
        files = list(dict.fromkeys(str(tree / test.partition("::")[0]) for test in job["tests"]))
    return pytest.main([*options, *files], plugins=[plugin])


def _wait(child: int, limit: float) -> tuple[int, float]:
    """Wait for a child, then end all that it left; its exit code or negative signal, and its CPU seconds."""
    end = time.monotonic() + limit
    ended, status, used = os.wait4(child, os.WNOHANG)
    pause = 0.01
    while not ended and time.monotonic() < end:
        time.sleep(pause)
        pause = min(0.2, pause * 1.2)
        ended, status, used = os.wait4(child, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        _, _, used = os.wait4(child, 0)
        return -signal.SIGALRM, used.ru_utime + used.ru_stime
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


if __name__ == "__main__":
    import_libraries()
    serve(Path(sys.argv[1]))
