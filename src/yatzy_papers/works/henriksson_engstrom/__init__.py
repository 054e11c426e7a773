"""Henriksson and Engström 2013: three against four rolls a turn, each with its own best strategy."""

from yatzy_papers.claims import Work
from yatzy_papers.works.henriksson_engstrom.drawings import DRAWINGS
from yatzy_papers.works.henriksson_engstrom.rolls import CLAIMS

WORK = Work(
    "henriksson-engstrom",
    "Henriksson & Engström 2013",
    "Scandinavian Yatzy with three and with four rolls a turn, each by its own strategy, 100,000 games each. They doubt"
    " their own numbers.",
    CLAIMS,
    drawings=DRAWINGS,
)

__all__ = ["WORK"]
