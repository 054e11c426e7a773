"""Figures for notebooks and papers: each function returns a Matplotlib figure.

    >>> import yatzy, yatzy.plot                                            # doctest: +SKIP
    >>> yatzy.plot.scores(yatzy.evaluate(solution)).savefig("scores.pdf")   # doctest: +SKIP

Every function also takes `title=` (empty for none), `labels=` (of the horizontal and the vertical axis), `size=` (width
and height in centimetres) and `style=` (`print`, or `paper` for a figure in one column of a paper). Notebooks show the
figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack

import numpy as np

from yatzy.coach import Advice
from yatzy.errors import InputError
from yatzy.evaluation import Distribution, Evaluation
from yatzy.lab import SimulatedGames
from yatzy.lab.figures import CategoryBars, Series, draw_categories, draw_curves, draw_scores, draw_together
from yatzy.lab.plots import FigureLook, figure_look, set_labels
from yatzy.report.figures import figure_words
from yatzy.report.texts import text
from yatzy.report.words import move_name, strategy_label
from yatzy.units import Unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["categories", "curves", "moves", "scores"]

Result: TypeAlias = Evaluation | SimulatedGames | Distribution
Results: TypeAlias = Result | Sequence[Result] | Mapping[str, Result]
"""One result, several, or several with labels."""
MOST_MOVES = 40


class Look(TypedDict, total=False):
    """How a figure looks; see `yatzy.lab.plots.FigureLook`."""

    title: str | None
    labels: tuple[str, str] | None
    size: tuple[float, float] | None
    style: str


def scores(results: Results, language: str = "en", **look: Unpack[Look]) -> Figure:
    """The distribution of the final score, exact or simulated, of one to five strategies or games."""
    series, words = _series(results, language), figure_words(language)
    first = series[0]

    def draw() -> Figure:
        if len(series) == 1:
            return draw_scores(first, first.label, "", words)
        return draw_together(series, "", "", words)

    return _drawn(draw, look)


def curves(results: Results, language: str = "en", **look: Unpack[Look]) -> Figure:
    """The chance of at most, and of at least, each final score, of one to five strategies or games."""
    series, words = _series(results, language), figure_words(language)
    return _drawn(lambda: draw_curves(series, "", "", words), look)


def categories(
    results: Evaluation | Sequence[Evaluation] | Mapping[str, Evaluation],
    language: str = "en",
    **look: Unpack[Look],
) -> Figure:
    """The mean points of each category, of one to five strategies of the same game."""
    named = _named(results, language)
    evaluations = [one for _, one in named if isinstance(one, Evaluation)]
    if len(evaluations) != len(named):
        raise InputError("the points of categories are drawn from results of evaluate()")
    game = evaluations[0].game
    if any(one.game != game for one in evaluations):
        raise InputError("the categories of one game can be drawn in a figure, not those of several")
    rows = [
        CategoryBars(label, np.array([category.mean for category in one.categories]))
        for (label, _), one in zip(named, evaluations, strict=True)
    ]
    names = [category.category.name(language) for category in evaluations[0].categories]
    words, mean = figure_words(language), text(language, "study_figure.points_axis")
    return _drawn(lambda: draw_categories(names, rows, mean, "", "", words), look)


def moves(
    advice: Advice,
    most: int = 10,
    language: str = "en",
    **look: Unpack[Look],
) -> Figure:
    """What the best moves of a position lose against the best one."""
    if not 1 <= most <= MOST_MOVES:
        raise InputError("most: {most} is not from 1 to {limit}", most=most, limit=MOST_MOVES)
    shown, position = advice.moves[:most], advice.position
    names = [move_name(position.game, one.move, language) for one in shown]
    scale = 100 if advice.unit is Unit.CHANCE else 1
    bars = [CategoryBars(str(position), scale * np.array([one.loss for one in shown]))]
    words, lost = figure_words(language), text(language, f"plot.loss_{advice.unit.value}")
    look["labels"] = look.get("labels") or (lost, "")
    return _drawn(lambda: draw_categories(names, bars, lost, "", "", words), look)


def _named(results: Results, language: str) -> list[tuple[str, Result]]:
    """Results with their labels: the given ones, or the names of their strategies."""
    if isinstance(results, Mapping):
        return list(results.items())
    several: Sequence[Result] = [results] if isinstance(results, Result) else list(results)
    if not several or not all(isinstance(one, Result) for one in several):
        raise InputError("draw results of evaluate() or simulate(), one or several, or with labels: {'label': result}")
    games = {one.game for one in several if not isinstance(one, Distribution)}
    return [(_label(one, len(games) > 1, language), one) for one in several]


def _label(result: Result, several_games: bool, language: str) -> str:
    if isinstance(result, Distribution):
        return text(language, "players.exactly")
    label = strategy_label(result.strategy, language)
    return f"{result.game.name(language)}, {label}" if several_games else label


def _series(results: Results, language: str) -> list[Series]:
    return [_one(label, result) for label, result in _named(results, language)]


def _one(label: str, result: Result) -> Series:
    if isinstance(result, SimulatedGames):
        return Series(label, result.total)
    return Series(label, None, result.score.mass if isinstance(result, Evaluation) else result.mass)


def _drawn(draw: Callable[[], Figure], look: Look) -> Figure:
    with figure_look(FigureLook(**look)):
        figure = draw()
        set_labels(figure)
    return figure
