"""One player: the best expected score of every state, and the exact judge of it."""

from yatzy.solve.expected import ExpectedScore, MoveValue, solve_game, solve_in_memory
from yatzy.solve.turn import TurnValues

__all__ = ["ExpectedScore", "MoveValue", "TurnValues", "solve_game", "solve_in_memory"]
