"""Figures of simulation studies for print: scores, scores split into groups, and strategies compared.

All data are plain arrays. Shares are of all games; those of final scores are per point, so that a bar over five points
and the exact chance of one score have the same scale. Simulated data are drawn as areas or steps, exact data as a line
on top. Each `draw_...` returns a figure, and `write_figure` writes it to a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError
from yatzy.lab.plots import (
    COLOURS,
    ENGLISH,
    HATCHES,
    LEGEND_ROOM,
    STYLES,
    FigureWords,
    add_legend,
    new_figure,
    print_style,
    wrap,
    write_figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "CategoryBars",
    "Group",
    "Series",
    "draw_categories",
    "draw_curves",
    "draw_outcomes",
    "draw_scores",
    "draw_split",
    "draw_together",
    "draw_winner",
    "write_figure",
]

MANY_GAMES = 50_000
"""The number of games from which a bar for every score shows more than noise."""
COARSE = 5
"""Points per bar with fewer games."""
FEW_SCORES = 50
"""The span of scores below which every score has its own bar, however few the games."""
UNSEEN = 1e-4
"""Share of the games beyond either end of a score axis: too few to be visible."""
RAREST = 1e-5
"""The smallest chance on a logarithmic axis."""

NAME = 28
"""Characters per line of a row's name."""

Scores = npt.NDArray[np.integer[Any]]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Series:
    """The final scores of one strategy or game: simulated, exact, or both."""

    label: str
    scores: Scores | None
    """[game]: simulated final scores."""
    exact: FloatArray | None = None
    """[score]: the exact chance of exactly this score."""

    def __post_init__(self) -> None:
        if self.scores is None and self.exact is None:
            raise InputError("{label}: neither simulated nor exact scores", label=self.label)
        if self.scores is not None and len(self.scores) == 0:
            raise InputError("{label}: no games", label=self.label)

    @cached_property
    def mean(self) -> float:
        """The mean of the simulated scores, or the exact one if there are none."""
        return float(self.weights @ np.arange(len(self.weights)) / self.weights.sum())

    @cached_property
    def median(self) -> int:
        """The lowest score that at least half the games do not exceed."""
        below = np.cumsum(self.weights)
        return int(np.searchsorted(below, below[-1] / 2 * (1 - 1e-15)))

    @cached_property
    def weights(self) -> FloatArray:
        """[score]: the number of games with exactly this score, or the exact chance if none are simulated."""
        if self.scores is not None:
            return np.bincount(self.scores).astype(np.float64)
        assert self.exact is not None
        return self.exact

    @property
    def bar(self) -> int:
        """The points per bar."""
        if self.scores is None or len(self.scores) >= MANY_GAMES or np.ptp(self.scores) < FEW_SCORES:
            return 1
        return COARSE

    def mean_text(self, words: FigureWords) -> str:
        """The mean; for a simulated one, the exact mean too if known."""
        mean = words.number(self.mean, 2)
        if self.scores is None or self.exact is None:
            return words.mean.format(mean=mean)
        return words.both_means.format(mean=mean, exact=words.number(_mean(self.exact), 2))

    def label_text(self, words: FigureWords, *, exact: bool) -> str:
        """The label with "exact" or "simulated"."""
        return (words.exact if exact else words.simulated).format(name=self.label)


@dataclass(frozen=True, eq=False)
class Group:
    """A subset of the games, such as those that won the bonus."""

    label: str
    mask: npt.NDArray[np.bool_]
    """[game]: whether it belongs to the group."""
    exact: FloatArray | None = None
    """[score]: the exact chance of exactly this score within the group; the sum is the share of the group."""


@dataclass(frozen=True, eq=False)
class CategoryBars:
    """A number for each category, such as the percentage of games with points there."""

    label: str
    values: FloatArray
    errors: FloatArray | None = None
    """[category]: standard errors."""


@print_style()
def draw_scores(series: Series, title: str, caption: str, words: FigureWords = ENGLISH) -> Figure:
    """The distribution of the final score as bars, with the exact one as a line on top."""
    figure = new_figure(title, caption)
    axes = figure.axes[0]
    text = series.label_text(words, exact=series.scores is None)
    axes.stairs(*_bars(series), fill=True, color=COLOURS[0], alpha=0.5, label=text)
    if series.scores is not None and series.exact is not None:
        axes.plot(*_line(series.exact), color=COLOURS[1], linewidth=1.1, label=series.label_text(words, exact=True))
    axes.axvline(series.mean, color="black", linestyle="--", linewidth=1.0, label=series.mean_text(words))
    text = words.median.format(median=series.median)
    axes.axvline(series.median, color="black", linestyle=":", linewidth=1.3, label=text)
    _finish_scores(figure, [series], words)
    return figure


