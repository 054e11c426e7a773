"""Players' statistics as blocks of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.decisions import KINDS, PHASES, ReviewedGames
from yatzy.coach.reviews.statistics import Losses, PlayerStatistics
from yatzy.lab import Estimate
from yatzy.report.document import Block, Heading, Paragraph, Table
from yatzy.report.review import amount, signed
from yatzy.report.words import grade_name
from yatzy.units import Unit

EVERYBODY = "everybody"


def statistics_blocks(
    reviewed: ReviewedGames, players: Sequence[PlayerStatistics], language: str = "en"
) -> list[Block]:
    """What players' decisions lose: by player, by class, by phase of the game, by kind of decision."""
    unit, count = reviewed.unit, reviewed.records
    rows = len(reviewed.decisions)
    return [
        Heading(f"{count:,} game{'' if count == 1 else 's'} reviewed for {reviewed.objective}", 1),
        Paragraph(
            f"{rows:,} decisions. Losses are means over the decisions that were not forced"
            f"{', in percentage points' if unit is Unit.CHANCE else ''}; ± is one standard error."
        ),
        _players(players, unit),
        _grades(players, language),
        *_parts(players, unit),
    ]


def _players(players: Sequence[PlayerStatistics], unit: Unit) -> Table:
    rows = [
        (
            _name(one), f"{one.games:,}", _estimate(one.final, unit), _estimate(one.luck, unit, sign=True),
            _estimate(one.error, unit), f"{one.overall.decisions:,}", _loss(one.overall, unit),
        )
        for one in players
    ]  # fmt: skip
    head = ("player", "games", "final", "luck a game", "error a game", "decisions", "mean loss")
    return Table(head, tuple(rows), frozenset({0}), "Players")


def _grades(players: Sequence[PlayerStatistics], language: str) -> Table:
    head = ("player", *(f"{grade.sign} {grade_name(grade, language)} [%]" for grade in Grade))
    rows = [(_name(one), *(f"{100 * one.overall.share(grade):.2f}" for grade in Grade)) for one in players]
    return Table(head, tuple(rows), frozenset({0}), "Classes of decisions")


def _parts(players: Sequence[PlayerStatistics], unit: Unit) -> Iterator[Table]:
    phases = tuple(f"{phase} third" for phase in PHASES)
    rows = [(_name(one), *(_loss(part, unit) for part in one.by_phase)) for one in players]
    yield Table(("player", *phases), tuple(rows), frozenset({0}), "Mean loss by phase of the game")
    rows = [(_name(one), *(_loss(part, unit) for part in one.by_kind)) for one in players]
    yield Table(("player", *KINDS), tuple(rows), frozenset({0}), "Mean loss by kind of decision")


def _name(one: PlayerStatistics) -> str:
    return EVERYBODY if one.player is None else one.player


def _loss(losses: Losses, unit: Unit) -> str:
    return _estimate(losses.mean, unit, more=1)


def _estimate(number: Estimate | None, unit: Unit, more: int = 0, *, sign: bool = False) -> str:
    if number is None:
        return ""
    text = (signed(unit, number.value) if sign else amount(unit, number.value, more)).removesuffix(" %")
    error = "" if number.error != number.error else f" ± {amount(unit, number.error, more).removesuffix(' %')}"
    return text + error
