"""What none of the works has: every preset exactly, every target, rolls, rules, the first player, EMP against all."""

from yatzy_papers.claims import Work
from yatzy_papers.works.new.drawings import DRAWINGS
from yatzy_papers.works.new.results import TABLES

WORK = Work(
    "new",
    "New results",
    "What none of these works has.",
    tables=TABLES,
    drawings=DRAWINGS,
)

__all__ = ["WORK"]
