"""Print documents in the terminal, without figures."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from textwrap import wrap

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod, RenderableType
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from yatzy.report.document import Bars, Block, Code, Figure, Heading, Items, Paragraph, Table, bar_lines

WIDTH = 120
"""Columns, if standard output is not a terminal."""
WORDS = 14
"""Columns that a column of words needs to be readable."""
GAP = 3
"""Columns between two columns of a table."""
STYLES = {"good": "green", "bad": "red"}
"""Terminal styles of the colours of a document. Rich leaves them out without a terminal and with NO_COLOR."""


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


def print_line(line: str, colour: str = "") -> None:
    """Print a sentence, wrapped to the width of the terminal. `colour`: `good`, `bad` or none."""
    console = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False)
    console.print(Text(line, style=STYLES.get(colour, "")), soft_wrap=not sys.stdout.isatty())


def rich_table(block: Table, console: Console) -> RenderableType:
    """A table as far as it fits the width: without bars, in its narrow form, with narrow gaps, or row by row."""
    for form in (block, block.narrow):
        for bars, gap in ((True, 1), (False, 1), (False, 0)):
            if form is None or (bars and not form.bars and form is not block):
                continue
            table = _table(form, bars=bars, gap=gap)
            if _width(table, console) <= console.width:
                return table
    if _least_width(block) <= console.width:
        return _table(block, bars=False, gap=1, whole_words=True)
    return _rows(block.narrow or block, console)


def _width(table: RichTable, console: Console) -> int:
    return Measurement.get(console, console.options.update(max_width=1000), table).maximum


def _least_width(block: Table) -> int:
    """The width below which a table cannot be read: words need some room, numbers all of theirs."""
    widths = []
    for column in range(len(block.head)):
        if column not in block.bars:
            texts = [block.head[column], *(row[column] for row in block.rows)]
            natural = max(max(map(len, text.split("\n"))) for text in texts)
            word = _longest_word(block, column)
            widths.append(max(word, min(natural, WORDS)) if column in block.words else word)
    return sum(widths) + GAP * (len(widths) - 1)


def _longest_word(block: Table, column: int) -> int:
    texts = (block.head[column], *(row[column] for row in block.rows))
    return max((len(word) for text in texts for word in text.split()), default=0)


def _table(block: Table, *, bars: bool, gap: int, whole_words: bool = False) -> RichTable:
    """gap: 0 for narrow gaps between the columns; whole_words: no column is narrower than its longest word."""
    shown = [column for column in range(len(block.head)) if bars or column not in block.bars]
    table = RichTable(
        box=SIMPLE_HEAD if gap else None, padding=(0, 1), pad_edge=False, show_header=any(block.head),
        collapse_padding=not gap,
    )  # fmt: skip
    for column in shown:
        least = _longest_word(block, column) if whole_words else None
        justify: JustifyMethod = "left" if column in block.words else "right"
        table.add_column(Text(block.head[column]), justify=justify, overflow="fold", min_width=least)
    for place, row in enumerate(block.rows):
        if place in block.rules:
            table.add_section()
        style = "bold" if place in block.strong else ""
        table.add_row(*(_cell(block, row[column]) for column in shown), style=style)
    return table


def _cell(block: Table, text: str) -> Text:
    return Text(text, style=STYLES.get(block.colours.get(text, ""), ""))


def _rows(block: Table, console: Console) -> Text:
    """Every row as a paragraph: its first cell, and below it the others with their headings."""
    said = Text()
    for place, row in enumerate(block.rows):
        said.append(f"{row[0]}\n", style="bold")
        for column in range(1, len(row)):
            if row[column] and column not in block.bars:
                head = " ".join(block.head[column].split())
                line = f"{head}: {row[column]}" if head else row[column]
                lines = wrap(line, max(console.width - 2, 10), subsequent_indent="  ", break_on_hyphens=False)
                said.append("".join(f"  {part}\n" for part in lines))
        if place + 1 < len(block.rows):
            said.append("\n")
    return said
