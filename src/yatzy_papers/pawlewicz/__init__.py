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
    "A thesis on Yahtzee and the paper “Nearly optimal computer play in multi-player Yahtzee”. They compute the best"
    " chances of all scores at once, count the states of the two-player solution, and evaluate positions of several"
    " players by distributions. The preset `yahtzee-pawlewicz` has his Joker rule.",
    (*ONE_PLAYER, *SIZES, *TWO_PLAYERS, *STRENGTH),
    drawings=DRAWINGS,
)

__all__ = ["WORK"]
