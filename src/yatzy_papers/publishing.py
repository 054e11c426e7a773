"""The report as it stands in the documents: the whole of it, and the table of the readme.

Both are made of the numbers of a full run alone (`results.json`), so that a text can be checked against them without
computing anything, and the numbers against the program without any text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yatzy.report.document import Marked, Paragraph, marked_table, to_markdown
from yatzy_papers.claims import Finding, Verdict
from yatzy_papers.report import report_blocks
from yatzy_papers.running import PapersResult, from_json
from yatzy_papers.works import find_works

HOW = (
    "What `yatzy papers --full` finds ([papers.md](papers.md)): all numbers of the publications on these games beside"
    " ours, and what none of them has."
)
README_ROWS = {
    "yatzy": "248.4400, Tillius 2026",
    "yatzy-no-bonus": "211.1487, Tillius 2026",
    "yatzy-lenient-two-pairs": "248.6329, Tillius 2026",
    "yahtzee": "",
    "yahtzee-free-joker": "254.5896, Verhoeff 1999, Glenn 2006",
    "yahtzee-pawlewicz": "254.589374, Pawlewicz 2008",
    "maxi-yatzy": "",
}
"""The games that the readme shows, and what is in print."""
BEGIN, END = "<!-- made by docs/make.py -->", "<!-- until here -->"


def whole_result(numbers: Mapping[str, Any], pictures: Mapping[str, Path]) -> PapersResult:
    """The result of all works from its numbers."""
    return from_json(numbers, find_works([]), pictures)


def results_page(numbers: Mapping[str, Any], pictures: Mapping[str, Path]) -> str:
    """The report with some of its figures."""
    result = whole_result(numbers, pictures)
    return f"{BEGIN}\n" + to_markdown(report_blocks(result, "Results", [Paragraph(Marked(HOW))]))


def readme_table(numbers: Mapping[str, Any]) -> str:
    """What stands between the marks of the readme."""
    means = {row[0]: row[1] for key in ("new.presets", "new.maxi") for row in numbers["tables"][key]}
    rows = tuple((f"`{id}`", f"{means[f'`{id}`']:.6f}", text) for id, text in README_ROWS.items())
    grid = marked_table(("game", "expected score", "in print"), rows, words=3)
    summary = f"{verdicts(whole_result(numbers, {}).findings)}:"
    made_by = Marked(f"{summary}\n[docs/results.md](docs/results.md), made by `yatzy papers`.")
    text = to_markdown([grid, Paragraph(made_by)])
    return f"{BEGIN}\n{text}{END}"


def verdicts(findings: Sequence[Finding]) -> str:
    """How many figures in print came out how, in a sentence."""
    figures = [one for finding in findings for one in finding.figures]
    counts = {verdict: sum(one.verdict is verdict for one in figures) for verdict in Verdict}
    unknown = sum(one.reason is not None and not one.reason.known for one in figures)
    text = (
        f"Of {len(figures)} figures in print {counts[Verdict.REPRODUCED]} are reproduced,"
        f" {counts[Verdict.DIFFERS]} differ and {counts[Verdict.UNCHECKED]} cannot be checked (times of other programs,"
        " people's games, errors too rare to meet). Why a figure differs was found out and computed"
    )
    return text + (
        f", but for {unknown} where ours was found in two ways and theirs stays unexplained" if unknown else ""
    )


def with_table(readme: str, table: str) -> str:
    """The readme with the table in its place."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + table + after
