"""Games of two optimal players against each other, played from the endgame tables."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from yatzy.lab.batch_player import BatchPlayer
from yatzy.lab.optimal_play import OPTIMUM, OptimalPlay
from yatzy.matches.blocks import PositionSample
from yatzy.matches.endgames import Endgames
from yatzy.values.resources import Progress
from yatzy.values.threads import core_count
from yatzy.values.turn import FloatArray
from yatzy.verification.turns import IntArray

BATCH = 2**17
"""Games that are played at a time: some tens of megabytes, a second or two."""


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
    start, optimum = np.arange(games) * len(starts) // games, OptimalPlay(endgames)
    points, batches = np.empty(games), -(-games // BATCH)
    with ThreadPoolExecutor(threads or core_count()) as pool:
        for batch in range(batches):
            part = slice(batch * BATCH, (batch + 1) * BATCH)
            table = _Match(optimum, depth, starts, start[part], seed, batch * BATCH)
            for turn in range(depth):
                table.play(turn, pool)
                if progress is not None:
                    progress(batch * depth + turn + 1, batches * depth)
            points[part] = table.points
    return start, points


class _Match:
    """Some matches that are played at the same time."""

    def __init__(
        self, optimum: OptimalPlay, depth: int, starts: PositionSample, start: IntArray, seed: int, first: int
    ) -> None:
        game, layer_start = optimum.endgames.game, optimum.compiled.states.layer_start
        self._optimum, filled, behind = optimum, len(game.categories), starts.difference[start]
        places = (
            (filled - (depth + 1) // 2, starts.mover[start], np.maximum(-behind, 0)),
            (filled - depth // 2, starts.opponent[start], np.maximum(behind, 0)),
        )
        self._players = []
        for stream, (layer, state, made) in enumerate(places):
            player = BatchPlayer(game, OPTIMUM, None, False, len(start), seed, first, stream, True)
            player.state[:], player.made[:], player.played = state - layer_start[layer], made, layer
            self._players.append(player)

    def play(self, turn: int, pool: ThreadPoolExecutor) -> None:
        """Play the turn of the player whose turn it is, in all matches."""
        self._optimum.play(self._players[turn % 2], self._players[1 - turn % 2], pool)

    @property
    def points(self) -> FloatArray:
        """[match]: 1, ½ or 0 for the player who began, after all turns."""
        first, second = (player.made for player in self._players)
        return np.asarray(0.5 + 0.5 * np.sign(first - second), np.float64)
