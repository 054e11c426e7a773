"""The result of a benchmark, and how it is printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich import box
from rich.console import Console
from rich.table import Table

Value = None | bool | int | float | str | Sequence["Value"] | Mapping[str, "Value"]
"""Anything that JSON can represent."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How thorough a run is."""

    quick: bool = False

    def repeats(self, full: int, quick: int) -> int:
        """`quick` in a quick run, else `full`."""
        return quick if self.quick else full


@dataclass(frozen=True, slots=True)
class Grid:
    """A table to print: the first column is aligned left, the others right."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """Tables for people, data for programs, and failures; any failure makes the run exit with 1."""

    grids: Sequence[Grid]
    data: Mapping[str, Value]
    failures: Sequence[str] = field(default_factory=tuple)


def show(console: Console, grid: Grid) -> None:
    console.print(grid.title, style="bold")
    table = Table(box=box.SIMPLE, show_header=any(grid.columns))
    for i, column in enumerate(grid.columns):
        table.add_column(column, justify="right" if i else "left", no_wrap=True)
    for row in grid.rows:
        table.add_row(*row)
    console.print(table)
    if grid.caption:
        console.print(grid.caption + "\n", style="dim")


def seconds(value: float) -> str:
    """A duration in a suitable unit."""
    return f"{value:.2f} s" if value >= 1 else f"{1000 * value:.1f} ms"


def size(count: int) -> str:
    """A number of bytes in a suitable unit."""
    return f"{count / 2**20:,.1f} MiB" if count >= 2**20 else f"{count / 2**10:,.1f} KiB"
