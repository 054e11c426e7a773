"""Plays many games of one player turn by turn; shared by all simulations.

Games in the same situation form a group and share a plan. A strategy with a fast form provides what plays a layer.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.games import Game
from yatzy.lab.sample import SimulatedGames
from yatzy.model import compile_game
from yatzy.strategies.base import DependsOn, PlayTurns, Strategy
from yatzy.values.threads import run_ranges

STEP = 4096
"""Approximate number of games per unit of work: a few milliseconds. Larger groups are split."""
PLANS = 16_384
"""Plans in memory at a time: some tens of megabytes."""

PlayLayer: TypeAlias = Callable[[int], PlayTurns]
"""Returns the function that plays the turns of a layer."""


def key_of(seed: int) -> tuple[int, int]:
    """The seed in the form used by the dice generator."""
    return seed & 0xFFFFFFFF, seed >> 32


def turn_word(turn: int, stream: int) -> int:
    """The second word of the counter of the dice generator."""
    return turn + (stream << 16)


class BatchPlayer:
    """A player of many games."""

    def __init__(
        self, game: Game, name: str, play_layer: PlayLayer | None, by_points: bool, games: int, seed: int,
        first: int = 0, stream: int = 0, count_points: bool = False, step: int = STEP, traced: bool = False,
    ) -> None:  # fmt: skip
        """`by_points` if the moves depend on the points so far; `count_points` to have the points in `made` anyway.

        play_layer: None as long as others play the turns, with `table`; step: games per unit of work; traced: record
        every decision, for strategies that are played in bulk.
        """
        self._step = step
        self.game, self.name, self.play_layer, self.played = game, name, play_layer, 0
        self.seed, self.first, self.stream, self._by_points = seed, first, stream, by_points
        self.state = np.zeros(games, np.int32)
        self.made = np.zeros(games if by_points or count_points else 0, np.int32)
        self._points = np.zeros((games, len(game.categories)), np.int16)
        self._jokers = np.zeros(games, np.int32)
        self._bonus = game.bonus.points if game.bonus else 0
        turns = len(game.categories)
        self.trace = np.zeros((games if traced else 0, turns, 2 * game.rolls), np.int16)
        """[game, turn, 2 · roll]: the rolls of a turn and the choice after each; see `kernels.play.Table`."""
        self.joker = np.zeros((games if traced else 0, turns), np.int16)
        """[game, turn]: the Joker bonuses of a trace."""

    @classmethod
    def of(cls, strategy: Strategy, games: int, seed: int, first: int = 0, stream: int = 0, *,
           count_points: bool = False, traced: bool = False) -> BatchPlayer:  # fmt: skip
        """A player that follows a strategy in bulk."""
        points = strategy.depends_on is DependsOn.POINTS
        return cls(strategy.game, strategy.name, strategy.play_layer, points, games, seed, first, stream,
                   count_points, traced=traced)  # fmt: skip

    def __len__(self) -> int:
        return len(self.state)

    def play(self, turn: int, pool: ThreadPoolExecutor, progress: Callable[[int], None] | None = None) -> None:
        """Play a turn of all games; progress is called with the number of games that have played it."""
        assert self.play_layer is not None
        play, groups, done, counting = self.play_layer(turn), self._groups(turn), 0, Lock()
        table = self.table(turn)
        before = self._jokers.copy() if len(self.trace) else self._jokers

        def work(low: int, high: int) -> None:
            nonlocal done
            play(groups, low, high, table)
            with counting:
                done += int(groups.begin[high] - groups.begin[low])
                if progress is not None:
                    progress(done)

        count = len(groups.state)
        lanes = 16 * max(1, round(count * self._step / len(self) / 16))
        run_ranges(pool, work, 0, count, min(lanes, PLANS))
        if len(self.trace):
            self.joker[:, turn] = self._jokers - before
        self.played = turn + 1

    @property
    def states(self) -> npt.NDArray[np.int64]:
        """[game]: the state before the next turn, counted from the first of the game."""
        return np.asarray(self.state + compile_game(self.game).states.layer_start[self.played], np.int64)

    def table(self, turn: int) -> kernels.Table:
        """What the kernels write a turn of all games to."""
        return kernels.Table(
            *key_of(self.seed), self.first, turn_word(turn, self.stream), self._bonus,
            compile_game(self.game).placing.outcome_category, self.state, self.made, self._points, self._jokers,
            self.trace,
        )  # fmt: skip

    def _groups(self, layer: int) -> kernels.Groups:
        """Games that the strategy does not distinguish, in groups of at most `step`."""
        state, made = self.state, self.made
        first, end = compile_game(self.game).states.layer_start[layer : layer + 2].tolist()
        if self._by_points:
            key = state.astype(np.int64) << 32 | made
            order = np.argsort(key, kind="stable").astype(np.int32)
            cuts = np.flatnonzero(np.diff(key[order], prepend=-1))
        else:
            order, begin = np.empty(len(state), np.int32), np.empty(end - first + 1, np.int64)
            kernels.sort_games(state, begin, order)
            cuts = begin[:-1][np.diff(begin) > 0]
        cuts = np.union1d(cuts, np.arange(0, len(state), self._step))
        lead = order[cuts]
        points = made[lead] if self._by_points else np.zeros(len(lead), np.int32)
        return kernels.Groups(order, np.append(cuts, len(state)), first + state[lead].astype(np.int64), points)

    def sample(self) -> SimulatedGames:
        """The games, after all turns have been played."""
        game, points = self.game, self._points
        upper: npt.NDArray[np.int32] = points[:, list(game.upper_categories)].sum(axis=1, dtype=np.int32)
        bonus = upper >= game.bonus.threshold if game.bonus else np.zeros(len(self), np.bool_)
        total = points.sum(axis=1, dtype=np.int32) + self._jokers + np.int32(self._bonus) * bonus
        return SimulatedGames(
            game, self.name, self.seed, self.first, self.stream, total, upper, bonus, self._jokers, points
        )
