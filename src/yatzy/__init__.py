"""Yahtzee-like dice games, solved exactly.

    >>> import yatzy
    >>> game = yatzy.load_game("two-yatzy")
    >>> solution = yatzy.solve_game(game)
    >>> round(solution.value(yatzy.Position.start(game)), 6)
    5.0

Names are imported when they are first used, so that `import yatzy` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from yatzy.coach import Advice, RankedMove, advise
    from yatzy.games import (
        PRESETS,
        Category,
        Game,
        Keep,
        Position,
        Score,
        Sheet,
        apply_move,
        format_move,
        format_position,
        legal_moves,
        load_game,
        parse_dice,
        parse_game,
        parse_move,
        parse_position,
    )
    from yatzy.lab import SimulatedGames, replay, simulate
    from yatzy.model import GameCounts, count_game
    from yatzy.solve import (
        BestChances,
        Distribution,
        Evaluation,
        ExpectedScore,
        Solution,
        evaluate,
        solve_game,
        solve_objective,
    )
    from yatzy.solve.perfect import perfect_chance
    from yatzy.solve.strategy import Strategy
    from yatzy.strategies import parse_strategy

__version__ = "0.1.0"

_HOME = {
    "Advice": "coach",
    "RankedMove": "coach",
    "advise": "coach",
    "PRESETS": "games",
    "Category": "games",
    "Game": "games",
    "Keep": "games",
    "Position": "games",
    "Score": "games",
    "Sheet": "games",
    "apply_move": "games",
    "format_move": "games",
    "format_position": "games",
    "legal_moves": "games",
    "load_game": "games",
    "parse_dice": "games",
    "parse_game": "games",
    "parse_move": "games",
    "parse_position": "games",
    "SimulatedGames": "lab",
    "replay": "lab",
    "simulate": "lab",
    "GameCounts": "model",
    "count_game": "model",
    "ExpectedScore": "solve",
    "BestChances": "solve",
    "Distribution": "solve",
    "Evaluation": "solve",
    "Solution": "solve",
    "evaluate": "solve",
    "perfect_chance": "solve.perfect",
    "Strategy": "solve.strategy",
    "parse_strategy": "strategies",
    "solve_game": "solve",
    "solve_objective": "solve",
}

__all__ = [
    "PRESETS",
    "Advice",
    "BestChances",
    "Category",
    "Distribution",
    "Evaluation",
    "ExpectedScore",
    "Game",
    "GameCounts",
    "Keep",
    "Position",
    "RankedMove",
    "Score",
    "Sheet",
    "SimulatedGames",
    "Solution",
    "Strategy",
    "__version__",
    "advise",
    "apply_move",
    "count_game",
    "evaluate",
    "format_move",
    "format_position",
    "legal_moves",
    "load_game",
    "parse_dice",
    "parse_game",
    "parse_move",
    "parse_position",
    "parse_strategy",
    "perfect_chance",
    "replay",
    "simulate",
    "solve_game",
    "solve_objective",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'yatzy' has no attribute {name!r}")
    return getattr(import_module(f"yatzy.{_HOME[name]}"), name)
