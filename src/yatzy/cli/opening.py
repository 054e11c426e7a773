"""Solved games for commands, with progress and notes on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from yatzy.cli import terminal
from yatzy.solver import Solver


@contextmanager
def open_solver(tables: Path | None, threads: int | None = None) -> Iterator[Solver]:
    """The solver of a command; it opens tables and makes missing ones."""
    with terminal.watching() as watch:
        yield Solver(tables, threads, watch, terminal.note)
