"""A strength measurement as two figures, and all its errors as CSV."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy.lab.plots import COLOURS, STYLES, add_legend, label_powers, new_figure, print_style
from yatzy.lab.strength import TIE, StrengthResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = (*COLOURS, "#56B4E9", "#000000")
_STYLES: tuple[Any, ...] = (*STYLES, (0, (1, 2)), (0, (9, 2)))
_MARKERS = ("o", "s", "^", "v", "D", "P", "X")
_APART = 0.05
"""Offset between the points of two strategies at the same depth, so that their intervals do not overlap."""


_MARGIN = 0.5
"""Room before the first and after the last depth."""


@dataclass(frozen=True, slots=True)
class StrengthWords:
    """The words of the figures of a strength measurement. `report.figures` has other languages."""

    language: str = "en"
    thousands: str = ","
    mean_error: str = "{game}: mean error of a move"
    error_chance: str = "{game}: chance of an error larger than e, {depths}"
    depth_axis: str = "open categories of both players together"
    mean_axis: str = "mean error [match points]"
    size_axis: str = "e [match points]"
    chance_axis: str = "chance of an error larger than e"
    one_depth: str = "depth {depth}"
    several_depths: str = "depths {depths}"
    depth_range: str = "depths {first} to {last}"
    number_range: str = "{first} to {last}"
    sampled: str = (
        "{number} positions per depth from softened matches, seed {seed}, compared with perfect play. {remark}"
    )
    confidence: str = "Bars: 95\u00a0% confidence."
    same_weight: str = "Every depth has the same weight."

    def count(self, number: int) -> str:
        """A whole number."""
        return f"{number:,}".replace(",", self.thousands)


ENGLISH = StrengthWords()


@print_style()
def draw_mean_errors(
    result: StrengthResult, labels: Mapping[str, str] | None = None, words: StrengthWords = ENGLISH
) -> Figure:
    """The mean error of a move by depth, with intervals; depths without any error have no point.

    `labels` are the strategies to show with their labels; all strategies by name if it is left out.
    """
    strategies = _labels(result, labels)
    title = words.mean_error.format(game=result.game.name(words.language))
    figure = new_figure(title, sampled_caption(result, words.confidence, words=words), 4.4)
    axes = figure.axes[0]
    found = [[result.strength(name, [depth]) for depth in result.depths] for name in strategies]
    means = [one.mean.value for row in found for one in row if one.mean.value > 0]
    bottom = min(means, default=TIE) / 3
    for index, (label, row) in enumerate(zip(strategies.values(), found, strict=True)):
        mean = np.array([one.mean.value or np.nan for one in row])
        ends = np.array([one.interval for one in row]).T
        spread = np.array([mean - np.maximum(ends[0], bottom), ends[1] - mean])
        at = np.array(result.depths) + _APART * (index - (len(strategies) - 1) / 2)
        axes.errorbar(at, mean, np.maximum(spread, 0), label=label, capsize=2, elinewidth=0.9, **_look(index))
    if not means:  # a logarithmic axis needs a range
        axes.set_ylim(bottom, 1.0)
    axes.set(yscale="log", xlabel=words.depth_axis, ylabel=words.mean_axis)
    axes.set_ylim(bottom=bottom)
    label_powers(axes.yaxis)
    axes.set_xticks(result.depths)
    axes.set_xlim(result.depths[0] - _MARGIN, result.depths[-1] + _MARGIN)  # also if the first have no error
    add_legend(axes)
    return figure


@print_style()
def draw_error_chances(
    result: StrengthResult,
    depths: Sequence[int] | None = None,
    labels: Mapping[str, str] | None = None,
    words: StrengthWords = ENGLISH,
) -> Figure:
    """The chance that a move loses more than e, over some depths with equal weight; all depths by default.

    `labels` are the strategies to show with their labels; all strategies by name if it is left out.
    """
    depths = result.depths if depths is None else tuple(depths)
    title = words.error_chance.format(game=result.game.name(words.language), depths=_span(depths, words))
    figure = new_figure(title, sampled_caption(result, words.same_weight, depths, words), 4.4)
    axes = figure.axes[0]
    for index, (name, label) in enumerate(_labels(result, labels).items()):
        sizes, chance = _survival([result.errors(name, depth) for depth in depths])
        axes.plot(sizes, chance, drawstyle="steps-post", label=label, markevery=0.12, **_look(index))
    if not any(np.size(line.get_xdata()) for line in axes.lines):  # a logarithmic axis needs a range
        axes.set(xlim=(TIE, 1.0), ylim=(TIE, 1.0))
    axes.set(xscale="log", yscale="log", xlabel=words.size_axis, ylabel=words.chance_axis)
    axes.set_xlim(left=TIE)
    for axis in (axes.xaxis, axes.yaxis):
        label_powers(axis)
    add_legend(axes)
    return figure


def _survival(parts: Sequence[npt.NDArray[np.float64]]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Sizes of errors, and the chance of an error larger than each. The last chance reaches to the largest error."""
    sizes = np.concatenate([[TIE], *(part[part > 0] for part in parts)])
    weights = np.concatenate([[0.0], *(np.full((part > 0).sum(), 1 / len(part) / len(parts)) for part in parts)])
    order = np.argsort(sizes, kind="stable")
    larger = weights.sum() - np.cumsum(weights[order])
    larger[-1] = 0.0  # removes the rounding error
    sizes, there = sizes[order], larger > 0
    if not there.any():
        return sizes[there], larger[there]
    return np.append(sizes[there], sizes[-1]), np.append(larger[there], larger[there][-1])


def _labels(result: StrengthResult, labels: Mapping[str, str] | None) -> Mapping[str, str]:
    return {name: name for name in result.strategies} if labels is None else labels


def _look(index: int) -> dict[str, Any]:
    turn = index // len(_COLOURS)
    colour, style = _COLOURS[index % len(_COLOURS)], _STYLES[(index + turn) % len(_STYLES)]
    return {
        "color": colour,
        "linestyle": style,
        "marker": _MARKERS[(index + 2 * turn) % len(_MARKERS)],
        "markersize": 4,
    }


def _span(depths: Sequence[int], words: StrengthWords) -> str:
    if len(depths) == 1:
        return words.one_depth.format(depth=depths[0])
    if list(depths) == list(range(depths[0], depths[-1] + 1)):
        return words.depth_range.format(first=depths[0], last=depths[-1])
    return words.several_depths.format(depths=", ".join(map(str, depths)))


def sampled_caption(
    result: StrengthResult, remark: str, depths: Sequence[int] | None = None, words: StrengthWords = ENGLISH
) -> str:
    """How the positions were found and judged, followed by a remark."""
    counts = sorted({len(result.judged[depth]) for depth in depths or result.depths})
    number = words.count(counts[0])
    if len(counts) > 1:
        number = words.number_range.format(first=number, last=words.count(counts[-1]))
    return words.sampled.format(number=number, seed=result.seed, remark=remark)


def errors_csv(result: StrengthResult) -> str:
    """Every position with its best move, and the move and the error of every strategy."""
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    own = [heading for name in result.strategies for heading in (f"{name} move", f"{name} error")]
    writer.writerow(["depth", "number", "position", "rolls left", "value", "best move", *own])
    for depth, judged in result.judged.items():
        for number, one in enumerate(judged):
            found = [cell for pair in zip(map(str, one.moves), one.errors, strict=True) for cell in pair]
            position = str(one.position)
            writer.writerow([depth, number, position, one.position.rolls_left, one.value, str(one.best), *found])
    return buffer.getvalue()
