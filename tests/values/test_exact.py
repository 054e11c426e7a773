"""The exact solver judges the fast one: every state and every decision of small games."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from helpers.small_games import FIXED, games
from hypothesis import HealthCheck, given, settings

from yatzy.games import Game, Move, Position, Score, Sheet, load_game
from yatzy.model import compile_game
from yatzy.solver import Solver
from yatzy.values.exact import ExactSolver, every_decision, every_sheet, exact_distribution
from yatzy.values.expected import solve_in_memory

CLOSE = 1e-11


def check_every_state(game: Game) -> int:
    """Compare the value of every sheet; how many there were."""
    judge, states, values = ExactSolver(game), compile_game(game).states, solve_in_memory(game)
    seen = set()
    for sheet in every_sheet(game):
        state = states.find(sheet)
        seen.add(state)
        assert values[state] == pytest.approx(float(judge.value(sheet)), abs=CLOSE), (game, sheet)
    assert seen == set(range(len(states))), "the index has states that play does not reach"
    return len(seen)


def check_every_decision(game: Game, folder: Path) -> int:
    """Compare the value of every move of every position; how many positions there were."""
    judge, solution = ExactSolver(game), Solver(folder).expected(game)
    count = 0
    for position in every_decision(game):
        sheet = position.sheet
        exact = dict(judge.moves(sheet, position.dice, position.rolls_left))
        fast = {entry.move: entry.value - sheet.points for entry in solution.moves(position)}
        assert fast == pytest.approx({move: float(value) for move, value in exact.items()}, abs=CLOSE)
        assert solution.value(position) - sheet.points == pytest.approx(float(max(exact.values())), abs=CLOSE)
        count += 1
    return count


@pytest.mark.parametrize("game", FIXED, ids=lambda game: f"{game.id}-{game.dice}x{game.faces}")
def test_fixed_games_every_state_and_decision(game: Game, tmp_path: Path) -> None:
    assert check_every_state(game) > 3
    assert check_every_decision(game, tmp_path) > 3


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_generated_games_every_state(game: Game) -> None:
    check_every_state(game)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(games())
def test_generated_games_every_decision(game: Game) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        check_every_decision(game, Path(folder))


def test_keep_values_are_the_judges(tmp_path: Path) -> None:
    game = FIXED[1]
    judge, solution = ExactSolver(game), Solver(tmp_path).expected(game)
    sheet = Sheet.start(game)
    for face in range(1, game.faces + 1):
        waiting = Position((sheet,), (face,), 1)
        assert solution.value(waiting) == pytest.approx(float(judge.keep_value(sheet, (face,), 1)), abs=CLOSE)


def test_two_yatzy_is_worth_exactly_five() -> None:
    game = load_game("two-yatzy")
    assert ExactSolver(game).value(Sheet.start(game)) == Fraction(5)


def test_judge_notices_a_wrong_value() -> None:
    """The comparison itself can fail: a game one point richer does not agree."""
    game = FIXED[1]
    richer = Game("richer", 2, 3, 2, game.categories, game.bonus and type(game.bonus)(8, 7))
    exact = float(ExactSolver(richer).value(Sheet.start(richer)))
    assert solve_in_memory(game)[0] != pytest.approx(exact, abs=CLOSE)


@pytest.mark.parametrize("game", FIXED, ids=lambda game: f"{game.id}-{game.dice}x{game.faces}")
def test_the_best_choices_of_a_turn_are_worth_its_rolls(game: Game, tmp_path: Path) -> None:
    solution, lattice, order = Solver(tmp_path).expected(game), compile_game(game).lattice, by_preference(game)
    for sheet in every_sheet(game):
        if sheet.over:
            continue
        turn = solution.turn(sheet)
        for roll, chosen in enumerate(turn.best_categories().tolist()):
            assert turn.place(roll, chosen) == turn.roll(0)[roll]
            if roll not in turn.jokers:
                equal = [category for category in sheet.available if turn.place(roll, category) == turn.roll(0)[roll]]
                assert chosen == min(equal, key=order.index)
        for left in range(1, game.rolls):
            worth = turn.keep(left)
            for roll, chosen in enumerate(turn.best_keeps(left).tolist()):
                assert worth[chosen] == turn.roll(left)[roll]
                assert not Counter(lattice.keeps[chosen]) - Counter(lattice.rolls[roll])
                if worth[lattice.first_roll + roll] == worth[chosen]:
                    assert lattice.keeps[chosen] == lattice.rolls[roll], "of equal keeps, all dice stay"


def by_preference(game: Game) -> list[int]:
    """Categories in the order in which equal ones are chosen: upper ones, then others, the Joker box last."""
    upper = [i for i, category in enumerate(game.categories) if category.upper]
    lower = [i for i in range(len(game.categories)) if i not in (*upper, game.joker_box)]
    return [*upper, *lower, *([] if game.joker_box is None else [game.joker_box])]


@pytest.mark.parametrize("game", FIXED[:8], ids=lambda game: game.id)
def test_a_strike_is_worth_the_sheet_that_it_leaves(game: Game, tmp_path: Path) -> None:
    solution = Solver(tmp_path).expected(game)
    for sheet in every_sheet(game):
        for category in sheet.available:
            last = Position((sheet,), (2,) * game.dice, 0)
            move = Score(game.categories[category].id, strike=True)
            value = solution.value(sheet.fill(category, 0, 0))
            assert solution.value_after(last, move) == value
            assert sheet.points + solution.turn(sheet).after(last, move) == pytest.approx(value, abs=CLOSE)


def test_a_strategy_is_asked_once_for_each_position_that_it_can_reach() -> None:
    game, asked = next(game for game in FIXED if game.id == "two-rolls"), list[Position]()

    def choose(position: Position) -> Move:
        asked.append(position)
        return position.legal_moves[-1]

    found = exact_distribution(game, choose)
    assert sum(found.values()) == 1
    assert len(set(asked)) == len(asked) > 20
