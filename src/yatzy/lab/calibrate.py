"""Measures how fast endgames are solved on this machine by solving a few."""

from __future__ import annotations

import tempfile
import time

from yatzy.games import Game
from yatzy.matches.counting import count_match
from yatzy.matches.endgames import Endgames
from yatzy.values.resources import Resources

SMALL_DEPTH = 2


def values_per_second(game: Game, threads: int | None = None) -> float:
    """Values of two-player endgames solved per second, from a temporary table of a few million values."""
    depth = min(SMALL_DEPTH, 2 * len(game.categories))
    with tempfile.TemporaryDirectory() as folder:
        Endgames(game, min(1, depth), Resources(folder, threads=threads))  # compiles or loads the kernels
        begun = time.perf_counter()
        Endgames(game, depth, Resources(folder, threads=threads))
        seconds = time.perf_counter() - begun
    rows = [row for row in count_match(game).depth_rows(depth) if count_match(game).depth(row) > 1]
    return max(sum(row.values for row in rows), 1) / seconds
