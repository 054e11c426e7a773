"""Solved games for commands, with progress and notes on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from yatzy.cli import terminal
from yatzy.errors import InputError
from yatzy.names import Objective
from yatzy.solver import Solver
from yatzy.store import tables_folder
from yatzy.values.backends import SHARED
from yatzy.workers.places import Dask, parse_place


def check_workers(on: str | None, objective: Objective) -> None:
    """Refuse workers for an objective whose tables they do not compute."""
    if on is None or not isinstance(parse_place(on), Dask):
        return
    if objective.reads_file or SHARED.isdisjoint(objective.tables):
        raise InputError(
            "--on {on}: the tables of {objective} are computed on one machine; workers compute curves of chances",
            on=on[:80],
            objective=objective,
        )


@contextmanager
def open_solver(tables: Path | None, threads: int | None = None, on: str | None = None) -> Iterator[Solver]:
    """The solver of a command; it opens tables and makes missing ones.

    on: where to compute what can be divided into tasks or a backend can do; by default in threads of this process.
    """
    place = parse_place(on or "local")
    with ExitStack() as stack:
        watch = stack.enter_context(terminal.watching())
        if place.threads is not None:
            yield Solver(tables, place.threads if on else threads, watch, terminal.notes())
        else:
            executor = stack.enter_context(place.open(tables_folder(tables), terminal.notes()))
            yield Solver(tables, threads, watch, terminal.notes(), executor, backend=place.backend)
