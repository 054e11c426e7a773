"""What evaluators of matches say about the other players."""

from __future__ import annotations

import math
from typing import Any, cast

import pytest

from yatzy import Position
from yatzy.matches.evaluator import MatchEvaluator
from yatzy.matches.strategies import SoftenedMatch
from yatzy.names import Emp
from yatzy.names.payoffs import Payoff, match_points, payoff_for, win_outright
from yatzy.values.evaluator import Meaning, MoveValue, Sides


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


@pytest.mark.parametrize(
    ("payoff", "players", "meaning"),
    [
        (win_outright(2), 2, "win_alone"),
        (win_outright(3), 3, "win_alone"),
        (match_points(2), 2, "win_or_tie"),
        (match_points(3), 3, "match_points"),
        (Payoff((3, 1)), 2, "payoff"),
        (Payoff((5, 2, 0)), 3, "payoff"),
    ],
)
def test_a_value_means_what_the_places_pay(payoff: Payoff, players: int, meaning: str) -> None:
    assert Fixed(payoff).meaning(players) == Meaning(meaning)


class Listed(Fixed):
    """Moves have given values."""

    def __init__(self, values: list[float]) -> None:
        super().__init__(match_points(2))
        self.listed = values

    def moves(self, position: Position) -> list[MoveValue]:
        return [MoveValue(move, value) for move, value in zip(position.legal_moves, self.listed, strict=True)]


def test_a_softened_search_plays_a_move_that_is_worth_a_little_less_a_little_less_often() -> None:
    position = Position.parse("two-yatzy~s.~s.~d12~r0")
    for values in ([0.5, 0.5], [0.7, 0.4], [0.1, 0.9]):
        search = Listed(values)
        search.game, search.name = position.game, Emp(1)
        weights = dict(SoftenedMatch(cast(Any, search), 2.0).weights(position))
        first, second = (weights[move] for move in position.legal_moves)
        assert first / second == pytest.approx(math.exp(2.0 * (values[0] - values[1])))
        assert max(weights.values()) == 1, "so that nothing overflows"
