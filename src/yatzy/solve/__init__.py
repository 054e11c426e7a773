"""One player: what is best for any objective, what a strategy does exactly, and the judge of both."""

from yatzy.solve.chances import BestChances, Curve
from yatzy.solve.distribution import CategoryResult, Distribution, Evaluation
from yatzy.solve.evaluate import evaluate
from yatzy.solve.expected import ExpectedScore, solve_game, solve_in_memory
from yatzy.solve.objectives import Workshop, parse_objective, solve_objective
from yatzy.solve.solution import MoveValue, Solution
from yatzy.solve.strategy import Strategy
from yatzy.solve.targets import position_curve
from yatzy.solve.turn import TurnValues

__all__ = [
    "BestChances",
    "CategoryResult",
    "Curve",
    "Distribution",
    "Evaluation",
    "ExpectedScore",
    "MoveValue",
    "Solution",
    "Strategy",
    "TurnValues",
    "Workshop",
    "evaluate",
    "parse_objective",
    "position_curve",
    "solve_game",
    "solve_in_memory",
    "solve_objective",
]
