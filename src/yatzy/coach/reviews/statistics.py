"""Player statistics: the average loss of decisions, by phase of the game and by kind of decision.

All means are over decisions that were not forced, in the unit of the objective. Their standard errors come from the
spread between games, because the decisions of one game are not independent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.decisions import GRADES, KINDS, PHASES, GameSummary, ReviewedGames
from yatzy.errors import InputError
from yatzy.lab import Estimate


@dataclass(frozen=True, slots=True)
class Losses:
    """The losses of a set of decisions."""

    decisions: int
    mean: Estimate | None
    """None if there are no decisions; the standard error is NaN if there is only one game."""
    grades: tuple[int, ...]
    """The number of decisions of each class, in the order of `Grade`."""

    def share(self, grade: Grade) -> float:
        """The share of the decisions that are of a class."""
        return self.grades[grade.rank] / self.decisions if self.decisions else 0.0


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """The statistics of one player, or of all players."""

    player: str | None
    """None for all players."""
    games: int
    final: Estimate | None
    """The mean final value of finished games."""
    luck: Estimate | None
    """Per game; None if luck cannot be measured."""
    error: Estimate | None
    """Per game."""
    overall: Losses
    by_phase: tuple[Losses, ...]
    """In the order of `PHASES`."""
    by_kind: tuple[Losses, ...]
    """In the order of `KINDS`."""
    by_both: tuple[tuple[Losses, ...], ...]
    """[phase][kind]"""


def player_statistics(reviewed: ReviewedGames, player: str | None = None) -> PlayerStatistics:
    """The statistics of a player by name, ignoring case; of all players if no name is given."""
    games = [
        (number, one)
        for number, one in enumerate(reviewed.games)
        if player is None or one.player.casefold() == player.casefold()
    ]
    if not games:
        raise InputError(f"there is no player {player!r} in these games; there are {_named(reviewed)}")
    rows = reviewed.decisions
    mine = np.isin(rows.summary, [number for number, _ in games]) & ~rows.forced

    def losses(chosen: npt.NDArray[np.bool_]) -> Losses:
        return _losses(rows.summary[chosen], rows.loss[chosen], rows.grade[chosen])

    phases = [mine & (rows.phase == phase) for phase in range(len(PHASES))]
    kinds = [mine & (rows.kind == kind) for kind in range(len(KINDS))]
    told = [one for _, one in games]
    return PlayerStatistics(
        player=None if player is None else told[0].player,
        games=len(games),
        final=_mean(one.final for one in told if one.over),
        luck=_mean(one.luck for one in told if one.luck is not None),
        error=_mean(one.error for one in told),
        overall=losses(mine),
        by_phase=tuple(losses(phase) for phase in phases),
        by_kind=tuple(losses(kind) for kind in kinds),
        by_both=tuple(tuple(losses(phase & kind) for kind in kinds) for phase in phases),
    )


def all_statistics(reviewed: ReviewedGames) -> tuple[PlayerStatistics, ...]:
    """The statistics of every player, most games first, and finally of all players together."""
    names = _players(reviewed.games)
    each = [player_statistics(reviewed, name) for name in names]
    each.sort(key=lambda one: -one.games)
    return (*each, player_statistics(reviewed)) if len(names) > 1 else tuple(each)


def _players(games: Iterable[GameSummary]) -> list[str]:
    return list({one.player.casefold(): one.player for one in games}.values())


def _named(reviewed: ReviewedGames, most: int = 10) -> str:
    names = _players(reviewed.games)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _losses(game: npt.NDArray[np.int32], loss: npt.NDArray[np.float64], grade: npt.NDArray[np.int8]) -> Losses:
    count = np.bincount(grade, minlength=len(GRADES)).tolist()
    if not len(loss):
        return Losses(0, None, tuple(count))
    mean = float(loss.mean())
    _, where = np.unique(game, return_inverse=True)
    # A ratio of sums over games. Its error follows from each game's deviation from the ratio.
    beyond = np.bincount(where, loss - mean)
    games = len(beyond)
    spread = float(np.sqrt(games / (games - 1) * (beyond**2).sum()) / len(loss)) if games > 1 else float("nan")
    return Losses(len(loss), Estimate(mean, spread), tuple(count))


def _mean(values: Iterable[float]) -> Estimate | None:
    numbers = np.array([value for value in values if value == value])
    if not len(numbers):
        return None
    error = float(numbers.std(ddof=1) / np.sqrt(len(numbers))) if len(numbers) > 1 else float("nan")
    return Estimate(float(numbers.mean()), error)
