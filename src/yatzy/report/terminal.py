"""Print documents in the terminal, without figures."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from yatzy.report.document import Bars, Block, Code, Figure, Heading, Items, Paragraph, Table, bar_lines

WIDTH = 120
"""Columns, if standard output is not a terminal."""


def print_blocks(blocks: Sequence[Block]) -> None:
    """Print a document. Texts are printed verbatim: nothing in a name is read as markup."""
    console = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False)
    for block in blocks:
        match block:
            case Heading(text, level):
                console.print(Text(f"\n{text}" if level > 1 else text, style="bold"))
            case Paragraph(text):
                console.print(Text(text), soft_wrap=not sys.stdout.isatty())
            case Items(lines):
                console.print(Text("\n".join(f"- {line}" for line in lines)))
            case Code(text):
                console.print(Text(text), soft_wrap=True)
            case Bars():
                console.print(Text("\n".join(bar_lines(block))), soft_wrap=True)
            case Table():
                if block.title:
                    console.print(Text(f"\n{block.title}", style="bold"))
                console.print(rich_table(block, console))
            case Figure():
                continue


def rich_table(block: Table, console: Console) -> RichTable:
    """A Rich table, without its bars if they do not fit."""
    table = _table(block, bars=True)
    if block.bars and Measurement.get(console, console.options.update(max_width=1000), table).maximum > console.width:
        table = _table(block, bars=False)
    return table


def _table(block: Table, *, bars: bool) -> RichTable:
    shown = [column for column in range(len(block.head)) if bars or column not in block.bars]
    table = RichTable(box=SIMPLE_HEAD, pad_edge=False, show_header=any(block.head))
    for column in shown:
        if column in block.words:
            table.add_column(Text(block.head[column]), overflow="fold")
        else:
            table.add_column(Text(block.head[column]), justify="right", overflow="fold")
    for place, row in enumerate(block.rows):
        if place in block.rules:
            table.add_section()
        style = "bold" if place in block.strong else ""
        table.add_row(*(Text(row[column]) for column in shown), style=style)
    return table
