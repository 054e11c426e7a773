"""Several players at a table, each with a separate strategy and dice, who ignore each other.

Let p_i(s) be the chance that player i scores s points and P_i(s) that of fewer. The chance that k of the others score
exactly s and the rest fewer is computed by adding one player at a time,

    level_k ← level_k · P_j(s) + level_{k−1} · p_j(s)

starting with level_0 = 1. A win is shared among the tied players, so player i has the share

    Σ_s p_i(s) Σ_k level_k(s) / (k + 1)

of the wins, or of outright wins with k = 0 only. The inner terms of all players sum to the chance that the winner has
s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError
from yatzy.evaluation.distribution import Distribution, FloatArray
from yatzy.lab.comparison import compare_exactly, share_dice
from yatzy.lab.sample import Estimate, SimulatedGames, mean_of, share_of
from yatzy.lab.simulation import simulate
from yatzy.strategies.base import Strategy
from yatzy.values.evaluator import Solution
from yatzy.values.resources import Progress

MOST_PLAYERS = 64


@dataclass(frozen=True, eq=False)
class SeatResult:
    """The result of one player at a table."""

    games: SimulatedGames
    wins: Estimate
    """The share of wins; a win is divided among all who have the most points."""
    outright: Estimate
    """The share of games with more points than everyone else."""
    match_points: Estimate
    """The mean number of opponents beaten, with a tie counting half."""
    rank: Estimate
    """The mean of 1 + the number of players with more points."""


@dataclass(frozen=True, eq=False)
class TableResult:
    """Games of several players; game k of all of them is played at one table."""

    seats: tuple[SeatResult, ...]
    winner: npt.NDArray[np.int32]
    """[game]: the most points at the table."""

    @property
    def winner_games(self) -> SimulatedGames:
        """The games with the winning score in place of a player's own."""
        return replace(self.seats[0].games, total=self.winner)


@dataclass(frozen=True, slots=True)
class ExactSeat:
    """The exact result of one player at a table; see `SeatResult`."""

    wins: float
    outright: float
    match_points: float
    rank: float


@dataclass(frozen=True, eq=False)
class ExactTable:
    """The exact results of several players."""

    seats: tuple[ExactSeat, ...]
    winner: Distribution
    """The most points at the table."""


def play_table(
    strategies: Sequence[Strategy | Solution],
    games: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> TableResult:
    """Play games at a table of 2 to 64: seat k has strategy k and stream k. A strategy may have several seats.

    Progress counts the games of all players.
    """
    _check_players(len(strategies))
    samples = [
        simulate(strategy, games, seed, threads, _part(progress, seat, len(strategies), games), stream=seat)
        for seat, strategy in enumerate(strategies)
    ]
    return table_of(samples)


def table_of(samples: Sequence[SimulatedGames]) -> TableResult:
    """The table made of existing samples, with game k of every sample played against each other."""
    _check_players(len(samples))
    if len({len(sample) for sample in samples}) > 1:
        raise InputError(
            "games: {numbers} are different numbers", numbers=", ".join(f"{len(sample):,}" for sample in samples)
        )
    for seat, sample in enumerate(samples):
        for other in range(seat):
            if share_dice(samples[other], sample):
                raise InputError(
                    "players {first} and {second} have dice in common; give each another stream",
                    first=other + 1,
                    second=seat + 1,
                )
    winner = reduce(np.maximum, (sample.total for sample in samples))
    return TableResult(tuple(_seat(samples, seat) for seat in range(len(samples))), winner)


def table_exactly(players: Sequence[Distribution]) -> ExactTable:
    """The exact result of players with these distributions of scores at a table of 2 to 64."""
    _check_players(len(players))
    width = max(len(player) for player in players)
    just = np.array([np.pad(player.mass, (0, width - len(player))) for player in players])
    below = np.zeros_like(just)
    below[:, 1:] = np.cumsum(just, axis=1)[:, :-1]
    seats, winner = [], np.zeros(width)
    for seat, player in enumerate(players):
        others = [other for other in range(len(players)) if other != seat]
        level = _level(just[others], below[others])
        wins = just[seat] * (1 / np.arange(1, len(players) + 1) @ level)
        winner += wins
        against = [compare_exactly(player, players[other]) for other in others]
        seats.append(
            ExactSeat(
                wins=float(wins.sum()),
                outright=float(just[seat] @ level[0]),
                match_points=sum(one.wins + one.draws / 2 for one in against),
                rank=1 + sum(one.losses for one in against),
            )
        )
    return ExactTable(tuple(seats), Distribution(winner))


def _check_players(players: int) -> None:
    if not 2 <= players <= MOST_PLAYERS:
        raise InputError("players: {players} is not from 2 to {most}", players=players, most=MOST_PLAYERS)


def _part(progress: Progress | None, seat: int, players: int, games: int) -> Progress | None:
    """The progress of one of the players, converted to games, since some strategies count turns."""
    if progress is None:
        return None
    tell = progress
    return lambda done, total: tell(seat * games + done * games // total, players * games)


def _seat(samples: Sequence[SimulatedGames], seat: int) -> SeatResult:
    own = samples[seat].total
    above, level = np.zeros(len(own), np.int32), np.zeros(len(own), np.int32)
    for other, sample in enumerate(samples):
        if other != seat:
            above += sample.total > own
            level += sample.total == own
    beaten = len(samples) - 1 - above - level
    return SeatResult(
        samples[seat],
        wins=mean_of((above == 0) / (level + 1)),
        outright=share_of((above == 0) & (level == 0)),
        match_points=mean_of(beaten + level / 2),
        rank=mean_of(1 + above),
    )


def _level(just: FloatArray, below: FloatArray) -> FloatArray:
    """[number tied, score]: the chance that this number of players score exactly that and the others less.

    `just` and `below` are [player, score]: the chance of that score, and of fewer points.
    """
    level = np.zeros((len(just) + 1, just.shape[1]))
    level[0] = 1
    for count, (here, less) in enumerate(zip(just, below, strict=True), start=1):
        level[1 : count + 1] = level[1 : count + 1] * less + level[:count] * here
        level[0] *= less
    return level
