"""The endings of a turn, planned in NumPy, are those that the kernels plan."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from helpers.small_games import FIXED, games
from hypothesis import HealthCheck, given, settings

from yatzy import ExpectedScore
from yatzy.evaluation.turn_endings import TurnEndings, add_up_by, spread_over_rolls
from yatzy.games import Game, Sheet, placements
from yatzy.games.sheet import rolls
from yatzy.kernels.evaluate import state_outcomes
from yatzy.model import compile_game
from yatzy.strategies.best import ValueStrategy
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.goals import no_curves


def sheets_of_a_game(game: Game, seed: int) -> Iterator[Sheet]:
    """The sheets of a game in which dice and categories are drawn."""
    draw, sheet = random.Random(seed), Sheet.start(game)
    while not sheet.over:
        yield sheet
        place = draw.choice(placements(sheet, draw.choice(rolls(game))))
        sheet = sheet.fill(place.category, place.points, place.joker_bonus)


def assert_planned_as_by_kernels(expected: ExpectedScore, sheet: Sheet) -> None:
    """The same endings in the same order: every number and, apart from rounding, every chance."""
    game, compiled = sheet.game, compile_game(sheet.game)
    lattice, placing, arrays = compiled.lattice, compiled.placing, exact_turn_arrays(compiled)
    layer, state = compiled.states.locate(sheet)
    first, after = compiled.states.layer_start[layer : layer + 2].tolist()
    plans = ValueStrategy(game, "expected", expected.goal).plans(layer, np.array([state]))
    to, points, bonus = (np.empty((1, arrays.outcomes), kind) for kind in (np.int64, np.int32, np.bool_))
    state_outcomes(arrays, no_curves(after), first + state, first + state + 1, to, points, bonus)
    turn = TurnEndings(expected, sheet)
    for dice, left in [((), game.rolls), *((dice, left) for dice in lattice.rolls[::7] for left in range(game.rolls))]:
        kept = np.zeros(len(lattice.keeps))
        kept[lattice.index[dice]] = 1.0
        rolled = spread_over_rolls(lattice, kept)
        for rerolls in range(left - (not dice), 0, -1):
            kept = add_up_by(plans.keep[0, rerolls - 1, 0], rolled, len(lattice.keeps))
            rolled = spread_over_rolls(lattice, kept)
        chance = add_up_by(plans.place[0, 0], rolled, arrays.outcomes)
        there = np.flatnonzero(chance)
        found = turn.ends(dice, left)
        np.testing.assert_array_equal(found.category, placing.outcome_category[there])
        np.testing.assert_array_equal(found.written, placing.outcome_points[there])
        np.testing.assert_array_equal(found.points, points[0, there])
        np.testing.assert_array_equal(found.bonus, bonus[0, there])
        np.testing.assert_array_equal(found.state, to[0, there])
        paid = found.bonus * (game.bonus.points if game.bonus else 0)
        np.testing.assert_array_equal(found.jokers, found.points - found.written - paid)
        np.testing.assert_allclose(found.chance, chance[there], rtol=0, atol=1e-12)


@pytest.mark.parametrize("game", FIXED, ids=lambda game: f"{game.id}-{game.dice}d{game.faces}")
def test_small_games(game: Game) -> None:
    expected = ExpectedScore(game)
    for seed in range(5):
        for sheet in sheets_of_a_game(game, seed):
            assert_planned_as_by_kernels(expected, sheet)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_any_game(game: Game) -> None:
    expected = ExpectedScore(game)
    for sheet in sheets_of_a_game(game, 1):
        assert_planned_as_by_kernels(expected, sheet)


@pytest.mark.parametrize("name", ["yatzy", "yahtzee"])
def test_games_of_five_dice(name: str, solved: Callable[[str], ExpectedScore]) -> None:
    expected = solved(name)
    for seed in range(2):
        for sheet in sheets_of_a_game(expected.game, seed):
            assert_planned_as_by_kernels(expected, sheet)
