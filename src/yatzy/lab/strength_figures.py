"""A strength measurement as two figures, and all its errors as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy.lab.plots import COLOURS, STYLES, add_legend, new_figure, print_style
from yatzy.lab.strength import TIE, StrengthResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = (*COLOURS, "#56B4E9", "#000000")
_STYLES: tuple[Any, ...] = (*STYLES, (0, (1, 2)), (0, (9, 2)))
_MARKERS = ("o", "s", "^", "v", "D", "P", "X")
_APART = 0.05
"""Offset between the points of two strategies at the same depth, so that their intervals do not overlap."""


@print_style()
def draw_mean_errors(result: StrengthResult, strategies: Sequence[str] | None = None) -> Figure:
    """The mean error of a move by depth, with intervals; depths without any error have no point.

    Of all strategies, or of some.
    """
    strategies = result.strategies if strategies is None else strategies
    figure = new_figure(
        f"{result.game.name()}: mean error of a move", sampled_caption(result, "Bars: 95 % confidence."), 4.4
    )
    axes = figure.axes[0]
    found = [[result.strength(name, [depth]) for depth in result.depths] for name in strategies]
    means = [one.mean.value for row in found for one in row if one.mean.value > 0]
    bottom = min(means, default=TIE) / 3
    for index, (name, row) in enumerate(zip(strategies, found, strict=True)):
        mean = np.array([one.mean.value or np.nan for one in row])
        ends = np.array([one.interval for one in row]).T
        spread = np.array([mean - np.maximum(ends[0], bottom), ends[1] - mean])
        at = np.array(result.depths) + _APART * (index - (len(strategies) - 1) / 2)
        axes.errorbar(at, mean, np.maximum(spread, 0), label=name, capsize=2, elinewidth=0.9, **_look(index))
    if not means:  # a logarithmic axis needs a range
        axes.set_ylim(bottom, 1.0)
    axes.set(yscale="log", xlabel="open categories of both players together", ylabel="mean error [match points]")
    axes.set_ylim(bottom=bottom)
    axes.yaxis.set_major_formatter(_power)
    axes.set_xticks(result.depths)
    add_legend(axes)
    return figure


@print_style()
def draw_error_chances(
    result: StrengthResult, depths: Sequence[int] | None = None, strategies: Sequence[str] | None = None
) -> Figure:
    """The chance that a move loses more than e, over some depths with equal weight; all depths by default.

    Of all strategies, or of some.
    """
    depths = result.depths if depths is None else tuple(depths)
    title = f"{result.game.name()}: chance of an error larger than e, {_span(depths)}"
    figure = new_figure(title, sampled_caption(result, "Every depth has the same weight.", depths), 4.4)
    axes = figure.axes[0]
    for index, name in enumerate(result.strategies if strategies is None else strategies):
        sizes, chance = _survival([result.errors(name, depth) for depth in depths])
        axes.plot(sizes, chance, drawstyle="steps-post", label=name, markevery=0.12, **_look(index))
    if not any(np.size(line.get_xdata()) for line in axes.lines):  # a logarithmic axis needs a range
        axes.set(xlim=(TIE, 1.0), ylim=(TIE, 1.0))
    axes.set(xscale="log", yscale="log", xlabel="e [match points]", ylabel="chance of an error larger than e")
    axes.set_xlim(left=TIE)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(_power)
    add_legend(axes)
    return figure


def _survival(parts: Sequence[npt.NDArray[np.float64]]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Sizes of errors, and the chance of an error larger than each, up to the last but one."""
    sizes = np.concatenate([[TIE], *(part[part > 0] for part in parts)])
    weights = np.concatenate([[0.0], *(np.full((part > 0).sum(), 1 / len(part) / len(parts)) for part in parts)])
    order = np.argsort(sizes, kind="stable")
    larger = weights.sum() - np.cumsum(weights[order])
    larger[-1] = 0.0  # removes the rounding error
    return sizes[order][larger > 0], larger[larger > 0]


def _power(value: float, _place: object = None) -> str:
    """A power of ten for an axis, as plain text without math typesetting."""
    exponent = round(np.log10(value))
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _look(index: int) -> dict[str, Any]:
    turn = index // len(_COLOURS)
    colour, style = _COLOURS[index % len(_COLOURS)], _STYLES[(index + turn) % len(_STYLES)]
    return {
        "color": colour,
        "linestyle": style,
        "marker": _MARKERS[(index + 2 * turn) % len(_MARKERS)],
        "markersize": 4,
    }


def _span(depths: Sequence[int]) -> str:
    if len(depths) == 1:
        return f"depth {depths[0]}"
    together = list(depths) == list(range(depths[0], depths[-1] + 1))
    return f"depths {depths[0]} to {depths[-1]}" if together else f"depths {', '.join(map(str, depths))}"


def sampled_caption(result: StrengthResult, how: str, depths: Sequence[int] | None = None) -> str:
    """How the positions were found and judged, followed by a remark."""
    counts = sorted({len(result.judged[depth]) for depth in depths or result.depths})
    number = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return f"{number} positions per depth from softened matches, seed {result.seed}, compared with perfect play. {how}"


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