@print_style()
def draw_split(
    label: str, scores: Scores, groups: Sequence[Group], title: str, caption: str, words: FigureWords = ENGLISH
) -> Figure:
    """The distribution of the final score split into groups, on top of each other, with the outline of their sum."""
    _check_count(groups)
    for group in groups:
        if len(group.mask) != len(scores):
            raise InputError(
                "{label}: {count} games marked, {scores} have a score",
                label=group.label,
                count=len(group.mask),
                scores=len(scores),
            )
    series = Series(label, scores)
    figure = new_figure(title, caption, 3.9 if len(groups) <= 2 else 5.1)  # room for a longer legend
    axes = figure.axes[0]
    text = words.all_games.format(name=label, mean=words.number(series.mean, 1))
    axes.stairs(*_bars(series), color="#777777", linewidth=0.6, label=text)
    for group, colour, hatch, style in zip(groups, COLOURS, HATCHES, STYLES, strict=False):
        share = _percent(float(group.mask.mean()), words)
        text = words.group.format(name=group.label, share=share)
        if group.mask.any():
            mean = float(scores[group.mask].mean())
            text = words.group_mean.format(name=group.label, share=share, mean=words.number(mean, 1))
            axes.axvline(mean, color=colour, linestyle=style, linewidth=1.2)
        axes.stairs(*_histogram(scores, series.bar, group.mask), fill=True, label=text, **_area(colour, hatch))
        if group.exact is not None and group.exact.any():
            share, exact_mean = _percent(float(group.exact.sum()), words), words.number(_mean(group.exact), 1)
            text = words.group_exact.format(share=share, mean=exact_mean)
            axes.plot(*_line(group.exact), color=colour, linestyle=style, linewidth=1.2, label=text)
    _finish_scores(figure, [series], words)
    return figure


@print_style()
def draw_together(series: Sequence[Series], title: str, caption: str, words: FigureWords = ENGLISH) -> Figure:
    """The distributions of several strategies or games in one figure."""
    _check_count(series)
    figure = new_figure(title, caption)
    _draw_lines(figure.axes[0], series, words)
    _finish_scores(figure, series, words)
    return figure


@print_style()
def draw_winner(
    players: Sequence[Series], winner: Series, title: str, caption: str, words: FigureWords = ENGLISH
) -> Figure:
    """The distribution of the winner's score among several players, drawn over those of the players alone."""
    _check_count(players, most=len(COLOURS) - 1)
    figure = new_figure(title, caption)
    axes = figure.axes[0]
    colour = COLOURS[-1]
    text = f"{winner.label}: {winner.mean_text(words)}"
    axes.stairs(*_bars(winner), fill=True, label=text, **_area(colour, HATCHES[1]))
    if winner.scores is not None and winner.exact is not None:
        text = winner.label_text(words, exact=True)
        axes.plot(*_line(winner.exact), color="black", linestyle=STYLES[-1], linewidth=1.1, label=text)
    axes.axvline(winner.mean, color=colour, linestyle=STYLES[-1], linewidth=1.2)
    _draw_lines(axes, players, words)
    _finish_scores(figure, [*players, winner], words)
    return figure


@print_style()
def draw_curves(series: Sequence[Series], title: str, caption: str, words: FigureWords = ENGLISH) -> Figure:
    """The chance of at most each score, and below it that of at least each score on a logarithmic axis."""
    from matplotlib.ticker import FuncFormatter  # Matplotlib is optional

    _check_count(series)
    figure = new_figure(title, caption, height=6.0, panels=2)
    at_most, at_least = figure.axes
    floor = min(RAREST if entry.scores is None else max(1 / len(entry.scores), RAREST) for entry in series)
    low, high = np.inf, -np.inf
    for entry, colour, style in zip(series, COLOURS, STYLES, strict=False):
        both = entry.scores is not None and entry.exact is not None
        mass = entry.weights / entry.weights.sum()
        # The simulated curve is drawn wide and pale under the exact one, which would hide it otherwise.
        look: dict[str, Any] = {"linewidth": 4, "alpha": 0.35} if both else {"linestyle": style}
        text = entry.label_text(words, exact=entry.scores is None)
        _draw_curves(at_most, at_least, mass, color=colour, label=text, **look)
        if both and entry.exact is not None:
            text = entry.label_text(words, exact=True)
            _draw_curves(at_most, at_least, entry.exact, color=colour, linestyle=style, label=text)
        low = min(low, _range(entry, UNSEEN)[0])
        high = max(high, _range(entry, floor)[1])
    at_most.set(ylabel=words.at_most, ylim=(0, 102), xlim=(low - COARSE, high + COARSE))
    at_least.set(ylabel=words.at_least, yscale="log", ylim=(100 * floor, 150), xlabel=words.final_score)
    at_least.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace(".", words.decimal)))
    words.localise_axes(figure)
    figure.align_ylabels()
    add_legend(at_most)
    return figure


