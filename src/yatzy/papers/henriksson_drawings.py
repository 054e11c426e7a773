"""The graph of Henriksson and Engström, drawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.papers.claims import Drawing
from yatzy.papers.desk import Desk

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _rolls(desk: Desk) -> Figure:
    from yatzy.lab.figures import Series, draw_together

    series = [
        Series(words, desk.sample(id, "expected", 100_000, 2013).total, desk.score(id).mass)
        for words, id in (("three rolls", "yatzy"), ("four rolls", "yatzy-four-rolls"))
    ]
    caption = "100,000 games each by the best strategies, seed 2013, and the exact distributions. In print: 233.00 and"
    return draw_together(series, "Yatzy: three rolls a turn and four", f"{caption} 280.07.")


DRAWINGS = (Drawing("henriksson-rolls", "Three rolls and four", "the graph", _rolls, before="henriksson.file"),)
