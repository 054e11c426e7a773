"""Molinder 2025: two strategies for Yatzy written by hand, 100,000 games of each."""

from yatzy_papers.claims import Work
from yatzy_papers.works.molinder.drawings import DRAWINGS
from yatzy_papers.works.molinder.scores import SCORES

WORK = Work(
    "molinder",
    "Molinder 2025",
    "Two strategies for Scandinavian Yatzy written by hand, one for the bonus and one for the lower half, 100,000 games"
    " of each. The description leaves room; the reading here is the one that gives the figures (docs/strategies.md).",
    SCORES,
    drawings=DRAWINGS,
)

__all__ = ["WORK"]
