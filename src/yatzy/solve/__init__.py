"""One player: the best expected score of every state, and the exact judge of it."""

from yatzy.solve.expected import ExpectedScore, solve_game, solve_in_memory
from yatzy.solve.solution import MoveValue, Solution, Unit
from yatzy.solve.turn import TurnValues

__all__ = ["ExpectedScore", "MoveValue", "Solution", "TurnValues", "Unit", "solve_game", "solve_in_memory"]
