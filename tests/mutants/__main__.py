"""`python -m mutants`: see the package."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import threading
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from mutants.changes import Mutant, mutants_of
from mutants.covering import Covering, Watched
from mutants.tree import ROOT, SURVIVED, Copy

ROOMS = ("games", "names", "values", "matches", "coach", "lab", "store")
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def all_mutants(rooms: list[str]) -> Iterator[Mutant]:
    """Every mutant of these rooms, in order."""
    for room in rooms:
        for path in sorted((ROOT / "src" / "yatzy" / room).rglob("*.py")):
            yield from mutants_of(path.relative_to(ROOT).as_posix(), path.read_bytes())


def choose(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Mutants at random; a change of the program replaces few of them."""
    return sorted(mutants, key=lambda one: hashlib.sha256(f"{seed}\n{one.name}".encode()).digest())[:count]


def reasons() -> dict[tuple[str, ...], str]:
    """Path, old and new line of the mutants that no test can kill -> why."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return {(one["path"], f"- {one['old']}", f"+ {one['new']}"): one["reason"] for one in listed}


def reason_for(mutant: Mutant, known: dict[tuple[str, ...], str]) -> str | None:
    """Why no test can kill a mutant, if it is listed."""
    return known.get((mutant.path, *(f"{line[:2]}{line[2:].strip()}" for line in mutant.lines)))


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

    def keep(self, mutant: Mutant, answer: dict[str, Any], tests: int) -> None:
        """Keep an outcome, and say it."""
        with self._lock, self.path.open("a", encoding="utf-8") as file:
            outcome, seconds = answer["outcome"], round(answer["seconds"], 1)
            self.known[mutant.key] = outcome
            fields = {"mutant": mutant.key, "outcome": outcome, "seconds": seconds, "tests": tests, "by": answer["by"]}
            file.write(json.dumps(fields) + "\n")
            by = f"all of {tests} tests" if outcome == SURVIVED else answer["by"] or "importing"
            print(f"{outcome} in {seconds} CPU seconds by {by}: {mutant}", flush=True)


class Run:
    """Copies of the tree that try mutants at the same time."""

    def __init__(self, out: Path, limit: float, whole: bool) -> None:
        self.out, self.limit, self.whole = out, limit, whole
        self.results = Results(out / "results.jsonl")
        self._covering: dict[str, Covering] = {}
        self._passed: dict[tuple[str, ...], bool] = {}

    def try_all(self, mutants: list[Mutant], jobs: int) -> None:
        """Watch the tests of the rooms, then try the mutants."""
        if not mutants:
            return
        with tempfile.TemporaryDirectory(prefix="mutants-") as scratch, ThreadPoolExecutor(jobs) as pool:
            copies = SimpleQueue[Copy]()
            made = list(pool.map(Copy, (Path(scratch, str(number)) for number in range(jobs))))
            for copy in made:
                copies.put(copy)

            def lend(work: Callable[[Copy, Any], None], to: Any) -> None:
                copy = copies.get()
                try:
                    work(copy, to)
                finally:
                    copies.put(copy)

            try:
                list(pool.map(lambda room: lend(self._watch, room), dict.fromkeys(one.room for one in mutants)))
                list(pool.map(lambda mutant: lend(self._try, mutant), mutants))
            finally:
                for copy in made:
                    copy.close()

    def _watch(self, copy: Copy, room: str) -> None:
        """Run the test files that have changed since they were watched last."""
        kept, known = self.out / f"watched-{room}.json", dict[str, Any]()
        if kept.exists():
            known = json.loads(kept.read_text(encoding="utf-8"))
        digests, tests = _digests(room), dict[str, Any]()
        known = {file: one for file, one in known.items() if one["digest"] == digests.get(file)}
        if left := sorted(digests.keys() - known):
            answer, tests = copy.watch(room, left, self.limit)
            if answer["outcome"] != SURVIVED:
                print(f"the tests of {room} fail without any mutant\n{answer['said']}", flush=True)
                return
            print(f"the tests of {room} in {len(left)} files ran in {answer['seconds']:.0f} CPU seconds", flush=True)
        for file in left:
            own = {test: one for test, one in tests.items() if test.partition("::")[0] == file}
            known[file] = {"digest": digests[file], "tests": own}
        kept.write_text(json.dumps(known), encoding="utf-8")
        self._covering[room] = Covering(
            {test: Watched(**one) for file in known.values() for test, one in file["tests"].items()}
        )

    def _try(self, copy: Copy, mutant: Mutant) -> None:
        covering = self._covering.get(mutant.room)
        if covering is None:
            return
        tests = covering.of(mutant.path, mutant.change.line, mutant.source)
        if self.whole:
            tests = list(dict.fromkeys([*tests, *covering.all()]))
        answer = copy.try_mutant(mutant, tests, covering, self.limit)
        while answer["by"] and not self._passes(copy, tests[: tests.index(answer["by"]) + 1], covering):
            print(f"{answer['by']} fails without any mutant after some other tests", flush=True)
            tests.remove(answer["by"])
            answer = copy.try_mutant(mutant, tests, covering, self.limit)
        self.results.keep(mutant, answer, len(tests))

    def _passes(self, copy: Copy, tests: list[str], covering: Covering) -> bool:
        """Whether tests pass, in this order, without any mutant."""
        if (asked := tuple(tests)) not in self._passed:
            self._passed[asked] = copy.run(tests, covering, self.limit)["outcome"] == SURVIVED
        return self._passed[asked]


def _digests(room: str) -> dict[str, str]:
    """The test files of a room, each with a digest that changes when the file or the program does."""
    tests = ROOT / "tests"
    program = hashlib.sha256()
    for path in sorted([*(ROOT / "src").rglob("*.py"), *(tests / "helpers").rglob("*.py"), tests / "conftest.py"]):
        program.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return {
        path.relative_to(ROOT).as_posix(): hashlib.sha256(program.digest() + path.read_bytes()).hexdigest()
        for path in (tests / room).rglob("test_*.py")
    }


def main() -> int:
    """Try mutants; 1 if fewer are killed than asked for."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("mutants-report"), help="where results are kept")
    parser.add_argument("--limit", type=float, default=1200, help="seconds that the tests of a mutant may take")
    parser.add_argument("--at-least", type=float, default=0.9, help="the share that must be killed")
    parser.add_argument("--survivors", action="store_true", help="try the survivors again")
    parser.add_argument("--whole", action="store_true", help="try all tests of the room")
    asked = parser.parse_args()
    mutants = list(all_mutants(asked.rooms or list(ROOMS)))
    chosen = choose(mutants, asked.count, asked.seed)
    asked.out.mkdir(parents=True, exist_ok=True)
    run = Run(asked.out, asked.limit, asked.whole)
    outcomes = run.results.known
    again = (None, SURVIVED) if asked.survivors else (None,)
    left = [one for one in chosen if outcomes.get(one.key) in again]
    print(f"{len(mutants):,} possible mutants; {len(left)} of {len(chosen)} to try", flush=True)
    run.try_all(left, asked.jobs)
    return _summary(chosen, outcomes, asked.at_least)


def _summary(chosen: list[Mutant], outcomes: dict[str, str], at_least: float) -> int:
    tried = {one: outcomes[one.key] for one in chosen if one.key in outcomes}
    survivors = [one for one, outcome in tried.items() if outcome == SURVIVED]
    known = reasons()
    print("\nSurvivors:" if survivors else "\nNo survivors.")
    for mutant in survivors:
        reason = reason_for(mutant, known)
        print(f"  {mutant}" + (f"\n    equivalent: {reason}" if reason else ""))
    for room in sorted({one.room for one in tried}):
        own = [one for one in tried if one.room == room]
        print(f"{room}: {sum(one not in survivors for one in own)} of {len(own)} killed")
    killed = len(tried) - len(survivors)
    equivalent = sum(reason_for(one, known) is not None for one in survivors)
    print(f"together: {killed} of {len(tried)} killed, {len(chosen) - len(tried)} not tried")
    print(f"{equivalent} of {len(survivors)} survivors are listed as equivalent")
    return 0 if tried and killed >= at_least * len(tried) and len(tried) == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
