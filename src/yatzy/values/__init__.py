"""Values of positions for one player: the expected score, every target, a utility, and the exact reference solver."""

from yatzy.values.curves import BestChances, Curve, build_chances
from yatzy.values.evaluator import Evaluator, MoveValue, Sides, Solution
from yatzy.values.expected import ExpectedScore, solve_in_memory
from yatzy.values.resources import Resources
from yatzy.values.tables import LayerWriter, Progress
from yatzy.values.targets import position_curve
from yatzy.values.turn import TurnValues

__all__ = [
    "BestChances",
    "Curve",
    "Evaluator",
    "ExpectedScore",
    "LayerWriter",
    "MoveValue",
    "Progress",
    "Resources",
    "Sides",
    "Solution",
    "TurnValues",
    "build_chances",
    "position_curve",
    "solve_in_memory",
]
