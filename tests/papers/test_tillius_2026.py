"""Tillius 2026 on Scandinavian Yatzy: values and decisions of the expected-score strategy."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from yatzy import ExpectedScore, Keep, Position, Score, Sheet, advise, load_game

Solved = Callable[[str], ExpectedScore]

YATZY = load_game("yatzy")
UPPER = [YATZY.categories[i].id for i in YATZY.upper_categories]
LOWER = [YATZY.categories[i].id for i in YATZY.lower_categories]
ALL = [*UPPER, *LOWER]
FOUR, THREE = "four-of-a-kind", "three-of-a-kind"


def sheet(open_: list[str], needed: int) -> Sheet:
    """A sheet with these categories open and so many points missing for the bonus."""
    return Sheet.of_sums(YATZY, set(ALL) - set(open_), upper=63 - needed)


@pytest.mark.parametrize(
    ("id", "value"),
    [
        ("yatzy", "248.4400"),
        ("yatzy-no-bonus", "211.1487"),
        ("yatzy-lenient-two-pairs", "248.6329"),
        ("two-yatzy", "5.0000"),
    ],
)
def test_expected_scores(solved: Solved, id: str, value: str) -> None:
    assert f"{solved(id).value(Position.start(load_game(id))):.4f}" == value


@pytest.mark.parametrize(
    ("open_", "needed", "choice"),
    [
        (ALL, 63, "sixes"),
        ([c for c in ALL if c != THREE], 63, "sixes"),
        ([*UPPER, FOUR], 63, "sixes"),
        ([*UPPER, FOUR, "yatzy"], 63, "sixes"),
        (["sixes", *LOWER], 18, "sixes"),
        (["sixes", FOUR], 18, "sixes"),
        (["sixes", THREE, FOUR], 18, "sixes"),
        (["sixes", *LOWER], 30, FOUR),
        (["sixes", FOUR], 30, FOUR),
        (["sixes", FOUR], 12, "sixes"),
        (["sixes", *LOWER], 12, FOUR),
        (["sixes", FOUR], 6, FOUR),
        (["sixes", FOUR], 0, FOUR),
        (["fives", "sixes", FOUR], 22, "sixes"),
        (["fives", "sixes", *LOWER], 22, FOUR),
    ],
)
def test_where_to_put_5_6_6_6_6(solved: Solved, open_: list[str], needed: int, choice: str) -> None:
    advice = advise(solved("yatzy"), Position((sheet(open_, needed),), (5, 6, 6, 6, 6), 0))
    assert advice.best.move == Score(choice)
    assert [entry.best for entry in advice.moves].count(True) == 1


@pytest.mark.parametrize("fifth", [1, 2, 3, 4, 5])
def test_four_sixes_go_to_sixes_whatever_the_fifth_die(solved: Solved, fifth: int) -> None:
    advice = advise(solved("yatzy"), Position((Sheet.start(YATZY),), (fifth, 6, 6, 6, 6), 0))
    assert advice.best.move == Score("sixes")


BONUS_WON = [
    LOWER,
    *([c for c in LOWER if c != closed] for closed in ("yatzy", THREE, "two-pairs", "chance")),
    [FOUR, "full-house", "two-pairs"],
    [FOUR, "full-house", THREE],
    [FOUR, "full-house"],
]


@pytest.mark.parametrize("state", [sheet(ALL, 63), *(sheet(open_, 0) for open_ in BONUS_WON)])
def test_1_5_6_6_6_keeps_the_sixes(solved: Solved, state: Sheet) -> None:
    advice = advise(solved("yatzy"), Position((state,), (1, 5, 6, 6, 6), 1))
    assert advice.best.move == Keep((6, 6, 6))
    assert not advice.moves[1].best
