"""What is in print, what we find, and the verdict.

A figure in print is a text: a number with so many digits, a bound, or a word. Ours agrees with it when

    |ours − print| ≤ half a unit of the last digit + SIGMAS · √(error² + spread²)

where `error` is the standard error of ours (0 when exact) and `spread` that of a sample as large as the one in print
(0 when the print is no sample). A bound is kept up to SIGMAS · error. Quantiles and extremes of samples have a `room`
instead: from the least to the most that a sample of that size shows, but for one in ten thousand.

The verdict follows from that and is never typed. A claim that differs has a reason, and a reason has evidence: figures
of its own that are computed and compared in the same way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from yatzy.errors import InputError

if TYPE_CHECKING:
    from yatzy_papers.desk import Desk

SIGMAS = 4.0
"""Standard errors that two numbers may lie apart and still be the same."""
SINGLE = 1e-6
"""How far curves in single precision may be off, absolutely and relatively."""

Value: TypeAlias = float | int | str


class Verdict(Enum):
    """What comes of a claim."""

    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    UNCHECKED = "cannot be checked"
    WAITING = "only with --full"
    """Not computed in this run."""


class Cost(Enum):
    """When a claim is computed: always, or in a full run alone."""

    QUICK = "quick"
    FULL = "full"


class Relation(Enum):
    """How a figure in print binds ours."""

    EQUAL = "="
    BELOW = "<"
    ABOVE = ">"
    WORD = "word"


_NUMBER = re.compile(r"([-+]?)(\d[\d,]*|)(?:\.(\d+))?(?:e([-+]?\d+))?( %)?")


@dataclass(frozen=True, slots=True)
class Print:
    """A figure as it stands in print: `.0754`, `9.973 %`, `3.5e-06`, `< .03`, `sixes`."""

    text: str
    games: int = 0
    """The size of the sample that it comes from; 0 for none."""
    about: float = 0.0
    """A wider tolerance, where the print says "about"."""

    @property
    def relation(self) -> Relation:
        """How it binds ours."""
        if self.text[:2] in ("< ", "> "):
            return Relation(self.text[0])
        return Relation.EQUAL if self.text and _NUMBER.fullmatch(self.text) else Relation.WORD

    @property
    def _number(self) -> str:
        return self.text[2:] if self.text[:2] in ("< ", "> ") else self.text

    def _parts(self) -> tuple[float, float]:
        """The number, and half a unit of its last digit."""
        found = _NUMBER.fullmatch(self._number)
        assert found is not None
        sign, whole, decimals, exponent, percent = found.groups()
        digits = f"{whole.replace(',', '')}.{decimals or '0'}"
        scale = 10.0 ** int(exponent or 0) / (100 if percent else 1)
        value = float(f"{sign}{digits}") * scale
        return value, 0.5 * scale * 10.0 ** -len(decimals or "")

    @property
    def value(self) -> float:
        """The number."""
        return self._parts()[0]

    @property
    def tolerance(self) -> float:
        """How far an exact figure of ours may lie from it."""
        return self.about or self._parts()[1]

    def agrees(self, ours: Figure) -> bool:
        """Whether ours is the same."""
        if self.relation is Relation.WORD or isinstance(ours.value, str):
            return ours.value == self.text
        room = SIGMAS * math.hypot(ours.error, ours.spread)
        if self.relation is Relation.BELOW:
            return ours.value - room < self.value
        if self.relation is Relation.ABOVE:
            return ours.value + room > self.value
        if ours.room is not None and ours.room[0] <= self.value <= ours.room[1]:
            return True
        rounding = SINGLE * min(1.0, abs(self.value))
        return abs(ours.value - self.value) <= self.tolerance + rounding + room


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of ours."""

    value: Value
    error: float = 0.0
    """Its standard error; 0 when it is exact."""
    spread: float = 0.0
    """The standard error of a sample as large as the one in print."""
    room: tuple[float, float] | None = None
    """From the least to the most that a sample as large as the one in print shows."""


Figures: TypeAlias = Mapping[str, Figure]
"""Figures of ours by the name of what is in print."""
Compute: TypeAlias = "Callable[[Desk], Figures]"


@dataclass(frozen=True, slots=True)
class Entry:
    """One figure in print, and what it is of."""

    name: str
    print: Print


def entries(printed: Mapping[str, str], games: int = 0) -> tuple[Entry, ...]:
    """Figures in print by name."""
    return tuple(Entry(name, Print(text, games)) for name, text in printed.items())


@dataclass(frozen=True)
class Reason:
    """Why figures differ, and the figures that show it."""

    says: str
    evidence: tuple[Entry, ...] = ()
    """What must hold if the reason is right."""
    compute: Compute | None = None
    of: tuple[str, ...] = ()
    """The names of the figures that it explains; all of the claim's when left out."""
    known: bool = True
    """Whether it says where the print comes from; else only that ours was found in another way as well."""


