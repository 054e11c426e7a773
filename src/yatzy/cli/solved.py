"""A solved game for a command, with progress and notes where people see them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from yatzy.cli import show
from yatzy.games import Game

if TYPE_CHECKING:
    from yatzy.solve import ExpectedScore


def solved(game: Game, tables: Path | None, threads: int | None = None) -> ExpectedScore:
    """Open the table of a game, making it first where it is missing."""
    from yatzy.solve import solve_game

    with show.solving(game) as progress:
        return solve_game(game, folder=tables, threads=threads, progress=progress, report=show.note)
