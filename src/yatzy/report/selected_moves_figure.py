"""The figure of selected moves: their best chances, and over them the chances if play goes on for points.

Each move has a colour and a marker of its own, so that the figure can be read without colours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from yatzy.coach.selected_moves import ScoreChances, SelectedMoves
from yatzy.games import show_dice
from yatzy.lab.plots import COLOURS, add_legend, new_figure, print_style
from yatzy.report.figures import figure_words
from yatzy.report.selected_moves import label_of, sampled_text
from yatzy.report.texts import text
from yatzy.report.words import position_words, rolls_left

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKERS = ("o", "s", "^", "D", "v")
PRESENT = "#555555"
EDGE = 0.001
"""Scores whose chances are all closer than this to 0 or 1 are not drawn."""
MARKS = 12
"""Markers along each curve."""


@print_style()
def draw_selected_moves(found: SelectedMoves, language: str = "en") -> Figure:
    """The chance of at least each score, now and after every selected move."""
    where, words = found.position, figure_words(language)
    title = text(
        language,
        "selected_moves.title",
        game=where.game.name(language),
        dice=show_dice(where.dice),
        rolls=rolls_left(where.rolls_left, language),
    )
    about = text(language, "selected_moves.about", position=position_words(where, language))
    figure = new_figure(title, " ".join(filter(None, (about, sampled_text(found, language)))), height=4.6)
    axes = figure.axes[0]
    low, high = _range(found)
    axes.set(xlim=(low, high), ylim=(-2, 102))
    axes.set(xlabel=words.final_score, ylabel=words.at_least)
    _draw(axes, found.present, low, high, PRESENT, "", 0, label_of(found, found.present, language))
    for place, (one, colour, marker) in enumerate(zip(found.moves, COLOURS, MARKERS, strict=False)):
        _draw(axes, one, low, high, colour, marker, place, label_of(found, one, language))
    for style, key in (("-", "figure_caption.best_chance"), ("--", "selected_moves.played_on")):
        axes.plot([], [], color="black", linestyle=style, label=text(language, key))
    add_legend(axes)
    return figure


def _range(found: SelectedMoves) -> tuple[int, int]:
    """The scores to draw: those for which at least one curve is neither certain nor out of reach."""
    every = (found.present, *found.moves)
    return min(one.played_on_score(1 - EDGE) for one in every), max(one.best_score(EDGE) for one in every) + 1


def _draw(axes: Axes, one: ScoreChances, low: int, high: int, colour: str, marker: str, place: int, label: str) -> None:
    scores = np.arange(low, high + 1)
    for chances, style in ((one.best, "-"), (one.played_on, "--")):
        drawn = np.pad(chances, (0, max(high + 1 - one.first - len(chances), 0)))[scores - one.first]
        # The markers of two curves that coincide are at different scores.
        step = max((high - low) // MARKS, 1)
        axes.plot(
            scores, 100 * drawn, color=colour, linestyle=style, linewidth=1.4 if marker else 2.2,
            alpha=1.0 if marker else 0.45, marker=marker, markersize=4, markerfacecolor="white",
            markevery=(place * step // len(MARKERS), step), label=label if style == "-" else None,
        )  # fmt: skip
