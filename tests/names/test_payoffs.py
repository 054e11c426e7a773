"""Payoffs and objectives of matches: what they pay, and their names."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from yatzy.errors import InputError
from yatzy.names import Auto, DynS, Emp, Others, objective_forms, parse_match_objective
from yatzy.names.payoffs import Payoff, match_points, payoff_for, win_outright
from yatzy.units import Unit


def test_payoffs_share_the_places_of_a_tie() -> None:
    assert match_points(4).of_scores([30, 10, 20, 20]) == (3, 0, 1.5, 1.5)
    assert payoff_for("6,3,1,0", 4).of_scores([7, 9, 9, 9]) == pytest.approx((0, 10 / 3, 10 / 3, 10 / 3))
    assert win_outright(3).of_scores([5, 5, 1]) == (0, 0, 0)
    assert win_outright(3).of_scores([5, 6, 1]) == (0, 1, 0)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_match_points_count_opponents_beaten_and_half_the_ties(players: int) -> None:
    for scores in product(range(3), repeat=players):
        for mine, paid in enumerate(match_points(players).of_scores(scores)):
            others = [s for i, s in enumerate(scores) if i != mine]
            assert paid == sum((s < scores[mine]) + 0.5 * (s == scores[mine]) for s in others)


def test_payoffs_as_text() -> None:
    assert payoff_for("match-points", 3) == match_points(3)
    assert payoff_for(" win ", 2) == win_outright(2)
    assert payoff_for("6,3,1,0", 4) == Payoff((6, 3, 1, 0))
    assert (match_points(3).total, win_outright(3).total) == (3, None)


@pytest.mark.parametrize(
    ("text", "players", "words"),
    [
        ("wins", 2, "match-points"),
        ("3,1", 3, "3 players"),
        ("1,2", 2, "cannot pay less"),
        ("1,1", 2, "more than the last"),
        ("1,nan", 2, "finite"),
        ("win", 1, "at least two"),
    ],
)
def test_nonsense_payoffs_are_refused(text: str, players: int, words: str) -> None:
    with pytest.raises(InputError, match=words) as raised:
        payoff_for(text, players)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("match:emp:2", Emp(2)),
        ("match:dyns:0", DynS(0)),
        ("match:auto", Auto()),
        ("match:auto:0.5", Auto(0.5)),
        ("match:emp:2:against-you", Emp(2, Others.AGAINST_YOU)),
        ("match:dyns:3:against-you", DynS(3, Others.AGAINST_YOU)),
        ("match:auto:against-you", Auto(others=Others.AGAINST_YOU)),
        ("match:auto:0.5:against-you", Auto(0.5, Others.AGAINST_YOU)),
    ],
)
def test_objectives_as_text_and_back(text: str, value: Any) -> None:
    assert parse_match_objective(text) == value
    assert str(value) == text


@pytest.mark.parametrize(
    "text",
    [
        *("match:emp", "match:emp:-1", "match:emp:x", "match:emp:100", "match:auto:0", "match:auto:", "emp:1"),
        *("match:", "match:emp:against-you", "match:emp:2:against", "match:emp:2:against-you:2"),
        *("match:auto::against-you", "match:auto:against-you:2"),
    ],
)
def test_nonsense_objectives_are_refused(text: str) -> None:
    with pytest.raises(InputError) as raised:
        parse_match_objective(text)
    assert "\n" not in str(raised.value)


def test_a_payoff_is_for_its_number_of_players() -> None:
    with pytest.raises(InputError, match="2 scores given, but this payoff is for 3 players"):
        match_points(3).of_scores([1, 2])
    with pytest.raises(InputError, match="the payoff is for 3 players, but there are 2"):
        payoff_for(match_points(3), 2)
    assert payoff_for(match_points(3), 3) == match_points(3)


@pytest.mark.parametrize(
    ("payoff", "step"),
    [
        (match_points(2), 1.0),
        (match_points(5), 1.0),
        (Payoff((7.0, 4.5, 2.0)), 2.5),
        (Payoff((5.0, 2.0, 0.0)), None),
        (win_outright(2), None),
        (win_outright(3), None),
    ],
)
def test_the_gain_from_beating_one_more_opponent(payoff: Payoff, step: float | None) -> None:
    assert payoff.step == step


def test_only_winning_outright_is_measured_in_chances() -> None:
    assert win_outright(3).unit is Unit.CHANCE
    assert match_points(2).unit is Unit.WORTH
    assert Payoff((1.0, 0.0, 0.0)).unit is Unit.WORTH


def test_lists_for_one_player_have_no_objectives_of_matches() -> None:
    forms = objective_forms()
    assert "expected" in forms
    assert not any(form.startswith("match:") for form in forms)
