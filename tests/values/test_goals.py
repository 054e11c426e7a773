"""Goals of all objectives have one type, so that Numba compiles each kernel once."""

from __future__ import annotations

from pathlib import Path

import pytest
from numba import typeof

from yatzy import Position, Score, Sheet, load_game
from yatzy.solver import Solver
from yatzy.strategies.best import ValueStrategy
from yatzy.values.resources import Resources
from yatzy.values.utility import UtilityFunction, UtilityScore


def test_all_goals_have_one_type(tmp_path: Path) -> None:
    game = load_game("two-yatzy")
    utility = UtilityScore(game, UtilityFunction(0, (0.0, 1.0, 4.0, 9.0, 16.0, 25.0, 36.0)), Resources(tmp_path))
    solutions = [utility, *(Solver(tmp_path).build(game, name) for name in ("expected", "target:5", "exp:0.1"))]
    goals = [solution.goal(0, break_ties=tie) for solution in solutions for tie in (True, False)]
    goals.append(ValueStrategy(game, "greedy").goal(0))
    assert len({typeof(goal) for goal in goals}) == 1


@pytest.mark.parametrize("name", ["expected", "exp:0.1", "target:100", "utility"])
def test_whether_the_best_choice_depends_on_the_points(name: str, tmp_path: Path) -> None:
    """In Yacht with choice and yacht open, 25 in choice is enough for who has 80 points, and not for who has 72."""
    game, solver = load_game("yacht"), Solver(tmp_path)
    wanted = UtilityFunction(99, (0.0, 1.0))  # 1 from 100 points on
    made = UtilityScore(game, wanted, solver.plain) if name == "utility" else solver.build(game, name)
    filled = [category.id for category in game.categories if category.id not in ("choice", "yacht")]
    sheets = [Sheet.of_sums(game, filled, upper=15, points=points) for points in (80, 72)]
    best = [made.best(Position((sheet,), (4, 4, 5, 6, 6), 0)) for sheet in sheets]
    assert best == [Score("choice"), Score("yacht") if made.by_points else Score("choice")]
