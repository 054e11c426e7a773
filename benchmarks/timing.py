"""Measurement of durations."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

from benchmarks.report import Value


@dataclass(slots=True)
class Times:
    """The durations of several runs of one action, in seconds."""

    all: list[float] = field(default_factory=list)

    def add(self, action: Callable[[], object]) -> None:
        """Run and time the action once more."""
        begun = time.perf_counter()
        action()
        self.all.append(time.perf_counter() - begun)

    @property
    def best(self) -> float:
        """The shortest duration, the one with the least disturbance."""
        return min(self.all)

    @property
    def median(self) -> float:
        return median(self.all)

    @property
    def data(self) -> Value:
        """As JSON."""
        return {"best_s": self.best, "median_s": self.median, "runs": len(self.all)}
