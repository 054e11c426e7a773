"""Player statistics: the average loss of decisions, by phase, kind of decision, round and number of open categories.

All means are over decisions that were not forced, in the unit of the objective. Their standard errors come from the
spread between games, because the decisions of one game are not independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.decisions import GRADES, KINDS, PHASES, GameSummary, ReviewedGames
from yatzy.errors import InputError, Message
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


@dataclass(frozen=True, eq=False)
class _Rows:
    """The decisions that were not forced, or some of them."""

    game: npt.NDArray[np.int32]
    """[row]: index of its `GameSummary`."""
    loss: npt.NDArray[np.float64]
    grade: npt.NDArray[np.int8]
    phase: npt.NDArray[np.int8]
    kind: npt.NDArray[np.int8]
    round: npt.NDArray[np.int64]
    open: npt.NDArray[np.int8]

    def __getitem__(self, which: Any) -> _Rows:
        return _Rows(**{field.name: getattr(self, field.name)[which] for field in fields(self)})

    @property
    def losses(self) -> Losses:
        """The losses of these decisions."""
        return _losses(self.game, self.loss, self.grade)

    def by(self, column: npt.NDArray[np.integer[Any]]) -> dict[int, Losses]:
        """The losses of the decisions with each number in a column, the lowest first."""
        return {int(one): self[column == one].losses for one in np.unique(column)}


def _rows(reviewed: ReviewedGames) -> _Rows:
    rows, free = reviewed.decisions, ~reviewed.decisions.forced
    return _Rows(rows.summary, rows.loss, rows.grade, rows.phase, rows.kind, _rounds(reviewed), rows.open)[free]


def player_statistics(reviewed: ReviewedGames, player: str | None = None) -> PlayerStatistics:
    """The statistics of a player by name, ignoring case; of all players if no name is given."""
    games = [
        number
        for number, one in enumerate(reviewed.games)
        if player is None or one.player.casefold() == player.casefold()
    ]
    if not games:
        raise InputError(
            "there is no player {player!r} in these games; there are {names}", player=player, names=_named(reviewed)
        )
    rows = _rows(reviewed)
    mine = rows if player is None else rows[np.isin(rows.game, games)]
    return _statistics(reviewed, games, mine, None if player is None else reviewed.games[games[0]].player)


def _statistics(reviewed: ReviewedGames, games: Sequence[int], rows: _Rows, player: str | None) -> PlayerStatistics:
    """The statistics of some games, by number, and of the decisions in them."""
    phases = [rows[rows.phase == phase] for phase in range(len(PHASES))]
    told = [reviewed.games[number] for number in games]
    return PlayerStatistics(
        player=player,
        games=len(games),
        final=_mean(one.final for one in told if one.over),
        luck=_mean(one.luck for one in told if one.luck is not None),
        error=_mean(one.error for one in told),
        overall=rows.losses,
        by_phase=tuple(phase.losses for phase in phases),
        by_kind=tuple(rows[rows.kind == kind].losses for kind in range(len(KINDS))),
        by_both=tuple(tuple(phase[phase.kind == kind].losses for kind in range(len(KINDS))) for phase in phases),
        by_round=rows.by(rows.round),
        by_open=dict(reversed(rows.by(rows.open).items())),
    )


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
    numbers: dict[str, list[int]] = {}
    for number, one in enumerate(reviewed.games):
        numbers.setdefault(one.player.casefold(), []).append(number)
    place = {name: code for code, name in enumerate(numbers)}
    code = np.array([place[one.player.casefold()] for one in reviewed.games])
    rows = _rows(reviewed)
    player = code[rows.game]  # [row]
    many = np.array([len(games) for games in numbers.values()]) >= least_games
    if most_loss is not None:
        decisions = np.bincount(player, minlength=len(numbers))
        many &= (decisions > 0) & (np.bincount(player, rows.loss, len(numbers)) <= most_loss * decisions)
    if not many.any():
        if most_loss is None:
            raise InputError(
                "none of the {count} players has at least {least} games", count=len(numbers), least=least_games
            )
        if least_games <= 1:
            raise InputError("none of the {count} players has so low a mean loss", count=len(numbers))
        raise InputError(
            "none of the {count} players has at least {least} games and so low a mean loss",
            count=len(numbers),
            least=least_games,
        )
    kept = many[player]
    rows, player = rows[kept], player[kept]
    order = np.argsort(player, kind="stable")
    ends = np.searchsorted(player[order], np.arange(len(numbers) + 1))
    chosen = [
        _statistics(reviewed, games, rows[order[ends[one] : ends[one + 1]]], reviewed.games[games[0]].player)
        for one, games in enumerate(numbers.values())
        if many[one]
    ]
    chosen.sort(key=lambda one: -one.games)
    if len(chosen) == 1:
        return tuple(chosen)
    return (*chosen, _statistics(reviewed, np.flatnonzero(many[code]).tolist(), rows, None))


def _players(games: Iterable[GameSummary]) -> list[str]:
    return list({one.player.casefold(): one.player for one in games}.values())


def _named(reviewed: ReviewedGames, most: int = 10) -> Message | str:
    names = _players(reviewed.games)
    listed = ", ".join(names[:most])
    return Message("{names} and {more} more", names=listed, more=len(names) - most) if len(names) > most else listed


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
