"""What a verification found, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from yatzy.report.answers.base import Answer
from yatzy.verification import TableCheck, Wanted
from yatzy.verification.results import Fault, Identity


class FaultAnswer(Answer):
    """A number that differs by more than the bound."""

    layer: int
    state: str
    """In the notation of positions; for a pair, the mover's sheet and then the opponent's."""
    what: str
    """What the number belongs to: score, points, difference, feature, choice, or nothing."""
    number: int | None
    stored: float
    again: float
    difference: float


class IdentityAnswer(Answer):
    """An identity, and how well it holds."""

    name: str
    checked: int
    difference: float
    bound: float
    sound: bool
    place: str | None


class CheckAnswer(Answer):
    """The check of one table."""

    name: str
    game: str
    objective: str
    verdict: str
    values: int
    of: int
    measure: str | None
    difference: float
    bound: float
    table_bound: float | None
    wrong: int
    faults: list[FaultAnswer]
    identities: list[IdentityAnswer]
    reason: str
    seconds: float


class VerificationAnswer(Answer):
    """The check of some tables."""

    folder: str
    share: float | None
    seed: int
    on: str
    tables: list[CheckAnswer]


def verification_answer(folder: Path, wanted: Wanted, found: Sequence[TableCheck]) -> VerificationAnswer:
    """The answer of `yatzy verify`."""
    return VerificationAnswer(
        folder=str(folder), share=wanted.share, seed=wanted.seed, on=wanted.on, tables=[_check(one) for one in found]
    )


def _check(one: TableCheck) -> CheckAnswer:
    return CheckAnswer(
        name=one.name,
        game=one.game,
        objective=one.objective,
        verdict=one.verdict.value,
        values=one.values,
        of=one.of,
        measure=one.measure.value if one.measure else None,
        difference=one.difference,
        bound=one.bound,
        table_bound=one.table_bound,
        wrong=one.wrong,
        faults=[_fault(fault) for fault in one.faults],
        identities=[_identity(law) for law in one.identities],
        reason=one.reason,
        seconds=one.seconds,
    )


def _fault(one: Fault) -> FaultAnswer:
    place = one.place
    return FaultAnswer(
        layer=place.layer,
        state=place.state,
        what=place.what,
        number=place.number,
        stored=one.stored,
        again=one.again,
        difference=one.difference,
    )


def _identity(one: Identity) -> IdentityAnswer:
    return IdentityAnswer(
        name=one.law.value,
        checked=one.checked,
        difference=one.difference,
        bound=one.bound,
        sound=one.sound,
        place=str(one.place) if one.place else None,
    )
