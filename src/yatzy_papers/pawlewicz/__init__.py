"""Pawlewicz 2008 and 2010 on Yahtzee: a thesis and a paper on one player's distributions and nearly optimal matches."""

from yatzy_papers.claims import Work
from yatzy_papers.pawlewicz.drawings import DRAWINGS
from yatzy_papers.pawlewicz.one_player import ONE_PLAYER
from yatzy_papers.pawlewicz.sizes import SIZES
from yatzy_papers.pawlewicz.strength import STRENGTH
from yatzy_papers.pawlewicz.two_players import TWO_PLAYERS

WORK = Work(
    "pawlewicz",
    "Pawlewicz 2008, 2010",
    "A thesis on Yahtzee and the paper \u201cNearly optimal computer play in multi-player Yahtzee\u201d. They have the"
    " best chance of every score at once, count the optimum of two, and judge positions of several players by"
    " distributions. His reading of the Joker is the preset `yahtzee-pawlewicz`.",
    (*ONE_PLAYER, *SIZES, *TWO_PLAYERS, *STRENGTH),
    drawings=DRAWINGS,
)

__all__ = ["WORK"]
