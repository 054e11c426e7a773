"""What a campaign is, and the crew that runs its tries on all cores."""

from __future__ import annotations

import os
import random
import signal
import struct
import sys
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from siege.processes import die_with_parent
from siege.report import Outcome, Progress, Result, outcome

_NUMBER = struct.Struct("<i")


class Campaign(ABC):
    """Numbered tries; a try follows from the seed and its number alone."""

    name: str
    jobs: int
    """In a full siege. At most 16,000, which a pipe holds."""
    short_jobs: int
    """In a short one."""
    seconds: float = 1200.0
    """On the clock, of a full siege; the next run goes on with what is left."""
    short_seconds: float = 45.0
    workers: int = 2

    def __init__(self, folder: Path, seed: int, short: bool) -> None:
        """folder: of this campaign alone, for whatever it makes."""
        self.folder, self.seed, self.short = folder, seed, short
        self.notes: list[str] = []

    def rng(self, number: int) -> random.Random:
        """The chance of a try."""
        return random.Random(f"{self.seed} {self.name} {number}")

    def numbers(self) -> list[int]:
        """The tries of this siege; a short one may choose from all over the full one."""
        return list(range(self.short_jobs if self.short else self.jobs))

    def repeat(self, number: int) -> str:
        """The command that runs a try again."""
        return f"python -m siege --seed {self.seed} {self.name} --only {number}"

    def prepare(self) -> None:
        """Make what all tries share, in the process from which the workers are forked."""
        return

    @abstractmethod
    def attempt(self, number: int) -> Result:
        """One try, in a worker."""

    def finish(self) -> Result:
        """What can only be seen at the end; may be asked of a campaign that was cut short."""
        return Result(tries=0)

    def close(self) -> None:
        """Put away what `prepare` began."""
        return


def run_campaign(campaign: Campaign, out: Path, only: Sequence[int] = ()) -> Outcome:
    """Run the tries that are not done yet, within the time of the campaign."""
    numbers = list(only) or campaign.numbers()
    key = {"campaign": campaign.name, "seed": campaign.seed, "short": campaign.short}
    name = f"{campaign.name}-only" if only else campaign.name
    progress = Progress(out / f"{name}.jsonl", {**key, "only": list(only)} if only else key)
    done = {line.number for line in progress.lines()}
    waiting = [number for number in numbers if number not in done or only]
    begun = time.perf_counter()
    if waiting:
        limit = campaign.short_seconds if campaign.short else campaign.seconds
        try:
            campaign.prepare()
            _work(campaign, waiting, progress, time.monotonic() + limit)
            progress.keep(-1, 0.0, campaign.finish())
        finally:
            campaign.close()
    clock = time.perf_counter() - begun
    return outcome(campaign.name, campaign.seed, len(numbers), progress, clock, campaign.notes)


def _work(campaign: Campaign, waiting: Sequence[int], progress: Progress, deadline: float) -> None:
    """Fork workers that take numbers from a pipe until it is empty or time is up."""
    reading, writing = os.pipe()
    os.write(writing, b"".join(_NUMBER.pack(number) for number in waiting))
    os.close(writing)
    sys.stdout.flush()
    sys.stderr.flush()
    workers = []
    for _ in range(min(campaign.workers, len(waiting))):
        pid = os.fork()
        if pid == 0:
            _worker(campaign, reading, progress, deadline)
        workers.append(pid)
    os.close(reading)
    try:
        for pid in workers:
            _, status = os.waitpid(pid, 0)
            if code := os.waitstatus_to_exitcode(status):
                _tell_of_the_dead(campaign, pid, code, progress)
    except BaseException:
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        raise


def _tell_of_the_dead(campaign: Campaign, pid: int, code: int, progress: Progress) -> None:
    """A worker that died took its try with it, which was what killed it."""
    at = campaign.folder / f"at-{pid}"
    number = at.read_text() if at.exists() else "?"
    result = Result(tries=0)
    result.add("signal", f"a worker ended with {code} in try {number}", campaign.repeat(int(number or 0)))
    progress.keep(-1, 0.0, result)


def _worker(campaign: Campaign, numbers: int, progress: Progress, deadline: float) -> None:
    code, at = 0, campaign.folder / f"at-{os.getpid()}"
    try:
        die_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        while time.monotonic() < deadline and (data := os.read(numbers, _NUMBER.size)):
            (number,) = _NUMBER.unpack(data)
            begun = time.perf_counter()
            at.write_text(str(number))
            try:
                result = campaign.attempt(number)
            except Exception:
                result = Result()
                result.add("unclear", f"the siege itself failed: {traceback.format_exc()}", campaign.repeat(number))
            progress.keep(number, time.perf_counter() - begun, result)
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        os._exit(code)
