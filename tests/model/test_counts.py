"""Perft for dice: how many of everything there is, against counts that stand in print."""

from __future__ import annotations

from dataclasses import asdict
from math import comb

import pytest

from yatzy import PRESETS, count_game, load_game
from yatzy.values.exact import every_sheet

FIVE_DICE = {"rolls": 252, "keeps": 462, "keep_roll_pairs": 4368, "turn_states": 1680}
THRESHOLD_63 = {
    "upper_pairs": 4096,
    "upper_pairs_reachable": 2794,
    "upper_classes_unsettled": 1640,
    "upper_classes": 1618,
}
PAWLEWICZ_2008 = {"states_plain": 786_432, "states_unsettled": 314_880, "states": 310_656}
"""Score states of Yahtzee: 3 · 2^12 · 64, then after each of the two mergings."""


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("yatzy", {**FIVE_DICE, **THRESHOLD_63, "states": 1618 * 2**9, "turns": 15}),
        ("yahtzee", {**FIVE_DICE, **THRESHOLD_63, **PAWLEWICZ_2008, "turns": 13}),
        ("yahtzee-pawlewicz", {**FIVE_DICE, **THRESHOLD_63, **PAWLEWICZ_2008}),
        ("yahtzee-plain", {**FIVE_DICE, **THRESHOLD_63, "states": 1618 * 2**7}),
        ("yatzy-no-bonus", {**FIVE_DICE, "upper_classes": 64, "states": 2**15}),
        ("yatzy-four-rolls", {**FIVE_DICE, "turn_states": 4 * 252 + 3 * 462}),
        ("maxi-yatzy", {"rolls": 462, "keeps": 924, "turns": 20}),
        ("two-yatzy", {"rolls": 3, "keeps": 6, "states": 4, "turns": 2}),
    ],
)
def test_published_counts(id: str, expected: dict[str, int]) -> None:
    counts = asdict(count_game(load_game(id)))
    assert {key: counts[key] for key in expected} == expected


@pytest.mark.parametrize("id", PRESETS)
def test_counts_hang_together(id: str) -> None:
    game = load_game(id)
    counts = count_game(game)
    assert counts.rolls == comb(game.dice + game.faces - 1, game.dice)
    assert counts.keeps == comb(game.dice + game.faces, game.dice)
    assert counts.states <= counts.states_unsettled <= counts.states_plain
    assert counts.upper_classes <= counts.upper_classes_unsettled <= counts.upper_pairs_reachable <= counts.upper_pairs
    assert counts.layers == counts.turns + 1 == len(game.categories) + 1


@pytest.mark.parametrize("id", [pytest.param("yatzy-forced-order", marks=pytest.mark.slow), "two-yatzy"])
def test_every_state_is_some_sheet(id: str) -> None:
    """The index has no state that play does not reach, and none is missing."""
    from yatzy.model import compile_game

    states = compile_game(load_game(id)).states
    for sheet in every_sheet(load_game(id)):
        layer, row = states.locate(sheet)
        assert (layer, states.layer_start[layer] + row) == (sheet.filled.bit_count(), states.find(sheet))
    assert {states.find(sheet) for sheet in every_sheet(load_game(id))} == set(range(len(states)))
