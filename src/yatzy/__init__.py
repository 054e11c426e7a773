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
    from yatzy.coach import Advice, RankedMove, Review, advise, review
    from yatzy.evaluation import Distribution, Evaluation, evaluate
    from yatzy.evaluation.perfect import perfect_chance
    from yatzy.games import (
        PRESETS,
        Category,
        Game,
        Keep,
        Player,
        Position,
        Record,
        Score,
        Sheet,
        Turn,
        load_game,
    )
    from yatzy.lab import SimulatedGames, replay, simulate
    from yatzy.model import GameCounts, count_game
    from yatzy.names import Origin
    from yatzy.solver import parse_strategy, solve_objective
    from yatzy.strategies.base import Strategy
    from yatzy.values import BestChances, ExpectedScore, Solution, solve_game

__version__ = "0.1.0"

_HOME = {
    "Advice": "coach",
    "RankedMove": "coach",
    "Review": "coach",
    "advise": "coach",
    "review": "coach",
    "PRESETS": "games",
    "Category": "games",
    "Game": "games",
    "Keep": "games",
    "Player": "games",
    "Position": "games",
    "Record": "games",
    "Score": "games",
    "Sheet": "games",
    "Turn": "games",
    "load_game": "games",
    "SimulatedGames": "lab",
    "replay": "lab",
    "simulate": "lab",
    "GameCounts": "model",
    "Origin": "names",
    "count_game": "model",
    "ExpectedScore": "values",
    "BestChances": "values",
    "Distribution": "evaluation",
    "Evaluation": "evaluation",
    "Solution": "values",
    "evaluate": "evaluation",
    "perfect_chance": "evaluation.perfect",
    "Strategy": "strategies.base",
    "parse_strategy": "solver",
    "solve_game": "values",
    "solve_objective": "solver",
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
    "Origin",
    "Player",
    "Position",
    "RankedMove",
    "Record",
    "Review",
    "Score",
    "Sheet",
    "SimulatedGames",
    "Solution",
    "Strategy",
    "Turn",
    "__version__",
    "advise",
    "count_game",
    "evaluate",
    "load_game",
    "parse_strategy",
    "perfect_chance",
    "replay",
    "review",
    "simulate",
    "solve_game",
    "solve_objective",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'yatzy' has no attribute {name!r}")
    return getattr(import_module(f"yatzy.{_HOME[name]}"), name)
