"""`python -m mutants`: see the package."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutants.callers import Callers
from mutants.changes import Change, find_changes, lines_changed

ROOT = Path(__file__).parents[2]
ROOMS = ("games", "names", "values", "matches", "coach", "lab", "store")
KILLED, TIMEOUT, SURVIVED = "killed", "timeout", "SURVIVED"
MEMORY = 16 << 30
"""Bytes that the tests of a mutant may address."""


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    path: str
    source: bytes
    """The module as it was read: the tree may change meanwhile."""
    change: Change

    @property
    def room(self) -> str:
        """The room whose tests must notice."""
        return Path(self.path).parts[2]

    @property
    def key(self) -> str:
        """Says which module, as it is now, and what is changed."""
        text = hashlib.sha256(self.source).hexdigest()[:12]
        return f"{self.path}:{text}:{self.change.start}:{self.change.end}:{self.change.new}"

    def __str__(self) -> str:
        lines = lines_changed(self.source, self.change)
        return "\n    ".join((f"{self.path}:{self.change.line}", *lines))


def all_mutants(rooms: list[str]) -> Iterator[Mutant]:
    """Every mutant of these rooms, in order."""
    for room in rooms:
        for path in sorted((ROOT / "src" / "yatzy" / room).rglob("*.py")):
            source = path.read_bytes()
            for change in find_changes(source):
                yield Mutant(path.relative_to(ROOT).as_posix(), source, change)


class Copy:
    """A copy of the tree, in which mutants live one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        keep = shutil.ignore_patterns(".*", "*.egg-info", "siege-report", "mutants-report", "build", "dist")
        for name in ("src", "tests", "docs", "examples", "benchmarks"):
            shutil.copytree(ROOT / name, folder / name, ignore=keep)
        for file in ROOT.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        (folder / "home").mkdir()

    def watch(self, room: str, limit: float) -> tuple[str, str, Callers]:
        """Run the tests of a room and see what each calls; the outcome, the last lines and the callers."""
        seen = self.folder / "callers.json"
        seen.unlink(missing_ok=True)
        program = ["-m", "mutants.callers", str(self.folder / "src"), str(seen)]
        outcome, _, said = self._pytest(program, self._files(room, ""), limit)
        return outcome, said, Callers(json.loads(seen.read_text(encoding="utf-8")) if seen.exists() else {})

    def run(self, room: str, first: str, limit: float) -> tuple[str, float, str]:
        """Run the tests of a room, those that name a module first; the outcome, its seconds and the last lines."""
        return self._pytest(["-m", "pytest"], self._files(room, first), limit)

    def _pytest(self, program: list[str], tests: list[str], limit: float) -> tuple[str, float, str]:
        arguments = self.folder / "arguments.txt"
        arguments.write_text("\n".join(tests), encoding="utf-8")
        command = [sys.executable, *program, "-x", "-q", "-p", "no:cacheprovider", "--basetemp"]
        command += [str(self.folder / "run"), f"@{arguments}"]
        begun = time.monotonic()
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=_limit_memory,
        )
        try:
            said = process.communicate(timeout=limit)[0]
            outcome = SURVIVED if process.returncode == 0 else KILLED
        except subprocess.TimeoutExpired:
            said, outcome = "", TIMEOUT
        finally:
            _end(process)
        return outcome, time.monotonic() - begun, "\n".join(said.splitlines()[-8:])

    def try_mutant(self, mutant: Mutant, callers: Callers, limit: float) -> tuple[str, float]:
        """Change the module, run the tests of its room, change it back."""
        begun = time.monotonic()
        path = self.folder / mutant.path
        path.write_bytes(mutant.change.apply(mutant.source))
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()  # it would pass for the mutant's if that has the same length and second
        try:
            near = callers.of(mutant.path.removeprefix("src/"), mutant.change.line, mutant.source)
            outcome = self._pytest(["-m", "pytest"], near, limit)[0] if near else SURVIVED
            if outcome == SURVIVED:
                outcome = self.run(mutant.room, path.stem, limit)[0]
            return outcome, time.monotonic() - begun
        finally:
            path.write_bytes(mutant.source)

    def _files(self, room: str, first: str) -> list[str]:
        files = sorted((self.folder / "tests" / room).rglob("test_*.py"))
        near = {file: (first not in file.stem, first not in file.read_text(encoding="utf-8")) for file in files}
        return [str(file) for file in sorted(files, key=lambda file: (near[file], file))]

    def _environment(self) -> dict[str, str]:
        path = os.pathsep.join((str(self.folder / "src"), str(self.folder / "tests")))
        own = dict.fromkeys(("HOME", "TMPDIR", "YATZY_GAMES"), str(self.folder / "home"))
        return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **own}


