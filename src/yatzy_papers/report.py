"""The report: printed figures beside ours with their verdicts, the reasons for differences, and new results."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from yatzy.report import Block, Figure, Heading, Marked, Paragraph, Table, marked_table, to_html, to_markdown
from yatzy.store import write_atomic
from yatzy_papers.claims import Cause, Compared, Computed, Finding, Printed, Relation, Verdict
from yatzy_papers.inventory import Inventory, Status, read_inventories
from yatzy_papers.results import PapersResult, WorkResult

REPORT, PAGE = "report.md", "report.html"
TITLE = "The literature, recomputed"
MORE_DIGITS = 2
"""Additional digits of a computed figure beside a printed one."""
LONGEST = 24
"""Length limit of a figure in an overview, in characters."""
SIGNIFICANT = 4
"""Significant digits of a computed figure beside a bound."""

HOW_TO_READ = (
    "Each printed figure is shown beside ours. It is *reproduced* if ours agrees to within half a unit of its last"
    " digit. If one of the two was measured in a sample, or both were, they may also differ by four standard errors of"
    " their difference; ± is one standard error of ours. *Range* is where a percentile or an extreme of a sample like"
    " the printed one lies. Every figure that *differs* has a reason, and every reason comes with further"
    " figures that were computed to check it; where the cause was not found, the report says so."
)
INVENTORY = (
    "What the works print, as far as we know: figures, drawings, games and rules. `yatzy papers --list` shows all"
    " entries. A *claim* is computed here and has a verdict. *Not at hand* is in print, but we do not know its content."
    " The table counts figures; a drawing, a game or a rule without figures counts as one."
)
WHY = {Cause.FOUND: "Why", Cause.PARTLY: "Why, in part", Cause.NOT_FOUND: "Not explained"}
COLOURS = {Verdict.REPRODUCED.value: "good", Verdict.DIFFERS.value: "bad"}


def _heading(level: int, text: str) -> Heading:
    return Heading(Marked(text), level)


def _says(text: str) -> Paragraph:
    return Paragraph(Marked(text))


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> Table:
    return marked_table(head, rows, words, COLOURS)


def write_report(result: PapersResult, folder: Path) -> None:
    """Write the report as Markdown, and as one HTML file that contains all figures."""
    blocks = report_blocks(result)
    write_atomic(folder / PAGE, to_html(blocks, TITLE, contents=True))
    write_atomic(folder / REPORT, to_markdown(blocks, folder))


def report_blocks(result: PapersResult, title: str = TITLE, head: Sequence[Block] = ()) -> list[Block]:
    """The whole report."""
    blocks: list[Block] = [_heading(1, title), *head, _says(HOW_TO_READ)]
    if result.findings:
        blocks += [_heading(2, "Verdicts"), verdict_table(result), *_differences(result), *_inventory(result)]
    for work in result.works:
        blocks += list(_work(work))
    return blocks


def verdict_table(result: PapersResult) -> Table:
    """The number of figures of each work with each verdict."""
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


def inventory_blocks(inventories: Sequence[Inventory]) -> list[Block]:
    """All entries of some inventories, and their counts."""
    blocks: list[Block] = []
    for one in inventories:
        rows = tuple(
            (entry.what, entry.place, entry.status.value, entry.claim or entry.drawing or entry.why)
            for entry in one.entries
        )
        blocks += [
            _heading(2, one.work.title),
            _grid(("in print", "place", "status", "claim or drawing, or why not"), rows, words=4),
        ]
    return [*blocks, _heading(2, "Counts"), inventory_table(inventories)]


def inventory_table(inventories: Sequence[Inventory]) -> Table:
    """The number of printed figures of each work with each status."""
    rows = [
        (one.work.title, str(len(one.entries)), *(str(one.count(status)) for status in Status), str(one.total))
        for one in inventories
    ]
    totals = [sum(int(row[column]) for row in rows) for column in range(1, len(Status) + 3)]
    rows.append(("all", *map(str, totals)))
    return _grid(("in print", "entries", *(status.value for status in Status), "together"), tuple(rows))


def _differences(result: PapersResult) -> Iterator[Block]:
    rows = [
        (
            work.work.title,
            f"{finding.claim.where}: {one.printed.name}",
            short_text(one.printed.text),
            short_text(computed_text(one.printed, one.computed)),
            (Cause.NOT_FOUND if one.reason is None else one.reason.cause).value,
        )
        for work in result.works
        for finding in work.findings
        for one in finding.figures
        if one.verdict is Verdict.DIFFERS
    ]
    if rows:
        yield _heading(3, "What differs")
        yield _grid(("work", "figure", "in print", "ours", "cause"), tuple(rows), words=2)
        yield _says("The reasons are given with the claims below.")


def _inventory(result: PapersResult) -> Iterator[Block]:
    inventories = [one for one in read_inventories([work.work for work in result.works]) if one.entries]
    if inventories:
        yield _heading(3, "Inventory")
        yield _says(INVENTORY)
        yield inventory_table(inventories)


def short_text(text: str) -> str:
    """Truncate the text of a cell in an overview."""
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
                yield Figure(result.pictures[key], Marked(f"{drawing.title}{where}"), caption=True)

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
    """The number of leading columns to treat as words: at least one, and all up to the last text column."""
    return max((place + 1 for place, form in enumerate(formats[:3]) if not form), default=1)


def claim_blocks(finding: Finding) -> Iterator[Block]:
    """A claim with its figures, and why some differ."""
    claim = finding.claim
    yield _heading(3, f"{claim.where[0].upper()}{claim.where[1:]}")
    how = f" Ours: {claim.how}." if claim.how else ""
    yield _says(f"{claim.says}{how}")
    if claim.unchecked:
        rows = tuple((one.printed.name, one.printed.text) for one in finding.figures)
        yield _grid(("figure", "in print"), rows)
        yield _says(f"Cannot be checked. {claim.unchecked}")
        return
    with_range = any(one.computed is not None and one.computed.range is not None for one in finding.figures)
    head = ("figure", "in print", "ours", *(("range",) if with_range else ()), "verdict")
    yield _grid(head, tuple(_line(one, with_range) for one in finding.figures))
    yield from _reasons(finding)


def _line(one: Compared, with_range: bool) -> tuple[str, ...]:
    cells = [one.printed.name, one.printed.text, computed_text(one.printed, one.computed)]
    if with_range:
        found = None if one.computed is None else one.computed.range
        cells.append("" if found is None else f"{found[0]:g}–{found[1]:g}")
    return *cells, one.verdict.value


def _reasons(finding: Finding) -> Iterator[Block]:
    """The reasons for differences, each once, with their evidence."""
    reasons = {id(one.reason): one.reason for one in finding.figures if one.reason is not None}
    for reason in reasons.values():
        yield _says(f"{WHY[reason.cause]}: {reason.says}")
        shown = [one for one in finding.evidence if one.reason is reason and one.computed is not None]
        rows = tuple(
            (
                one.printed.name,
                one.printed.text,
                computed_text(one.printed, one.computed),
                "holds" if one.verdict is Verdict.REPRODUCED else "does not hold",
            )
            for one in shown
        )
        if rows:
            yield _grid(("evidence", "should be", "is", ""), rows)


def computed_text(printed: Printed, computed: Computed | None) -> str:
    """A computed figure, with MORE_DIGITS more digits than the printed one."""
    if computed is None:
        return ""
    if isinstance(computed.value, str):
        return computed.value
    text = _number(printed, computed.value)
    if computed.error:
        bound = printed.relation in (Relation.BELOW, Relation.ABOVE)
        text += f" ± {_significant(computed.error, 2) if bound else _number(printed, computed.error)}"
    return text


def _number(printed: Printed, value: float | int) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if printed.relation in (Relation.BELOW, Relation.ABOVE, Relation.WORD):
        return _significant(value)
    if "e" in printed.text:
        digits = len(printed.text.split("e")[0].partition(".")[2])
        return f"{value:.{digits + MORE_DIGITS}e}"
    percent = printed.text.endswith(" %")
    decimals = len(printed.text.removesuffix(" %").partition(".")[2])
    text = f"{100 * value if percent else value:,.{decimals + MORE_DIGITS}f}"
    return f"{text} %" if percent else text


def _significant(value: float, digits: int = SIGNIFICANT) -> str:
    """A number with some significant digits, in plain notation if that is short."""
    if value == 0:
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{max(min(places, 10), 0)}f}" if abs(value) >= 1e-4 else f"{value:.{min(digits, 3) - 1}e}"
