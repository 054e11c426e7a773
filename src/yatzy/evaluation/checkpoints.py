"""Checkpoints of an evaluation: where it was, saved now and then, so that it can go on after an interruption."""

from __future__ import annotations

import time
from pathlib import Path

from yatzy.evaluation.forward_pass import ForwardPass
from yatzy.games import Position
from yatzy.store.kept import KeptResults, decode_arrays, encode_arrays
from yatzy.store.revisions import Computation
from yatzy.strategies.base import Strategy
from yatzy.strategies.user_code import strategy_code

EVERY = 20.0
"""Seconds between two checkpoints."""
MOST_BYTES = 2**34
"""Size limit of a checkpoint, which holds the mass of up to two layers."""


class Checkpoint:
    """The checkpoint of one evaluation in a folder. Another strategy, rule, start or split has a file of its own."""

    def __init__(
        self, folder: Path, computation: Computation, strategy: Strategy, start: Position, events: tuple[str, ...]
    ) -> None:
        self._kept = KeptResults(folder, computation, most_bytes=MOST_BYTES)
        self._key = {"game": strategy.game.hash, "strategy": strategy.name, "code": strategy_code(strategy),
                     "start": str(start), "events": list(events)}  # fmt: skip
        self._last = time.monotonic()

    def restore(self, push: ForwardPass) -> bool:
        """Go on from the checkpoint, if there is one that can be used."""
        return self._kept.read(self._key, lambda data: _restore(push, data)) is not None

    def save_if_due(self, push: ForwardPass) -> None:
        """Write the checkpoint if the last one is old."""
        if time.monotonic() - self._last >= EVERY:
            self._kept.write(self._key, encode_arrays(push.saved()))
            self._last = time.monotonic()

    def remove(self) -> None:
        """Remove the checkpoint of a finished evaluation."""
        self._kept.path(self._key).unlink(missing_ok=True)


def _restore(push: ForwardPass, data: bytes) -> bool:
    push.restore(decode_arrays(data))
    return True
