"""The graph of Henriksson and Engström, drawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy_papers.claims import Drawing
from yatzy_papers.desk import Desk
from yatzy_papers.works.henriksson_engstrom.rolls import GAMES, IDS, PRINTED, SEED

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _rolls(desk: Desk) -> Figure:
    from yatzy.lab.figures import Series, draw_together

    series = [
        Series(words, desk.sample(id, "expected", GAMES, SEED).total, desk.score(id).mass) for words, id in IDS.items()
    ]
    means = " and ".join(row["mean"] for row in PRINTED.values())
    caption = (
        f"{GAMES:,} games each by the best strategies, seed {SEED}, and the exact distributions. In print: {means}."
    )
    return draw_together(series, "Yatzy: three rolls a turn and four", caption)


DRAWINGS = (Drawing("henriksson-rolls", "Three rolls and four", "the graph", _rolls, before="henriksson.file"),)
