"""Odd arguments for every command: it answers, or refuses with one line, and touches nothing it was not told of."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
import socket
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siege.campaign import Campaign
from siege.processes import Ended, Order, judge, last_line, run
from siege.report import Result
from siege.stock import MADE, POSITION, WARMING, filled_in, make_stock

MEMORY = 6 * 2**30
"""Bytes of address space of a command."""
LONG = {"papers": 4.0, "serve": 4.0}
"""Commands that go on for minutes once their arguments are taken; they are ended after so many seconds."""
COSTLY = ("--games", "--questions", "--depths", "--depth", "--digits", "--endgames", "--count", "--threads", "number")
"""Options whose large values are honest work."""
FLAGS = ("--best", "--exact", "--all", "--hints", "--results", "--saved", "--time", "--yes", "--json")
"""Options that take no value, so that --json may follow them."""
NODES = ("a-folder", "a-fifo", "a-device", "a-link", "a-dangling-link", "a-socket", "a-secret")
PLAIN = tuple(name for name in MADE if name not in ("study", "strength"))
"""What the stock holds; reports with pictures take long to make and to copy."""


@dataclass(frozen=True)
class Command:
    """A command with its options, as Typer knows them."""

    words: tuple[str, ...]
    options: tuple[str, ...]
    """Those that take a value."""
    flags: tuple[str, ...]
    arguments: int


def discover() -> list[Command]:
    """All commands of the program."""
    import typer

    from yatzy.cli.app import app
    from yatzy.cli.loading import CommandGroup, walk

    root = typer.main.get_command(app)
    assert isinstance(root, CommandGroup)
    return [_describe(words, command) for words, command in walk(root)]


def _describe(words: tuple[str, ...], command: Any) -> Command:
    named = [one for one in command.params if one.opts[0].startswith("-") and one.opts != ["--help"]]
    options = tuple(one.opts[0] for one in named if not one.is_flag)
    flags = tuple(text for one in named if one.is_flag for text in (*one.opts, *one.secondary_opts))
    return Command(words, options, flags, len(command.params) - len(named))


MORE = (
    ("games", "siege.toml", "--json"),
    ("value", POSITION, "--game", "siege.toml", "--json"),
    ("chance", POSITION, "--game", "siege.toml", "--at-least", "12", "--json"),
    ("advise", POSITION, "--game", "siege.toml", "--top", "2", "--json"),
    ("tables", "list", "--json"),
    ("tables",),
    ("tables", "remove", "--all", "--json"),
    ("play", "--saved"),
    ("play", "--resume", "saved.yatzy"),
    ("quiz", "--results", "--json"),
    ("quiz", "--from", "record.yatzy", "--player", "Ann", "--questions", "1", "--answers", "-", "--json"),
    ("review", "record.yatzy", "--parquet", "out.parquet", "--json"),
    ("review", "saved.yatzy", "--language", "sv"),
    ("study", "study.toml", "--out", "study", "--json"),
    ("papers", "no-such-work"),
    ("serve", "--port", "0", "--no-open", "--prepare", "none"),
    ("perfect", "two-yatzy", "--digits", "5", "--json"),
    ("counts", "two-yatzy", "--json"),
    ("graph", "two-yatzy", "--target", "5", "--json"),
    ("match", "counts", "two-yatzy", "--json"),
    ("match", "solve", "two-yatzy", "--json"),
    ("match", "verify", "two-yatzy", "--endgames", "2", "--depth", "4", "--games", "20", "--json"),
    ("tables", "add", "pack.zip", "--json"),
    ("dataset", "two-yatzy", "--rows", "50", "--out", "rows.parquet", "--json"),
    ("export-values", "two-yatzy", "--out", "values.npz", "--json"),
    ("export-decisions", "two-yatzy", "--out", "moves.parquet", "--json"),
    ("verify", "--all", "--share", "0.5", "--games", "100", "--json"),
)
GOOD = tuple(dict.fromkeys((*WARMING, *MADE.values(), *MORE)))
"""Command lines that run."""

ODD = (
    "", " ", "-", "--", "-1", "0", "1", "00", "1.5", "1e9", "1e400", "nan", "inf", "-inf", str(2**31), str(2**63),
    str(2**64), str(10**30), "9" * 5000, "0x10", "٣", "²", "é", "🎲", "\u202eabc", "\x1b[31mred", "a\nb", "a\tb", "\r",
    "\udcff\udc80", "a\u2028b", "\ufeff", "x" * 300, "x" * 100_000, "~", "~s.~s.", "/proc", "/dev/null/x",
    "a-folder/..", "no/such/folder/file", "no-such-file.toml", *NODES, "a-folder/", "a-folder/new.toml", "siege.toml",
    "record.yatzy", "strategy.bin", "study.toml", "utility.csv", "saved.yatzy", "tables", "yatzy", "two-yatzy", "siege",
    "expected", "greedy", "random", "target:0", "target:12", "target:", "target:-1", "target:1e3", "chance:0.5",
    "chance:2", "exp:0", "exp:1e308", "exp:-0.02", "utility:", "utility:a-folder", "utility:a-fifo",
    "utility:siege.toml", "utility:no-such", "file:", "file:siege.toml", "file:a-folder", "file:no-such",
    "file:strategy.bin", "own.py:Mine", "own.py:", "own.py:None", "a-folder:x.py:y", "softened:", "softened:-1",
    "softened:nan", "softened:1e308", "softened:1:softened:1", "softened:1:file:strategy.bin", "match:auto",
    "match:auto:-1", "match:auto:1e-9", "match:emp:100", "match:emp:x", "match:dyns:-1", "match:", "2*expected",
    "0*expected", "-1*expected", "1000000*expected", "siege.toml@greedy", "@", "a@b@c", "win", "1,0", "1e308,-1e308",
    "0,0", "nan,0", "6,3,1,0", ",", "1,2,,", "12", "11", "33", "123", "1-2", "7", "ones", "ones=0", "ones,twos",
    "ones,ones", "all", POSITION, "siege~s....~d12~r1", "siege~s.x...~u1~p5", "siege~d12~r9", "siege~s1.......",
    "two-yatzy~s.~s.~d12~r1", "two-yatzy" + "~s." * 40, "two-yatzy" + "~s." * 20_000, "sv", "de", "xx", "out.svg",
    "out.png", "out.html", "out.md", "out.xyz", ".", "a b", "'", '"', "$(true)", "`true`", "%s%n", "{}", "A=",
    "=b", "A=B=C", "Ann=expected", "[x]", "[/bold]", "rolled", "typed", "off", "mistake", "0.1", "same", "independent",
)  # fmt: skip
"""No NUL: no command line can hold one. Nothing here may name a place outside the sandbox that can be written: root may
write everywhere, so `check_harmless` refuses such a word before any command runs."""
_HARMLESS = ("/proc", "/dev/null/")


def check_harmless(words: Iterable[str]) -> None:
    """Refuse words that name a path outside the folder a command runs in."""
    for word in words:
        for part in re.split(r"[=:@,*]", word):
            outside = part.startswith("/") and not part.startswith(_HARMLESS)
            if outside or os.path.normpath(part or ".").split(os.sep)[0] == "..":
                raise ValueError(f"{word!r} names a place outside the sandbox")


SMALL = ("", "0", "-1", "1", "2", "x", "1.5", "nan", str(2**63), str(2**64), "9" * 5000, "1-2:2", "2-1:3", "1:0", "1-2")


class Arguments(Campaign):
    """A try is one command line."""

    name = "arguments"
    jobs, short_jobs = 5200, 150
    seconds, short_seconds = 1500.0, 20.0

    def prepare(self) -> None:
        """The commands, a line that runs for each, and the folder they run in."""
        check_harmless((*ODD, *SMALL))
        self._stock = self.folder / "stock"
        make_stock(self._stock, PLAIN)
        self._lines = {}
        for command in discover():
            size = len(command.words)
            good = [filled_in(argv, self._stock) for argv in GOOD if argv[:size] == command.words]
            if not good:
                raise RuntimeError(f"there is no command line of '{' '.join(command.words)}' here yet; add one to GOOD")
            self._lines[command] = good
        slow = {("papers",), ("serve",), ("study",), ("match", "strength")}
        self._drawn = [command for command in self._lines for _ in range(1 if command.words in slow else 6)]

    def attempt(self, number: int) -> Result:
        """Run one command line in a folder of its own."""
        rng, result = self.rng(number), Result()
        command = rng.choice(self._drawn)
        argv = self._odd_line(command, rng)
        place = self.folder / f"try-{number}"
        folder = place / "sandbox"
        shutil.copytree(self._stock, folder)
        (place / "a-secret").write_text("secret\n")
        make_nodes(folder)
        before = _snapshot(place, folder), _nodes(folder)
        waits = any("a-fifo" in word or "a-socket" in word for word in argv)
        limit = LONG.get(argv[0], 4.0 if waits else 30.0)
        order = Order(argv, folder, stdin=b"q\n", seconds=limit, limits={resource.RLIMIT_AS: MEMORY})
        ended = run(order)
        # Without --game a full game is meant, whose tables take minutes; the last note then says what is being made.
        working = last_line(ended.said).endswith("...")
        if ended.hung and (waits or working or argv[0] in LONG):
            result.counts["ended by us"] += 1
        else:
            judge(order, ended, result)
            look(order, ended, result)
            result.counts[f"exit code {ended.code}"] += 1
        after = _snapshot(place, folder), _nodes(folder)
        if after[0] != before[0]:
            result.add("loss", f"changed outside its folder: {_changes(before[0], after[0])}", order.line)
        if after[1] != before[1]:
            result.add("loss", f"replaced what is no plain file: {_changes(before[1], after[1])}", order.line)
        shutil.rmtree(place, ignore_errors=True)
        return result

    def _odd_line(self, command: Command, rng: random.Random) -> tuple[str, ...]:
        argv = list(rng.choice(self._lines[command]))
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            places = [i for i in range(len(command.words), len(argv)) if not argv[i].startswith("--")]
            match rng.randrange(8):
                case 0 | 1 | 2 if command.options:
                    option = rng.choice(command.options)
                    value = rng.choice(SMALL if option in COSTLY else ODD)
                    argv += [f"{option}={value}"] if rng.random() < 0.5 else [option, value]
                case 3 | 4 if places:
                    at = rng.choice(places)
                    costly = argv[at - 1] in COSTLY or (argv[0] == "replay" and at == 1)
                    argv[at] = rng.choice(SMALL if costly else ODD)
                case 5 if command.flags:
                    argv.append(rng.choice(command.flags))
                case 6 if places:
                    del argv[rng.choice(places)]
                case _:
                    argv.insert(rng.randrange(len(command.words), len(argv) + 1), rng.choice(ODD))
        if argv[0] == "serve":
            argv = [word for word in argv if word != "--host" and not word.startswith("--host=")] + ["--no-open"]
        return tuple(argv)


def look(order: Order, ended: Ended, result: Result) -> None:
    """One line where it is refused, one JSON object where that was asked for."""
    if result.findings:
        return
    lines = [line for line in ended.said.splitlines() if line.strip()]
    own = [line for line in lines if line.startswith("yatzy: ")]
    if ended.code in (1, 2) and order.argv[:1] != ("play",):
        if len(own) != 1 or lines[-1] != own[0]:
            result.add("unclear", f"exit code {ended.code} and not one line: {ended.said[-400:]!r}", order.line)
        elif not own[0].isprintable():
            result.add("unclear", f"control characters in {own[0]!r}", order.line)
        elif len(own[0]) > 2000 + max(map(len, order.argv)):
            result.add("unclear", f"a line of {len(own[0]):,} characters: {own[0][:200]!r}", order.line)
    words = zip(("", *order.argv), order.argv, strict=False)
    asked = any(word == "--json" and (not before.startswith("--") or before in FLAGS) for before, word in words)
    if ended.code == 0 and asked and "--help" not in order.argv and len(ended.out) < 60_000:
        try:
            found = json.loads(ended.text)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            result.add("unclear", f"--json printed no object: {ended.text[:200]!r}", order.line)


def make_nodes(folder: Path) -> None:
    """Things that are no plain files, all private."""
    (folder / "a-folder").mkdir()
    os.mkfifo(folder / "a-fifo")
    (folder / "a-link").symlink_to("utility.csv")
    (folder / "a-dangling-link").symlink_to("nowhere")
    (folder / "a-secret").write_text("secret\n")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(folder)  # the path of a socket has a hundred letters at most
        try:
            server.bind("a-socket")
        finally:
            os.chdir(here)
    try:
        os.mknod(folder / "a-device", stat.S_IFCHR | 0o666, os.makedev(1, 7))  # as /dev/full
    except PermissionError:
        (folder / "a-device").mkdir()


def _nodes(folder: Path) -> dict[str, str]:
    """What the special names are."""
    found = {}
    for name in NODES:
        path = folder / name
        info = path.lstat() if os.path.lexists(path) else None
        found[name] = "gone" if info is None else f"{stat.S_IFMT(info.st_mode):o} {info.st_rdev}"
    return found


def _snapshot(place: Path, sandbox: Path) -> dict[str, str]:
    """Everything beside the sandbox."""
    found = {}
    for path in sorted(place.rglob("*")):
        if sandbox not in path.parents and path != sandbox:
            info = path.lstat()
            found[str(path)] = f"{info.st_mode:o} {info.st_size} {info.st_mtime_ns}"
    return found


def _changes(before: dict[str, str], after: dict[str, str]) -> str:
    names = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    return ", ".join(f"{name}: {before.get(name, 'not there')} -> {after.get(name, 'gone')}" for name in names[:3])
