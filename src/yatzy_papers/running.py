"""Settling all claims of some works: computed or read, drawn, and written as a report."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from yatzy.errors import InputError
from yatzy.reading import MOST_KEPT, read_bounded
from yatzy.solver import Solver
from yatzy.store.files import locked, write_atomic
from yatzy.store.kept import encode_json
from yatzy_papers.claims import Claim, Cost, Drawing, Figure, Finding, Table, Value, Work, compare
from yatzy_papers.desk import USES, Desk, plain_figures, read_figures

FIGURES = "figures"
REPORT, PAGE, NUMBERS, TARGETS = "report.md", "report.html", "results.json", "targets.csv"


@dataclass(frozen=True)
class WorkResult:
    """A work, and what came of it."""

    work: Work
    findings: tuple[Finding, ...]
    rows: Mapping[str, Sequence[Sequence[Value | None]]]
    """Of its tables, by key; those that wait for a full run are not there."""
    pictures: Mapping[str, Path]
    """Its figures by key."""


@dataclass(frozen=True)
class PapersResult:
    """What came of some works."""

    works: tuple[WorkResult, ...]
    full: bool

    @property
    def findings(self) -> list[Finding]:
        """All claims."""
        return [finding for work in self.works for finding in work.findings]


def run_papers(
    works: Sequence[Work], folder: str | Path, solver: Solver | None = None, *, full: bool = False
) -> PapersResult:
    """Compute what is not there yet, draw, and write report.md, report.html, results.json, targets.csv, figures/."""
    from yatzy_papers.report import report_blocks, write_report

    folder = Path(folder)
    _require_drawing()
    desk = Desk(folder, solver, full=full)
    with locked(folder / "parts", "papers", desk.solver.report):
        meter = _Meter(desk, works)
        found = [_settle(desk, work, meter) for work in works]
        result = PapersResult(tuple(found), full)
        write_atomic(folder / NUMBERS, json.dumps(to_json(result), ensure_ascii=False, indent=1) + "\n")
        if any(work.id == "new" for work in works):
            write_atomic(folder / TARGETS, _targets(desk))
        write_report(report_blocks(result), folder)
    return result


def _require_drawing() -> None:
    """Refuse at once what could not be drawn in the end."""
    from yatzy.lab.plots import print_style
    from yatzy_papers.graphs import require_networkx

    require_networkx()
    with print_style():
        pass


class _Meter:
    """Progress over claims, tables and figures."""

    def __init__(self, desk: Desk, works: Sequence[Work]) -> None:
        self._total = sum(len(work.claims) + len(work.tables) + len(work.drawings) for work in works)
        self._done, self._watch = 0, desk.watch("claims, tables and figures", "Settling")
        self.step(0)

    def step(self, more: int = 1) -> None:
        """One more is done."""
        self._done += more
        if self._watch is not None:
            self._watch(self._done, self._total)


def _settle(desk: Desk, work: Work, meter: _Meter) -> WorkResult:
    findings, rows, pictures = list[Finding](), dict[str, Any](), dict[str, Path]()
    for claim in work.claims:
        found = desk.figures(claim)
        findings.append(compare(claim, *(found or (None, {}))))
        meter.step()
    for table in work.tables:
        if (lines := desk.rows(table)) is not None:
            rows[table.key] = lines
        meter.step()
    for drawing in work.drawings:
        if desk.full or drawing.cost is Cost.QUICK:
            pictures[drawing.key] = _draw(desk, drawing)
        meter.step()
    return WorkResult(work, tuple(findings), rows, pictures)


def _draw(desk: Desk, drawing: Drawing) -> Path:
    """Draw a figure, as SVG for the report and as PNG to look at, unless the files of this effort are there."""
    from yatzy.lab.plots import write_figure

    path = desk.folder / FIGURES / f"{drawing.key}.svg"
    files = [path, path.with_suffix(".png")]
    kept, key = desk.kept("figures", drawing), {"effort": desk.effort.value}
    hashes = kept.read(key, json.loads)
    if hashes is None or hashes != [_file_hash(file) for file in files]:
        figure: Any = drawing.draw(desk)
        for file in files:
            write_figure(figure, file)
        kept.write(key, encode_json([_file_hash(file) for file in files]))
    return path


def _file_hash(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _targets(desk: Desk) -> str:
    from yatzy_papers.works.new.results import all_targets

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["game", "target", "best chance", "expected-score strategy"])
    writer.writerows([id, target, f"{best:.9g}", f"{reached:.9g}"] for id, target, best, reached in all_targets(desk))
    return text.getvalue()


# Numbers as JSON


def revisions(works: Sequence[Work]) -> dict[str, int]:
    """The revisions of everything that goes into the numbers of some works; those of claims only where above 1."""
    found = {name: number for used in USES for name, number in used.revisions.items()}
    for work in works:
        found |= {claim.key: claim.revision for claim in work.claims if claim.revision > 1}
        found |= {table.key: table.revision for table in work.tables if table.revision > 1}
    return dict(sorted(found.items()))


def to_json(result: PapersResult) -> dict[str, Any]:
    """All numbers of ours, without what is in print, and the revisions of the code that computed them."""
    from yatzy.games import load_game

    claims, tables, games = dict[str, Any](), dict[str, Any](), set[str]()
    for work in result.works:
        for finding in work.findings:
            figures = {one.entry.name: one.ours for one in finding.figures if one.ours is not None}
            evidence = {one.entry.name: one.ours for one in finding.evidence if one.ours is not None}
            games |= set(finding.claim.games)
            if figures:
                claims[finding.claim.key] = {"figures": plain_figures(figures), "evidence": plain_figures(evidence)}
        for table in work.work.tables:
            games |= set(table.games)
            if table.key in work.rows:
                tables[table.key] = [list(row) for row in work.rows[table.key]]
    return {
        "revisions": revisions([work.work for work in result.works]),
        "effort": "full" if result.full else "quick",
        "games": {id: load_game(id).hash for id in sorted(games)},
        "claims": claims,
        "tables": tables,
    }


def from_json(numbers: Mapping[str, Any], works: Sequence[Work], pictures: Mapping[str, Path]) -> PapersResult:
    """The result that `to_json` was made of, its verdicts found again; of figures those that are given."""
    found = []
    for work in works:
        findings = tuple(_read_finding(claim, numbers["claims"]) for claim in work.claims)
        rows = {table.key: numbers["tables"][table.key] for table in work.tables if table.key in numbers["tables"]}
        own = {drawing.key: pictures[drawing.key] for drawing in work.drawings if drawing.key in pictures}
        found.append(WorkResult(work, findings, rows, own))
    return PapersResult(tuple(found), numbers["effort"] == "full")


def _read_finding(claim: Claim, numbers: Mapping[str, Any]) -> Finding:
    if claim.key not in numbers:
        return compare(claim, None, {})
    part = numbers[claim.key]
    return compare(claim, read_figures(part["figures"]), read_figures(part["evidence"]))


def read_numbers(path: Path) -> dict[str, Any]:
    """The numbers of a report."""
    try:
        found: dict[str, Any] = json.loads(read_bounded(path, MOST_KEPT, "the numbers of a report"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    return found


__all__ = [
    "Figure",
    "PapersResult",
    "Table",
    "WorkResult",
    "from_json",
    "read_numbers",
    "run_papers",
    "to_json",
]
