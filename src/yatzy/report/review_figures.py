"""Figures of a review: the value through the game, and the luck and error of every turn.

Nothing is shown by colour alone: each class of errors has its own marker, and the bars of luck, error and mixed values
have different hatches.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.review import PlayerReview, Review
from yatzy.lab.plots import COLOURS, METADATA, STYLES, add_legend, new_figure, print_style
from yatzy.report.numbers import scale_of
from yatzy.report.review import meaning_text
from yatzy.report.texts import text
from yatzy.report.words import grade_name
from yatzy.units import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKERS = {Grade.INACCURACY: "v", Grade.MISTAKE: "s", Grade.BLUNDER: "X"}


@print_style()
def draw_course(review: Review, players: Sequence[PlayerReview], title: str, language: str = "en") -> Figure:
    """The value of the objective through the game, with markers at the errors."""
    marked = any(one.count(grade) for one in players for grade in MARKERS)
    caption = text(language, f"review_figure.{'signs' if marked else 'no_signs'}")
    meaning = meaning_text(review.meaning, language)
    figure = new_figure(f"{title}: {meaning}", caption)
    axes, scale = figure.axes[0], scale_of(review.unit)
    for place, one in enumerate(players):
        colour, style = COLOURS[place % len(COLOURS)], STYLES[place % len(STYLES)]
        at, value = np.array([(point.at, scale * point.value) for point in one.course]).T
        axes.plot(at, value, color=colour, linestyle=style, label=_named(one.player.name))
        _mark_errors(axes, one, colour, scale)
    for grade, marker in MARKERS.items():
        there = any(one.count(grade) for one in players)
        if there:
            axes.plot(
                [], [], color="black", linestyle="none", marker=marker, markersize=5, label=grade_name(grade, language)
            )
    turns = len(review.record.game.categories)
    axes.set(
        xlim=(0, turns), xlabel=text(language, "review_said.turn"), ylabel=f"{meaning}{_in_unit(review, language)}"
    )
    if review.unit is Unit.CHANCE:
        axes.set_ylim(-3, 103)
    axes.set_xticks(np.arange(turns) + 0.5, [str(turn) for turn in range(1, turns + 1)])
    axes.set_xticks(np.arange(turns + 1), minor=True)
    axes.tick_params(axis="x", length=0)
    axes.grid(visible=False, axis="x")
    axes.grid(visible=True, axis="x", which="minor")
    add_legend(axes)
    return figure


def _mark_errors(axes: Axes, one: PlayerReview, colour: str, scale: float) -> None:
    for grade, marker in MARKERS.items():
        found = [m for m in one.course if m.decision is not None and m.decision.grade is grade]
        axes.plot(
            [m.at for m in found], [scale * m.value for m in found], linestyle="none", marker=marker, markersize=5,
            markerfacecolor=colour, markeredgecolor="black", markeredgewidth=0.6,
        )  # fmt: skip


@print_style()
def draw_turns(review: Review, one: PlayerReview, language: str = "en") -> Figure:
    """The luck and the error of every turn as bars side by side."""
    title, caption = (text(language, f"review_figure.{key}", name=one.player.name) for key in ("title", "about"))
    figure = new_figure(title, caption, height=3.2)
    axes, scale = figure.axes[0], scale_of(review.unit)
    turns = np.array([turn.turn for turn in one.turns], np.float64)
    look: dict[str, Any] = {"edgecolor": "black", "linewidth": 0.5}
    luck, error, gain = (
        scale * np.array([getattr(turn, name) for turn in one.turns]) for name in ("luck", "error", "gain")
    )
    if one.additive:
        axes.bar(turns - 0.2, luck, 0.38, color=COLOURS[0], label=text(language, "review_said.luck"), **look)
    wrong = text(language, "review_said.error")
    axes.bar(turns + 0.2, -error, 0.38, color=COLOURS[1], hatch="////", label=wrong, **look)
    if any(turn.mixed for turn in one.turns):
        together = text(language, "review_figure.together")
        axes.bar(turns - 0.2, gain, 0.38, color="#dddddd", hatch="xxxx", label=together, **look)
    axes.axhline(0, color="black", linewidth=0.7)
    axes.set(xlabel=text(language, "review_said.turn"), ylabel=text(language, f"review_figure.{review.unit.value}"))
    last = len(review.record.game.categories)
    axes.set_xlim(0.4, last + 0.6)
    axes.set_xticks(np.arange(1, last + 1))
    axes.grid(visible=False, axis="x")
    add_legend(axes)
    return figure


def _in_unit(review: Review, language: str) -> str:
    if review.unit is Unit.POINTS:
        return f" [{text(language, 'review_figure.points')}]"
    return " [%]" if review.unit is Unit.CHANCE else ""


def _named(name: str) -> str:
    """A name as a label. Matplotlib omits labels that start with an underscore, so a space is put before them."""
    return f" {name}" if name.startswith("_") else name


@print_style()
def svg_of(figure: Figure) -> bytes:
    """A figure as SVG; the same data always give the same bytes."""
    out = BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a name in a script that no installed font has
        figure.savefig(out, format="svg", metadata=METADATA[".svg"])
    return out.getvalue()
