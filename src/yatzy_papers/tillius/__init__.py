"""Tillius 2026 on Scandinavian Yatzy: a thesis on the expected score, chances of scores, and two-yatzy as a graph."""

from yatzy_papers.claims import Work
from yatzy_papers.tillius.decisions import DECISIONS
from yatzy_papers.tillius.drawings import DRAWINGS
from yatzy_papers.tillius.printed_games import GAME_TABLES, PRINTED_GAMES
from yatzy_papers.tillius.two_yatzy import TWO_YATZY
from yatzy_papers.tillius.values import VALUES

WORK = Work(
    "tillius",
    "Tillius 2026",
    "A thesis on Scandinavian Yatzy. It solves the game for the expected score and for the best chance of one score"
    " at a time, looks at the best moves in selected positions, and draws a game with two two-sided dice as a graph.",
    (*VALUES, *DECISIONS, *PRINTED_GAMES, *TWO_YATZY),
    tables=GAME_TABLES,
    drawings=DRAWINGS,
)

__all__ = ["WORK"]
