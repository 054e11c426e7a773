"""Resources of a computation: the folder of tables, threads, and callbacks for progress and reports."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from pathlib import Path

from yatzy.store import Report
from yatzy.workers.places import CPU

Progress = Callable[[int, int], None]
"""Called with the amount done and the total."""


@dataclass(frozen=True)
class Resources:
    """Resources of a computation, passed on as one object."""

    folder: str | Path | None = None
    """Of the tables; None for the default, see docs/tables.md."""
    threads: int | None = None
    """None for all cores."""
    progress: Callable[..., Progress] | None = None
    """Returns a progress callback; takes what is worked on, and a verb if that is not solving."""
    report: Report | None = None
    """Called with a sentence while another process builds a table that is needed."""
    executor: Executor | None = None
    """Workers elsewhere, for computations that can be divided into tasks; None for threads of this process.

    They share the folder of tables.
    """
    read_only: bool = False
    """Open tables as they are. Nothing is built or repaired: a missing or damaged table is an error."""
    backend: str = CPU
    """What computes values: the CPU, or one of `yatzy.values.backends.BACKENDS`."""

    @property
    def plain(self) -> Resources:
        """These resources without what a subclass adds: a table that held a solver would keep all its tables open."""
        return Resources(**{one.name: getattr(self, one.name) for one in fields(Resources)})

    def watch(self, what: str, verb: str | None = None) -> Progress | None:
        """A progress callback, if progress is shown."""
        if self.progress is None:
            return None
        return self.progress(what) if verb is None else self.progress(what, verb)


DEFAULTS = Resources()
"""The default folder of tables, all cores, and nothing shown."""
