"""Exponential utility: maximises E[e^(θ · score)] for θ > 0 (risk-seeking), or its negative for θ < 0 (risk-averse).

e^(θ(a + b)) = e^(θa) · e^(θb), so points already scored factor out and a state needs one number, as for the expected
score. Values are shown as certainty equivalents, ln(E[e^(θ · score)]) / θ: the certain score of equal worth. For θ → 0
this is the expected score.
"""

from __future__ import annotations

import math
import sys
from functools import cached_property
from typing import TYPE_CHECKING

from yatzy import kernels
from yatzy.errors import InputError, Message
from yatzy.games import Game, Sheet
from yatzy.model import most_points
from yatzy.names import Exponential
from yatzy.store import TableWriter
from yatzy.values.arrays import points_worth
from yatzy.values.evaluator import Meaning, Solution
from yatzy.values.goals import read_values, value_goal
from yatzy.values.kinds import EXPONENTIAL
from yatzy.values.layers import build_layers
from yatzy.values.resources import DEFAULTS, Resources
from yatzy.values.tables import SolvedTable, value_columns

if TYPE_CHECKING:
    from yatzy.values.opening import Opening

LARGEST_EXPONENT = 600.0
"""e^600 and e^-600 are within double precision, with enough range left for averaging."""


class ExponentialUtility(Solution):
    """A game solved for an exponential utility of the final score."""

    additive = False  # certainty equivalents are not averages
    by_points = False

    def __init__(self, game: Game, theta: float, resources: Resources = DEFAULTS) -> None:
        super().__init__(game)
        check_theta(game, theta)
        self.theta, self.name = theta, Exponential(theta)

        def build(writer: TableWriter) -> None:
            watch = resources.watch(Message("{game} for {purpose}", game=game, purpose=f"exp:{theta:g}"))
            build_layers(self._compiled, writer, theta, resources.threads, watch)

        self.table = SolvedTable(
            self._compiled,
            f"{EXPONENTIAL.name}:{theta!r}",
            build,
            resources,
            # E[e^(theta · points)] is at least 1 for theta > 0, and in 0 … 1 for theta < 0, apart from rounding.
            value_columns(self._compiled, *((0.99, math.exp(LARGEST_EXPONENT)) if theta > 0 else (-1.01, 0))),
        )

    def worth(self, after: Sheet, before: Sheet) -> float:
        """The utility of the points scored since the sheet before the turn."""
        layer, at = self._compiled.states.locate(after)
        to_come = float(self.table.read(layer, "value", at, at + 1)[0])
        return to_come * math.exp(self.theta * (after.points - before.points))

    def goal(self, layer: int, *, break_ties: bool = True) -> kernels.TurnGoal:
        """The utilities of the next layer."""
        values = read_values(self._compiled, self.table, layer + 1)
        return value_goal(self._compiled, layer, self._points_worth, values)

    @cached_property
    def _points_worth(self) -> kernels.Worth:
        return points_worth(self._compiled, self.theta)

    def meaning(self, players: int = 1) -> Meaning:
        """Certainty equivalents."""
        return Meaning("sure_score")

    def _value_of_worth(self, worth: float, before: Sheet) -> float:
        # No valid table has a worth of 0, which has no logarithm.
        return before.points + math.log(max(abs(worth), sys.float_info.min)) / self.theta


def check_theta(game: Game, theta: float) -> None:
    """Refuse θ = 0, and any θ for which the utilities of a game overflow or underflow."""
    limit = LARGEST_EXPONENT / most_points(game)
    if theta == 0 or not abs(theta) <= limit:
        raise InputError(
            "exp:{theta:g}: θ must not be 0 and lie between -{limit:.3g} and {limit:.3g} for {game}",
            theta=theta,
            limit=limit,
            game=game.id,
        )


def open_exponential(solver: Opening, game: Game, name: Exponential) -> ExponentialUtility:
    """`exp:THETA`."""
    return ExponentialUtility(game, name.theta, solver.plain)


def check_exponential(name: Exponential, game: Game) -> None:
    """Refuse a θ that is too large for a game."""
    check_theta(game, name.theta)
