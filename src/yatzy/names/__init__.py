"""What people ask for by a short text: objectives and strategies as frozen values, without any solver.

`parse_objective("target:300")` gives `Target(300)`, and `str()` of it gives the text back. A value says whether it
reads a file or runs code and how far it searches; `trust` decides from that what may come from data.
"""

from yatzy.names.base import CURVES, ENDGAMES, EXPECTED, Name, load
from yatzy.names.grammar import forms, register, registered, unregister
from yatzy.names.objectives import (
    MOST_TURNS,
    Auto,
    DynS,
    Emp,
    Expected,
    Exponential,
    MatchObjective,
    Objective,
    ScoreAtChance,
    Target,
    Utility,
    is_match_objective,
    objective_forms,
    parse_match_objective,
    parse_objective,
)
from yatzy.names.payoffs import ByPlace, MatchPoints, PayoffName, Win, parse_payoff
from yatzy.names.strategies import (
    Best,
    Custom,
    Exported,
    Greedy,
    MolinderBonus,
    MolinderLower,
    Random,
    Softened,
    StrategyName,
    parse_strategy,
    strategy_forms,
)
from yatzy.names.trust import Origin, check_name, check_origin

__all__ = [
    "CURVES",
    "ENDGAMES",
    "EXPECTED",
    "MOST_TURNS",
    "Auto",
    "Best",
    "ByPlace",
    "Custom",
    "DynS",
    "Emp",
    "Expected",
    "Exponential",
    "Exported",
    "Greedy",
    "MatchObjective",
    "MatchPoints",
    "MolinderBonus",
    "MolinderLower",
    "Name",
    "Objective",
    "Origin",
    "PayoffName",
    "Random",
    "ScoreAtChance",
    "Softened",
    "StrategyName",
    "Target",
    "Utility",
    "Win",
    "check_name",
    "check_origin",
    "forms",
    "is_match_objective",
    "load",
    "objective_forms",
    "parse_match_objective",
    "parse_objective",
    "parse_payoff",
    "parse_strategy",
    "register",
    "registered",
    "strategy_forms",
    "unregister",
]
