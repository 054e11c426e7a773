"""This package, as the benchmarks use it."""

from __future__ import annotations

from yatzy.games import Game, reachable_sums
from yatzy.model.compiled import forget_compiled
from yatzy.model.lattice import dice_lattice
from yatzy.values.expected import solve_in_memory


def solve_from_scratch(game: Game) -> None:
    """Solve with nothing known about the game; only the machine code of the kernel is there."""
    forget_compiled()
    dice_lattice.cache_clear()
    reachable_sums.cache_clear()
    solve_in_memory(game)


def start_value(game: Game) -> float:
    """What the best strategy for the most points expects of the whole game."""
    return float(solve_in_memory(game)[0])
