"""Damaged files of every kind, and every command that reads them: the right answer, or one line that refuses."""

from __future__ import annotations

import json
import random
import re
import resource
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siege.campaign import Campaign
from siege.harm import HARMS, crafted
from siege.processes import Ended, Order, judge, run
from siege.report import Result
from siege.stock import MADE, POSITION, call_every_table_large, make_stock

if TYPE_CHECKING:
    from yatzy.values.resources import Progress

_PASSING = {"seconds", "cached", "path", "created", "modified", "bytes"}
_TIME = re.compile(r"\d+\.\d+ s\b|\d+-\d+-\d+ \d+:\d+")


@dataclass(frozen=True)
class Kind:
    """A kind of file, and the commands that read it."""

    name: str
    files: tuple[str, ...]
    """Patterns in the stock."""
    readers: tuple[tuple[str, ...], ...]
    guarded: bool = True
    """Whether a checksum tells damage; what people write themselves has none and may become another sound text."""
    crafted: bool = False
    """Whether its checksums can be made right again for other contents."""
    prelude: Callable[[], None] | None = None
    """Called before a reader in its process."""


GAME = ("--game", "siege.toml")
BEGUN_REGRET = (*MADE["regret"][:-1], "regret-begun")
KINDS = (
    Kind(
        "table", ("tables/siege*.table",),
        (
            ("value", POSITION, *GAME, "--json"),
            ("value", POSITION, *GAME, "--objective", "target:12", "--json"),
            ("value", POSITION, *GAME, "--objective", "exp:0.02", "--json"),
            ("value", POSITION, *GAME, "--objective", "utility:utility.csv", "--json"),
            ("advise", POSITION, *GAME, "--json"),
            ("explain", POSITION, *GAME, "--json"),
            ("chance", POSITION, *GAME, "--at-least", "12", "--json"),
            ("distribution", *GAME, "--strategy", "expected", "--json"),
            ("distribution", *GAME, "--best", "--json"),
            ("simulate", *GAME, "--games", "50", "--json"),
            ("simulate", *GAME, "--games", "50", "--strategy", "target:12", "--json"),
            ("tables", "list"),
            ("tables", "verify"),
            ("verify", "--all", "--games", "0", "--json"),
        ),
        crafted=True,
    ),
    Kind(
        "endgames", ("tables/two-yatzy*.table",),
        (
            ("match", "advise", "two-yatzy~s.~s.~d12~r1", "--json"),
            ("match", "tables", "two-yatzy", "--depth", "2", "--json"),
            ("value", "two-yatzy~d12~r1", "--json"),
            ("review", "record.yatzy", "--objective", "match:emp:1", "--json"),
        ),
        crafted=True,
    ),
    Kind(
        "part of a table", ("tables/*.part",),
        (("solve", "siege.toml", "--json"), ("solve", "siege.toml", "--objective", "target:12", "--json"), ("tables",)),
    ),
    Kind(
        "strategy", ("strategy.bin",),
        (
            ("simulate", *GAME, "--games", "60", "--strategy", "file:strategy.bin", "--json"),
            ("replay", "3", *GAME, "--strategy", "file:strategy.bin", "--json"),
            ("distribution", *GAME, "--strategy", "file:strategy.bin", "--json"),
            ("compare", "file:strategy.bin", "greedy", *GAME, "--games", "40", "--json"),
        ),
        crafted=True,
    ),
    Kind(
        "saved game", ("saved.yatzy", "games/saved.yatzy"),
        (
            ("review", "saved.yatzy", "--json"),
            ("play", "--resume", "saved.yatzy"),
            ("play", "--saved"),
            ("review", "games/saved.yatzy", "--json"),
        ),
    ),
    Kind("quiz results", ("games/quiz-results.jsonl",), (("quiz", "--results", "--json"), ("quiz", "--results"))),
    Kind(
        "sample", ("sample.parquet.parts/*",),
        (("simulate", *GAME, "--games", "400", "--out", "sample.parquet", "--json"),),
    ),
    Kind(
        "study parts", ("study/parts/*.kept", "study/parts/*/*"),
        (("study", "study.toml", "--out", "study", "--json"),),
    ),
    Kind("strength parts", ("strength/parts/*.kept",), ((*MADE["strength"], "--json"),), crafted=True),
    Kind(
        "solution", ("tables/matches/two-yatzy*/*.kept",),
        (
            (*MADE["solution"], "--json"),
            ("match", "solve", "two-yatzy", "--json"),
            ("match", "verify", "two-yatzy", "--endgames", "1", "--games", "20", "--json"),
        ),
        crafted=True,
    ),
    Kind(
        "begun solution", ("tables/matches/fresh*/*.kept", "tables/matches/fresh*/depth-*/*.block"),
        (("match", "solve", "fresh.toml", "--json"), ("match", "solve", "fresh.toml", "--keep", "all", "--json")),
        crafted=True,
    ),
    Kind(
        "verification", ("tables/matches/two-yatzy*/verification/*.kept", "tables/matches/*/verification/*.table"),
        ((*MADE["checked solution"], "--json"),),
        crafted=True,
    ),
    Kind("regret parts", ("regret/*.kept",), ((*MADE["regret"], "--json"),), crafted=True),
    Kind("begun regret parts", ("regret-begun/*.kept",), ((*BEGUN_REGRET, "--json"),), crafted=True),
    Kind(
        "start curve", ("tables/starts/siege*/*",), (("distribution", "--game", "siege.toml", "--best", "--json"),),
        crafted=True, prelude=call_every_table_large,
    ),
    Kind(
        "begun start curve", ("tables/starts/fresh*/*",),
        (("distribution", "--game", "fresh.toml", "--best", "--json"),),
        crafted=True, prelude=call_every_table_large,
    ),
    Kind("pack", ("pack.zip",), (("tables", "add", "pack.zip", "--json"),)),
    Kind(
        "game", ("siege.toml",),
        (("counts", "siege.toml", "--json"), ("solve", "siege.toml", "--json"), ("games", "siege.toml", "--json")),
        guarded=False,
    ),
    Kind(
        "utility", ("utility.csv",), (("solve", "siege.toml", "--objective", "utility:utility.csv", "--json"),),
        guarded=False,
    ),
    Kind(
        "record", ("record.yatzy",),
        (
            ("review", "record.yatzy", "--json"),
            ("quiz", "--from", "record.yatzy", "--questions", "1", "--answers", "-"),
        ),
        guarded=False,
    ),
    Kind("study", ("study.toml",), (("study", "study.toml", "--out", "other", "--json"),), guarded=False),
)  # fmt: skip
WEIGHTS = {"table": 16, "strategy": 16, "endgames": 8, "study parts": 1, "strength parts": 1, "study": 1, "sample": 2}
"""How often a kind is chosen, 5 where it is not here; what draws pictures or loads Polars is slow."""


