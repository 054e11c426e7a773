"""The results of a run, and their numbers as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yatzy import InputError, load_game
from yatzy.evaluation import EVALUATION
from yatzy.lab import SIMULATION, STRENGTH
from yatzy.store import write_atomic
from yatzy_papers.claims import Claim, Computed, Figures, Finding, Table, Value, Work, compare

USES = (EVALUATION, SIMULATION, STRENGTH)
"""The computations behind claims. When the revision of one rises, all claims are computed again."""


@dataclass(frozen=True)
class WorkResult:
    """The results of one work."""

    work: Work
    findings: tuple[Finding, ...]
    rows: Mapping[str, Sequence[Sequence[Value | None]]]
    """The rows of its tables, by key; without tables that are only computed in a full run."""
    pictures: Mapping[str, Path]
    """The files of its figures, by key."""


@dataclass(frozen=True)
class PapersResult:
    """The results of some works."""

    works: tuple[WorkResult, ...]
    full: bool

    @property
    def findings(self) -> list[Finding]:
        """The findings of all works."""
        return [finding for work in self.works for finding in work.findings]


def revisions(works: Sequence[Work]) -> dict[str, int]:
    """The revisions of all code behind the numbers of some works; claims and tables are listed only above 1."""
    found = {name: number for used in USES for name, number in used.revisions.items()}
    for work in works:
        found |= {claim.key: claim.revision for claim in work.claims if claim.revision > 1}
        found |= {table.key: table.revision for table in work.tables if table.revision > 1}
    return dict(sorted(found.items()))


def to_json(result: PapersResult) -> dict[str, Any]:
    """All computed numbers, the games they depend on, and the revisions of the code that computed them."""
    claims, tables, games = dict[str, Any](), dict[str, Any](), set[str]()
    for work in result.works:
        for finding in work.findings:
            figures = {one.printed.name: one.computed for one in finding.figures if one.computed is not None}
            evidence = {one.printed.name: one.computed for one in finding.evidence if one.computed is not None}
            games |= set(finding.claim.games)
            if figures:
                claims[finding.claim.key] = {"figures": figure_rows(figures), "evidence": figure_rows(evidence)}
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


def merge(known: Mapping[str, Any], found: Mapping[str, Any], works: Sequence[Work]) -> dict[str, Any]:
    """The numbers of a full run of some of the works, and the known ones of the others.

    `works` are all of them, in the order of the report. Numbers of works that are not in `found` are refused if the
    code or a game that they depend on has changed since they were computed.
    """
    if found["effort"] != "full":
        raise InputError("only the numbers of a full run can be merged")
    current, listed = revisions(works), {**known["games"], **found["games"]}
    old = [name for used in USES for name in used.revisions if known["revisions"].get(name) != current[name]]
    claims, tables, stale, games = dict[str, Any](), dict[str, Any](), set[str](), set[str]()
    for work in works:
        parts: list[Claim | Table] = [*work.claims, *work.tables]
        new = any(one.key in found["claims"] or one.key in found["tables"] for one in parts)
        source = found if new else known
        claims |= {one.key: source["claims"][one.key] for one in work.claims if one.key in source["claims"]}
        tables |= {one.key: source["tables"][one.key] for one in work.tables if one.key in source["tables"]}
        for one in (one for one in parts if one.key in claims or one.key in tables):
            games |= listed.keys() & one.games  # a preset that is newer than the numbers is not among them
            changed = any(known["games"].get(id, load_game(id).hash) != load_game(id).hash for id in one.games)
            if not new and (old or changed or known["revisions"].get(one.key, 1) != one.revision):
                stale.add(work.id)
    if stale:
        raise InputError(
            f"the code or the games of other works have changed, too; run {' '.join(sorted(stale))} as well"
        )
    return {
        "revisions": current,
        "effort": "full",
        "games": {id: load_game(id).hash for id in sorted(games)},
        "claims": claims,
        "tables": tables,
    }


def from_json(numbers: Mapping[str, Any], works: Sequence[Work], pictures: Mapping[str, Path]) -> PapersResult:
    """Restore the result from `to_json`, and compute its verdicts again. `pictures` are the figures to show."""
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
    """The numbers of a report from its `results.json`."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def write_numbers(path: Path, numbers: Mapping[str, Any]) -> None:
    """Write the numbers of a report."""
    write_atomic(path, json.dumps(numbers, ensure_ascii=False, indent=1) + "\n")


def figure_rows(figures: Figures) -> list[list[Any]]:
    """Computed figures as rows for JSON: name, value, error, sampling error, range."""
    return [
        [name, one.value, one.error, one.sampling_error, None if one.range is None else list(one.range)]
        for name, one in figures.items()
    ]


def read_figures(rows: Sequence[Sequence[Any]]) -> dict[str, Computed]:
    """Computed figures from JSON."""
    return {
        name: Computed(value, error, sampling_error, None if range_ is None else (range_[0], range_[1]))
        for name, value, error, sampling_error, range_ in rows
    }
