"""This package as the benchmarks use it."""

from __future__ import annotations

from yatzy.games import Game, reachable_sums
from yatzy.model.compiled import forget_compiled
from yatzy.model.lattice import dice_lattice
from yatzy.values.expected import solve_in_memory


def solve_from_scratch(game: Game) -> None:
    """Solve a game without any cached structure; only the compiled kernels are reused."""
    forget_compiled()
    dice_lattice.cache_clear()
    reachable_sums.cache_clear()
    solve_in_memory(game)


def start_value(game: Game) -> float:
    """The expected score of the best strategy."""
    return float(solve_in_memory(game)[0])