class Damage(Campaign):
    """A try is one damaged file and one command that reads it."""

    name = "damage"
    jobs, short_jobs = 1700, 80
    seconds, short_seconds = 1200.0, 20.0

    def prepare(self) -> None:
        """One of every file, and the right answer of every reader."""
        self._stock = self.folder / "stock"
        make_stock(self._stock)
        table = next(self._stock.glob("tables/siege*expected.table"))
        table.with_suffix(".part").write_bytes(table.read_bytes()[: int(table.stat().st_size * 0.8)])
        shutil.copy(self._stock / "saved.yatzy", self._stock / "games" / "saved.yatzy")
        self._keep_parts_of_a_sample()
        for begin in (_begin_a_solution, _begin_regret, _keep_start_curves):
            ended = run(Order((), self._stock, call=begin, seconds=100))
            if ended.code != 0:
                raise RuntimeError(f"the stock cannot be made: {ended}")
        self._kinds = [kind for kind in KINDS for _ in range(WEIGHTS.get(kind.name, 5))]
        self._answers = {}
        for kind in KINDS:
            for reader in kind.readers:
                folder = self._copy(kind, "right")
                self._answers[reader] = _plain(run(Order(reader, folder, prelude=kind.prelude, seconds=300)), folder)
                shutil.rmtree(folder)

    def _keep_parts_of_a_sample(self) -> None:
        """The parts of `simulate --out` as they lie there when it is interrupted."""
        run(Order((), self._stock, call=_play_parts, seconds=100))
        (self._stock / "sample.parquet").unlink()

    def _copy(self, kind: Kind, name: str) -> Path:
        """The stock with hard links: only what a try writes anew takes room."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        skipped = shutil.ignore_patterns(*(() if kind.name == "part of a table" else ("*.part",)), "*.lock")
        shutil.copytree(self._stock, folder, ignore=skipped)
        if kind.name == "part of a table":
            for path in folder.glob("tables/siege*expected.table"):
                path.unlink()
        return folder

    def attempt(self, number: int) -> Result:
        """Damage a file, ask, compare."""
        rng, result = self.rng(number), Result()
        if number % 6 == 5:
            return self._crafted(number)
        kind = rng.choice(self._kinds)
        folder = self._copy(kind, f"try-{number}")
        path = rng.choice(
            [found for pattern in kind.files for found in sorted(folder.glob(pattern)) if found.is_file()]
        )
        forged, told = self._harm(kind, path, rng)
        reader = rng.choice(kind.readers)
        result.counts[kind.name] += 1
        order = Order(reader, folder, prelude=kind.prelude, seconds=60, limits={})
        ended = run(order)
        judge(order, ended, result, (0, 1, 2))
        self._compare(kind, order, ended, forged, result)
        where = f"{path.relative_to(folder)}, {told}"
        result.findings = [type(one)(one.kind, f"{where}: {one.what}", one.reproduce) for one in result.findings]
        shutil.rmtree(folder, ignore_errors=True)
        return result

    def _crafted(self, number: int) -> Result:
        """A file made by the tests of the store: right checksums, wrong contents, used through the library."""
        result, folder = Result(), self.folder / f"try-{number}"
        folder.mkdir()
        seed = self.rng(number).randrange(10**6)
        order = Order((), folder, call=lambda: _use_crafted(seed), seconds=90, limits={resource.RLIMIT_AS: 6 * 2**30})
        ended = run(order)
        judge(order, ended, result, (0,))
        outcome = ended.text.rpartition("\t")[2].strip()
        if not result.findings and not outcome.startswith(("played", "refused: ")):
            result.add("traceback", ended.text.strip())
        again = f"python -m helpers.crafted FOLDER {seed} 1"
        result.findings = [type(one)(one.kind, f"crafted file {seed}: {one.what}", again) for one in result.findings]
        result.counts["crafted by the store's tests"] += 1
        shutil.rmtree(folder, ignore_errors=True)
        return result

    def _harm(self, kind: Kind, path: Path, rng: random.Random) -> tuple[bool, str]:
        """Damage a file; whether its checksums are right nevertheless, and what was done."""
        if kind.crafted and rng.random() < 0.4:
            crafted(path, rng)
            return True, "crafted"
        others = [one for one in path.parent.iterdir() if one.is_file() and one != path and one.suffix == path.suffix]
        if others and kind.name not in ("saved game", "record") and rng.random() < 0.12:
            other = rng.choice(sorted(others))
            mine, theirs = path.read_bytes(), other.read_bytes()
            path.write_bytes(theirs)
            other.write_bytes(mine)
            return False, f"swapped with {other.name}"
        harm = rng.choice(HARMS)
        data = path.read_bytes()
        path.write_bytes(harm(data, rng))
        return False, harm.__name__

    def _compare(self, kind: Kind, order: Order, ended: Ended, forged: bool, result: Result) -> None:
        where = order.line
        if result.findings:
            return
        if ended.code in (1, 2) and not [line for line in ended.said.splitlines() if line.startswith("yatzy: ")]:
            result.add("unclear", f"exit code {ended.code} without a line that says why", where)
        known = self._answers[order.argv]
        if (
            ended.code != 0
            or forged
            or not kind.guarded
            or known is None
            or order.argv[0] == "tables"
            or "--saved" in order.argv
        ):
            return
        if not self._has_checksum(kind):
            return
        found = _plain(ended, order.cwd)
        if found != known and not (kind.name == "quiz results" and (_told_of_damage(ended) or _is_emptied(order.cwd))):
            result.add("wrong", f"the answer is {_differs(known, found)}", where)

    def _has_checksum(self, kind: Kind) -> bool:
        """Saved games and quiz results are compared once their format has a checksum."""
        if kind.name == "saved game":
            return "check:" in (self._stock / "saved.yatzy").read_text(encoding="utf-8")
        if kind.name == "quiz results":
            return "check" in (self._stock / "games" / "quiz-results.jsonl").read_text(encoding="utf-8")
        return True


def _use_crafted(seed: int) -> None:
    from helpers.crafted import attempt

    print("\t".join(attempt(seed, Path("crafted"))))


def _play_parts() -> None:
    from yatzy.games import load_game
    from yatzy.lab.results import run_sample
    from yatzy.solver import Solver, parse_strategy

    game = load_game("siege.toml")
    run_sample(parse_strategy("expected", game, Solver()), 400, 1, "sample.parquet.parts")


def _begin_a_solution() -> None:
    """Solve a game for two until most of its depths are solved."""
    from yatzy.games import load_game
    from yatzy.matches.solving import Keep, solve_match
    from yatzy.values.resources import Resources

    with ThreadPoolExecutor(1) as pool, suppress(_Stopped):
        solve_match(load_game("fresh.toml"), pool, Keep.SAMPLE, Resources(progress=_stop_at(0.9)))


def _begin_regret() -> None:
    """Play matches until half of the turns are done; the tables are there."""
    from yatzy.games import load_game
    from yatzy.lab.regret import measure_regret
    from yatzy.solver import Solver

    with suppress(_Stopped):
        strategies = BEGUN_REGRET[BEGUN_REGRET.index("--strategies") + 1].split(",")
        measure_regret(load_game("two-yatzy"), strategies, 20, 1, "regret-begun", Solver(progress=_stop_at(0.75)))


def _keep_start_curves() -> None:
    """One that is whole, and one of which half of the layers are computed."""
    from yatzy.games import load_game
    from yatzy.values.resources import Resources
    from yatzy.values.start_curve import start_curve

    start_curve(load_game("siege.toml"))
    with suppress(_Stopped):
        start_curve(load_game("fresh.toml"), Resources(progress=_stop_at(0.5)))


class _Stopped(Exception):  # noqa: N818  (what happened)
    """Enough is done."""


def _stop_at(share: float) -> Callable[..., Progress]:
    """Progress that stops a computation when a share of it is done."""

    def progress(done: int, total: int) -> None:
        if done >= share * total:
            raise _Stopped

    return lambda *about: progress


def _is_emptied(folder: Path) -> bool:
    """Whether nothing is left of the quiz results: that looks like a file before the first answer."""
    return not (folder / "games" / "quiz-results.jsonl").read_bytes().strip()


def _told_of_damage(ended: Ended) -> bool:
    return "could not be read" in ended.said or '"unreadable": 0' not in ended.text


def _plain(ended: Ended, folder: Path) -> Any:
    """An answer without what differs from run to run."""
    if ended.code != 0:
        return None
    text = ended.text.strip()
    if text.startswith("{"):
        return _without(json.loads(text))
    return _TIME.sub("TIME", text).replace(str(folder), "FOLDER")


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without(one) for name, one in value.items() if name not in _PASSING}
    return [_without(one) for one in value] if isinstance(value, list) else value


def _differs(known: Any, found: Any) -> str:
    if isinstance(known, dict) and isinstance(found, dict):
        for name in known:
            if known[name] != found.get(name):
                return f"{name}: {found.get(name)!r}, not {known[name]!r}"[:600]
    return f"{found!r}, not {known!r}"[:600]
