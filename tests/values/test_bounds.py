"""Error bounds: counted by hand for small games, and never exceeded by the distance from the exact value."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest
from helpers.sheets import random_sheets
from helpers.small_games import CHANCE, FIXED, PAIR

from yatzy import PRESETS, load_game
from yatzy.games import Category, Chance, Game, Position, Sheet
from yatzy.matches.endgames import Endgames
from yatzy.matches.exact import ExactMatch, every_pair
from yatzy.model import most_points
from yatzy.solver import Solver
from yatzy.values.bounds import ErrorBound, Measure, bound_of, error_bound
from yatzy.values.exact import ExactUtility, every_sheet
from yatzy.values.resources import Resources
from yatzy.values.utility import UtilityFunction, UtilityScore

THIRDS = Game("thirds", 2, 3, 2, (PAIR, CHANCE))
"""Its chances are not binary fractions, so they are rounded."""


def bound_for(game: Game, objective: str) -> ErrorBound:
    found = error_bound(game, objective)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("dice", "faces", "rolls", "categories", "most", "roundings"),
    [
        (1, 2, 1, 1, 2, (2 + 2 + 1) + 1),
        (2, 3, 2, 2, 12, 2 * ((2 * 2 + 2) + (2 + 6 + 1) + 1)),
        (2, 3, 3, 1, 6, 2 * (2 * 2 + 2) + (2 + 6 + 1) + 1),
        (5, 6, 3, 1, 30, 2 * (5 * 5 + 2) + (2 + 16 + 16) + 1),
    ],
)
def test_roundings_on_the_way_to_an_expected_score(
    dice: int, faces: int, rolls: int, categories: int, most: int, roundings: int
) -> None:
    """Sums over the faces of each rerolled die and their share, the weighted sum over the first roll, the points."""
    game = Game("r", dice, faces, rolls, tuple(Category(f"c{i}", Chance()) for i in range(categories)))
    assert bound_for(game, "expected").shown == pytest.approx(most * roundings * 2.0**-53, rel=1e-9, abs=0)


@pytest.mark.parametrize(("objective", "points"), [("expected", 1), ("chances", 0), ("match-points:2", 1)])
@pytest.mark.parametrize(("dice", "faces", "rolls"), [(2, 3, 2), (5, 6, 3)])
def test_the_plain_turn_rounds_once_for_each_face_of_each_die_of_each_roll(
    objective: str, points: int, dice: int, faces: int, rolls: int
) -> None:
    """In double precision; where points or the result are added, once more."""
    bound = bound_for(Game("r", dice, faces, rolls, (Category("c", Chance()),)), objective)
    assert bound.plain == pytest.approx((rolls * dice * faces + points) * 2.0**-53, rel=1e-9, abs=0)
    assert bound.again == pytest.approx(bound.turn + bound.plain, rel=1e-6, abs=0)


def test_curves_are_in_single_precision_and_the_share_of_a_turn_is_what_is_left_over() -> None:
    game = load_game("yatzy")
    bound = bound_for(game, "chances")
    assert bound.turn == pytest.approx(88 * 2.0**-24, rel=1e-4)
    assert bound.whole == pytest.approx(15 * 88 * 2.0**-24, rel=1e-3)
    assert bound.shown == bound.whole
    assert bound.turn < bound.again < 1.0001 * bound.turn


def test_an_exponential_utility_is_seen_in_points() -> None:
    game = load_game("yatzy")
    bound = bound_for(game, "exp:0.02")
    assert bound.shown == pytest.approx(bound.whole / 0.02, abs=0)
    assert bound_for(game, "exp:-0.02") == bound
    assert bound.whole > bound_for(game, "expected").whole


def test_an_exponential_utility_has_up_to_three_factors_of_three_roundings_each() -> None:
    """Where points hardly change it; an expected score adds the points, with one rounding."""
    game = load_game("yatzy")
    more = bound_for(game, "exp:1e-9").turn - bound_for(game, "expected").turn
    assert more == pytest.approx((9 - 1) * 2.0**-53, rel=1e-3, abs=0)
    steep = bound_for(game, "exp:2").turn - bound_for(game, "exp:1").turn
    assert steep == pytest.approx((50 + 50) * 2.0**-53, rel=1e-3, abs=0), "the most points in a turn, with the bonus"


def test_a_utility_is_rounded_once_more_than_there_are_turns() -> None:
    """The worths of the final scores are stored in single precision too."""
    game = load_game("yatzy")
    bound, chances = bound_for(game, "utility:0123456789ab"), bound_for(game, "chances")
    assert bound.whole == pytest.approx(16 * bound.turn, rel=1e-3)
    assert chances.whole == pytest.approx(15 * chances.turn, rel=1e-3)
    assert bound.turn == pytest.approx(2.0**-24, rel=1e-3)


def test_every_kind_has_its_measure() -> None:
    game = load_game("two-yatzy")
    measures = {
        "expected": Measure.RELATIVE, "chances": Measure.RELATIVE, "exp:0.1": Measure.RELATIVE,
        "outlook": Measure.RELATIVE, "utility:0123456789ab": Measure.LARGEST, "match-points:2": Measure.ABSOLUTE,
    }  # fmt: skip
    for objective, measure in measures.items():
        assert bound_for(game, objective).measure is measure
    assert bound_for(game, "match-points:4").whole == 2 * bound_for(game, "match-points:2").whole
    for objective in ("strategy:expected", "mine", "exp:x", "exp:0", "exp:inf", "match-points:x", "match-points:"):
        assert error_bound(game, objective) is None


@pytest.mark.parametrize("id", PRESETS)
def test_the_bound_knows_the_most_points_without_compiling_the_game(id: str) -> None:
    if id != "maxi-yatzy":  # takes a second to compile
        game = load_game(id)
        bound = bound_of(game.id, game.hash, "expected")
        assert bound is not None
        assert bound.scale == most_points(game)


def test_the_rules_of_a_table_must_be_those_of_the_preset() -> None:
    game = load_game("two-yatzy")
    assert bound_of("two-yatzy", "0" * 64, "expected") is None
    assert bound_of("mine", game.hash, "expected") is None


def test_no_chance_is_further_from_the_exact_one_than_the_bound(tmp_path: Path) -> None:
    chances, bound = Solver(tmp_path).chances(THIRDS), bound_for(THIRDS, "chances")
    largest = Fraction(0)
    for sheet in every_sheet(THIRDS):
        curve = chances.curve(sheet)
        for score in range(curve.low, curve.high + 1, 2):
            exact = ExactUtility(THIRDS, lambda points, at=sheet.points + score: Fraction(points >= at)).value(sheet)  # type: ignore[misc]
            apart = abs(Fraction(curve.at(score)) - exact)
            assert apart <= bound.whole * exact
            largest = max(largest, apart)
    assert largest > 0


def test_no_utility_is_further_from_the_exact_one_than_the_bound(tmp_path: Path) -> None:
    """Worths of both signs, which cancel."""
    game = FIXED[1]
    utility = UtilityFunction(0, tuple(1000 * math.cos(points) for points in range(80)))
    solution, bound = UtilityScore(game, utility, Resources(tmp_path)), bound_for(game, "utility:x")
    judge = ExactUtility(game, lambda points: Fraction(utility.worths[points]))
    for sheet in random_sheets(game, 20):
        assert abs(solution.value(sheet) - judge.value(sheet)) <= bound.whole * 1000


def test_no_endgame_is_further_from_the_exact_one_than_the_bound(tmp_path: Path) -> None:
    judge, tables = ExactMatch(THIRDS), Endgames(THIRDS, 4, Resources(tmp_path))
    largest = 0.0
    for position in every_pair(THIRDS):
        if not position.over:
            mover, opponent = position.sheet, position.sheets[1 - position.mover]
            bound = bound_for(THIRDS, f"match-points:{len(mover.open) + len(opponent.open)}")
            apart = abs(tables.between(mover, opponent) - judge.value(position))
            assert apart <= bound.whole
            largest = max(largest, float(apart))
    assert largest > 0  # single precision does round


def test_a_turn_of_a_match_adds_a_few_millionths_at_most() -> None:
    assert 1e-6 < bound_for(load_game("yatzy"), "match-points:1").whole < 5e-6
    tiny = bound_for(Game("tiny", 2, 2, 2, (PAIR, CHANCE)), "match-points:1").whole  # hardly anything to round
    assert 2**-24 < tiny < 1e-6


def test_the_steps_of_a_match_of_one_die_are_counted_by_hand() -> None:
    """One roll of one die with two faces: two weights of 1/2, their two sums, and 1 - x."""
    game = Game("coin", 1, 2, 1, (Category("chance", Chance()),))
    half_below_one, half_from_one = 2.0**-25, 2.0**-24  # half a unit of the sums 1/2 and 1
    by_hand = 2 * 2.0**-24 + half_below_one + 2 * half_from_one + 2.0**-25
    assert bound_for(game, "match-points:1").turn == pytest.approx(1.001 * by_hand, rel=1e-12, abs=0)


def test_the_steps_of_a_reroll_in_a_match_are_counted_by_hand() -> None:
    """Two dice with two faces: a reroll adds up 2 and then 4 ways, each at half a unit of the sum."""
    one, two = (Game("coins", 2, 2, rolls, (Category("chance", Chance()),)) for rolls in (1, 2))
    unit = 2.0**-24  # half a unit in the last place from 1 to 2
    first_die, second_die = 2 * unit / 2, 4 * unit / 4
    reroll = bound_for(two, "match-points:1").turn - bound_for(one, "match-points:1").turn
    assert reroll == pytest.approx(1.001 * (2 * unit + first_die + second_die), rel=1e-9, abs=0)


def test_the_distance_of_a_rounded_table_can_be_seen() -> None:
    """The comparison itself can fail: a table rounded once too often is outside the bound."""
    game = FIXED[1]
    bound = bound_for(game, "expected")
    start = next(iter(every_sheet(game)))
    value = Solver().expected(game).value(Position((start,)))
    assert start == Sheet.start(game)
    assert abs(value - float(f"{value:.8g}")) > bound.shown