@print_style()
def draw_outcomes(
    label_a: str,
    label_b: str,
    wins: float,
    draws: float,
    losses: float,
    errors: tuple[float, float, float],
    title: str,
    caption: str,
    words: FigureWords = ENGLISH,
) -> Figure:
    """The shares of games that one player wins, of ties and of games that the other wins, with standard errors."""
    figure = new_figure(title, caption, height=2.3)
    axes = figure.axes[0]
    shares = 100 * np.array([wins, draws, losses])
    spread = 100 * np.array(errors)
    rows = np.arange(3, dtype=np.float64)
    for row, colour, hatch in zip(rows, (COLOURS[0], "#777777", COLOURS[1]), ("", "xxxx", "////"), strict=True):
        axes.barh(row, shares[int(row)], height=0.7, **_area(colour, hatch))
    _draw_errors(axes, shares, rows, spread, words.standard_error)
    numbers = [f"{words.number(x, 2)} ± {words.number(e, 2)} %" for x, e in zip(shares, spread, strict=True)]
    _write_numbers(axes, shares, rows, spread, numbers)
    names = (words.wins.format(name=label_a), words.draw, words.wins.format(name=label_b))
    axes.set_yticks(rows, [wrap(name, NAME) for name in names])
    axes.set_xlabel(words.share)
    _finish_rows(axes)
    words.localise_axes(figure)
    return figure


@print_style()
def draw_categories(
    names: Sequence[str],
    rows: Sequence[CategoryBars],
    values_label: str,
    title: str,
    caption: str,
    words: FigureWords = ENGLISH,
) -> Figure:
    """A number for each category as bars, with those of several strategies next to each other.

    The values are drawn as given, so their label includes the unit: "games with points [%]", "mean [points]".
    """
    _check_count(rows)
    for row in rows:
        if len(row.values) != len(names):
            raise InputError(
                "{label}: {count} values for {categories} categories",
                label=row.label,
                count=len(row.values),
                categories=len(names),
            )
    # 0.15 inches fit a number set in 7 points.
    figure = new_figure(title, caption, height=1.3 + len(names) * (0.06 + 0.15 * len(rows)))
    axes = figure.axes[0]
    height = 0.84 / len(rows)
    for index, (row, colour, hatch) in enumerate(zip(rows, COLOURS, HATCHES, strict=False)):
        middle = np.arange(len(names), dtype=np.float64) + height * (index - (len(rows) - 1) / 2)
        axes.barh(middle, row.values, height=height, label=row.label, **_area(colour, hatch))
        spread = np.zeros(len(names)) if row.errors is None else row.errors
        if row.errors is not None:
            _draw_errors(axes, row.values, middle, spread, words.standard_error if index == 0 else None)
        _write_numbers(axes, row.values, middle, spread, [words.number(value, 1) for value in row.values])
    axes.set_yticks(np.arange(len(names)), [wrap(name, NAME) for name in names])
    axes.set(xlabel=values_label, ylabel=words.category)
    _finish_rows(axes, LEGEND_ROOM - min(max(len(name) for name in names), NAME))
    return figure


def _check_count(drawn: Sequence[object], most: int = len(COLOURS)) -> None:
    if not 1 <= len(drawn) <= most:
        raise InputError("a figure shows 1 to {most} distributions, not {count}", most=most, count=len(drawn))


def _percent(share: float, words: FigureWords) -> str:
    """A share in percent, with more decimals if it is tiny."""
    return words.number(100 * share, 1 if share >= 0.0005 or share == 0 else 3)


def _mean(mass: FloatArray) -> float:
    return float(mass @ np.arange(len(mass)) / mass.sum())


