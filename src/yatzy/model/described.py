"""Games that came with data: a description in a record, a request or a link, and how large it may be.

A preset, or a game that this person has named, may be as large as the machine can take.
"""

from __future__ import annotations

from math import comb

from yatzy.errors import SizeError
from yatzy.games import Game, is_preset
from yatzy.model.compiled import compile_game, refuse_to_compile

MOST_STATES = 2**20
"""Yatzy has 828,416."""
MOST_CATEGORIES = 18
MOST_UPPER_PAIRS = 2**15
"""Sets of upper categories with their upper sums: a second of work. Yatzy has 2,794."""
MOST_KEEPS = 5000
"""Ways to keep dice: six dice have 924."""
MOST_ROLLS = 10


def check_described(game: Game, named: Game | None = None) -> None:
    """Refuse a described game that is too large to be taken from data, before anything large is counted.

    named: a game that this person has named; the same rules are then accepted.
    """
    if game == named or is_preset(game):
        return
    keeps = comb(game.dice + game.faces, game.faces)
    if keeps > MOST_KEEPS:
        raise SizeError(f"dice, faces: the dice can be kept in {keeps:,} ways, more than {MOST_KEEPS:,}; {_HOW}")
    if game.rolls > MOST_ROLLS:
        raise SizeError(f"rolls: {game.rolls} are more than {MOST_ROLLS}; {_HOW}")
    if len(game.categories) > MOST_CATEGORIES:
        raise SizeError(f"categories: {len(game.categories)} are more than {MOST_CATEGORIES}; {_HOW}")
    refuse_to_compile(game, MOST_UPPER_PAIRS)
    states = len(compile_game(game).states)
    if states > MOST_STATES:
        raise SizeError(f"{game.id} has {states:,} states, more than {MOST_STATES:,}; {_HOW}")


_HOW = "a game this large is taken only from a person who names its file on the command line (--game FILE.toml)"
