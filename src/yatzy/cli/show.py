"""Showing things: tables for people, JSON for programs, progress on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from yatzy.games import Game, Keep, Move, show_dice

if TYPE_CHECKING:
    from rich.table import Table

    from yatzy.solve.tables import Progress


def print_json(fields: dict[str, Any]) -> None:
    """One JSON object on standard output."""
    print(json.dumps(fields, ensure_ascii=False, allow_nan=False))


def print_table(table: Table) -> None:
    """A table as wide as it needs to be where nobody's terminal limits it."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 120, highlight=False).print(table)


def note(line: str) -> None:
    """Something a person should know beside the answer."""
    print(line, file=sys.stderr, flush=True)


def move_name(game: Game, move: Move, language: str = "en") -> str:
    """A move in words."""
    if isinstance(move, Keep):
        if not move.dice:
            return "keep nothing"
        return f"keep {show_dice(move.dice)}" + (" (all)" if len(move.dice) == game.dice else "")
    return game.categories[game.category_index[move.category]].name(language)


def move_fields(move: Move) -> dict[str, Any]:
    """A move for JSON."""
    if isinstance(move, Keep):
        return {"move": show_dice(move.dice), "keep": list(move.dice)}
    return {"move": move.category, "category": move.category}


@contextmanager
def solving(game: Game) -> Iterator[Progress]:
    """A progress bar that appears when a game has to be solved."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    progress = Progress(
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f} %"),
        TimeElapsedColumn(), TimeRemainingColumn(), console=console, transient=True,
    )  # fmt: skip
    task = progress.add_task(f"Preparing to solve {game.name()}", total=None)
    begun = False

    def begin() -> None:
        nonlocal begun
        begun = True
        if console.is_terminal:
            progress.start()
        else:
            note(f"Solving {game.name()} ...")

    def advance(done: int, total: int) -> None:
        if not begun:
            begin()
        if done:
            progress.update(task, completed=done, total=total, description=f"Solving {game.name()}")

    try:
        yield advance
    finally:
        progress.stop()
