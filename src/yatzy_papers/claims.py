"""Printed figures, computed figures, and verdicts.

A printed figure is a text: a number with a certain number of digits, a bound, or a word. A computed figure agrees with
it if

    |computed − printed| ≤ half a unit of the last printed digit + SIGMAS · √(error² + sampling_error²)

where `error` is the standard error of the computed figure (0 if it is exact) and `sampling_error` the standard error of
a sample as large as the printed one (0 if the printed figure is not from a sample). A bound holds up to SIGMAS
of the same standard errors. Quantiles and extremes of samples have a `range` instead, which contains all but one in ten
thousand samples of that size.

Verdicts are computed, never entered by hand. A claim that differs has a reason, and a reason has evidence: figures of
its own, which are computed and compared in the same way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from yatzy import InputError

if TYPE_CHECKING:
    from yatzy_papers.run import PaperRun

SIGMAS = 4.0
"""The number of standard errors by which two numbers may differ and still agree."""
SINGLE = 1e-6
"""Tolerance of curves in single precision, absolute and relative."""

Value: TypeAlias = float | int | str


class Verdict(Enum):
    """The outcome of a comparison."""

    REPRODUCED = "reproduced"
    DIFFERS = "differs"
    UNCHECKED = "cannot be checked"
    WAITING = "only with --full"
    """Not computed in this run."""


class Cost(Enum):
    """When a claim is computed: always, or only in a full run."""

    QUICK = "quick"
    FULL = "full"


class Relation(Enum):
    """What a printed figure says about the computed one."""

    EQUAL = "="
    BELOW = "<"
    ABOVE = ">"
    WORD = "word"


class Cause(Enum):
    """Whether the cause of a difference is known."""

    FOUND = "found"
    PARTLY = "in part"
    """It accounts for a part of the difference; the evidence says how much."""
    NOT_FOUND = "not found"
    """The evidence shows what was tried, or our figure in a second way."""


_NUMBER = re.compile(r"([-+]?)(\d[\d,]*|)(?:\.(\d+))?(?:e([-+]?\d+))?( %)?")


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure as it is printed: `.0754`, `9.973 %`, `3.5e-06`, `< .03`, `sixes`."""

    name: str
    """What the figure measures."""
    text: str
    sample: int = 0
    """The number of games it was measured in; 0 if it was not measured."""
    about: float = 0.0
    """A wider tolerance, where the publication says "about"."""

    @property
    def relation(self) -> Relation:
        """How the computed figure should compare with it."""
        if self.text[:2] in ("< ", "> "):
            return Relation(self.text[0])
        return Relation.EQUAL if self.text and _NUMBER.fullmatch(self.text) else Relation.WORD

    @property
    def _number(self) -> str:
        return self.text[2:] if self.text[:2] in ("< ", "> ") else self.text

    def _parts(self) -> tuple[float, float]:
        """The number, and half a unit of its last digit."""
        found = _NUMBER.fullmatch(self._number)
        if found is None:
            raise InputError(f"{self.name}: {self.text!r} is not a number")
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
        """How far an exact figure may be from it."""
        return self.about or self._parts()[1]

    def apart(self, computed: Computed) -> float:
        """How far a measured figure is off beyond the tolerance or the bound, in standard errors of the difference."""
        noise = math.hypot(computed.error, computed.sampling_error)
        if not noise or self.relation is Relation.WORD or isinstance(computed.value, str):
            return 0.0
        more = computed.value - self.value
        if self.relation is Relation.EQUAL:
            more = abs(more) - self.tolerance
        elif self.relation is Relation.ABOVE:
            more = -more
        return max(more, 0.0) / noise

    def agrees(self, computed: Computed) -> bool:
        """Whether a computed figure agrees with it."""
        if self.relation is Relation.WORD or isinstance(computed.value, str):
            return computed.value == self.text
        noise = SIGMAS * math.hypot(computed.error, computed.sampling_error)
        if self.relation is Relation.BELOW:
            return computed.value - noise < self.value
        if self.relation is Relation.ABOVE:
            return computed.value + noise > self.value
        if computed.range is not None and computed.range[0] <= self.value <= computed.range[1]:
            return True
        rounding = SINGLE * min(1.0, abs(self.value))
        return abs(computed.value - self.value) <= self.tolerance + rounding + noise


@dataclass(frozen=True, slots=True)
class Computed:
    """A figure computed by this program."""

    value: Value
    error: float = 0.0
    """Its standard error; 0 when it is exact."""
    sampling_error: float = 0.0
    """The standard error of a sample as large as the printed one."""
    range: tuple[float, float] | None = None
    """The lowest and highest value to be expected in a sample as large as the printed one."""


Figures: TypeAlias = Mapping[str, Computed]
"""Computed figures by the name of the printed ones."""
Compute: TypeAlias = "Callable[[PaperRun], Figures]"


def figures(texts: Mapping[str, str], sample: int = 0) -> tuple[Printed, ...]:
    """Figures by name, as printed."""
    return tuple(Printed(name, text, sample) for name, text in texts.items())


