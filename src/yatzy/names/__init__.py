"""Objectives, payoffs and strategies by name: short texts parsed to frozen values, independent of the solver.

`parse_objective("target:300")` returns `Target(300)`; `str()` is the inverse. Each value declares whether it reads a
file or runs code and how far it searches; `trust` uses this to decide what is accepted from data.
"""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.names.base import CURVES as CURVES
    from yatzy.names.base import ENDGAMES as ENDGAMES
    from yatzy.names.base import EXPECTED as EXPECTED
    from yatzy.names.base import Label as Label
    from yatzy.names.base import Name as Name
    from yatzy.names.base import load as load
    from yatzy.names.grammar import forms as forms
    from yatzy.names.grammar import register as register
    from yatzy.names.grammar import registered as registered
    from yatzy.names.grammar import unregister as unregister
    from yatzy.names.objectives import MOST_TURNS as MOST_TURNS
    from yatzy.names.objectives import Auto as Auto
    from yatzy.names.objectives import DynS as DynS
    from yatzy.names.objectives import Emp as Emp
    from yatzy.names.objectives import Expected as Expected
    from yatzy.names.objectives import Exponential as Exponential
    from yatzy.names.objectives import MatchObjective as MatchObjective
    from yatzy.names.objectives import Objective as Objective
    from yatzy.names.objectives import Others as Others
    from yatzy.names.objectives import ScoreAtChance as ScoreAtChance
    from yatzy.names.objectives import Target as Target
    from yatzy.names.objectives import Utility as Utility
    from yatzy.names.objectives import objective_examples as objective_examples
    from yatzy.names.objectives import objective_forms as objective_forms
    from yatzy.names.objectives import parse_match_objective as parse_match_objective
    from yatzy.names.objectives import parse_objective as parse_objective
    from yatzy.names.payoffs import ByPlace as ByPlace
    from yatzy.names.payoffs import MatchPoints as MatchPoints
    from yatzy.names.payoffs import PayoffName as PayoffName
    from yatzy.names.payoffs import Win as Win
    from yatzy.names.payoffs import parse_payoff as parse_payoff
    from yatzy.names.strategies import Best as Best
    from yatzy.names.strategies import Custom as Custom
    from yatzy.names.strategies import Exported as Exported
    from yatzy.names.strategies import Greedy as Greedy
    from yatzy.names.strategies import MolinderBonus as MolinderBonus
    from yatzy.names.strategies import MolinderLower as MolinderLower
    from yatzy.names.strategies import Random as Random
    from yatzy.names.strategies import Softened as Softened
    from yatzy.names.strategies import StrategyName as StrategyName
    from yatzy.names.strategies import parse_strategy as parse_strategy
    from yatzy.names.strategies import strategy_examples as strategy_examples
    from yatzy.names.strategies import strategy_forms as strategy_forms
    from yatzy.names.trust import Origin as Origin
    from yatzy.names.trust import check_name as check_name
    from yatzy.names.trust import check_origin as check_origin
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
