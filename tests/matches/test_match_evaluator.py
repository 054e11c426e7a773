"""What evaluators of matches say about the other players."""

from __future__ import annotations

import pytest

from yatzy import Position
from yatzy.matches.evaluator import MatchEvaluator
from yatzy.names.payoffs import Payoff, match_points, payoff_for, win_outright
from yatzy.values.evaluator import MoveValue, Sides


class Fixed(MatchEvaluator):
    """Every position is worth .3 to the player to move."""

    def __init__(self, payoff: Payoff) -> None:
        self.payoff = payoff

    def value(self, position: Position) -> float:
        return 0.3

    def moves(self, position: Position) -> list[MoveValue]:
        return []


@pytest.mark.parametrize(
    ("payoff", "other"),
    [(match_points(2), 0.7), (Payoff((3, 1)), 3.7), (win_outright(2), None), (payoff_for("match-points", 3), None)],
)
def test_only_in_a_match_of_two_with_a_constant_total_is_the_other_known(payoff: Payoff, other: float | None) -> None:
    evaluator, players = Fixed(payoff), payoff.players
    position = Position.parse("~".join(["two-yatzy", *["s."] * players]))
    assert evaluator.sides(players) is (Sides.MOVER if other is None else Sides.BOTH)
    assert evaluator.value_to(position, 0) == 0.3
    found = [evaluator.value_to(position, 1), evaluator.of_opponent(0.3, players)]
    assert found == ([None] * 2 if other is None else [pytest.approx(other)] * 2)


def test_opponents_who_play_for_something_else_have_no_known_value() -> None:
    evaluator = Fixed(match_points(2))
    evaluator.zero_sum = False
    assert evaluator.sides(2) is Sides.MOVER
    assert evaluator.of_opponent(0.3, 2) is None


def test_a_finished_match_is_worth_its_payoff_to_everybody() -> None:
    over = Position.parse("two-yatzy~s1.2~s2.4~s0.0")
    values = [Fixed(match_points(3)).value_to(over, player) for player in range(3)]
    assert values == [1, 2, 0]
    assert Fixed(match_points(3)).results(over) == (0, 2)
