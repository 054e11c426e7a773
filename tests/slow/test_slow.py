"""What takes minutes: `make slow` runs it, `make test` does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from yatzy import Position, load_game
from yatzy.evaluation.evaluating import evaluate
from yatzy.lab.players import play_table, table_exactly
from yatzy.solver import parse_strategy, solve
from yatzy.values.curves import BestChances

pytestmark = pytest.mark.slow


def test_maxi_yatzy_is_worth_what_the_documents_say() -> None:
    game = load_game("maxi-yatzy")
    value = solve(game).value(Position.start(game))
    for document in ("README.md", "docs/results.md"):
        assert f"| `maxi-yatzy` | {value:.6f} |" in (Path(__file__).parents[2] / document).read_text(encoding="utf-8")


@pytest.mark.parametrize("id", ["yatzy", "yahtzee-pawlewicz"])
def test_the_strategy_for_300_has_the_chance_that_the_curve_gives(id: str) -> None:
    game = load_game(id)
    curve = BestChances(game).curve(Position.start(game).sheet)
    score = evaluate(solve(game, "target:300")).score
    assert score.at_least(300) == pytest.approx(curve.at(300), abs=1e-6)
    assert score.at_least(250) < curve.at(250)


def test_the_share_of_wins_of_a_fifth_who_plays_for_289() -> None:
    """Tillius 2026: he reaches 289 with .2080; what he wins is less, exactly and simulated."""
    game = load_game("yatzy")
    expected, fifth = solve(game), parse_strategy("target:289", game)
    scores = [evaluate(expected).score] * 4 + [evaluate(fifth).score]
    exact, played = table_exactly(scores), play_table([expected] * 4 + [fifth], 400_000, 5)
    assert scores[4].at_least(289) == pytest.approx(0.2080, abs=0.5e-4 + 1e-6)
    for seat, known in zip(played.seats, exact.seats, strict=True):
        assert abs(seat.wins.value - known.wins) < 4 * seat.wins.error
    assert sum(known.wins for known in exact.seats) == pytest.approx(1, abs=1e-9)
    assert exact.seats[4].wins == pytest.approx(0.1817, abs=0.5e-4)
