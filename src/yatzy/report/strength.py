"""The report of a strength measurement, in English: a document with tables and figures, and the errors as CSV."""

from __future__ import annotations

from pathlib import Path

from yatzy.lab.plots import write_figure
from yatzy.lab.sample import Estimate
from yatzy.lab.strength import LIMITS, NORMAL, TIE, StrengthResult, summaries
from yatzy.lab.strength_figures import draw_error_chances, draw_mean_errors, errors_csv, sampled_caption
from yatzy.report.document import Block, Figure, Heading, Marked, Paragraph, Table, to_markdown
from yatzy.store.files import write_atomic

OVERALL = "over all depths, each with the same weight"
BY_DEPTH = "mean error by depth"


def write_strength(result: StrengthResult, folder: Path) -> None:
    """Write errors.csv, strength.md and both figures, as SVG and PNG, into a folder."""
    write_atomic(folder / "errors.csv", errors_csv(result))
    for name, figure in (("mean-error", draw_mean_errors(result)), ("error-chances", draw_error_chances(result))):
        for ending in ("svg", "png"):
            write_figure(figure, folder / f"{name}.{ending}")
    write_atomic(folder / "strength.md", to_markdown(strength_blocks(result)))


def strength_blocks(result: StrengthResult) -> list[Block]:
    """The whole report. Its figures are beside it."""
    none = f"Errors are in match points; an error of at most {TIE:g} is ignored."
    shares = "Intervals (±) are 95 %, by the normal distribution. *Any error* and *> e* are shares of moves."
    return [
        Heading(f"{result.game.name()}: the loss of moves against perfect play", 1),
        Paragraph(sampled_caption(result, "Averages over several depths give every depth the same weight.")),
        Paragraph(Marked(f"{none} {shares}")),
        overall_table(result),
        Paragraph("Mean error by depth, the number of open categories of both players together:"),
        depth_table(result, intervals=True),
        Figure(Path("mean-error.svg"), "Mean error of a move by depth"),
        Figure(Path("error-chances.svg"), "Chance of an error larger than e"),
    ]


def overall_table(result: StrengthResult, title: str = "") -> Table:
    """The losses of strategies over all depths, and up to COMPARED if some are deeper."""
    limits = [Marked(f"> {limit:.0e}".replace("e-0", "e-")) for limit in LIMITS]
    rows = []
    for span, found in summaries(result):
        if len(result.depths) == 1 or not span.isdigit():
            mean, error = found.mean.value, NORMAL * found.mean.error
            chances = [f"{share.value:.2g}" for share in (found.erring, *found.larger)]
            depths = f"{result.depths[0]}–{result.depths[-1]}" if span == "all" else span
            numbers = [depths, f"{found.positions:,}", f"{mean:.1e}", f"{error:.0e}", *chances, f"{found.worst:.2g}"]
            rows.append((found.strategy, *numbers))
    head = ("strategy", "depths", "positions", "mean error", "± 95 %", "any error", *limits, "worst")
    return Table(head, tuple(rows), frozenset({0}), title)


def depth_table(result: StrengthResult, title: str = "", *, intervals: bool) -> Table:
    """The mean error by depth, with or without its interval."""
    rows = []
    for name in result.strategies:
        means = [result.strength(name, [depth]).mean for depth in result.depths]
        rows.append((name, *(_mean_text(one, intervals) for one in means)))
    return Table(("strategy", *map(str, result.depths)), tuple(rows), frozenset({0}), title)


def _mean_text(mean: Estimate, interval: bool) -> str:
    if not mean.value:
        return "0"
    return f"{mean.value:.1e}" + (f" ± {NORMAL * mean.error:.0e}" if interval else "")


def strength_tables(result: StrengthResult) -> list[Block]:
    """The main numbers, for the terminal."""
    title = f"{result.game.name()}: the loss of moves against perfect play, in match points; seed {result.seed}"
    return [Paragraph(title), overall_table(result, OVERALL), depth_table(result, BY_DEPTH, intervals=False)]
