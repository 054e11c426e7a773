"""Commands that write, each with what must be true after it was killed and after it was run again."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from siege.processes import Ended
from siege.report import Result
from siege.stock import ANSWERS, CATEGORIES, MADE, call_every_table_large

Outcome = dict[str, str]
"""What a finished work leaves: names with digests or values."""

SKIPPED = (".lock", ".pyc")


def digests(folder: Path, *patterns: str) -> Outcome:
    """The digest of every file that matches."""
    found: Outcome = {}
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            if path.is_file() and path.suffix not in SKIPPED:
                found[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return found


def leftovers(folder: Path) -> list[str]:
    """Files written aside that nobody renamed or removed."""
    return sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.name.endswith((".part", ".tmp", ".parts"))
    )


@dataclass(frozen=True)
class Work:
    """A command that writes, and how it is judged."""

    name: str
    argv: tuple[str, ...]
    outcome: Callable[[Path], Outcome]
    """What the folder holds when the command is done."""
    weight: int = 4
    """How often it is chosen; slow ones seldom."""
    stdin: bytes = b""
    again: tuple[str, ...] | None = None
    """How one goes on after a kill, where that is another command; used once the file `begun` is there."""
    begun: str = ""
    reported: Callable[[Path, Ended, Result], None] | None = None
    """Looks, right after a kill, for what was reported as written and is not there."""
    call: Callable[[], None] | None = None
    before: tuple[tuple[str, ...], ...] = field(default=())
    """Commands that are run first, undisturbed."""
    prelude: Callable[[], None] | None = None
    """Called before the command in its process."""


def _sound_tables(folder: Path) -> Outcome:
    return digests(folder, "tables/*.table")


def _values(folder: Path) -> Outcome:
    """The games in a Parquet file, read by Polars in a process of their own would be slow: their bytes will do."""
    return digests(folder, "sample.parquet")


_TOTAL = re.compile(r"^ {2}(\w+): .* total (\d+)$", re.MULTILINE)


def _saved_what_was_told(folder: Path, ended: Ended, result: Result) -> None:
    """Every turn that the screen showed as done is in the saved game."""
    from yatzy.errors import YatzyError
    from yatzy.games import Record

    told = _TOTAL.findall(ended.text)
    path = folder / "saved.yatzy"
    if not path.exists() or not path.stat().st_size:  # an empty file only holds the name
        if told:
            result.add("loss", f"{len(told)} turns were shown and no game is saved")
        return
    try:
        record = Record.parse(path.read_text(encoding="utf-8"))
    except (YatzyError, ValueError) as error:
        result.add("loss", f"the saved game cannot be read after a kill: {error}")
        return
    if len(record.turns) < len(told):
        result.add("loss", f"{len(told)} turns were shown and {len(record.turns)} are saved")


def _kept_what_was_graded(folder: Path, ended: Ended, result: Result) -> None:
    """Every answer that was graded on the screen is among the results."""
    told = sum(line.startswith("Question ") for line in ended.text.splitlines())
    path = folder / "games" / "quiz-results.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    whole = 0
    for line in lines:
        try:
            whole += isinstance(json.loads(line), dict)
        except ValueError:
            continue
    if whole < told:
        result.add("loss", f"{told} answers were graded and {whole} are kept")


def _whole_or_absent(name: str) -> Callable[[Path, Ended, Result], None]:
    """A file that is there after a kill is the whole file: it is compared with the rest at the end."""

    def look(folder: Path, ended: Ended, result: Result) -> None:
        path = folder / name
        if path.exists() and path.suffix == ".html" and not path.read_bytes().rstrip().endswith(b"</html>"):
            result.add("wrong", f"{name} is there after a kill, and it is not whole")

    return look


def _by_hand() -> bytes:
    """Lines that play a game from wherever it is: roll, then the first category that is open."""
    return "".join(f"\n{category}\n" for category in CATEGORIES).encode()


def papers_of_two_yatzy() -> None:
    """`yatzy papers` with the claims about the smallest game alone; the whole takes minutes."""
    from dataclasses import replace

    from yatzy.solver import Solver
    from yatzy_papers.run import run_papers
    from yatzy_papers.tillius import WORK
    from yatzy_papers.tillius.two_yatzy import TWO_YATZY

    run_papers([replace(WORK, claims=TWO_YATZY, tables=(), drawings=())], Path("papers"), Solver())


def _results(folder: Path) -> Outcome:
    """Kept answers: how many quizzes are whole; identifiers and times differ."""
    lines = (folder / "games" / "quiz-results.jsonl").read_text(encoding="utf-8").splitlines()
    last = [json.loads(line) for line in lines[-3:]]
    return {f"answer {one['number']}": f"{one['move']} {one['loss']:.9g} {one['grade']}" for one in last}


def _solution(folder: Path) -> Outcome:
    """What a complete solution leaves: its layers, and neither blocks nor a folder for them."""
    from yatzy.games import load_game
    from yatzy.matches.solving import kept_layers
    from yatzy.values.resources import Resources

    layers = kept_layers(load_game(folder / "fresh.toml"), Resources(folder / "tables"))
    found = {f"depth {layer.depth}": f"{layer.hash} {layer.least:.9g} {layer.most:.9g}" for layer in layers}
    for layer in layers:
        if layer.sample is not None:
            numbers = b"".join(array.tobytes() for array in vars(layer.sample).values())
            found[f"sample of depth {layer.depth}"] = hashlib.sha256(numbers).hexdigest()[:16]
    blocks = sorted(path.name for path in folder.glob("tables/matches/*/depth-*"))
    return found | _sound_tables(folder) | {"folders of blocks": str(blocks)}


_SOLVED = ("solve", "siege.toml")
WORKS = (
    Work("solve", ("solve", "siege.toml"), _sound_tables),
    Work("solve target", ("solve", "siege.toml", "--objective", "target:12"), _sound_tables),
    Work("solve exp", ("solve", "siege.toml", "--objective", "exp:0.02"), _sound_tables),
    Work("solve utility", ("solve", "siege.toml", "--objective", "utility:utility.csv"), _sound_tables),
    Work(
        "outlooks",
        ("explain", "--game", "siege.toml", "--dice", "12", "--rolls-left", "1"),
        _sound_tables,
        before=(_SOLVED,),
    ),
    Work(
        "tables remove",
        ("tables", "remove", "--all"),
        lambda folder: {"left": str(leftovers(folder) + sorted(digests(folder, "tables/*.table")))},
        before=(_SOLVED,),
    ),
    Work(
        "export", ("export", "out.bin", "--game", "siege.toml"), lambda folder: digests(folder, "out.bin"),
        before=(_SOLVED,),
    ),
    Work(
        "simulate --out",
        ("simulate", "--game", "siege.toml", "--games", "300000", "--out", "sample.parquet"),
        _values,
        weight=2,
        before=(_SOLVED,),
    ),
    Work(
        "simulate --plot",
        ("simulate", "--game", "siege.toml", "--games", "200", "--plot", "plot.svg"),
        lambda folder: digests(folder, "plot.svg"),
        weight=1,
        before=(_SOLVED,),
    ),
    Work(
        "study", ("study", "study.toml", "--out", "study"), lambda folder: digests(folder, "study/*.md", "study/*.csv"),
        weight=1, before=(_SOLVED,),
    ),
    Work("papers", (), lambda folder: digests(folder, "papers/results.json"), weight=2, call=papers_of_two_yatzy),
    Work(
        "play by computers",
        ("play", "--game", "siege.toml", "--player", "Ann=greedy", "--player", "Bo=greedy", "--seed", "5", "--save",
         "saved.yatzy"),
        lambda folder: digests(folder, "saved.yatzy"),
        again=("play", "--resume", "saved.yatzy"), begun="saved.yatzy", reported=_saved_what_was_told,
    ),
    Work(
        "play by hand",
        ("play", "--game", "siege.toml", "--player", "Ann", "--seed", "9", "--save", "saved.yatzy"),
        lambda folder: digests(folder, "saved.yatzy"),
        stdin=_by_hand() * 2,
        again=("play", "--resume", "saved.yatzy"), begun="saved.yatzy", reported=_saved_what_was_told,
        before=(_SOLVED,),
    ),
    Work(
        "quiz",
        ("quiz", "--game", "siege.toml", "--seed", "4", "--questions", "3", "--answers", ANSWERS),
        _results,
        reported=_kept_what_was_graded,
        before=(_SOLVED,),
    ),
    Work(
        "review --out",
        ("review", "record.yatzy", "--out", "review.html"),
        lambda folder: digests(folder, "review.html"),
        weight=2,
        reported=_whole_or_absent("review.html"),
        before=(("solve", "two-yatzy"),),
    ),
    Work(
        "review --parquet",
        ("review", "record.yatzy", "--parquet", "review.parquet"),
        lambda folder: digests(folder, "review.parquet"),
        weight=1,
        before=(("solve", "two-yatzy"),),
    ),
    Work("match tables", ("match", "tables", "siege.toml", "--depth", "3"), _sound_tables),
    Work(
        "strength",
        ("match", "strength", "siege.toml", "--strategies", "expected,match:emp:0", "--depths", "1-2:8", "--out",
         "strength"),
        lambda folder: digests(folder, "strength/*.csv", "strength/*.md"),
        weight=1,
    ),
    Work("match solve", ("match", "solve", "fresh.toml"), _solution),
    Work("match solve --keep all", ("match", "solve", "fresh.toml", "--keep", "all"), _solution, weight=2),
    Work(
        "match verify",
        ("match", "verify", "fresh.toml", "--games", "200"),
        lambda folder: digests(folder, "tables/matches/*/verification/*"),
        before=(("match", "solve", "fresh.toml"),),
    ),
    Work("regret", MADE["regret"], lambda folder: digests(folder, "regret/*.kept"), before=(MADE["solution"],)),
    Work(
        "start curve",
        ("distribution", "--game", "fresh.toml", "--best"),
        lambda folder: digests(folder, "tables/starts/*/*"),
        prelude=call_every_table_large,
    ),
)  # fmt: skip
"""Every command that writes."""
