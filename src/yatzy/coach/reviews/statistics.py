"""Player statistics: the average loss of decisions, by phase, kind of decision, round and number of open categories.

All means are over decisions that were not forced, in the unit of the objective. Their standard errors come from the
spread between games, because the decisions of one game are not independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    by_round: Mapping[int, Losses]
    """By the turn of the game that it is, all players counted, from 1: a game of Yahtzee for two has 26 rounds."""
    by_open: Mapping[int, Losses]
    """By the number of open categories before the turn, the most first."""


def player_statistics(reviewed: ReviewedGames, player: str | None = None) -> PlayerStatistics:
    """The statistics of a player by name, ignoring case; of all players if no name is given."""
    games = [
        (number, one)
        for number, one in enumerate(reviewed.games)
        if player is None or one.player.casefold() == player.casefold()
    ]
    if not games:
        raise InputError(f"there is no player {player!r} in these games; there are {_named(reviewed)}")
    return _statistics(reviewed, games, None if player is None else games[0][1].player)


def _statistics(
    reviewed: ReviewedGames, games: Sequence[tuple[int, GameSummary]], player: str | None
) -> PlayerStatistics:
    """The statistics of some of the games, each with its number."""
    rows = reviewed.decisions
    mine = np.isin(rows.summary, [number for number, _ in games]) & ~rows.forced

    def losses(chosen: npt.NDArray[np.bool_]) -> Losses:
        return _losses(rows.summary[chosen], rows.loss[chosen], rows.grade[chosen])

    phases = [mine & (rows.phase == phase) for phase in range(len(PHASES))]
    kinds = [mine & (rows.kind == kind) for kind in range(len(KINDS))]
    told = [one for _, one in games]
    return PlayerStatistics(
        player=player,
        games=len(games),
        final=_mean(one.final for one in told if one.over),
        luck=_mean(one.luck for one in told if one.luck is not None),
        error=_mean(one.error for one in told),
        overall=losses(mine),
        by_phase=tuple(losses(phase) for phase in phases),
        by_kind=tuple(losses(kind) for kind in kinds),
        by_both=tuple(tuple(losses(phase & kind) for kind in kinds) for phase in phases),
        by_round=_by(_rounds(reviewed), mine, losses),
        by_open=dict(reversed(_by(rows.open, mine, losses).items())),
    )


def _by(
    number: npt.NDArray[np.integer[Any]],
    mine: npt.NDArray[np.bool_],
    losses: Callable[[npt.NDArray[np.bool_]], Losses],
) -> dict[int, Losses]:
    """The losses of the decisions with each number, the lowest first."""
    return {int(one): losses(mine & (number == one)) for one in np.unique(number[mine])}


def _rounds(reviewed: ReviewedGames) -> npt.NDArray[np.int64]:
    """[row]: the turn of the game, all players counted."""
    players = Counter(one.record for one in reviewed.games)
    seats = np.array([one.seat for one in reviewed.games])
    tables = np.array([players[one.record] for one in reviewed.games])
    rows = reviewed.decisions
    return np.asarray((rows.turn - 1) * tables[rows.summary] + seats[rows.summary] + 1, np.int64)


def all_statistics(
    reviewed: ReviewedGames, least_games: int = 1, most_loss: float | None = None
) -> tuple[PlayerStatistics, ...]:
    """The statistics of every player, most games first, and finally of all these players together.

    Players with fewer games than `least_games`, or with a mean loss above `most_loss`, are left out.
    """
    names = _players(reviewed.games)
    each = [player_statistics(reviewed, name) for name in names]
    chosen = [one for one in each if one.games >= least_games and _is_solid(one, most_loss)]
    if not chosen:
        limit = "" if most_loss is None else f" and a mean loss of at most {most_loss:g}"
        raise InputError(f"none of the {len(each)} players has at least {least_games} games{limit}")
    chosen.sort(key=lambda one: -one.games)
    if len(chosen) == 1:
        return tuple(chosen)
    kept = {str(one.player).casefold() for one in chosen}
    games = [(number, one) for number, one in enumerate(reviewed.games) if one.player.casefold() in kept]
    return (*chosen, _statistics(reviewed, games, None))


def _is_solid(one: PlayerStatistics, most_loss: float | None) -> bool:
    return most_loss is None or (one.overall.mean is not None and one.overall.mean.value <= most_loss)


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
