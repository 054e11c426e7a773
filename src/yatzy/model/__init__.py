"""A game compiled to arrays: dice lattice, upper-sum classes, placements and the index of all states."""

from yatzy.model.compiled import CompiledGame, GameCounts, compile_game, count_game, kept_with_game, most_points
from yatzy.model.lattice import Lattice, dice_lattice
from yatzy.model.states import StateIndex
from yatzy.model.upper import UpperClasses

__all__ = [
    "CompiledGame",
    "GameCounts",
    "Lattice",
    "StateIndex",
    "UpperClasses",
    "compile_game",
    "count_game",
    "dice_lattice",
    "kept_with_game",
    "most_points",
]