def _histogram(scores: Scores, bar: int, mask: npt.NDArray[np.bool_] | None = None) -> tuple[FloatArray, FloatArray]:
    """The marked games per point, in percent of all games, and the edges of the bars: halfway between scores."""
    first = int(scores.min()) // bar
    counts = np.bincount(scores // bar - first, weights=mask)
    return 100 * counts / (len(scores) * bar), np.arange(first, first + len(counts) + 1, dtype=np.float64) * bar - 0.5


def _bars(series: Series, bar: int | None = None) -> tuple[FloatArray, FloatArray]:
    if series.scores is not None:
        return _histogram(series.scores, bar or series.bar)
    scores, chances = _line(series.weights)
    return chances, np.append(scores, scores[-1] + 1) - 0.5


def _line(mass: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The scores that occur, and their chances in percent."""
    there = np.flatnonzero(mass)
    scores = np.arange(there[0], there[-1] + 1)
    return scores.astype(np.float64), 100 * mass[scores]


def _range(series: Series, unseen: float) -> tuple[int, int]:
    """The range of scores that leaves out at most this share at each end."""
    weights = series.weights if series.exact is None else series.exact
    below = np.cumsum(weights) / weights.sum()
    return int(np.searchsorted(below, unseen)), int(np.searchsorted(below, 1 - unseen))


def _area(colour: str, hatch: str) -> dict[str, Any]:
    """The style of a transparent area.

    The hatch is white because SVG draws it with the opacity of the area; a hatch of the same colour would be invisible.
    """
    return {"facecolor": colour, "edgecolor": "white", "hatch": hatch, "alpha": 0.55, "linewidth": 0}


def _draw_lines(axes: Axes, series: Sequence[Series], words: FigureWords) -> None:
    """Distributions as lines of different styles, each with its mean."""
    bar = max(entry.bar for entry in series)
    for entry, colour, style in zip(series, COLOURS, STYLES, strict=False):
        text = f"{entry.label}: {entry.mean_text(words)}"
        if entry.exact is None:
            axes.stairs(*_bars(entry, bar), color=colour, linestyle=style, linewidth=1.3, label=text)
        else:
            if entry.scores is not None:
                axes.stairs(*_bars(entry, bar), fill=True, color=colour, alpha=0.25)
            axes.plot(*_line(entry.exact), color=colour, linestyle=style, label=text)
        axes.axvline(entry.mean, color=colour, linestyle=style, linewidth=1.0)


def _draw_curves(at_most: Axes, at_least: Axes, mass: FloatArray, **look: Any) -> None:
    scores = np.arange(len(mass))
    at_most.plot(scores, 100 * np.cumsum(mass), **look)
    tail = 100 * np.cumsum(mass[::-1])[::-1]
    at_least.plot(scores[tail > 0], tail[tail > 0], **look)


def _draw_errors(axes: Axes, values: FloatArray, rows: FloatArray, errors: FloatArray, label: str | None) -> None:
    axes.errorbar(values, rows, xerr=errors, fmt="none", ecolor="black", elinewidth=0.9, capsize=2, label=label)


def _write_numbers(
    axes: Axes, values: FloatArray, rows: FloatArray, errors: FloatArray, numbers: Sequence[str]
) -> None:
    """Write numbers next to the ends of horizontal bars, and extend the axis to fit them."""
    for value, row, error, number in zip(values, rows, errors, numbers, strict=True):
        axes.annotate(number, (value + error, row), xytext=(3, 0), textcoords="offset points",
                      verticalalignment="center", fontsize=7)  # fmt: skip
    ends = (values + errors).max()
    longest = max(len(number) for number in numbers)
    axes.set_xlim(0, max(axes.get_xlim()[1], ends * (1.03 + 0.015 * longest)))


def _finish_scores(figure: Figure, series: Sequence[Series], words: FigureWords) -> None:
    axes = figure.axes[0]
    ranges = [_range(entry, UNSEEN) for entry in series]
    low, high = min(low for low, _ in ranges), max(high for _, high in ranges)
    margin = 1 if high - low < FEW_SCORES else COARSE
    axes.set(xlabel=words.final_score, ylabel=words.share_per_point, xlim=(low - margin, high + margin))
    axes.set_ylim(bottom=0)
    words.localise_axes(figure)
    add_legend(axes)


def _finish_rows(axes: Axes, room: int = LEGEND_ROOM) -> None:
    """Show rows from top to bottom, and grid lines only where they help to read a value."""
    rows = len(axes.get_yticks())
    axes.set_ylim(rows - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    add_legend(axes, room)
