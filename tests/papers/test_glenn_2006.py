"""Glenn 2006: the counts, and what the strategies of table 3 keep. What they score is in the claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from yatzy_papers.claims import Claim, Computed, Verdict, compare
from yatzy_papers.glenn import BOX, LARGE, SMALL, _keeps, _rolls, _rule, by_solver, played
from yatzy_papers.glenn_counts import COUNTS, _counts, _patterns
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


@pytest.mark.parametrize("claim", COUNTS, ids=lambda claim: claim.key)
def test_counts_and_turns_are_settled(claim: Claim, tmp_path: Path) -> None:
    run = PaperRun(tmp_path)
    assert claim.compute is not None
    evidence = dict[str, Computed]()
    for reason in claim.reasons:
        assert reason.compute is not None
        evidence |= reason.compute(run)
    finding = compare(claim, claim.compute(run), evidence)
    assert finding.settled
    differing = [one.printed.name for one in finding.figures if one.verdict is Verdict.DIFFERS]
    counted = claim.key == "glenn.counts"
    assert differing == (["ways to mark the sheet", "pairs that cannot be reached"] if counted else [])


def test_patterns_and_counts_add_up(tmp_path: Path) -> None:
    run = PaperRun(tmp_path)
    found = {name: one.value for name, one in _patterns(run).items()}
    patterns = [name.removesuffix(": rolls") for name in found if name.endswith(": rolls")]
    keeps = sum(int(found[f"{name}: rolls"]) * int(found[f"{name}: keeps"]) for name in patterns)
    outcomes = sum(int(found[f"{kept} kept: keeps"]) * int(found[f"{kept} kept: outcomes"]) for kept in range(6))
    assert keeps == outcomes == _counts(run)["choices of dice to keep"].value
