"""Mass pushed in pieces and by shared plans, compared with plain ways to do the same."""

from __future__ import annotations

import numpy as np
import pytest

from yatzy.evaluation.evaluating import evaluate
from yatzy.evaluation.forward_pass import PassByState
from yatzy.games import load_game
from yatzy.lab import simulate
from yatzy.solver import Solver


@pytest.mark.parametrize("split", [None, "bonus"])
def test_the_number_of_pieces_changes_no_bit(split: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = Solver().strategy(load_game("yacht" if split is None else "yatzy-forced-order"), "expected")
    found = []
    for pieces in (1, 2, 8):
        monkeypatch.setattr(PassByState, "_pieces", pieces)
        found.append(evaluate(strategy, split=split))
    for other in found[1:]:
        assert np.array_equal(other.score.mass, found[0].score.mass)
        assert other.bonus == found[0].bonus
        assert [c.points.mass.tolist() for c in other.categories] == [
            c.points.mass.tolist() for c in found[0].categories
        ]


@pytest.mark.parametrize("target", [1, 60, 150, 260])
def test_scores_with_a_settled_target_share_a_plan(target: int) -> None:
    strategy = Solver().strategy(load_game("yacht"), f"target:{target}")
    exact, games = evaluate(strategy), simulate(strategy, 20_000, 5)
    assert exact.score.mass.sum() == pytest.approx(1, abs=1e-12)
    assert abs(games.total.mean() - exact.score.mean) < 5 * exact.score.sd / np.sqrt(20_000)
    reached, chance = float((games.total >= target).mean()), min(exact.score.at_least(target), 1.0)
    assert abs(reached - chance) < 5 * np.sqrt(chance * (1 - chance) / 20_000) + 1e-9
