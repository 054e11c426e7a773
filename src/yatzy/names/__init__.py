"""What people ask for by a short text: objectives and strategies as frozen values, without any solver.

`parse_objective("target:300")` gives `Target(300)`, and `str()` of it gives the text back. A value says whether it
reads a file or runs code and how far it searches; `trust` decides from that what may come from data.
"""

from yatzy.names.base import Name
from yatzy.names.grammar import (
    MATCH_FORMS,
    OBJECTIVE_FORMS,
    STRATEGY_FORMS,
    is_match_objective,
    parse_match_objective,
    parse_objective,
    parse_strategy,
)
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
)
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
)
from yatzy.names.trust import Origin, check_origin

__all__ = [
    "MATCH_FORMS",
    "MOST_TURNS",
    "OBJECTIVE_FORMS",
    "STRATEGY_FORMS",
    "Auto",
    "Best",
    "Custom",
    "DynS",
    "Emp",
    "Expected",
    "Exponential",
    "Exported",
    "Greedy",
    "MatchObjective",
    "MolinderBonus",
    "MolinderLower",
    "Name",
    "Objective",
    "Origin",
    "Random",
    "ScoreAtChance",
    "Softened",
    "StrategyName",
    "Target",
    "Utility",
    "check_origin",
    "is_match_objective",
    "parse_match_objective",
    "parse_objective",
    "parse_strategy",
]
