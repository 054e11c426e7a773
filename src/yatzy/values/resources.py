"""What a computation works with: the folder of tables, threads, and ways to show progress and to report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from yatzy.store import Report
from yatzy.values.tables import Progress


@dataclass(frozen=True)
class Resources:
    """What a computation works with; it is passed on whole."""

    folder: str | Path | None = None
    threads: int | None = None
    progress: Callable[..., Progress] | None = None
    """Returns a way to show progress on something: what it is, and a verb unless it is solved."""
    report: Report | None = None

    def watch(self, what: str, verb: str | None = None) -> Progress | None:
        """A way to show progress, if anybody watches."""
        if self.progress is None:
            return None
        return self.progress(what) if verb is None else self.progress(what, verb)
