"""Statistics of players as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.decisions import KINDS, PHASES, ReviewedGames
from yatzy.coach.reviews.statistics import Losses, PlayerStatistics
from yatzy.lab.sample import Estimate
from yatzy.report.answers.base import Answer
from yatzy.units import Unit


class Measured(Answer):
    """A mean over games with its standard error."""

    value: float
    error: float | None
    """Null for a single game."""


class LossesAnswer(Answer):
    """The losses of some decisions."""

    decisions: int
    mean_loss: Measured | None
    grades: dict[str, int]
    """The number of decisions of each grade."""


class PlayerStatisticsAnswer(Answer):
    """The statistics of one player, or of all players."""

    name: str | None
    """Null for all players."""
    games: int
    final: Measured | None
    luck: Measured | None
    error: Measured | None
    all: LossesAnswer
    phases: dict[str, LossesAnswer]
    """By phase of the game."""
    kinds: dict[str, LossesAnswer]
    """By kind of decision."""
    rounds: dict[int, LossesAnswer]
    """By the turn of the game, all players counted, from 1."""
    open: dict[int, LossesAnswer]
    """By the number of open categories before the turn."""


class StatisticsAnswer(Answer):
    """The statistics of the players of some games."""

    objective: str
    unit: Unit
    records: int
    decisions: int
    players: tuple[PlayerStatisticsAnswer, ...]


def statistics_answer(reviewed: ReviewedGames, players: Iterable[PlayerStatistics]) -> StatisticsAnswer:
    """The statistics of the players of reviewed games."""
    return StatisticsAnswer(
        objective=reviewed.objective,
        unit=reviewed.unit,
        records=reviewed.records,
        decisions=len(reviewed.decisions),
        players=tuple(map(_player, players)),
    )


def _player(one: PlayerStatistics) -> PlayerStatisticsAnswer:
    return PlayerStatisticsAnswer(
        name=one.player,
        games=one.games,
        final=_measured(one.final),
        luck=_measured(one.luck),
        error=_measured(one.error),
        all=_losses(one.overall),
        phases=dict(zip(PHASES, map(_losses, one.by_phase), strict=True)),
        kinds=dict(zip(KINDS, map(_losses, one.by_kind), strict=True)),
        rounds={number: _losses(found) for number, found in one.by_round.items()},
        open={number: _losses(found) for number, found in one.by_open.items()},
    )


def _losses(one: Losses) -> LossesAnswer:
    grades = {grade.value: count for grade, count in zip(Grade, one.grades, strict=True)}
    return LossesAnswer(decisions=one.decisions, mean_loss=_measured(one.mean), grades=grades)


def _measured(number: Estimate | None) -> Measured | None:
    if number is None:
        return None
    return Measured(value=number.value, error=None if math.isnan(number.error) else number.error)
