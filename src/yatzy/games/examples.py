"""An example roll for every category, chosen from the rules, so that custom games have examples too."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement, islice

from yatzy.games.dice import Dice
from yatzy.games.game import Game
from yatzy.games.patterns import Face

MOST_ROLLS = 20_000
"""Rolls that are looked at. Five dice have 252, six have 462; only odd games have more."""


@lru_cache(maxsize=1024)
def example_roll(game: Game, category: int) -> Dice | None:
    """A roll that shows what a category pays for; None if no roll among the first MOST_ROLLS pays.

    It has as many different faces as possible, and then as many points: 3 4 5 6 6 for a pair, not 6 6 6 6 6. An upper
    category has three of its face, or all dice if there are fewer.
    """
    pattern = game.categories[category].pattern
    rolls = islice(combinations_with_replacement(range(1, game.faces + 1), game.dice), MOST_ROLLS)
    if isinstance(pattern, Face):
        wanted = min(3, game.dice)
        paying = [roll for roll in rolls if roll.count(pattern.face) == wanted]
    else:
        paying = [roll for roll in rolls if pattern.score(roll) > 0]
    return max(paying, key=lambda roll: (len(set(roll)), pattern.score(roll), roll), default=None)
