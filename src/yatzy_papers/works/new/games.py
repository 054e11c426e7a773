"""Variants of presets that the new results need."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from yatzy.games import Game, load_game

ROLLS = (1, 2, 3, 4, 5, 6)


@cache
def with_rolls(id: str, rolls: int) -> Game:
    """A preset with so many rolls a turn."""
    game = load_game(id)
    if rolls == game.rolls:
        return game
    return replace(game, id=f"{id}-{rolls}-rolls", rolls=rolls, names={"en": f"{game.name()}, {rolls} rolls a turn"})


@cache
def without_bonus(id: str) -> Game:
    """A preset without its upper bonus."""
    game = load_game(id)
    return replace(game, id=f"{id}-without-bonus", bonus=None, names={"en": f"{game.name()} without bonus"})
