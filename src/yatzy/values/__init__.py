"""What positions are worth to one player: for the most points, for every target, for a utility, and the judge of it."""

from yatzy.values.curves import BestChances, Curve
from yatzy.values.evaluator import Evaluator, MoveValue, Sides, Solution
from yatzy.values.expected import ExpectedScore, solve_game, solve_in_memory
from yatzy.values.resources import Resources
from yatzy.values.targets import position_curve
from yatzy.values.turn import TurnValues

__all__ = [
    "BestChances",
    "Curve",
    "Evaluator",
    "ExpectedScore",
    "MoveValue",
    "Resources",
    "Sides",
    "Solution",
    "TurnValues",
    "position_curve",
    "solve_game",
    "solve_in_memory",
]
