"""Goals of all objectives have one type, so that Numba compiles each kernel once."""

from __future__ import annotations

from pathlib import Path

from numba import typeof

from yatzy import load_game
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
