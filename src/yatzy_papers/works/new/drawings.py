"""Figures of what is new."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from yatzy.games import Sheet, load_game
from yatzy_papers.claims import Drawing
from yatzy_papers.desk import Desk
from yatzy_papers.works.new.games import with_rolls

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = (2, 3, 4, 5, 6)
STEEP = 5.0
"""How many times more a best chance must be for a logarithmic axis."""


def _rolls(desk: Desk) -> Figure:
    from yatzy.lab.figures import Series, draw_together

    series = [Series(f"{rolls} rolls", None, desk.score(with_rolls("yatzy", rolls)).mass) for rolls in SHOWN]
    return draw_together(series, "Yatzy: two rolls a turn to six", "Exact, by the best strategy for points of each.")


def _targets(id: str, last: int) -> Callable[[Desk], Figure]:
    def draw(desk: Desk) -> Figure:
        from yatzy.lab.plots import COLOURS, add_legend, new_figure, print_style

        with print_style():
            game = load_game(id)
            title = f"{game.name()}: the best chance of every target"
            figure = new_figure(title, "Exact. Below: how many times more the first is.", height=5.6, panels=2)
            above, below = figure.axes
            scores = np.arange(100, last + 1)
            best = desk.chances(id).curve(Sheet.start(game)).take(scores)
            reached = np.array([desk.score(id).at_least(int(score)) for score in scores])
            above.plot(scores, 100 * best, color=COLOURS[0], label="best chance of each target")
            above.plot(scores, 100 * reached, color=COLOURS[1], linestyle="--", label="expected-score strategy")
            above.set(ylabel="chance of at least\nthis score [%]", ylim=(0, 102))
            below.plot(scores, best / reached, color=COLOURS[2])
            below.set(xlabel="target [points]", ylabel="times more")
            if (best / reached).max() > STEEP:
                below.set_yscale("log")
                below.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
            figure.align_ylabels()
            add_legend(above)
        return figure

    return draw


DRAWINGS = (
    Drawing("new-targets-yatzy", "Every target: Yatzy", "", _targets("yatzy", 370), before="new.targets-yahtzee"),
    Drawing("new-targets-yahtzee", "Every target: Yahtzee", "", _targets("yahtzee-pawlewicz", 600), before="new.aimed"),
    Drawing("new-rolls", "One roll to six", "", _rolls, before="new.rules"),
)
