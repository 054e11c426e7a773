"""Outlooks from simulated games, for games whose table of outlooks would be too large.

The current turn is followed exactly (evaluation/turn_endings.py), so the chances of this turn have no sampling error.
Each possible end of the turn gets its share of the games, to the nearest game, and the later turns are simulated with
dice from a seed. The same position always has the same outlook.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, SizeError
from yatzy.evaluation.outlook import Following, OutlookSource
from yatzy.evaluation.turn_endings import Endings, add_up_by
from yatzy.games import Game, Sheet
from yatzy.lab.batch_player import BatchPlayer
from yatzy.lab.sample import SimulatedGames
from yatzy.solver import Solver
from yatzy.values.expected import ExpectedScore
from yatzy.values.threads import core_count

GAMES = 20_000
"""Games per outlook: the error is about 0.3 percentage points for a chance and about 0.3 for the mean score."""
MOST_GAMES = 10**7
SEED = 1


class SampledOutlooks(OutlookSource):
    """Outlooks of a game, each from a sample of its own."""

    sampled = True

    def __init__(
        self, expected: ExpectedScore, games: int = GAMES, seed: int = SEED, threads: int | None = None
    ) -> None:
        """`expected` is the game solved for the expected score."""
        if not 1 <= games <= MOST_GAMES:
            raise InputError("games: {games} is not from 1 to {most:,}", games=games, most=MOST_GAMES)
        super().__init__(expected)
        self.games, self.seed, self._threads = games, seed, threads

    def _following(self, sheet: Sheet, ends: Endings) -> Following:
        game, turns = self.game, len(self.game.categories)
        played = sheet.filled.bit_count() + 1
        if played == turns:
            none = np.zeros(turns)
            return Following(none, none, 0.0, 0.0, add_up_by(ends.points, ends.chance, 0))
        which = _shares(ends, self.games)
        sample = self._play(played, ends, which)
        bonus = np.zeros(self.games, np.bool_)
        if game.bonus is not None:
            upper = sheet.upper + (ends.written * np.isin(ends.category, game.upper_categories))[which]
            bonus = (upper < game.bonus.threshold) & (upper + sample.upper >= game.bonus.threshold)
        to_come = ends.points[which] + sample.points.sum(axis=1, dtype=np.int64) + sample.jokers
        to_come += bonus * (game.bonus.points if game.bonus else 0)
        return Following(
            hits=(sample.points > 0).mean(axis=0),
            points=sample.points.mean(axis=0),
            bonus=float(bonus.mean()),
            jokers=float(sample.jokers.mean()),
            mass=np.bincount(to_come) / self.games,
            games=self.games,
        )

    def _play(self, played: int, ends: Endings, which: npt.NDArray[np.int64]) -> SimulatedGames:
        """Simulate the turns after this one, from the states at its end."""
        player = BatchPlayer.of(self.strategy, self.games, self.seed)
        player.state[:] = ends.state[which]
        with ThreadPoolExecutor(self._threads or core_count()) as pool:
            for turn in range(played, len(self.game.categories)):
                player.play(turn, pool)
        return player.sample()


def _shares(ends: Endings, games: int) -> npt.NDArray[np.int64]:
    """int64[game]: the end of the turn from which each game starts, in proportion to its chance."""
    below = np.cumsum(ends.chance)
    return np.asarray(np.searchsorted(below, (np.arange(games) + 0.5) / games * below[-1]), np.int64)


def open_outlooks(solver: Solver, game: Game, games: int = GAMES) -> OutlookSource:
    """Exact outlooks of a game, or sampled ones if the table would be too large."""

    def make() -> OutlookSource:
        try:
            return solver.outlooks(game)
        except SizeError:
            return SampledOutlooks(solver.expected(game), games, threads=solver.threads)

    return solver.once(game, ("outlooks", games), make)
