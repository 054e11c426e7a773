"""Figures in files, by Matplotlib, and small ones for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by all eyes; line styles differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
STYLES = ("-", "--", "-.", ":", "-")
FORMATS = (".svg", ".png", ".pdf")

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Line:
    """One curve of chances: the chance of at least each score from `first` on."""

    label: str
    first: int
    at_least: FloatArray


def plot_tails(lines: Sequence[Line], title: str, caption: str, path: Path) -> None:
    """Draw chances of at least each score, and write the figure."""
    check_format(path)
    figure = _new_figure(title, caption)
    axes = figure.axes[0]
    for line, colour, style in zip(lines, COLOURS, STYLES, strict=False):
        scores = np.arange(line.first, line.first + len(line.at_least))
        axes.plot(scores, 100 * line.at_least, color=colour, linestyle=style, linewidth=1.8, label=line.label)
    axes.set_xlabel("final score [points]")
    axes.set_ylabel("chance of at least this score [%]")
    axes.set_ylim(0, 102)
    axes.legend(frameon=False)
    _write(figure, path)


def plot_mass(
    mass: FloatArray, label: str, marks: Sequence[tuple[str, float]], title: str, caption: str, path: Path
) -> None:
    """Draw the chance of each score as bars, with some scores marked, and write the figure."""
    check_format(path)
    figure = _new_figure(title, caption)
    axes = figure.axes[0]
    axes.bar(np.arange(len(mass)), 100 * mass, width=1.0, color=COLOURS[0], label=label)
    for (name, score), style in zip(marks, STYLES[1:], strict=False):
        axes.axvline(score, color="black", linestyle=style, linewidth=1.0, label=f"{name} {score:.2f}")
    there = np.flatnonzero(mass > 1e-6)
    axes.set_xlim(there[0] - 1, there[-1] + 1)
    axes.set_xlabel("final score [points]")
    axes.set_ylabel("chance of just this score [%]")
    axes.legend(frameon=False)
    _write(figure, path)


def check_format(path: Path) -> None:
    """Refuse a file name whose ending is no kind of picture, before anything is computed."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path}: a figure is written as {', '.join(FORMATS)}")


def _new_figure(title: str, caption: str) -> Figure:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("figures need Matplotlib: pip install 'yatzy[plots]'") from None
    figure = Figure(figsize=(8, 4.8), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title)
    axes.grid(alpha=0.25)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.supxlabel(caption, fontsize=8, color="#444444")
    return figure


def _write(figure: Figure, path: Path) -> None:
    """Written aside and renamed, so that a broken figure never replaces a good one."""
    aside = path.with_name(f".part-{path.name}")
    try:
        figure.savefig(aside, dpi=160)
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


BARS = " ▁▂▃▄▅▆▇█"


def bars(values: FloatArray, first: int, width: int = 60, height: int = 6) -> str:
    """A curve from `first` on as a block of characters, with its scale."""
    groups = np.array_split(values, min(width, len(values)))
    tops = np.array([group.mean() for group in groups])
    levels = np.round(tops / tops.max() * height * 8).astype(int)
    rows = ["".join(BARS[int(np.clip(level - 8 * row, 0, 8))] for level in levels) for row in range(height - 1, -1, -1)]
    last = str(first + len(values) - 1)
    return "\n".join([*rows, str(first).ljust(len(groups) - len(last)) + last])
