"""Figures in files, drawn with Matplotlib."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message, missing_extra
from yatzy.store.files import check_target, write_atomic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

# The colours of Okabe and Ito are safe for colour-blind readers; line styles and hatches differ too, for print in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
STYLES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))
HATCHES = ("", "////", "\\\\\\\\", "xxxx", "----")
FORMATS = (".svg", ".png", ".pdf")

INCH = 2.54
"""In centimetres."""
WIDTH = 16 / INCH
"""In inches. Figures are drawn at their printed size, so that font sizes are those on paper."""
SCREEN = 110
"""Dots per inch in notebooks."""
LEGEND_ROOM = 100
"""Characters of a legend that fit on one line."""
FEW_POWERS = 30
"""Up to this ratio of its ends, a logarithmic axis has labels between powers of ten."""

PRINT = {
    "font.size": 9,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.labelsize": 9,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 9,
    "figure.titlesize": 10.5,
    "figure.titleweight": "bold",
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "savefig.dpi": 300,
    "svg.fonttype": "path",
    "svg.hashsalt": "yatzy",
    "text.parse_math": False,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}
PAPER = {
    "font.family": "STIXGeneral",
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "figure.titlesize": 9,
    "legend.fontsize": 7,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
}
"""Differences for a figure inside a paper: the typeface of its text, in smaller sizes."""
# Without dates, the same data give the same file.
METADATA: dict[str, dict[str, None]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}

FloatArray = npt.NDArray[np.float64]


STYLE_NAMES = ("print", "paper")
SMALLEST, LARGEST = 4.0, 60.0
"""Limits of the sides of a figure in centimetres."""


@dataclass(frozen=True, slots=True)
class FigureLook:
    """What a user may change about a figure; None leaves it as it is."""

    title: str | None = None
    """Empty for none."""
    labels: tuple[str, str] | None = None
    """The labels of the horizontal and the vertical axis."""
    size: tuple[float, float] | None = None
    """Width and height in centimetres."""
    style: str = "print"
    """`print`: with its title and caption. `paper`: without both, in the typeface of a paper, 8.5 cm wide."""

    def __post_init__(self) -> None:
        if self.style not in STYLE_NAMES:
            raise InputError(
                "{style!r} is not a style of figures; styles are {names}",
                style=self.style,
                names=", ".join(STYLE_NAMES),
            )
        if self.size is not None and not all(SMALLEST <= side <= LARGEST for side in self.size):
            raise InputError(
                "the sides of a figure are {smallest:g} to {largest:g} cm", smallest=SMALLEST, largest=LARGEST
            )

    @property
    def paper(self) -> bool:
        """Whether it is for a paper, which has captions of its own."""
        return self.style == "paper"

    def inches(self, height: float) -> tuple[float, float]:
        """The size of a figure that is normally this high."""
        if self.size is not None:
            return self.size[0] / INCH, self.size[1] / INCH
        return (8.5 / INCH, 0.62 * height) if self.paper else (WIDTH, height)


_look: ContextVar[FigureLook] = ContextVar("figure_look", default=FigureLook())  # noqa: B039  (it is frozen)


@contextmanager
def figure_look(look: FigureLook) -> Iterator[None]:
    """Draw and write figures with this look."""
    token = _look.set(look)
    try:
        yield
    finally:
        _look.reset(token)


@contextmanager
def print_style() -> Iterator[None]:
    """The settings of all figures, regardless of the user's settings; use it to decorate drawing functions."""
    try:
        import matplotlib  # optional, and slow to import
    except ImportError:
        raise missing_extra(Message("figures need Matplotlib"), "plots") from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(PRINT)
        if _look.get().paper:
            matplotlib.rcParams.update(PAPER)
        yield


@dataclass(frozen=True, slots=True)
class FigureWords:
    """The words of a figure, and its decimal mark. `report.figures` has other languages."""

    decimal: str = "."
    final_score: str = "final score [points]"
    share_per_point: str = "share of games [% per point]"
    share: str = "share of games [%]"
    at_most: str = "chance of at most\nthis score [%]"
    at_least: str = "chance of at least\nthis score [%]"
    exactly: str = "chance of exactly this score [%]"
    category: str = "category"
    simulated: str = "{name}, simulated"
    exact: str = "{name}, exact"
    mean: str = "mean {mean}"
    both_means: str = "mean {mean} (exact {exact})"
    median: str = "median {median}"
    all_games: str = "{name}, all games, mean {mean}"
    group: str = "{name} {share} %"
    group_mean: str = "{name} {share} %, mean {mean}"
    group_exact: str = "exact {share} %, mean {mean}"
    wins: str = "{name} wins"
    draw: str = "draw"
    standard_error: str = "± one standard error"

    def number(self, value: float, decimals: int) -> str:
        """A number with its decimal mark."""
        return f"{value:.{decimals}f}".replace(".", self.decimal)

    def localise_axes(self, figure: Figure) -> None:
        """Give the numbers at the axes their decimal mark."""
        if self.decimal == ".":
            return
        from matplotlib.ticker import FuncFormatter, ScalarFormatter  # Matplotlib is optional

        for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
            plain = axis.get_major_formatter()
            if isinstance(plain, ScalarFormatter):
                axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace(".", self.decimal)))


ENGLISH = FigureWords()


@dataclass(frozen=True, eq=False)
class Line:
    """One curve of chances: the chance of at least each score from `first` on."""

    label: str
    first: int
    at_least: FloatArray


