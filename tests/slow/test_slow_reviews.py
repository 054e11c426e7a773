"""Reviews of a large game, whose table takes most of a minute to make."""

from __future__ import annotations

import numpy as np
import pytest

from yatzy import load_game
from yatzy.evaluation.reviewed_turns import TurnReviews
from yatzy.lab.traces import trace
from yatzy.solver import parse_strategy, solve

pytestmark = pytest.mark.slow


def test_the_start_and_luck_less_error_is_the_final_score_of_maxi_yatzy() -> None:
    solution = solve(load_game("maxi-yatzy"))
    traces = trace(parse_strategy("softened:1", solution.game), 10_000, 7)
    reviewed = TurnReviews(solution).review(traces.turns())
    start, luck, error = (array.reshape(len(traces), -1) for array in (reviewed.start, reviewed.luck, reviewed.error))
    total = start[:, 0] + luck.sum(axis=1) - error.sum(axis=1)
    assert np.abs(total - traces.total).max() < 1e-6
    assert error.sum() > 0
