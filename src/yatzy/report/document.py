"""Reports as blocks (headings, paragraphs, tables, figures), and the same blocks as Markdown and as one HTML file.

Whoever writes a report puts blocks together and never thinks of marks or angle brackets: all text is plain text, and
is escaped where it is rendered.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a head."""

    head: tuple[str, ...]
    """Columns without a head hold bars in letters; a page has figures instead."""
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[int]
    """The columns that hold words; all others hold numbers, to the right."""
    title: str = ""
    code: frozenset[int] = frozenset()
    """The columns that hold text to be copied letter by letter."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Some amounts as bars of one scale."""

    bars: tuple[tuple[str, str, float], ...]
    """Name, amount as text, and amount."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure."""

    svg: bytes
    alt: str
    """What it shows, for those who cannot see it."""


Block: TypeAlias = Heading | Paragraph | Table | Bars | Picture

WIDTH = 40
"""Letters of the longest bar."""


def bar_lines(bars: Bars) -> list[str]:
    """Bars for a terminal: full blocks for what adds, hollow ones for what takes."""
    names, texts = max(len(name) for name, _, _ in bars.bars), max(len(text) for _, text, _ in bars.bars)
    largest = max(abs(value) for _, _, value in bars.bars) or 1.0
    lengths = [round(WIDTH * abs(value) / largest) for _, _, value in bars.bars]
    return [
        f"{name:<{names}}  {text:>{texts}}  {('█' if value >= 0 else '░') * length}".rstrip()
        for (name, text, value), length in zip(bars.bars, lengths, strict=True)
    ]


def to_markdown(blocks: Iterable[Block]) -> str:
    """A report as Markdown; figures are left out."""
    parts = []
    for block in blocks:
        match block:
            case Heading(text, level):
                parts.append(f"{'#' * level} {_plain(text)}")
            case Paragraph(text):
                parts.append(_plain(text))
            case Table():
                parts.append(_markdown_table(block))
            case Bars():
                parts.append("\n".join(["```text", *bar_lines(block), "```"]))
            case Picture():
                continue
    return "\n\n".join(parts) + "\n"


def _markdown_table(table: Table) -> str:
    rule = ["---" if column in table.words else "---:" for column in range(len(table.head))]
    rows = [[_code(c) if i in table.code else _plain(c) for i, c in enumerate(row)] for row in table.rows]
    lines = [[_plain(cell) for cell in table.head], rule, *rows]
    said = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"**{_plain(table.title)}**\n\n{said}" if table.title else said


def _code(text: str) -> str:
    return f"`{' '.join(text.split()).replace('|', '¦').replace('`', '´')}`"


def _plain(text: str) -> str:
    """Text on one line, with nothing in it that Markdown or HTML would take for its own."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#~&" else letter for letter in " ".join(text.split()))


_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th, td { white-space: nowrap; }
code { font-size: .75em; white-space: normal; overflow-wrap: anywhere; }
td:has(code) { min-width: 14rem; white-space: normal; line-height: 1.3; }
th { border-bottom-width: 2px; }
.word { text-align: left; }
tbody tr:nth-child(even) { background: var(--soft); }
.wide { overflow-x: auto; }
.bars td { border: 0; }
.bar { display: inline-block; height: .9em; vertical-align: middle; border: 1px solid currentColor; }
.more { background: #0072b2; }
.less { background: repeating-linear-gradient(45deg, #d55e00 0 3px, transparent 3px 6px); }
img { width: 46rem; max-width: 100%; height: auto; background: white; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def to_html(blocks: Sequence[Block], title: str) -> str:
    """A report as one HTML file that needs nothing else and runs nothing."""
    body = "\n".join(_html_block(block) for block in blocks)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _html_block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{html.escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{html.escape(text)}</p>"
        case Table():
            return _html_table(block)
        case Bars():
            return _html_bars(block)
        case Picture(svg, alt):
            data = base64.b64encode(svg).decode()
            return f'<p><img src="data:image/svg+xml;base64,{data}" alt="{html.escape(alt)}"></p>'


def _html_table(table: Table) -> str:
    def cell(tag: str, column: int, text: str) -> str:
        kind = ' class="word"' if column in table.words else ""
        scope = ' scope="col"' if tag == "th" else ""
        inside = html.escape(text)
        if tag == "td" and column in table.code:
            inside = f"<code>{inside}</code>"
        return f"<{tag}{scope}{kind}>{inside}</{tag}>"

    def line(tag: str, cells: Sequence[str]) -> str:
        shown = (cell(tag, column, text) for column, text in enumerate(cells) if table.head[column])
        return f"<tr>{''.join(shown)}</tr>"

    caption = f"<caption>{html.escape(table.title)}</caption>" if table.title else ""
    rows = "\n".join(line("td", row) for row in table.rows)
    head = line("th", table.head)
    return f'<div class="wide"><table>{caption}<thead>{head}</thead>\n<tbody>\n{rows}\n</tbody></table></div>'


def _html_bars(bars: Bars) -> str:
    largest = max(abs(value) for _, _, value in bars.bars) or 1.0
    rows = []
    for name, text, value in bars.bars:
        kind, width = ("more" if value >= 0 else "less"), 20 * abs(value) / largest
        bar = f'<span class="bar {kind}" style="width: {width:.2f}rem"></span>'
        rows.append(
            f'<tr><td class="word">{html.escape(name)}</td><td>{html.escape(text)}</td><td class="word">{bar}</td></tr>'
        )
    return f'<table class="bars"><tbody>\n{"".join(rows)}\n</tbody></table>'
