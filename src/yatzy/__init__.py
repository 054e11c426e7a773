"""Yahtzee-like dice games, solved exactly.

    >>> import yatzy
    >>> game = yatzy.load_game("two-yatzy")
    >>> solution = yatzy.solve(game)
    >>> round(solution.value(yatzy.Position.start(game)), 6)
    5.0

Names are imported when they are first used, so that `import yatzy` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.coach import Advice as Advice
    from yatzy.coach import RankedMove as RankedMove
    from yatzy.coach import Review as Review
    from yatzy.coach import advise as advise
    from yatzy.coach import review as review
    from yatzy.coach.explain import Explanation as Explanation
    from yatzy.coach.explain import explain as explain
    from yatzy.errors import InputError as InputError
    from yatzy.errors import YatzyError as YatzyError
    from yatzy.evaluation import Distribution as Distribution
    from yatzy.evaluation import Evaluation as Evaluation
    from yatzy.evaluation import evaluate as evaluate
    from yatzy.evaluation import evaluation_cost as evaluation_cost
    from yatzy.evaluation.perfect import perfect_chance as perfect_chance
    from yatzy.games import PRESETS as PRESETS
    from yatzy.games import Category as Category
    from yatzy.games import Game as Game
    from yatzy.games import Keep as Keep
    from yatzy.games import Move as Move
    from yatzy.games import Player as Player
    from yatzy.games import Position as Position
    from yatzy.games import Record as Record
    from yatzy.games import Score as Score
    from yatzy.games import Sheet as Sheet
    from yatzy.games import Turn as Turn
    from yatzy.games import load_game as load_game
    from yatzy.lab import Comparison as Comparison
    from yatzy.lab import SimulatedGames as SimulatedGames
    from yatzy.lab import compare as compare
    from yatzy.lab import replay as replay
    from yatzy.lab import simulate as simulate
    from yatzy.model import GameCounts as GameCounts
    from yatzy.model import count_game as count_game
    from yatzy.names import Origin as Origin
    from yatzy.solver import Solver as Solver
    from yatzy.solver import parse_strategy as parse_strategy
    from yatzy.solver import solve as solve
    from yatzy.strategies.arrays import from_arrays as from_arrays
    from yatzy.strategies.base import Strategy as Strategy
    from yatzy.strategies.choices import Sheets as Sheets
    from yatzy.strategies.overriding import override as override
    from yatzy.values import BestChances as BestChances
    from yatzy.values import Evaluator as Evaluator
    from yatzy.values import ExpectedScore as ExpectedScore
    from yatzy.values import MoveValue as MoveValue
    from yatzy.values import Solution as Solution
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)

__version__ = "0.2.0"
