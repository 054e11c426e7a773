"""Solved games for a command, with progress and notes where people see them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from yatzy.cli import terminal
from yatzy.solver import Solver


@contextmanager
def open_solver(tables: Path | None, threads: int | None = None) -> Iterator[Solver]:
    """Where a command opens tables, or makes those that are missing."""
    with terminal.watching() as watch:
        yield Solver(tables, threads, watch, terminal.note)