@dataclass(frozen=True)
class Reason:
    """Why figures differ, and the figures that show it."""

    says: str
    evidence: tuple[Printed, ...] = ()
    """Figures that must hold if the reason is right."""
    compute: Compute | None = None
    of: tuple[str, ...] = ()
    """The names of the figures that it explains; all figures of the claim if empty."""
    cause: Cause = Cause.FOUND


@dataclass(frozen=True)
class Claim:
    """A table, a figure or a sentence of a publication. The first four fields are in `printed/*.toml`."""

    key: str
    where: str
    """Its place in the publication, or its subject."""
    says: str
    """Its statement, in words."""
    printed: tuple[Printed, ...]
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
    """How our figures are computed."""
    revision: int = 1
    """Raise it by 1 when the code of this claim changes its figures, so that stored ones are recomputed."""

    def __post_init__(self) -> None:
        if (self.compute is None) != bool(self.unchecked):
            raise InputError(f"{self.key}: a claim is computed, or says why it cannot be checked")
        if not self.printed or not self.where or not self.says:
            raise InputError(f"{self.key}: a claim has a place, a text and printed figures")

    def reason_for(self, name: str) -> Reason | None:
        """The reason given for a figure that differs."""
        return next((reason for reason in self.reasons if not reason.of or name in reason.of), None)


@dataclass(frozen=True, slots=True)
class Compared:
    """A printed figure and the computed one, with the verdict."""

    printed: Printed
    computed: Computed | None
    verdict: Verdict
    reason: Reason | None = None


@dataclass(frozen=True)
class Finding:
    """A claim and its comparisons."""

    claim: Claim
    figures: tuple[Compared, ...]
    evidence: tuple[Compared, ...] = ()
    """The comparisons of the evidence for all reasons that were needed."""

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of its figures."""
        found = {one.verdict for one in self.figures}
        order = (Verdict.DIFFERS, Verdict.WAITING, Verdict.UNCHECKED, Verdict.REPRODUCED)
        return next(verdict for verdict in order if verdict in found)

    @property
    def settled(self) -> bool:
        """Whether every difference has a reason whose evidence holds."""
        differing = [one for one in self.figures if one.verdict is Verdict.DIFFERS]
        return all(one.reason is not None for one in differing) and all(
            one.verdict is Verdict.REPRODUCED for one in self.evidence
        )


def compare(claim: Claim, computed: Figures | None, evidence: Figures) -> Finding:
    """Compare a claim with the computed figures. Without them it waits for a full run, or cannot be checked."""
    if computed is None:
        verdict = Verdict.UNCHECKED if claim.unchecked else Verdict.WAITING
        return Finding(claim, tuple(Compared(printed, None, verdict) for printed in claim.printed))
    compared = []
    for printed in claim.printed:
        ours = _find(claim, printed, computed)
        agrees = printed.agrees(ours)
        verdict = Verdict.REPRODUCED if agrees else Verdict.DIFFERS
        compared.append(Compared(printed, ours, verdict, None if agrees else claim.reason_for(printed.name)))
    wanted = {id(one.reason): one.reason for one in compared if one.reason is not None}
    shown = []
    for reason in wanted.values():
        for printed in reason.evidence:
            ours = _find(claim, printed, evidence)
            holds = printed.agrees(ours)
            shown.append(Compared(printed, ours, Verdict.REPRODUCED if holds else Verdict.DIFFERS, reason))
    return Finding(claim, tuple(compared), tuple(shown))


def _find(claim: Claim, printed: Printed, computed: Figures) -> Computed:
    if printed.name not in computed:
        raise InputError(f"{claim.key}: {printed.name!r} was not computed")
    return computed[printed.name]


@dataclass(frozen=True)
class Table:
    """A new result that is not in print."""

    key: str
    title: str
    says: str
    columns: tuple[str, ...]
    formats: tuple[str, ...]
    """The format of each column, for `format`; "" for text."""
    compute: Callable[[PaperRun], Sequence[Sequence[Value | None]]] = field(compare=False)
    games: tuple[str, ...] = ()
    """The presets that it depends on."""
    cost: Cost = Cost.QUICK
    varies: bool = False
    revision: int = 1

    def text(self, row: Sequence[Value | None]) -> list[str]:
        """A row as text; unknown values are blank."""
        return [
            "" if value is None else format(value, form) if form and not isinstance(value, str) else str(value)
            for value, form in zip(row, self.formats, strict=True)
        ]


@dataclass(frozen=True)
class Drawing:
    """A figure drawn again, or for the first time."""

    key: str
    title: str
    where: str
    draw: Callable[[PaperRun], object] = field(compare=False)
    """Makes a figure of Matplotlib."""
    cost: Cost = Cost.QUICK
    before: str = ""
    """The key of the claim or table before which it is shown; if empty, it is shown at the end."""
    revision: int = 1


@dataclass(frozen=True)
class Work:
    """A publication, or the new results."""

    id: str
    title: str
    about: str
    claims: tuple[Claim, ...] = ()
    tables: tuple[Table, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    files: Mapping[str, Callable[[PaperRun], str]] = field(default_factory=dict, compare=False)
    """Additional files of the report: file name and the function that makes the text."""
