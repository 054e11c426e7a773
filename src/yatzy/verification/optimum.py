"""Games of two best players against each other, played from the endgame tables."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from yatzy import kernels
from yatzy.lab.batch_player import BatchPlayer
from yatzy.matches.blocks import PositionSample
from yatzy.matches.endgames import Endgames
from yatzy.strategies.base import PlayTurns
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.goals import no_curves
from yatzy.values.resources import Progress
from yatzy.values.threads import core_count
from yatzy.values.turn import FloatArray
from yatzy.verification.turns import IntArray

BATCH = 2**17
"""Games that are played at a time: some tens of megabytes, a second or two."""
STEP = 1024
"""Games of a batch that a thread plays at a time."""


def play_out(
    endgames: Endgames,
    depth: int,
    starts: PositionSample,
    games: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> tuple[IntArray, FloatArray]:
    """[game]: the position it starts from, and the match points of its mover. Progress counts turns of batches.

    starts: positions of one depth. All begin equally many games, up to one; game g is the same whatever the threads.
    """
    start = np.arange(games) * len(starts) // games
    points, batches = np.empty(games), -(-games // BATCH)
    with ThreadPoolExecutor(threads or core_count()) as pool:
        for batch in range(batches):
            part = slice(batch * BATCH, (batch + 1) * BATCH)
            table = _Match(endgames, depth, starts, start[part], seed, batch * BATCH)
            for turn in range(depth):
                table.play(turn, pool)
                if progress is not None:
                    progress(batch * depth + turn + 1, batches * depth)
            points[part] = table.points
    return start, points


class _Match:
    """Some matches that are played at the same time."""

    def __init__(
        self, endgames: Endgames, depth: int, starts: PositionSample, start: IntArray, seed: int, first: int
    ) -> None:
        self._endgames, self._depth, compiled = endgames, depth, endgames.compiled
        self._layer_start, filled = compiled.states.layer_start, len(endgames.game.categories)
        behind = starts.difference[start]
        places = (
            (filled - (depth + 1) // 2, starts.mover[start], np.maximum(-behind, 0)),
            (filled - depth // 2, starts.opponent[start], np.maximum(behind, 0)),
        )
        self._players = []
        for stream, (layer, state, made) in enumerate(places):
            player = BatchPlayer(
                endgames.game, "optimum", self._play, False, len(start), seed, first, stream, True, STEP
            )
            player.state[:], player.made[:], player.played = state - self._layer_start[layer], made, layer
            self._players.append(player)
        self._turn = 0

    def play(self, turn: int, pool: ThreadPoolExecutor) -> None:
        """Play the turn of the player whose turn it is, in all matches."""
        self._turn, mover = turn, self._players[turn % 2]
        mover.play(mover.played, pool)

    def _play(self, layer: int) -> PlayTurns:
        rival, table = self._players[1 - self._turn % 2], self._endgames.tables[self._depth - self._turn - 1]
        after, model = table.layout.pairs, exact_turn_arrays(self._endgames.compiled)
        table.make_ready(np.unique(rival.state).astype(np.int64))
        nowhere = no_curves(int(self._layer_start[layer + 1]))

        def play(groups: kernels.Groups, low: int, high: int, table: kernels.Table) -> None:
            kernels.play_optimum(model, nowhere, after, rival.state, rival.made, groups, low, high, table)

        return play

    @property
    def points(self) -> FloatArray:
        """[match]: 1, ½ or 0 for the player who began, after all turns."""
        first, second = (player.made for player in self._players)
        return np.asarray(0.5 + 0.5 * np.sign(first - second), np.float64)
