"""Glenn 2006: what the strategies of table 3 keep. What they score is in the claims."""

from __future__ import annotations

import pytest

from yatzy_papers.glenn import BOX, LARGE, SMALL, _keeps, _rolls, _rule, by_solver, played
from yatzy_papers.run import PaperRun

ROLLS = {roll: number for number, roll in enumerate(_rolls())}
KEEPS = list(_keeps())


def kept(straights: bool, filled: int, text: str) -> str:
    dice = tuple(map(int, text))
    return "".join(map(str, KEEPS[_rule(straights)[filled, ROLLS[dice]]]))


@pytest.mark.parametrize(
    ("filled", "dice", "keep"),
    [
        (0, "11223", "22"),  # the higher of two
        (1 << 1, "11223", "11"),  # … unless its category is filled
        (0b11, "11223", "22"),  # … or both are
        (0, "12346", "6"),
        (1 << 5, "12346", "4"),
        (0, "55566", "555"),
    ],
)
def test_yahtzees_only(filled: int, dice: str, keep: str) -> None:
    assert kept(False, filled, dice) == keep


@pytest.mark.parametrize(
    ("filled", "dice", "keep"),
    [
        (0, "12346", "1234"),  # from a small straight for the large one
        (0, "12334", "1234"),
        (1 << LARGE, "12346", "12346"),  # only the small one is open
        (1 << SMALL, "12346", "6"),
        (0, "23456", "23456"),
        (1 << LARGE, "23456", "23456"),
        (1 << SMALL | 1 << LARGE, "23456", "6"),
        (1 << BOX, "11223", "22"),
    ],
)
def test_yahtzees_and_straights(filled: int, dice: str, keep: str) -> None:
    assert kept(True, filled, dice) == keep


@pytest.mark.slow
def test_with_the_true_values_it_plays_the_best_strategy(tmp_path_factory: pytest.TempPathFactory) -> None:
    mean, sd = played(estimate=by_solver(PaperRun(tmp_path_factory.mktemp("papers"))))
    assert mean == pytest.approx(254.589609, abs=1e-6)
    assert sd == pytest.approx(59.6117, abs=1e-4)
