"""The report of a strength measurement: a document with tables and figures, and the errors as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from yatzy.lab.plots import figure_bytes
from yatzy.lab.sample import Estimate
from yatzy.lab.strength import LIMITS, NORMAL, TIE, StrengthResult, summaries
from yatzy.lab.strength_figures import draw_error_chances, draw_mean_errors, errors_csv, sampled_caption
from yatzy.report.document import Block, Figure, Heading, Marked, Paragraph, Table, to_markdown
from yatzy.report.figures import strength_words
from yatzy.report.numbers import count
from yatzy.report.texts import text, texts


def strength_files(result: StrengthResult, language: str = "en") -> Iterator[tuple[str, str | bytes]]:
    """The names and contents of errors.csv, both figures as SVG and PNG, and strength.md."""
    yield "errors.csv", errors_csv(result)
    words = strength_words(language)
    drawn = {
        "mean-error": draw_mean_errors(result, words=words),
        "error-chances": draw_error_chances(result, words=words),
    }
    for name, figure in drawn.items():
        for kind in (".svg", ".png"):
            yield f"{name}{kind}", figure_bytes(figure, kind)
    yield "strength.md", to_markdown(strength_blocks(result, language))


def strength_blocks(result: StrengthResult, language: str = "en") -> list[Block]:
    """The whole report. Its figures are beside it."""
    weights = text(language, "strength.weights")
    return [
        Heading(text(language, "strength.heading", game=result.game.name(language)), 1),
        Paragraph(sampled_caption(result, weights, words=strength_words(language))),
        Paragraph(Marked(text(language, "strength.about", tie=f"{TIE:g}"))),
        overall_table(result, language=language),
        Paragraph(text(language, "strength.depths_follow")),
        depth_table(result, intervals=True, language=language),
        Figure(Path("mean-error.svg"), text(language, "strength.mean_figure")),
        Figure(Path("error-chances.svg"), text(language, "strength.chance_figure")),
    ]


def overall_table(result: StrengthResult, title: str = "", language: str = "en") -> Table:
    """The losses of strategies over all depths, and up to COMPARED if some are deeper."""
    limits = [Marked(f"> {limit:.0e}".replace("e-0", "e-")) for limit in LIMITS]
    rows = []
    for span, found in summaries(result):
        if len(result.depths) == 1 or not span.isdigit():
            mean, error = found.mean.value, NORMAL * found.mean.error
            chances = [f"{share.value:.2g}" for share in (found.erring, *found.larger)]
            depths = _depths(result, span, language)
            numbers = [_local(one, language) for one in (f"{mean:.1e}", f"{error:.0e}", *chances, f"{found.worst:.2g}")]
            rows.append((found.strategy, depths, count(found.positions, language), *numbers))
    names = ("strategy", "depths", "positions", "mean_error", "interval", "any_error")
    head = (*(text(language, f"strength.{name}") for name in names), *limits, text(language, "strength.worst"))
    return Table(head, tuple(rows), frozenset({0}), title)


def _depths(result: StrengthResult, span: str, language: str) -> str:
    """The depths of a summary, which is of all, up to one ("to 8"), or of one."""
    if span == "all":
        return f"{result.depths[0]}–{result.depths[-1]}"
    return span if span.isdigit() else text(language, "strength.up_to", depth=span.rpartition(" ")[2])


def depth_table(result: StrengthResult, title: str = "", *, intervals: bool, language: str = "en") -> Table:
    """The mean error by depth, with or without its interval."""
    rows = []
    for name in result.strategies:
        means = [result.strength(name, [depth]).mean for depth in result.depths]
        rows.append((name, *(_local(_mean_text(one, intervals), language) for one in means)))
    return Table((text(language, "strength.strategy"), *map(str, result.depths)), tuple(rows), frozenset({0}), title)


def _mean_text(mean: Estimate, interval: bool) -> str:
    if not mean.value:
        return "0"
    return f"{mean.value:.1e}" + (f" ± {NORMAL * mean.error:.0e}" if interval else "")


def _local(shown: str, language: str) -> str:
    return shown.replace(".", texts(language)["number.decimal"])


def strength_tables(result: StrengthResult, language: str = "en") -> list[Block]:
    """The main numbers, for the terminal."""
    overall, by_depth = (text(language, f"strength.{key}") for key in ("overall", "by_depth"))
    return [
        Paragraph(text(language, "strength.title", game=result.game.name(language), seed=result.seed)),
        overall_table(result, overall, language),
        depth_table(result, by_depth, intervals=False, language=language),
    ]
