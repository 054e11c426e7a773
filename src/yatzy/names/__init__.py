"""Objectives, payoffs and strategies by name: short texts parsed to frozen values, independent of the solver.

`parse_objective("target:300")` returns `Target(300)`; `str()` is the inverse. Each value declares whether it reads a
file or runs code and how far it searches; `trust` uses this to decide what is accepted from data.
"""

from yatzy.names.base import CURVES, ENDGAMES, EXPECTED, Label, Name, load
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
    objective_examples,
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
    strategy_examples,
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
    "Label",
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
    "load",
    "objective_examples",
    "objective_forms",
    "parse_match_objective",
    "parse_objective",
    "parse_payoff",
    "parse_strategy",
    "register",
    "registered",
    "strategy_examples",
    "strategy_forms",
    "unregister",
]
