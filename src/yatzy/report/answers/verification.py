"""What a verification found, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from yatzy.lab.sample import Estimate
from yatzy.report.answers.base import Answer
from yatzy.verification import SolutionCheck, TableCheck, Wanted
from yatzy.verification.results import Fault, Identity
from yatzy.verification.solutions import CheckedDepth, OptimumGames, PositionFault


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


class PositionFaultAnswer(Answer):
    """A sampled position whose values differ by more than the bound."""

    position: str
    """The mover's sheet and the opponent's, in the notation of positions."""
    difference: int
    """The opponent's points minus the mover's."""
    stored: float
    again: float
    table: bool
    """Whether `again` is what the solution's own table holds."""


class CheckedDepthAnswer(Answer):
    """The sampled positions of one depth, computed again."""

    depth: int
    positions: int
    turns: int
    """Turns that were searched above the endgame tables."""
    own_table: bool
    """Whether the positions were also compared with the solution's own table."""
    difference: float
    """The largest."""
    bound: float
    wrong: int
    fault: PositionFaultAnswer | None
    """The first position that differs by more than the bound."""
    seconds: float


class OptimumGamesAnswer(Answer):
    """Games of two optimal players from sampled positions."""

    depth: int
    positions: int
    games: int
    seed: int
    mean: Estimate
    """The match points of the player who began."""
    expected: float
    """The mean of the values where the games began."""
    apart: Estimate
    """The mean difference of a result and its value."""
    standard_errors: float
    bound: float
    sound: bool
    seconds: float


class SolutionAnswer(Answer):
    """The check of a complete solution."""

    game: str
    solved: int
    """The depth to which the game is solved."""
    endgames: int
    """The depth of the tables below the search."""
    sound: bool
    depths: list[CheckedDepthAnswer]
    games: OptimumGamesAnswer | None
    seconds: float


def solution_answer(found: SolutionCheck) -> SolutionAnswer:
    """The answer of `yatzy match verify`."""
    return SolutionAnswer(
        game=found.game.id,
        solved=found.solved,
        endgames=found.endgames,
        sound=found.complaint is None,
        depths=[_depth(one) for one in found.depths],
        games=None if found.games is None else _games(found.games),
        seconds=found.seconds,
    )


def _depth(one: CheckedDepth) -> CheckedDepthAnswer:
    return CheckedDepthAnswer(
        depth=one.depth,
        positions=one.positions,
        turns=one.turns,
        own_table=one.own_table,
        difference=one.difference,
        bound=one.bound,
        wrong=one.wrong,
        fault=None if one.fault is None else _position_fault(one.fault),
        seconds=one.seconds,
    )


def _position_fault(one: PositionFault) -> PositionFaultAnswer:
    return PositionFaultAnswer(
        position=one.position, difference=one.difference, stored=one.stored, again=one.again, table=one.table
    )


def _games(one: OptimumGames) -> OptimumGamesAnswer:
    return OptimumGamesAnswer(
        depth=one.depth,
        positions=one.positions,
        games=one.games,
        seed=one.seed,
        mean=one.mean,
        expected=one.expected,
        apart=one.apart,
        standard_errors=one.standard_errors,
        bound=one.bound,
        sound=one.sound,
        seconds=one.seconds,
    )