def _limit_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _end(process: subprocess.Popen[str]) -> None:
    """End the tests and every process that they started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Results:
    """What became of the mutants, one line of JSON each."""

    def __init__(self, path: Path) -> None:
        self.path, self._lock = path, threading.Lock()
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.known: dict[str, str] = {}
        for line in lines:
            try:
                fields = json.loads(line)
            except ValueError:  # the line that was being written when a run was ended
                continue
            self.known[fields["mutant"]] = fields["outcome"]

    def keep(self, mutant: Mutant, outcome: str, seconds: float) -> None:
        """Keep an outcome, and say it."""
        with self._lock, self.path.open("a", encoding="utf-8") as file:
            self.known[mutant.key] = outcome
            fields = {"mutant": mutant.key, "outcome": outcome, "seconds": round(seconds, 1)}
            file.write(json.dumps(fields) + "\n")
            print(f"{outcome} in {seconds:.0f} s: {mutant}", flush=True)


def main() -> int:
    """Try mutants; 1 if fewer are killed than asked for."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("mutants-report"), help="where results are kept")
    parser.add_argument("--limit", type=float, default=600, help="seconds that the tests of a mutant may take")
    parser.add_argument("--at-least", type=float, default=0.9, help="the share that must be killed")
    parser.add_argument("--survivors", action="store_true", help="try the survivors again")
    asked = parser.parse_args()
    mutants = list(all_mutants(asked.rooms or list(ROOMS)))
    chosen = random.Random(asked.seed).sample(mutants, min(asked.count, len(mutants)))
    asked.out.mkdir(parents=True, exist_ok=True)
    results = Results(asked.out / "results.jsonl")
    left = [one for one in chosen if one.key not in results.known]
    if asked.survivors:
        left += [one for one in chosen if results.known.get(one.key) == SURVIVED]
    print(f"{len(mutants):,} possible mutants; {len(left)} of {len(chosen)} to try", flush=True)
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        _try_all(left, results, Path(scratch), asked.jobs, asked.limit)
    return _summary(chosen, results, asked.at_least)


def _try_all(left: list[Mutant], results: Results, scratch: Path, jobs: int, limit: float) -> None:
    queue, lock = list(left), threading.Lock()
    callers: dict[str, Callers | None] = {}  # by room; none while a worker watches its tests

    def next_mutant() -> Mutant | None:
        """The next mutant of a room whose tests nobody is watching."""
        return next((one for one in queue if callers.get(one.room, one) is not None), None)

    def work(folder: Path) -> None:
        copy = Copy(folder)
        while True:
            with lock:
                if not queue:
                    return
                if mutant := next_mutant():
                    queue.remove(mutant)
                    first = callers.setdefault(mutant.room) is None
            if mutant is None:
                time.sleep(1)
            elif first:
                outcome, said, found = copy.watch(mutant.room, limit)
                with lock:
                    callers[mutant.room] = found
                    queue.insert(0, mutant)
                    if outcome != SURVIVED:
                        print(f"the tests of {mutant.room} fail without any mutant ({outcome})\n{said}", flush=True)
                        queue[:] = [one for one in queue if one.room != mutant.room]
            else:
                results.keep(mutant, *copy.try_mutant(mutant, callers[mutant.room] or Callers({}), limit))

    workers = [threading.Thread(target=work, args=(scratch / str(number),)) for number in range(jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _summary(chosen: list[Mutant], results: Results, at_least: float) -> int:
    tried = {one: results.known[one.key] for one in chosen if one.key in results.known}
    survivors = [one for one, outcome in tried.items() if outcome == SURVIVED]
    print("\nSurvivors:" if survivors else "\nNo survivors.")
    for mutant in survivors:
        print(f"  {mutant}")
    for room in sorted({one.room for one in tried}):
        own = [one for one in tried if one.room == room]
        print(f"{room}: {sum(one not in survivors for one in own)} of {len(own)} killed")
    killed = len(tried) - len(survivors)
    print(f"together: {killed} of {len(tried)} killed, {len(chosen) - len(tried)} not tried")
    return 0 if tried and killed >= at_least * len(tried) and len(tried) == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
