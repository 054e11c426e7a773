"""Plans with assumed chances of rolls: judged by the plain recursion in fractions, played with fair dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random

import pytest
from helpers.small_games import FIXED

from yatzy import evaluate, load_game, solve
from yatzy.errors import InputError
from yatzy.games import Dice, Game, Move, Position, Score, Sheet, rolls
from yatzy.strategies import AssumedDice, fair_chances
from yatzy.values.exact import ExactSolver, every_decision, exact_distribution

GAMES = {game.id: game for game in FIXED}
NAMES = ["one-roll", "two-rolls", "three-rolls", "three-dice", "forced", "no-upper", "joker-forced"]
Chances = dict[Dice, Fraction]


class PlainPlan(ExactSolver):
    """The reference solver with assumed chances in place of those of fair dice."""

    def __init__(self, game: Game, chances: Chances, first: Chances) -> None:
        super().__init__(game)
        self.chances, self.first = chances, first

    def keep_value(self, sheet: Sheet, kept: Dice, rolls_left: int) -> Fraction:
        chances = self.first if rolls_left == self.game.rolls else self.chances
        return sum(
            (
                chances[rest] * self.roll_value(sheet, tuple(sorted(kept + rest)), rolls_left - 1)
                for rest in combinations_with_replacement(range(1, self.game.faces + 1), self.game.dice - len(kept))
            ),
            Fraction(0),
        ) if len(kept) < self.game.dice else self.roll_value(sheet, kept, rolls_left - 1)  # fmt: skip


def some_chances(game: Game, seed: int) -> Chances:
    """A chance for every roll of 1, 2, … n dice; they add up to about 1, but not quite."""
    random = Random(seed)
    return {
        roll: Fraction(chance) * random.randint(1, 16) / 8
        for roll, chance in fair_chances(game.dice, game.faces).items()
    }


def floats(chances: Chances) -> Mapping[Dice, float]:
    return {roll: float(chance) for roll, chance in chances.items()}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("id", NAMES)
def test_every_move_is_best_by_the_assumed_chances(id: str, seed: int) -> None:
    game = GAMES[id]
    chances, first = some_chances(game, seed), some_chances(game, seed + 100)
    strategy = AssumedDice(game, floats(chances), floats(first))
    judge = PlainPlan(game, chances, first)
    for position in every_decision(game):
        values = dict(judge.moves(position.sheet, position.dice, position.rolls_left))
        chosen = strategy.move(position)
        assert float(max(values.values()) - values[listed(chosen)]) < 1e-9, (position, chosen)


def listed(move: Move) -> Move:
    """The reference lists a category once, whatever it pays."""
    return Score(move.category) if isinstance(move, Score) else move


@pytest.mark.parametrize("id", NAMES)
def test_it_is_played_with_fair_dice(id: str) -> None:
    game = GAMES[id]
    strategy = AssumedDice(game, floats(some_chances(game, 3)))
    exact = exact_distribution(game, strategy.move)
    score = evaluate(strategy).score
    assert sum(exact.values()) == 1
    assert {points: float(chance) for points, chance in exact.items()} == pytest.approx(
        {points: float(score.mass[points]) for points in exact}, abs=1e-12
    )


@pytest.mark.parametrize("id", ["two-rolls", "joker-forced", "three-dice"])
def test_fair_chances_give_the_best_strategy(id: str) -> None:
    game = GAMES[id]
    score = evaluate(AssumedDice(game, fair_chances(game.dice, game.faces))).score
    assert score.mean == pytest.approx(solve(game).value(Position.start(game)), abs=1e-12)


def test_wrong_chances_cost_points() -> None:
    game = GAMES["three-rolls"]
    wrong = {roll: chance * (100 if set(roll) == {2} else 1) for roll, chance in fair_chances(2, 2).items()}
    assert evaluate(AssumedDice(game, wrong)).score.mean < solve(game).value(Position.start(game)) - 0.1


def test_a_plan_that_ignores_the_bonus_still_gets_it() -> None:
    game = GAMES["two-rolls"]
    without = replace(game, bonus=None)
    chances = some_chances(game, 4)
    strategy = AssumedDice(game, floats(chances), sees_bonus=False)
    judge, paid = PlainPlan(without, chances, chances), evaluate(strategy)
    for position in every_decision(game):
        sheet = Sheet.of_sums(
            without,
            {without.categories[i].id for i in range(len(without.categories)) if position.sheet.filled >> i & 1},
        )
        values = dict(judge.moves(sheet, position.dice, position.rolls_left))
        assert float(max(values.values()) - values[listed(strategy.move(position))]) < 1e-9
    exact = exact_distribution(game, strategy.move)
    assert float(sum(points * chance for points, chance in exact.items())) == pytest.approx(paid.score.mean)
    assert paid.bonus > 0


def test_fair_chances_are_those_of_fair_dice() -> None:
    chances = fair_chances(5, 6)
    assert chances[(1, 2, 3)] == pytest.approx(1 / 36)
    assert chances[(2, 2, 4, 5, 6)] == pytest.approx(5 / 648)
    for number in range(1, 6):
        assert sum(chance for roll, chance in chances.items() if len(roll) == number) == pytest.approx(1)
    assert len([roll for roll in chances if len(roll) == 5]) == len(rolls(load_game("yatzy")))


def test_bad_chances_are_refused() -> None:
    game = GAMES["two-rolls"]
    chances = fair_chances(2, 3)
    with pytest.raises(InputError, match="the roll 12 needs an assumed chance of at least 0"):
        AssumedDice(game, {roll: chance for roll, chance in chances.items() if roll != (1, 2)})
    with pytest.raises(InputError, match="the roll 3 needs"):
        AssumedDice(game, {**chances, (3,): -0.1})
    with pytest.raises(InputError, match="the roll 11 needs"):
        AssumedDice(game, chances, {})
    with pytest.raises(InputError, match="without Joker"):
        AssumedDice(GAMES["joker-forced"], fair_chances(2, 2), sees_bonus=False)


def test_names_tell_plans_apart() -> None:
    game, fair = GAMES["two-rolls"], fair_chances(2, 3)
    other = {**fair, (1, 2): 0.5}
    plans = [AssumedDice(game, fair), AssumedDice(game, other), AssumedDice(game, fair, other),
             AssumedDice(game, fair, sees_bonus=False)]  # fmt: skip
    assert len({plan.name for plan in plans}) == 4
    assert AssumedDice(game, dict(reversed(fair.items()))).name == plans[0].name
