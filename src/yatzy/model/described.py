"""Size limits for games that are described in data: in a record, a request or a link.

Presets, and games that the user names on the command line, are limited only by the machine.
"""

from __future__ import annotations

from math import comb

from yatzy.errors import Message, SizeError
from yatzy.games import Game, is_preset
from yatzy.model.compiled import compile_game, refuse_to_compile

MOST_STATES = 2**20
"""Yatzy has 828,416."""
MOST_CATEGORIES = 18
MOST_UPPER_PAIRS = 2**15
"""Pairs of upper set and upper sum; this many take about a second. Yatzy has 2,794."""
MOST_KEEPS = 5000
"""Ways to keep dice; six dice have 924."""
MOST_ROLLS = 10


def check_described(game: Game, named: Game | None = None) -> None:
    """Raise SizeError if a game is too large to be accepted from data. Cheap checks come first.

    named: a game that the user named on the command line; an equal game is always accepted.
    """
    if game == named or is_preset(game):
        return
    keeps = comb(game.dice + game.faces, game.faces)
    if keeps > MOST_KEEPS:
        raise SizeError(
            "dice, faces: the dice can be kept in {keeps:,} ways, more than {most:,}; {how}",
            keeps=keeps,
            most=MOST_KEEPS,
            how=_HOW,
        )
    if game.rolls > MOST_ROLLS:
        raise SizeError("rolls: {rolls} are more than {most}; {how}", rolls=game.rolls, most=MOST_ROLLS, how=_HOW)
    if len(game.categories) > MOST_CATEGORIES:
        raise SizeError(
            "categories: {count} are more than {most}; {how}",
            count=len(game.categories),
            most=MOST_CATEGORIES,
            how=_HOW,
        )
    refuse_to_compile(game, MOST_UPPER_PAIRS)
    states = len(compile_game(game).states)
    if states > MOST_STATES:
        raise SizeError(
            "{game} has {states:,} states, more than {most:,}; {how}",
            game=game.id,
            states=states,
            most=MOST_STATES,
            how=_HOW,
        )


_HOW = Message(
    "a game this large is taken only from a person who names its file on the command line (--game FILE.toml)"
)
