"""A folder with one of every kind of file, of games so small that every command ends in a moment."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import threading
from pathlib import Path

from siege.processes import Order, environment, run

GAME = """\
id = "siege"
dice = 2
faces = 3
rolls = 2

[bonus]
points = 5
threshold = 9

[[categories]]
id = "ones"
pattern = "face"
face = 1

[[categories]]
id = "twos"
pattern = "face"
face = 2

[[categories]]
id = "threes"
pattern = "face"
face = 3

[[categories]]
id = "pair"
pattern = "groups"
groups = [2]

[[categories]]
id = "chance"
pattern = "chance"
"""
CATEGORIES = ("ones", "twos", "threes", "pair", "chance")
UTILITY = "points,worth\n" + "".join(f"{points},{points * points}\n" for points in range(50))
STUDY = """\
title = "Siege"
games = ["siege.toml"]
strategies = ["expected", "greedy"]
count = 300
seed = 3
at_least = [15]
"""
RECORD = """\
game: two-yatzy
player: Ann
player: Bo

1 Ann: 11 ones 2
1 Bo: 12 (2) 22 twos 4
2 Ann: 12 (2) 12 twos 2
2 Bo: 12 (1) 11 ones 2
"""
OWN = """\
from yatzy.strategies.base import Strategy


class Mine(Strategy):
    name = "mine"
