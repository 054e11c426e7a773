"""Reports in the terminal; figures are for files."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from yatzy.report.document import Block, Table


def print_blocks(blocks: Sequence[Block]) -> None:
    """Print a report. Its texts are plain: nothing in a name is taken for a mark."""
    from rich.console import Console
    from rich.text import Text

    from yatzy.report.document import Bars, Heading, Paragraph, Picture, Table, bar_lines

    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    for block in blocks:
        match block:
            case Heading(text, level):
                console.print(Text(f"\n{text}" if level > 1 else text, style="bold"))
            case Paragraph(text):
                console.print(Text(text))
            case Bars():
                console.print(Text("\n".join(bar_lines(block))), soft_wrap=True)
            case Table():
                console.print(Text(f"\n{block.title}", style="bold"), _fitting(block, console), sep="")
            case Picture():
                continue


def _fitting(block: Table, console: Console) -> RichTable:
    """The table, without its bars where they would not fit."""
    from rich.measure import Measurement

    table = _table(block, bars=True)
    if Measurement.get(console, console.options.update(max_width=1000), table).maximum > console.width:
        table = _table(block, bars=False)
    return table


def _table(block: Table, *, bars: bool) -> RichTable:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    shown = [column for column, name in enumerate(block.head) if name or bars]
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in shown:
        justify = "left" if column in block.words else "right"
        table.add_column(Text(block.head[column]), justify=justify, overflow="fold")  # type: ignore[arg-type]
    for row in block.rows:
        table.add_row(*(Text(row[column]) for column in shown))
    return table
