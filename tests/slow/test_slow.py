"""What takes minutes: `make slow` runs it, `make test` does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from yatzy import Position, load_game, solve_game
from yatzy.solve import BestChances, evaluate, solve_objective


def test_maxi_yatzy_is_worth_what_the_documents_say() -> None:
    game = load_game("maxi-yatzy")
    value = solve_game(game).value(Position.start(game))
    for document in ("README.md", "docs/results.md"):
        assert f"| `maxi-yatzy` | {value:.6f} |" in (Path(__file__).parents[2] / document).read_text(encoding="utf-8")


@pytest.mark.parametrize("id", ["yatzy", "yahtzee-pawlewicz"])
def test_the_strategy_for_300_has_the_chance_that_the_curve_gives(id: str) -> None:
    game = load_game(id)
    curve = BestChances(game).curve(Position.start(game).sheet)
    score = evaluate(solve_objective(game, "target:300")).score
    assert score.at_least(300) == pytest.approx(curve.at(300), abs=1e-6)
    assert score.at_least(250) < curve.at(250)
