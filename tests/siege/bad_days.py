"""Every command on every bad day: full disks, closed streams, odd encodings, no home, low limits."""

from __future__ import annotations

import ctypes
import hashlib
import os
import resource
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from siege.arguments import GOOD, PLAIN, discover
from siege.campaign import Campaign
from siege.processes import UNSET, Ended, Order, judge, run
from siege.report import Result
from siege.stock import filled_in, make_stock

PRECIOUS = ("record.yatzy", "saved.yatzy", "sample.parquet", "strategy.bin", "siege.toml", "utility.csv", "study.toml")
"""Files of the stock that no command here is told to write."""
SKIPPED = {("serve",), ("papers",)}
"""Commands that would go on for minutes."""
TINY = 256 * 1024
"""Bytes of a small disk."""
MEMORY = 64 * 2**20
"""Bytes that a command may add to what is loaded already."""


@dataclass(frozen=True)
class Day:
    """What is wrong today."""

    name: str
    real: bool = False
    """Whether it matters to the start of the interpreter."""
    env: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[int, int] = field(default_factory=dict)
    prelude: Callable[[], None] | None = None
    stdout: str | None = None
    silent: bool = False
    """Whether standard error is gone, so that nothing can be said."""
    full: bool = False
    """Whether what is printed is lost, which an exit code must tell."""
    disk: bool = False
    """Whether the folder is a small disk."""
    read_only: bool = False


def _closing(*numbers: int) -> Callable[[], None]:
    def close() -> None:
        for number in numbers:
            os.close(number)

    return close


def _leave_a_folder_that_goes() -> None:
    os.mkdir("gone")
    os.chdir("gone")
    os.rmdir("../gone")


def _little_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    size = pages * os.sysconf("SC_PAGE_SIZE") + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))


C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
HOMELESS = {"YATZY_TABLES": UNSET, "YATZY_GAMES": UNSET}
DAYS = (
    Day("files of 1,000 bytes at most", real=True, limits={resource.RLIMIT_FSIZE: 1000}),
    Day("a small disk", disk=True),
    Day("stdin closed", real=True, prelude=_closing(0)),
    Day("stdout closed", real=True, prelude=_closing(1)),
    Day("stderr closed", real=True, prelude=_closing(2), silent=True),
    Day("all streams closed", real=True, prelude=_closing(0, 1, 2), silent=True),
    Day("stdout is full", real=True, stdout="/dev/full", full=True),
    Day("latin-1", real=True, env={"PYTHONIOENCODING": "latin-1"}),
    Day("ascii", real=True, env={"PYTHONIOENCODING": "ascii"}),
    Day("cp1252", real=True, env={"PYTHONIOENCODING": "cp1252"}),
    Day("LC_ALL=C", real=True, env=C),
    # Below a plain file nothing can be made, whoever asks; a folder that is not there would be made by root.
    Day("no home", env={"HOME": "siege.toml/home", **HOMELESS}),
    Day("tables and games below a file", env={"YATZY_TABLES": "siege.toml/t", "YATZY_GAMES": "siege.toml/g"}),
    Day("empty variables", env={"YATZY_TABLES": "", "YATZY_GAMES": "", "HOME": "home", "TERM": "", "LANG": ""}),
    Day("12 open files", limits={resource.RLIMIT_NOFILE: 12}),
    Day("little memory", prelude=_little_memory),
    Day("no terminal", env={"TERM": "dumb", "COLUMNS": "1", "LINES": "0"}),
    Day("odd terminal", env={"TERM": "no-such-terminal", "COLUMNS": "-5", "LINES": "x"}),
    Day("wide terminal", env={"COLUMNS": "999999", "FORCE_COLOR": "1"}),
    Day("a folder that is gone", prelude=_leave_a_folder_that_goes),
    Day("a folder that cannot be written", read_only=True),
)