@print_style()
def plot_tails(lines: Sequence[Line], title: str, caption: str, path: Path, words: FigureWords = ENGLISH) -> None:
    """Draw chances of at least each score, and write the figure."""
    check_format(path)
    figure = new_figure(title, caption)
    axes = figure.axes[0]
    for line, colour, style in zip(lines, COLOURS, STYLES, strict=False):
        scores = np.arange(line.first, line.first + len(line.at_least))
        axes.plot(scores, 100 * line.at_least, color=colour, linestyle=style, linewidth=1.8, label=line.label)
    axes.set_xlabel(words.final_score)
    axes.set_ylabel(words.at_least.replace("\n", " "))
    axes.set_ylim(0, 102)
    words.localise_axes(figure)
    add_legend(axes)
    write_figure(figure, path)


@print_style()
def plot_mass(
    mass: FloatArray,
    label: str,
    marks: Sequence[tuple[str, float]],
    title: str,
    caption: str,
    path: Path,
    words: FigureWords = ENGLISH,
) -> None:
    """Draw the chance of each score as bars, with some scores marked, and write the figure."""
    check_format(path)
    figure = new_figure(title, caption)
    axes = figure.axes[0]
    axes.bar(np.arange(len(mass)), 100 * mass, width=1.0, color=COLOURS[0], label=label)
    for (name, score), style in zip(marks, STYLES[1:], strict=False):
        axes.axvline(score, color="black", linestyle=style, linewidth=1.0, label=f"{name} {words.number(score, 2)}")
    there = np.flatnonzero(mass > 1e-6)
    axes.set_xlim(there[0] - 1, there[-1] + 1)
    axes.set_xlabel(words.final_score)
    axes.set_ylabel(words.exactly)
    words.localise_axes(figure)
    add_legend(axes)
    write_figure(figure, path)


def check_format(path: Path) -> None:
    """Refuse a figure file that cannot be written, before anything is computed."""
    if path.suffix.lower() not in FORMATS:
        raise InputError("{path}: a figure is written as {formats}", path=path, formats=", ".join(FORMATS))
    check_target(path)


def new_figure(title: str, caption: str, height: float = 3.9, panels: int = 1) -> Figure:
    """An empty figure of this height in inches, with stacked panels that share the score axis."""
    look = _look.get()
    figure = _figure_class()(figsize=look.inches(height), layout="constrained")
    figure.subplots(panels, sharex=True)
    if look.title is not None or look.paper:
        title = look.title or ""
    if title:
        figure.suptitle(wrap(title, round(68 * _breadth())), x=0.01, horizontalalignment="left")
    if not look.paper:
        text = wrap(caption, round(98 * _breadth()))
        figure.supxlabel(text, x=0.01, horizontalalignment="left", fontsize=8, color="#444444")
    return figure


@cache
def _figure_class() -> type[Figure]:
    """Matplotlib's figure, shown by notebooks as it is, whether or not they know Matplotlib."""
    from matplotlib.figure import Figure  # Matplotlib is optional

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            return figure_bytes(self, ".png", SCREEN)

    return ShownFigure


def _breadth() -> float:
    """The width of figures in units of the normal one; smaller letters count as more room."""
    look = _look.get()
    return look.inches(0)[0] / WIDTH * (1.1 if look.paper else 1.0)


def add_legend(axes: Axes, room: int = LEGEND_ROOM) -> None:
    """A legend above the axes, where it covers nothing, in as many columns as fit."""
    handles, labels = axes.get_legend_handles_labels()
    room = max(round(room * _breadth()), 24)
    # The marker before a label takes the space of about nine characters.
    labels = [wrap(label, room - 9) for label in labels]
    longest = max(len(line) for label in labels for line in label.splitlines())
    rows = math.ceil(len(labels) / max(room // (longest + 9), 1))
    columns = math.ceil(len(labels) / rows)
    axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, ncols=columns)


def label_powers(axis: Axis) -> None:
    """Label a logarithmic axis with powers of ten, and with twos and fives if it spans few of them.

    As plain text: Matplotlib's own labels need math typesetting.
    """
    axis.set_major_formatter(lambda value, _place: _power(value))
    axis.set_minor_formatter(lambda value, _place: _between_powers(axis, value))


def _power(value: float) -> str:
    return "10" + str(round(math.log10(value))).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _between_powers(axis: Axis, value: float) -> str:
    low, high = axis.get_view_interval()
    power = 10.0 ** math.floor(math.log10(value) + 1e-9)
    digit = round(value / power)
    return f"{digit}·{_power(power)}" if digit in (2, 5) and high <= FEW_POWERS * low else ""


def wrap(text: str, letters: int) -> str:
    """Text wrapped to lines of at most this number of characters."""
    return "\n".join(textwrap.fill(line, letters) for line in text.splitlines())


def write_figure(figure: Figure, path: Path) -> None:
    """Write a figure atomically. The same data give the same bytes."""
    check_format(path)
    write_atomic(path, figure_bytes(figure, path.suffix.lower()))


def set_labels(figure: Figure) -> None:
    """Replace the labels of the axes, if the look has others."""
    labels = _look.get().labels
    if labels is not None and figure.axes:
        figure.axes[-1].set_xlabel(labels[0])
        figure.axes[0].set_ylabel(labels[1])


@print_style()
def figure_bytes(figure: Figure, kind: str, dots: int | None = None) -> bytes:
    """A figure as the content of a file of this kind, such as `.svg`, with `dots` per inch if it has dots.

    The same data give the same bytes.
    """
    set_labels(figure)
    # Layout is fixed once: each draw would shift it slightly, so a file would depend on those written before it.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    buffer = BytesIO()
    figure.savefig(buffer, format=kind[1:], metadata=METADATA[kind], dpi=dots or PRINT["savefig.dpi"])
    return buffer.getvalue()
