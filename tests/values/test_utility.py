"""Utilities of the final score from a file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from helpers.small_games import CHANCE, PAIR

from yatzy.errors import InputError
from yatzy.games import Game, Position, Sheet
from yatzy.values.evaluator import Meaning
from yatzy.values.exact import ExactUtility
from yatzy.values.resources import Resources
from yatzy.values.utility import UtilityFunction, UtilityScore, read_utility


def read(folder: Path, text: str) -> UtilityFunction:
    path = folder / "utility.csv"
    path.write_text(text, encoding="utf-8")
    return read_utility(path)


def test_a_utility_begins_at_any_score_and_is_constant_outside(tmp_path: Path) -> None:
    found = read(tmp_path, "points, worth\n3,10\n\n4,2.5\n5,-1\n")
    assert found == UtilityFunction(3, (10.0, 2.5, -1.0))
    assert found(np.arange(8)).tolist() == [10, 10, 10, 10, 2.5, -1, -1, -1]
    assert found.digest == read(tmp_path, "points,worth\n3,10\n4,2.5\n5,-1\n").digest
    assert found.digest != UtilityFunction(4, found.worths).digest
    assert len(found.digest) == 12


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: the header must be points,worth"),
        ("points\n", "line 1: the header must be points,worth"),
        ("points,worth\n", "line 2: there must be a line for each score, such as 300,1"),
        ("points,worth\n1,2,3\n", "line 2: there must be two numbers, points and worth, not 3"),
        ("points,worth\n1,x\n", "line 2: '1,x' is not a whole number and a number"),
        ("points,worth\n3,1\n5,1\n", "line 3: 5 points, but 4 come next; leave no gap"),
        ("points,worth\n3,1\n3,1\n", "line 3: 3 points, but 4 come next; leave no gap"),
        ("points,worth\n-1,1\n", "line 2: '-1,1' is out of range"),
        ("points,worth\n100001,1\n", "line 2: '100001,1' is out of range"),
        ("points,worth\n0,nan\n", "line 2: '0,nan' is out of range"),
        ("points,worth\n0,-1.1e30\n", "line 2: '0,-1.1e30' is out of range"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, text)
    assert str(refused.value) == f"{tmp_path / 'utility.csv'}: {told}"


def test_the_ends_of_the_ranges_are_inside(tmp_path: Path) -> None:
    assert read(tmp_path, "points,worth\n100000,1e30\n") == UtilityFunction(100_000, (1e30,))
    assert read(tmp_path, "points,worth\n0,-1e30\n") == UtilityFunction(0, (-1e30,))


def test_the_start_has_one_worth_where_no_points_can_have_been_scored(tmp_path: Path) -> None:
    """Without a bonus, the empty sheet has no points at all."""
    game, worths = Game("plain", 2, 3, 2, (PAIR, CHANCE)), tuple(float((score - 7) ** 2) for score in range(13))
    solution = UtilityScore(game, UtilityFunction(0, worths), Resources(tmp_path))
    exact = ExactUtility(game, lambda points: Fraction(worths[points])).value(Sheet.start(game))
    assert solution.value(Position.start(game)) == pytest.approx(float(exact), rel=1e-6)
    solution.table.check()


@pytest.mark.parametrize(("worths", "span"), [((-2.0, 5.0, 1.0), 7.0), ((3.0, 4.0), 1.0), ((4.0, 4.0), 1.0)])
def test_losses_of_worth_are_graded_by_the_best_less_the_worst(
    worths: tuple[float, ...], span: float, tmp_path: Path
) -> None:
    game = Game("plain", 2, 2, 1, (CHANCE,))
    solution = UtilityScore(game, UtilityFunction(2, worths), Resources(tmp_path))
    assert solution.span(Position.start(game)) == span
    assert solution.meaning() == Meaning("worth")
