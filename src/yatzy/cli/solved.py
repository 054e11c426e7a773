"""Solved games for a command, with progress and notes where people see them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from yatzy.cli import show

if TYPE_CHECKING:
    from yatzy.solver import Solver


@contextmanager
def open_solver(tables: Path | None, threads: int | None = None) -> Iterator[Solver]:
    """Where a command opens tables, or makes those that are missing."""
    from yatzy.solver import Solver

    with show.watching() as watch:
        yield Solver(tables, threads, watch, show.note)