class BadDays(Campaign):
    """A try is one command on one day."""

    name = "bad-days"
    seconds, short_seconds = 1500.0, 20.0

    def __init__(self, folder: Path, seed: int, short: bool) -> None:
        super().__init__(folder, seed, short)
        self._commands = [command.words for command in discover() if command.words not in SKIPPED]
        self.jobs, self.short_jobs = len(DAYS) * len(self._commands), 24

    def numbers(self) -> list[int]:
        """In a short siege some from all over the list."""
        return sorted(self.rng(0).sample(range(self.jobs), self.short_jobs)) if self.short else list(range(self.jobs))

    def prepare(self) -> None:
        """One of every file, and a command line for every command."""
        self._stock = self.folder / "stock"
        make_stock(self._stock, PLAIN)
        for path in ("warm.html", "out.parquet"):
            (self._stock / path).unlink(missing_ok=True)
        self._lines = {
            words: filled_in(next(argv for argv in GOOD if argv[: len(words)] == words), self._stock)
            for words in self._commands
        }
        self._digests = {name: _digest(self._stock / name) for name in PRECIOUS}
        if os.geteuid() == 0:
            self.notes.append("a folder that cannot be written: skipped, root may write everywhere")

    def attempt(self, number: int) -> Result:
        """Run a command on a bad day."""
        day, words = DAYS[number % len(DAYS)], self._commands[number // len(DAYS)]
        result = Result()
        if day.read_only and os.geteuid() == 0:
            return Result(tries=0)
        folder = self.folder / f"try-{number}"
        folder.mkdir()
        mounted = day.disk and _mount(folder)
        if day.disk and not mounted:
            result.counts["no small disk could be mounted"] += 1
            folder.rmdir()
            return result
        try:
            self._fill(folder, day, words)
            if day.read_only:
                folder.chmod(0o555)
            order = Order(
                self._lines[words], folder, day.env, b"q\n", 120, limits=day.limits, prelude=day.prelude, real=day.real,
                stdout=day.stdout,
            )  # fmt: skip
            ended = run(order)
            if day.read_only:
                folder.chmod(0o755)
            judge(order, ended, result)
            self._look(day, order, ended, result)
        finally:
            if mounted:
                _unmount(folder)
            shutil.rmtree(folder, ignore_errors=True)
        told = f"{day.name}: {' '.join(words)}"
        result.findings = [type(one)(one.kind, f"{told}: {one.what}", one.reproduce) for one in result.findings]
        return result

    def _fill(self, folder: Path, day: Day, words: tuple[str, ...]) -> None:
        """The stock; on a small disk the texts alone, so that everything has to be made there."""
        if not day.disk:
            shutil.copytree(self._stock, folder, dirs_exist_ok=True)
            return
        for path in self._stock.iterdir():
            if path.is_file() and path.suffix != ".lock":
                shutil.copy(path, folder / path.name)
        for name in ("home", "tables", "games", "tmp"):
            (folder / name).mkdir()

    def _look(self, day: Day, order: Order, ended: Ended, result: Result) -> None:
        for name in PRECIOUS:
            path = order.cwd / name
            if _digest(path) != self._digests[name]:
                result.add("loss", f"{name} is {'changed' if path.exists() else 'gone'}", order.line)
        if result.findings:
            return
        own = [line for line in ended.said.splitlines() if line.startswith("yatzy: ")]
        if ended.code in (1, 2) and not day.silent and len(own) != 1 and order.argv[0] != "play":
            result.add("unclear", f"exit code {ended.code} and not one line: {ended.said[-300:]!r}", order.line)
        if ended.code == 0 and day.full:
            result.add("unclear", "exit code 0 although nothing could be printed", order.line)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "gone"


def _mount(folder: Path) -> bool:
    libc = ctypes.CDLL(None, use_errno=True)
    data = f"size={TINY}".encode()
    return bool(libc.mount(b"siege", str(folder).encode(), b"tmpfs", 0, data) == 0)


def _unmount(folder: Path) -> None:
    ctypes.CDLL(None).umount2(str(folder).encode(), 2)
