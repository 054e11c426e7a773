"""What a siege counts, and the report: findings, progress files that a later run goes on from, a table and JSON."""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

KINDS = ("loss", "wrong", "traceback", "signal", "hang", "leak", "unclear")
"""Lost work, a wrong answer, a traceback, death by a signal, no end, a leak, an answer not of the promised form."""
LONGEST = 2000
"""Characters of a finding that are kept."""


@dataclass(frozen=True)
class Finding:
    """Something that must not happen, with what repeats it."""

    kind: str
    what: str
    reproduce: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is no kind of finding; kinds are {', '.join(KINDS)}")


@dataclass
class Result:
    """What one try found; a try may stand for many small ones of the same campaign."""

    tries: int = 1
    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    """Other things worth knowing, such as how many texts were refused."""

    def add(self, kind: str, what: str, reproduce: str = "") -> None:
        """Note a finding, shortened."""
        self.findings.append(Finding(kind, what[:LONGEST], reproduce[:LONGEST]))


@dataclass(frozen=True)
class Line:
    """A finished try in a progress file."""

    number: int
    tries: int
    seconds: float
    findings: tuple[Finding, ...]
    counts: dict[str, int]


class Progress:
    """The progress file of one campaign: a line of JSON for every finished try."""

    def __init__(self, path: Path, key: dict[str, Any]) -> None:
        self.path, self._key = path, key
        path.parent.mkdir(parents=True, exist_ok=True)
        if not self._goes_on():
            path.write_text(json.dumps(key) + "\n", encoding="utf-8")

    def _goes_on(self) -> bool:
        """Whether the file belongs to this very campaign; a half line at its end is cut off."""
        try:
            lines = self.path.read_bytes().splitlines(keepends=True)
            ours = bool(lines) and json.loads(lines[0]) == self._key
        except (OSError, ValueError):
            return False
        if ours and not lines[-1].endswith(b"\n"):
            self.path.write_bytes(b"".join(lines[:-1]))
        return ours

    def keep(self, number: int, seconds: float, result: Result) -> None:
        """Add a try in one write, so that several processes may do so."""
        line = Line(number, result.tries, seconds, tuple(result.findings), dict(result.counts))
        data = json.dumps(asdict(line)).encode() + b"\n"
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)

    def lines(self) -> Iterator[Line]:
        """All finished tries."""
        for text in self.path.read_text(encoding="utf-8").splitlines()[1:]:
            fields = json.loads(text)
            fields["findings"] = tuple(Finding(**one) for one in fields["findings"])
            yield Line(**fields)


@dataclass(frozen=True)
class Outcome:
    """A campaign as far as it went."""

    name: str
    seed: int
    planned: int
    """Jobs; each may be many tries."""
    done: int
    tries: int
    seconds: float
    """Of work, over all runs; on several cores less passes on the clock."""
    clock: float
    """Seconds on the clock of this run."""
    counts: dict[str, int]
    findings: tuple[tuple[int, Finding], ...]
    notes: tuple[str, ...] = ()

    def repeat(self, number: int) -> str:
        """The command that runs a try again."""
        return f"python -m siege --seed {self.seed} {self.name} --only {number}"

    def of(self, kind: str) -> int:
        """How many findings are of a kind."""
        return sum(finding.kind == kind for _, finding in self.findings)


def outcome(name: str, seed: int, planned: int, progress: Progress, clock: float, notes: Sequence[str]) -> Outcome:
    """Add up the progress file of a campaign."""
    tries, seconds, counts, done = 0, 0.0, Counter[str](), set[int]()
    findings = list[tuple[int, Finding]]()
    for line in progress.lines():
        tries, seconds = tries + line.tries, seconds + line.seconds
        counts.update(line.counts)
        if line.number >= 0:
            done.add(line.number)
        findings += [(line.number, finding) for finding in line.findings]
    return Outcome(name, seed, planned, len(done), tries, seconds, clock, dict(counts), tuple(findings), tuple(notes))


def write_report(outcomes: Sequence[Outcome], path: Path) -> None:
    """All of it as JSON."""
    fields = {
        "made": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "campaigns": [
            {
                **{name: getattr(one, name) for name in ("name", "seed", "planned", "done", "tries")},
                "seconds": round(one.seconds, 1),
                "clock": round(one.clock, 1),
                "found": {kind: one.of(kind) for kind in KINDS},
                "counts": one.counts,
                "notes": list(one.notes),
                "findings": [
                    {"try": number, "again": one.repeat(number), **asdict(finding)} for number, finding in one.findings
                ],
            }
            for one in outcomes
        ],
    }
    path.write_text(json.dumps(fields, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")


def print_report(outcomes: Sequence[Outcome]) -> None:
    """The table, then every finding in a few lines."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table("campaign", title="siege")
    for heading in ("jobs", "tries", *KINDS, "clock s"):
        table.add_column(heading, justify="right")
    for one in outcomes:
        jobs = f"{one.done:,}/{one.planned:,}"
        found = [str(one.of(kind)) for kind in KINDS]
        table.add_row(one.name, jobs, f"{one.tries:,}", *found, f"{one.clock:,.0f}")
    console = Console(width=130, highlight=False)
    console.print(table)
    for one in outcomes:
        for note in one.notes:
            console.print(escape(f"{one.name}: {note}"))
        if one.counts:
            told = ", ".join(f"{name} {count:,}" for name, count in sorted(one.counts.items())[:40])
            console.print(escape(f"{one.name}: {told}"))
        alike = Counter(signature(finding) for _, finding in one.findings)
        first = {signature(finding): (number, finding) for number, finding in reversed(one.findings)}
        for sign, times in alike.most_common(SHOWN):
            number, finding = first[sign]
            console.print(escape(f"{one.name}: {times} × {finding.kind}, the first in {number}: {finding.what[:400]}"))
            if number >= 0:
                console.print(escape(f"    {one.repeat(number)}"))
            if finding.reproduce:
                console.print(escape(f"    {finding.reproduce[:300]}"))
        if len(alike) > SHOWN:
            console.print(f"{one.name}: {len(alike) - SHOWN} more kinds are in the report")


SHOWN = 25
"""Findings of a campaign on the terminal, of those that are alike the first."""


def signature(finding: Finding) -> str:
    """What findings have in common that come from one cause: words without numbers and without what was quoted."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|/\S+|[0-9]+", "", finding.what)
    return f"{finding.kind} {text[-70:] if finding.kind == 'traceback' else text[:70]}"
