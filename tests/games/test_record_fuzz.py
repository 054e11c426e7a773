"""Records broken at random: each is refused with one line, or it is a legal game by a second, slow set of rules."""

from __future__ import annotations

import pytest
from helpers.record_fuzz import fuzz, read_table, read_text, seeds
from helpers.record_judge import judge

from yatzy.games import Player, Record, Score, Turn, load_preset


@pytest.mark.parametrize(
    ("kind", "count"), [("text", 2_500), ("csv", 500), pytest.param("text", 20_000, marks=pytest.mark.slow),
                        pytest.param("csv", 1_500, marks=pytest.mark.slow)]
)  # fmt: skip
def test_broken_records_are_refused_or_legal(kind: str, count: int) -> None:
    outcome = fuzz(kind, count, 1)
    assert outcome.taken > count // 50  # so that the judge had something to do
    assert outcome.refused > count // 2
    assert len(outcome.reasons) > 30


@pytest.mark.parametrize("kind", ["text", "csv"])
def test_unbroken_records_are_legal(kind: str) -> None:
    for text in seeds(kind):
        for record in (read_text if kind == "text" else read_table)(text):
            judge(record)


def test_the_judge_sees_what_is_wrong() -> None:
    game = load_preset("yatzy")
    ann = (Player("Ann"),)
    good = Record(game, ann, (Turn(((1, 1, 4, 5, 5), (1, 5, 5, 5, 5)), ((5, 5), (1, 5, 5, 5, 5)), Score("fives")),))
    judge(good)
    for wrong in (
        Turn(((1, 1, 4, 5, 5), (1, 5, 5, 5, 5)), ((5, 5), (5, 5)), Score("fives"), 20, 0),
        Turn(((1, 1, 4, 5, 5), (1, 5, 5, 5, 5)), ((4, 4), (1, 5, 5, 5, 5)), Score("fives"), 20, 0),
        Turn(((1, 1, 4, 5, 5), (1, 1, 1, 5, 6)), ((5, 5), (1, 1, 1, 5, 6)), Score("fives"), 5, 0),
        Turn(((1, 5, 5, 5, 5),), (), Score("fives"), 15, 0),
        Turn(((1, 5, 5, 5, 5),), (), Score("fives", strike=True), 20, 0),
        Turn(((1, 5, 5, 5, 7),), (), Score("fives"), 15, 0),
        Turn((), (), Score("fives"), 7, 0),
        Turn((), (), Score("fives"), 5, 100),
    ):
        object.__setattr__(good, "turns", (wrong,))
        with pytest.raises((AssertionError, ValueError)):
            judge(good)
