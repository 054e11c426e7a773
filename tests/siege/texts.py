"""Text fuzz of every format: a text is refused in one line, or what was read survives being written and read again."""

from __future__ import annotations

import os
import random
import resource
import signal
import time
from pathlib import Path
from types import FrameType

from helpers import record_fuzz as records

from siege.campaign import Campaign
from siege.formats import FORMATS, Format
from siege.report import Result
from yatzy.errors import YatzyError

SHARE = 1000
"""Texts of a job."""
SECONDS = 10.0
"""Of one text."""
MEMORY = 8 * 2**30
MOST = 20
"""Findings of a job, which ends there."""
LONGEST = 2000
"""Characters of a message."""
PIECES = (
    "~", "s", "d", "r", "u", "p", "m", "j", ".", ":", ",", "-", "=", "=0", "(", ")", "[", "]", '"', "\n", " ", "0", "1",
    "2", "3", "6", "12", "99", "-1", "1e9", "nan", "inf", "x", "yatzy", "two-yatzy", "siege", "expected", "target",
    "chance", "exp", "match", "emp", "auto", "softened", "file", ".py", "ones", "player: ", "game: ", "id = ",
    "dice = ", "\x00", "\ud800", "\u2028", "é", "٣", "*", "@", "#", "|", "e", "_",
)  # fmt: skip


class Slow(BaseException):
    """A text takes too long."""


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise Slow


class Texts(Campaign):
    """A job is a thousand texts of one format."""

    name = "texts"
    jobs, short_jobs = 1000, 16
    seconds, short_seconds = 1500.0, 20.0

    def __init__(self, folder: Path, seed: int, short: bool) -> None:
        super().__init__(folder, seed, short)
        self._order = [one for one in FORMATS for _ in range(one.share)]
        if len(self._order) != 100:
            raise RuntimeError(f"the shares of all formats are {len(self._order)} of a hundred")
        random.Random("order").shuffle(self._order)

    def numbers(self) -> list[int]:
        """In a short siege one job of every format."""
        return sorted(self._order.index(one) for one in FORMATS) if self.short else list(range(self.jobs))

    def prepare(self) -> None:
        """Make the texts that are right, once for all workers."""
        self._seeds = {one.name: one.seeds() for one in FORMATS}

    def attempt(self, number: int) -> Result:
        """Break texts of one format."""
        rng, result = self.rng(number), Result(tries=SHARE)
        kind = self._order[number % 100]
        folder = self.folder / f"worker-{os.getpid()}"
        (folder / "tables").mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        signal.signal(signal.SIGALRM, _too_slow)
        share = SHARE if not self.short else _short_share(kind)
        result.tries = 0
        for _ in range(share):
            result.tries += 1
            text = self._text(kind, rng)
            self._read(kind, text, result)
            if len(result.findings) >= MOST:
                break
        return result

    def _text(self, kind: Format, rng: random.Random) -> str:
        seeds = self._seeds[kind.name]
        if rng.random() < 0.1:
            return "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 12)))
        text, other = rng.choice(seeds), rng.choice(seeds)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            text = rng.choice(records.MUTATIONS)(text, other, rng)
        return text * rng.choice((1, 1, 1, 1, 1, 1, 1, 1, 1, 300)) if rng.random() < 0.01 else text

    def _read(self, kind: Format, text: str, result: Result) -> None:
        begun = time.perf_counter()
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            kind.read(text, self.folder / f"worker-{os.getpid()}")
        except YatzyError as error:
            message = str(error)
            result.counts["refused"] += 1
            if len(message.splitlines()) != 1 or not message.isprintable() or len(message) > LONGEST:
                result.add("unclear", f"{kind.name}: a message that is no clear line: {message[:300]!r}", repr(text))
        except AssertionError as error:
            result.add("wrong", f"{kind.name}: {error}", repr(text))
        except Slow:
            result.add("hang", f"{kind.name}: more than {SECONDS:g} s", repr(text))
        except (Exception, RecursionError) as error:
            where = _place(error)
            result.add("traceback", f"{kind.name}: {type(error).__name__}: {error} ({where})", repr(text))
        else:
            result.counts["taken"] += 1
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if time.perf_counter() - begun > 1:
            result.counts["took more than a second"] += 1


def _short_share(kind: Format) -> int:
    return {"record CSV": 40, "game": 200, "study": 150, "strategy": 300, "record": 500}.get(kind.name, SHARE)


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
