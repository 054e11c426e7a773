"""Values of positions for one player: the expected score, every target, a utility, and the exact reference solver."""

from typing import TYPE_CHECKING

from yatzy.lazy import lazy_names

if TYPE_CHECKING:
    from yatzy.values.curve_layers import build_chances as build_chances
    from yatzy.values.curves import BestChances as BestChances
    from yatzy.values.curves import Curve as Curve
    from yatzy.values.evaluator import Evaluator as Evaluator
    from yatzy.values.evaluator import MoveValue as MoveValue
    from yatzy.values.evaluator import Sides as Sides
    from yatzy.values.evaluator import Solution as Solution
    from yatzy.values.expected import ExpectedScore as ExpectedScore
    from yatzy.values.expected import solve_in_memory as solve_in_memory
    from yatzy.values.resources import Progress as Progress
    from yatzy.values.resources import Resources as Resources
    from yatzy.values.tables import LayerWriter as LayerWriter
    from yatzy.values.targets import position_curve as position_curve
    from yatzy.values.turn import TurnValues as TurnValues
    from yatzy.values.utility import UtilityFunction as UtilityFunction
    from yatzy.values.utility import UtilityScore as UtilityScore
else:
    __getattr__, __dir__ = lazy_names(__name__, __file__)
