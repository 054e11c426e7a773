"""Kill -9 of every command that writes, at random moments; then the same command goes on."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from siege.campaign import Campaign
from siege.processes import Order, judge, run
from siege.report import Result
from siege.stock import TEXTS, filled_in
from siege.works import WORKS, Outcome, Work, leftovers

LONG_AGO = 10**9
"""A file time that makes a temporary file one that was left behind."""
KILLS = 3
"""At most, of one work before it may finish."""


@dataclass(frozen=True)
class _Reference:
    """A work that nobody disturbed."""

    outcome: Outcome
    seconds: float
    folder: Path
    argv: tuple[str, ...]


class Kills(Campaign):
    """A try is one work: killed up to three times, then run to its end and compared with an undisturbed run."""

    name = "kills"
    jobs, short_jobs = 750, 24
    seconds, short_seconds = 1800.0, 25.0

    def prepare(self) -> None:
        """Run every work once undisturbed: what it leaves, and how long it takes."""
        self._references = {work.name: self._undisturbed(work) for work in WORKS}
        self._drawn = [work for work in WORKS for _ in range(work.weight)]

    def _undisturbed(self, work: Work) -> _Reference:
        folder = self.folder / f"reference-{work.name.replace(' ', '-')}"
        begun = self.folder / f"begun-{work.name.replace(' ', '-')}"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(begun, ignore_errors=True)
        fresh(begun)
        for argv in work.before:
            ended = run(Order(argv, begun, seconds=300))
            if ended.code != 0:
                raise RuntimeError(f"{argv} does not run: {ended}")
        shutil.copytree(begun, folder)
        argv = filled_in(work.argv, folder)
        ended = run(Order(argv, folder, stdin=work.stdin, call=work.call, prelude=work.prelude, seconds=300))
        if ended.code != 0:
            raise RuntimeError(f"{work.name} does not run: {ended}")
        return _Reference(work.outcome(folder), ended.seconds, begun, argv)

    def attempt(self, number: int) -> Result:
        """Kill a work some times at random moments, then let it finish."""
        rng, result = self.rng(number), Result(tries=0)
        work = rng.choice(self._drawn)
        known = self._references[work.name]
        folder = self.folder / f"try-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(known.folder, folder)
        moments = list[str]()
        for _ in range(rng.randint(1, KILLS)):
            moment = rng.uniform(0, 1.1 * known.seconds)
            order = self._order(work, known, folder, moment)
            ended = run(order)
            moments.append(f"{moment:.4f}")
            result.tries += 1
            result.counts["killed" if ended.killed else "ended before the kill"] += 1
            judge(order, ended, result)
            if work.reported is not None:
                work.reported(folder, ended, result)
        self._finish_work(work, known, folder, result)
        told = f"{work.name}, killed after {', '.join(moments)} s"
        result.findings = [type(one)(one.kind, f"{told}: {one.what}", one.reproduce) for one in result.findings]
        if not result.findings:
            shutil.rmtree(folder, ignore_errors=True)
        return result

    def _finish_work(self, work: Work, known: _Reference, folder: Path, result: Result) -> None:
        for name in leftovers(folder):  # younger ones may belong to a program that still runs
            os.utime(folder / name, (LONG_AGO, LONG_AGO))
        order = self._order(work, known, folder, None)
        ended = run(order)
        judge(order, ended, result, (0,))
        if ended.code != 0:
            return
        try:
            found = work.outcome(folder)
        except (OSError, ValueError) as error:
            result.add("loss", f"what it left cannot be read: {error}", order.line)
            return
        if found != known.outcome:
            wrong = sorted(name for name in {*found, *known.outcome} if found.get(name) != known.outcome.get(name))
            lost = [name for name in wrong if name not in found]
            kind = "loss" if lost else "wrong"
            result.add(kind, f"after the kills it leaves something else: {', '.join(wrong)}", order.line)
        if left := leftovers(folder):
            result.add("leak", f"left behind after a whole run: {', '.join(left[:5])}", order.line)

    def _order(self, work: Work, known: _Reference, folder: Path, moment: float | None) -> Order:
        argv = known.argv
        held = folder / work.begun
        if work.again is not None and held.is_file() and not held.stat().st_size:
            held.unlink()  # only the name was taken; the program says to remove it
        if work.again is not None and held.exists():
            argv = work.again
        return Order(
            argv, folder, stdin=work.stdin, kill_after=moment, call=work.call, prelude=work.prelude, seconds=120
        )


def fresh(folder: Path) -> None:
    """A folder with the texts of the stock and nothing made."""
    for name in ("home", "tables", "games", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for file, text in TEXTS.items():
        (folder / file).write_text(text, encoding="utf-8")
