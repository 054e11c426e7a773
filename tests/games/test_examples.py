"""Example rolls: each shows what its category pays for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from yatzy.games import Category, Chance, Game, Straight, examples, load_preset
from yatzy.games.examples import example_roll


def test_examples_are_typical_rolls_that_pay() -> None:
    game = load_preset("yatzy")
    shown = {one.id: example_roll(game, place) for place, one in enumerate(game.categories)}
    assert shown["one-pair"] == (3, 4, 5, 6, 6)
    assert shown["full-house"] == (5, 5, 6, 6, 6)
    assert shown["small-straight"] == (1, 2, 3, 4, 5)
    assert shown["yatzy"] == (6, 6, 6, 6, 6)
    assert (shown["fours"] or ()).count(4) == 3
    for id in ("yatzy", "yahtzee", "maxi-yatzy", "two-yatzy", "kniffel", "yacht"):
        game = load_preset(id)
        for place, one in enumerate(game.categories):
            roll = example_roll(game, place)
            assert roll is not None
            assert one.pattern.score(roll) > 0, (id, one.id)


def test_a_category_that_pays_one_point_has_an_example() -> None:
    game = Game("one-point", 3, 4, 1, (Category("run", Straight(length=3, points=1)),))
    assert example_roll(game, 0) == (2, 3, 4)


def test_a_category_with_no_paying_roll_among_the_first_has_no_example(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("high", 2, 6, 1, (Category("high", Chance(minimum=12)),))
    assert example_roll(game, 0) == (6, 6)
    monkeypatch.setattr(examples, "MOST_ROLLS", 20)  # of 21, and the last is two sixes
    assert example_roll(replace(game, id="higher"), 0) is None
