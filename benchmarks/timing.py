"""Clocks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

from benchmarks.report import Value


@dataclass(slots=True)
class Times:
    """The durations of one thing done several times, in seconds."""

    all: list[float] = field(default_factory=list)

    def add(self, action: Callable[[], object]) -> None:
        """Do it once more."""
        begun = time.perf_counter()
        action()
        self.all.append(time.perf_counter() - begun)

    @property
    def best(self) -> float:
        """The least disturbed of them."""
        return min(self.all)

    @property
    def median(self) -> float:
        """What to expect."""
        return median(self.all)

    @property
    def data(self) -> Value:
        """For JSON."""
        return {"best_s": self.best, "median_s": self.median, "runs": len(self.all)}
