"""The report: every figure in print beside ours with its verdict, why some differ, the figures, and what is new."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from yatzy.report import document
from yatzy.report.document import Block, Heading, Marked, Paragraph, Table, marked_table, to_html, to_markdown
from yatzy.store.files import write_atomic
from yatzy_papers.claims import Compared, Entry, Figure, Finding, Relation, Verdict
from yatzy_papers.running import PAGE, REPORT, PapersResult, WorkResult

TITLE = "The literature, recomputed"
SHOWN = 2
"""Digits of ours beyond those in print."""
LONGEST = 24
"""Letters of a figure in an overview."""
LEAST = 4
"""Digits of an exact number of ours beside a bound."""

HOW_TO_READ = (
    "Every figure in print stands beside ours. It is *reproduced* when ours lies within half a unit of its last digit;"
    " where the print is a sample of games, within four standard errors of a sample of that size besides, for ours is"
    " exact; where ours is measured, ± is one standard error of it. *Room* is what samples of that size show of a"
    " percentile or an extreme. What *differs* has a reason, and every reason figures of its own that were computed;"
    " where what lies behind the print was not found, it says so."
)


COLOURS = {Verdict.REPRODUCED.value: "good", Verdict.DIFFERS.value: "bad"}


def _heading(level: int, text: str) -> Heading:
    return Heading(Marked(text), level)


def _says(text: str) -> Paragraph:
    return Paragraph(Marked(text))


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> Table:
    return marked_table(head, rows, words, COLOURS)


def write_report(blocks: Sequence[Block], folder: Path) -> None:
    """Write the report as Markdown, and as one HTML file with all figures in it."""
    write_atomic(folder / PAGE, to_html(blocks, TITLE, contents=True))
    write_atomic(folder / REPORT, to_markdown(blocks, folder))


def report_blocks(result: PapersResult, title: str = TITLE, head: Sequence[Block] = ()) -> list[Block]:
    """The whole report."""
    blocks: list[Block] = [_heading(1, title), *head, _says(HOW_TO_READ)]
    if result.findings:
        blocks += [_heading(2, "Verdicts"), verdict_grid(result), *_differences(result)]
    for work in result.works:
        blocks += list(_work(work))
    return blocks


def verdict_grid(result: PapersResult) -> Table:
    """How many figures of each work came out how."""
    shown = [Verdict.REPRODUCED, Verdict.DIFFERS, Verdict.UNCHECKED]
    if any(one.verdict is Verdict.WAITING for finding in result.findings for one in finding.figures):
        shown.append(Verdict.WAITING)
    rows, total = [], [0] * len(shown)
    for work in result.works:
        if work.findings:
            found = [one.verdict for finding in work.findings for one in finding.figures]
            counts = [found.count(verdict) for verdict in shown]
            total = [a + b for a, b in zip(total, counts, strict=True)]
            rows.append((work.work.title, *map(str, counts), str(len(found))))
    rows.append(("all", *map(str, total), str(sum(total))))
    return _grid(("figures in print", *(verdict.value for verdict in shown), "together"), tuple(rows))


def _differences(result: PapersResult) -> Iterator[Block]:
    rows = [
        (
            work.work.title,
            f"{finding.claim.where}: {one.entry.name}",
            _short(one.entry.print.text),
            _short(ours_text(one.entry, one.ours)),
            "found" if one.reason is not None and one.reason.known else "not found",
        )
        for work in result.works
        for finding in work.findings
        for one in finding.figures
        if one.verdict is Verdict.DIFFERS
    ]
    if rows:
        yield _heading(3, "What differs")
        yield _grid(("work", "figure", "in print", "ours", "what lies behind"), tuple(rows), words=2)
        yield _says("The reasons stand with the claims below.")


def _short(text: str) -> str:
    """Text of a cell among many."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _work(result: WorkResult) -> Iterator[Block]:
    work = result.work
    yield _heading(2, work.title)
    yield _says(work.about)
    drawn = {drawing.key: drawing for drawing in work.drawings if drawing.key in result.pictures}

    def pictures(before: str) -> Iterator[Block]:
        for key, drawing in drawn.items():
            if drawing.before == before:
                where = f" ({drawing.where})" if drawing.where else ""
                yield document.Figure(result.pictures[key], Marked(f"{drawing.title}{where}"), caption=True)

    for finding in result.findings:
        yield from pictures(finding.claim.key)
        yield from claim_blocks(finding)
    for table in work.tables:
        yield from pictures(table.key)
        yield _heading(3, table.title)
        yield _says(table.says)
        if table.key in result.rows:
            rows = tuple(tuple(table.text(row)) for row in result.rows[table.key])
            yield _grid(table.columns, rows, words=_words(table.formats))
        else:
            yield _says("Computed with --full.")
    yield from pictures("")