"""
POSITION = "siege~d12~r1"
ANSWERS = "ANSWERS"
"""In a command line: legal answers to its questions."""
FRESH = GAME.replace('id = "siege"', 'id = "fresh"')
"""A game of which nothing is solved."""
TEXTS = {
    "siege.toml": GAME,
    "fresh.toml": FRESH,
    "utility.csv": UTILITY,
    "study.toml": STUDY,
    "record.yatzy": RECORD,
    "own.py": OWN,
}

MADE: dict[str, tuple[str, ...]] = {
    "tables of siege": ("solve", "siege.toml"),
    "curves": ("solve", "siege.toml", "--objective", "target:12"),
    "exp": ("solve", "siege.toml", "--objective", "exp:0.02"),
    "utility": ("solve", "siege.toml", "--objective", "utility:utility.csv"),
    "outlooks": ("explain", "--game", "siege.toml", "--dice", "12", "--rolls-left", "1"),
    "two-yatzy": ("solve", "two-yatzy"),
    "endgames": ("match", "tables", "two-yatzy", "--depth", "4"),
    "pack": ("tables", "pack", "two-yatzy", "--out", "pack.zip"),
    "exported": ("export", "strategy.bin", "--game", "siege.toml"),
    "saved": ("play", "--game", "siege.toml", "--player", "Ann=greedy", "--seed", "5", "--save", "saved.yatzy"),
    "quiz": ("quiz", "--game", "siege.toml", "--seed", "4", "--questions", "3", "--answers", ANSWERS),
    "sample": ("simulate", "--game", "siege.toml", "--games", "400", "--out", "sample.parquet"),
    "study": ("study", "study.toml", "--out", "study"),
    "strength": (
        "match",
        "strength",
        "siege.toml",
        "--strategies",
        "expected,match:emp:0",
        "--depths",
        "1-2:8",
        "--out",
        "strength",
    ),
    "solution": ("match", "solve", "two-yatzy", "--keep", "all"),
    "checked solution": ("match", "verify", "two-yatzy", "--endgames", "2", "--games", "20"),
    "regret": (
        "match",
        "regret",
        "two-yatzy",
        "--strategies",
        "expected,match:emp:3",
        "--games",
        "20",
        "--out",
        "regret",
    ),
}
"""Commands that fill the folder, in order."""


def call_every_table_large() -> None:
    """Have the best chances from the start computed as those of a game whose table would be too large to keep."""
    from yatzy.values import start_curve

    start_curve.LARGE = 0


def filled_in(argv: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """The command line, with answers to a quiz that are legal."""
    if ANSWERS not in argv:
        return argv
    from yatzy.coach.quizzes.sources import generated_quiz
    from yatzy.games import load_game
    from yatzy.solver import Solver

    seed, count = (int(argv[argv.index(name) + 1]) for name in ("--seed", "--questions"))
    quiz = generated_quiz(Solver(folder / "tables"), load_game(folder / "siege.toml"), "expected", count, seed)
    moves = [str(question.position.legal_moves[0]) for question in quiz.questions]
    return tuple(word if word != ANSWERS else ",".join(moves) for word in argv)


def make_stock(folder: Path, names: tuple[str, ...] = tuple(MADE)) -> None:
    """Fill a folder by commands of the program itself."""
    for name in ("home", "tables", "games", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for file, text in TEXTS.items():
        (folder / file).write_text(text, encoding="utf-8")
    for name in names:
        ended = run(Order(filled_in(MADE[name], folder), folder, seconds=300))
        if ended.code != 0:
            raise RuntimeError(f"the stock cannot be made: {name}: {ended}")


def copy_stock(stock: Path, to: Path) -> Path:
    """A copy of the folder, links and all."""
    shutil.copytree(stock, to, symlinks=True)
    return to


WARMING = (
    ("solve", "siege.toml"),
    ("solve", "siege.toml", "--objective", "target:12"),
    ("solve", "siege.toml", "--objective", "exp:0.02"),
    ("solve", "siege.toml", "--objective", "utility:utility.csv"),
    ("solve", "siege.toml", "--objective", "chance:0.5"),
    ("explain", "--game", "siege.toml", "--dice", "12", "--rolls-left", "1", "--json"),
    ("advise", "--game", "siege.toml", "--dice", "12", "--rolls-left", "1"),
    ("chance", "--game", "siege.toml", "--at-least", "10"),
    ("distribution", "--game", "siege.toml", "--best", "--plot", "warm.svg"),
    ("distribution", "--game", "siege.toml", "--strategy", "expected", "--plot", "warm.png"),
    ("distribution", "--game", "siege.toml", "--strategy", "softened:1"),
    ("simulate", "--game", "siege.toml", "--games", "100"),
    ("simulate", "--game", "siege.toml", "--games", "100", "--strategy", "target:12"),
    ("simulate", "--game", "siege.toml", "--games", "100", "--strategy", "softened:1"),
    ("simulate", "--game", "siege.toml", "--games", "20", "--strategy", "random"),
    ("replay", "1", "--game", "siege.toml"),
    ("compare", "expected", "greedy", "--game", "siege.toml", "--games", "100", "--exact"),
    ("players", "2*expected", "--game", "siege.toml", "--games", "100", "--exact"),
    ("export", "warm.bin", "--game", "siege.toml"),
    ("simulate", "--game", "siege.toml", "--games", "100", "--strategy", "file:warm.bin"),
    ("perfect", "siege.toml"),
    ("counts", "siege.toml"),
    ("match", "tables", "two-yatzy", "--depth", "4"),
    ("match", "solve", "two-yatzy"),
    ("match", "verify", "two-yatzy", "--endgames", "2", "--games", "20"),
    ("match", "counts", "two-yatzy"),
    ("match", "advise", "two-yatzy~s.~s.~d12~r1"),
    ("match", "advise", "two-yatzy~s.~s.~d12~r1", "--objective", "match:emp:1"),
    ("match", "advise", "two-yatzy~s.~s.~d12~r1", "--objective", "match:dyns:1"),
    ("match", "answer", "greedy", "--game", "two-yatzy", "--games", "20"),
    ("match", "play-off", "match:emp:1", "expected", "--game", "two-yatzy", "--games", "4"),
    ("match", "strength", "siege.toml", "--strategies", "expected,match:emp:0", "--depths", "1-2:8", "--out", "warm"),
    (
        "match",
        "regret",
        "two-yatzy",
        "--strategies",
        "expected,match:emp:0,match:emp:3",
        "--games",
        "20",
        "--out",
        "warm-parts",
    ),
    ("quiz", "--game", "siege.toml", "--seed", "4", "--questions", "3", "--answers", ANSWERS),
    ("review", "record.yatzy", "--out", "warm.html"),
    ("review", "record.yatzy", "record.yatzy"),
    ("play", "--game", "siege.toml", "--player", "A=expected", "--seed", "1", "--save", "warm.yatzy"),
    ("tables", "verify"),
    ("games",),
)
"""What loads every module and kernel but Polars, which starts threads when it is imported."""


def warm(folder: Path) -> None:
    """Run commands in this very process, so that children find everything loaded."""
    from yatzy.cli.app import run as command

    for name in ("home", "tables", "games", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for file, text in TEXTS.items():
        (folder / file).write_text(text, encoding="utf-8")
    here, before = Path.cwd(), dict(os.environ)
    os.environ.update(environment(folder))
    os.chdir(folder)
    try:
        for argv in WARMING:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
                try:
                    command(list(filled_in(argv, folder)))
                except SystemExit as left:
                    if left.code not in (None, 0):
                        raise RuntimeError(f"{argv} does not run: {said.getvalue()}") from None
    finally:
        os.chdir(here)
        os.environ.clear()
        os.environ.update(before)
    if threading.active_count() > 1 or len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError("a thread is left over; children that are forked now could hang")
