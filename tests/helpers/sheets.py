"""Sheets of random games."""

from __future__ import annotations

import random

from yatzy.games import Game, Position, Sheet


def random_sheets(game: Game, count: int, seed: int = 1) -> list[Sheet]:
    """Sheets from random games, at all stages but the end; the first is the start."""
    dice, found = random.Random(seed), [Sheet.start(game)]
    while len(found) < count:
        sheet = Sheet.start(game)
        for _ in range(dice.randrange(len(game.categories))):
            rolled = tuple(sorted(dice.randint(1, game.faces) for _ in range(game.dice)))
            position = Position((sheet,), rolled, 0)
            sheet = position.play(dice.choice(position.legal_moves)).sheets[0]
        found.append(sheet)
    return found
