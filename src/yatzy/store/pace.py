"""When a large intermediate result is worth writing to disk, so that an interruption costs little and writing too."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from yatzy.errors import Message, YatzyError
from yatzy.store.locking import Report, tell

RATE = 10**9
"""Bytes a second that a disk writes, roughly."""
PATIENCE = 4
"""Something is written when computing it took this many times as long as writing it."""
SPARE = 2**30
"""Bytes to leave free."""


class WritePace:
    """Compares the time since the last result that was written with the time that writing the next one takes."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._last = folder, time.perf_counter()

    def due(self, size: int) -> bool:
        """Whether a result of this many bytes is worth writing, and there is room for it."""
        waited = time.perf_counter() - self._last
        return waited > PATIENCE * size / RATE and shutil.disk_usage(self._folder).free > size + SPARE

    def written(self) -> None:
        """A result was written now."""
        self._last = time.perf_counter()

    def failed(self, problem: YatzyError, report: Report | None) -> None:
        """A result could not be written: say so and wait again. That costs time only after an interruption."""
        tell(report, Message("{problem}; the computation goes on without saving", problem=problem.message))
        self.written()