def _words(formats: Sequence[str]) -> int:
    """The columns up to the last one of words, the first in any case."""
    return max((place + 1 for place, form in enumerate(formats[:3]) if not form), default=1)


def claim_blocks(finding: Finding) -> Iterator[Block]:
    """A claim with its figures, and why some differ."""
    claim = finding.claim
    yield _heading(3, f"{claim.where[0].upper()}{claim.where[1:]}")
    how = f" Ours: {claim.how}." if claim.how else ""
    yield _says(f"{claim.says}{how}")
    if claim.unchecked:
        rows = tuple((one.entry.name, one.entry.print.text) for one in finding.figures)
        yield _grid(("figure", "in print"), rows)
        yield _says(f"Cannot be checked. {claim.unchecked}")
        return
    with_room = any(one.ours is not None and one.ours.room is not None for one in finding.figures)
    head = ("figure", "in print", "ours", *(("room",) if with_room else ()), "verdict")
    yield _grid(head, tuple(_line(one, with_room) for one in finding.figures))
    yield from _reasons(finding)


def _line(one: Compared, with_room: bool) -> tuple[str, ...]:
    ours = "" if one.ours is None else ours_text(one.entry, one.ours)
    room: tuple[str, ...] = ()
    if with_room:
        room = ("" if one.ours is None or one.ours.room is None else "{:g}–{:g}".format(*one.ours.room),)
    return one.entry.name, one.entry.print.text, ours, *room, one.verdict.value


def _reasons(finding: Finding) -> Iterator[Block]:
    """Why figures differ, each reason once, with what shows it."""
    reasons = {id(one.reason): one.reason for one in finding.figures if one.reason is not None}
    for reason in reasons.values():
        yield _says(f"{'Why' if reason.known else 'Not explained'}: {reason.says}")
        shown = [one for one in finding.evidence if one.reason is reason and one.ours is not None]
        rows = tuple(
            (
                one.entry.name,
                one.entry.print.text,
                ours_text(one.entry, one.ours) if one.ours is not None else "",
                "holds" if one.verdict is Verdict.REPRODUCED else "does not hold",
            )
            for one in shown
        )
        if rows:
            yield _grid(("what shows it", "should be", "is", ""), rows)


def ours_text(entry: Entry, ours: Figure | None) -> str:
    """A figure of ours, with two digits more than in print."""
    if ours is None:
        return ""
    if isinstance(ours.value, str):
        return ours.value
    text = _number(entry, ours.value)
    if ours.error:
        text += f" ± {_number(entry, ours.error)}"
    return text


def _number(entry: Entry, value: float | int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    printed = entry.print.text
    if entry.print.relation in (Relation.BELOW, Relation.ABOVE, Relation.WORD):
        return _significant(value)
    if "e" in printed:
        digits = len(printed.split("e")[0].partition(".")[2])
        return f"{value:.{digits + SHOWN}e}"
    percent = printed.endswith(" %")
    decimals = len(printed.removesuffix(" %").partition(".")[2])
    text = f"{100 * value if percent else value:,.{decimals + SHOWN}f}"
    return f"{text} %" if percent else text


def _significant(value: float) -> str:
    """A number to four digits, plain where that is short."""
    if value == 0:
        return "0"
    places = LEAST - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{max(min(places, 10), 0)}f}" if abs(value) >= 1e-4 else f"{value:.2e}"
