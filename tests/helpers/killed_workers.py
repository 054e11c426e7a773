"""Workers of a Dask cluster that are killed in the middle of a solution, at chosen numbers of finished blocks."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Collection
from concurrent.futures import Executor
from random import Random

from yatzy.games import Game
from yatzy.matches.blocks import layout_of
from yatzy.values.resources import Progress

LEFT = 4
"""Blocks of a layer that keep two workers busy."""


def pids_of(cluster: Executor) -> list[int]:
    """The processes of the workers, as soon as the scheduler has noticed those that were killed before."""
    for _ in range(100):
        try:
            return sorted(cluster._client.run(os.getpid).values())  # type: ignore[attr-defined]
        except OSError:  # of a connection to a worker that is gone
            time.sleep(0.1)
    raise AssertionError("the workers do not answer")


def busy_counts(game: Game, block: int) -> list[int]:
    """The numbers of finished blocks of a solution at which every worker still has a block of the same layer."""
    counts, done = list[int](), 0
    for depth in range(2 * len(game.categories) + 1):
        pieces = layout_of(game, depth, block).pieces
        counts += range(done + 1, done + pieces - LEFT + 1)
        done += pieces
    return counts


class Killer:
    """Kills a random worker whenever one of some numbers of blocks is done."""

    def __init__(self, cluster: Executor, random: Random, when: Collection[int]) -> None:
        self._cluster, self._random, self._when = cluster, random, when
        self.blocks = 0
        self.killed = list[int]()

    def watch(self, what: str, verb: str = "") -> Progress:
        """The `progress` of Resources, for `solve_match`, which calls it once for every block."""

        def progress(done: int, total: int) -> None:
            self.blocks += 1
            if self.blocks in self._when:
                self.killed.append(self._random.choice(pids_of(self._cluster)))
                os.kill(self.killed[-1], signal.SIGKILL)

        return progress
