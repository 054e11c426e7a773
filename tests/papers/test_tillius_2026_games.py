"""Tillius (2026), tables 6 and 7: two games, turn by turn, played for the expected score."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yatzy import ExpectedScore
from yatzy.coach.grades import Grade
from yatzy.coach.reviews.review import review
from yatzy_papers.tillius.printed_games import printed_game


@pytest.mark.parametrize(("table", "score"), [(6, 255), (7, 257)])
def test_the_printed_game_is_played_without_error(
    table: int, score: int, solved: Callable[[str], ExpectedScore]
) -> None:
    record = printed_game(table)
    assert record.over
    assert len(record.turns) == 15
    assert record.scores == (score,)
    (player,) = review(record, solved("yatzy")).players
    assert player.final == score
    assert player.error == pytest.approx(0, abs=0.005)
    assert {one.grade for one in player.decisions} == {Grade.BEST}
    assert player.luck is not None
    assert player.start is not None
    assert player.start + player.luck == pytest.approx(score, abs=1e-6)