@dataclass(frozen=True)
class Claim:
    """A table, a figure or a sentence of a publication."""

    key: str
    where: str
    """Where it stands, or which of its subjects it belongs to."""
    says: str
    """What it says, in words."""
    printed: tuple[Entry, ...]
    compute: Compute | None = None
    games: tuple[str, ...] = ()
    """The presets that it depends on."""
    cost: Cost = Cost.QUICK
    varies: bool = False
    """Whether a full run measures more than a quick one."""
    reasons: tuple[Reason, ...] = ()
    unchecked: str = ""
    """Why it cannot be checked, if it cannot."""
    how: str = ""
    """How ours is computed."""
    revision: int = 1
    """Raise it by 1 when the code of this claim changes its figures; those that are kept are then computed again."""

    def __post_init__(self) -> None:
        if (self.compute is None) != bool(self.unchecked):
            raise InputError(f"{self.key}: a claim is computed, or says why it cannot be checked")
        if not self.printed or not self.where or not self.says:
            raise InputError(f"{self.key}: a claim says where it stands, what it says, and what is in print")

    def reason_for(self, name: str) -> Reason | None:
        """The reason given for a figure that differs."""
        return next((reason for reason in self.reasons if not reason.of or name in reason.of), None)


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure in print beside ours."""

    entry: Entry
    ours: Figure | None
    verdict: Verdict
    reason: Reason | None = None


@dataclass(frozen=True)
class Finding:
    """A claim, and what came of it."""

    claim: Claim
    figures: tuple[Compared, ...]
    evidence: tuple[Compared, ...] = ()
    """Of all reasons that were needed."""

    @property
    def verdict(self) -> Verdict:
        """The worst of its figures."""
        found = {one.verdict for one in self.figures}
        order = (Verdict.DIFFERS, Verdict.WAITING, Verdict.UNCHECKED, Verdict.REPRODUCED)
        return next(verdict for verdict in order if verdict in found)

    @property
    def settled(self) -> bool:
        """Whether whatever differs has a reason whose evidence holds."""
        differing = [one for one in self.figures if one.verdict is Verdict.DIFFERS]
        return all(one.reason is not None for one in differing) and all(
            one.verdict is Verdict.REPRODUCED for one in self.evidence
        )


def compare(claim: Claim, ours: Figures | None, evidence: Figures) -> Finding:
    """Set ours beside print; without ours the claim waits, or cannot be checked."""
    if ours is None:
        verdict = Verdict.UNCHECKED if claim.unchecked else Verdict.WAITING
        return Finding(claim, tuple(Compared(entry, None, verdict) for entry in claim.printed))
    figures = []
    for entry in claim.printed:
        figure = _figure(claim, entry, ours)
        agrees = entry.print.agrees(figure)
        verdict = Verdict.REPRODUCED if agrees else Verdict.DIFFERS
        figures.append(Compared(entry, figure, verdict, None if agrees else claim.reason_for(entry.name)))
    wanted = {id(one.reason): one.reason for one in figures if one.reason is not None}
    shown = []
    for reason in wanted.values():
        for entry in reason.evidence:
            figure = _figure(claim, entry, evidence)
            holds = entry.print.agrees(figure)
            shown.append(Compared(entry, figure, Verdict.REPRODUCED if holds else Verdict.DIFFERS, reason))
    return Finding(claim, tuple(figures), tuple(shown))


def _figure(claim: Claim, entry: Entry, ours: Figures) -> Figure:
    if entry.name not in ours:
        raise InputError(f"{claim.key}: {entry.name!r} was not computed")
    return ours[entry.name]


@dataclass(frozen=True)
class Table:
    """A result of ours that nobody has printed."""

    key: str
    title: str
    says: str
    columns: tuple[str, ...]
    formats: tuple[str, ...]
    """How each column is written: a format for `format`, "" for text."""
    compute: Callable[[Desk], Sequence[Sequence[Value | None]]] = field(compare=False)
    games: tuple[str, ...] = ()
    cost: Cost = Cost.QUICK
    varies: bool = False
    revision: int = 1

    def text(self, row: Sequence[Value | None]) -> list[str]:
        """A row as it is shown; nothing stands for what is not known."""
        return [
            "" if value is None else format(value, form) if form and not isinstance(value, str) else str(value)
            for value, form in zip(row, self.formats, strict=True)
        ]


@dataclass(frozen=True)
class Drawing:
    """A figure that is drawn again, or for the first time."""

    key: str
    title: str
    where: str
    draw: Callable[[Desk], object] = field(compare=False)
    """What makes a figure of Matplotlib."""
    cost: Cost = Cost.QUICK
    before: str = ""
    """The key of the claim or table that it stands before; else it stands at the end."""
    revision: int = 1


@dataclass(frozen=True)
class Work:
    """A publication, or all that is new."""

    id: str
    title: str
    about: str
    claims: tuple[Claim, ...] = ()
    tables: tuple[Table, ...] = ()
    drawings: tuple[Drawing, ...] = ()
