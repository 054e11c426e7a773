"""Documents of headings, paragraphs, tables and figures, written as Markdown or as one HTML file.

Text is plain: the writers escape it, so that nothing in a player's name becomes markup. `Marked` text may contain
`code` between backticks and *stress* between stars. For the terminal see `terminal`.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias


class Marked(str):
    """Text with `code` and *stress* markup. Only for our own text, never for names of players."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of the document or of a section."""

    text: str
    level: int = 2
    """1 for the title of the document."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of text."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A bulleted list."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Preformatted text, to be copied."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below a header."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[int]
    """Columns of words, aligned left; all others are numbers, aligned right."""
    title: str = ""
    code: frozenset[int] = frozenset()
    """Columns of text to be copied verbatim, shown as code."""
    bars: frozenset[int] = frozenset()
    """Columns of bars made of block characters. HTML omits them, and so does a terminal that is too narrow."""
    strong: frozenset[int] = frozenset()
    """Rows shown in bold."""
    rules: frozenset[int] = frozenset()
    """Rows with a line above them."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """Colours of cells in HTML and in the terminal, `good` or `bad`, by their text."""
    narrow: Table | None = None
    """What a terminal shows instead if it is too narrow for this table."""


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart with one scale."""

    bars: tuple[tuple[str, str, float], ...]
    """(name, amount as text, amount) of each bar."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing."""

    svg: bytes | Path
    """The image or its file. Markdown links to a file and omits an image without one."""
    alt: str
    """The alternative text: what the figure shows."""
    caption: bool = False
    """Whether the alternative text is also shown as a caption."""


Block: TypeAlias = Heading | Paragraph | Items | Code | Table | Bars | Figure

WIDTH = 40
"""Characters of the longest bar."""


def bar_lines(bars: Bars) -> list[str]:
    """Bars made of block characters: solid for positive amounts, shaded for negative ones."""
    names, texts = max(len(name) for name, _, _ in bars.bars), max(len(text) for _, text, _ in bars.bars)
    largest = max(abs(value) for _, _, value in bars.bars) or 1.0
    lengths = [round(WIDTH * abs(value) / largest) for _, _, value in bars.bars]
    return [
        f"{name:<{names}}  {text:>{texts}}  {('█' if value >= 0 else '░') * length}".rstrip()
        for (name, text, value), length in zip(bars.bars, lengths, strict=True)
    ]


def marked_table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    words: int = 1,
    colours: Mapping[str, str] | None = None,
) -> Table:
    """A table of marked text; the first `words` columns are words."""
    lines = tuple(tuple(map(Marked, row)) for row in rows)
    return Table(tuple(map(Marked, head)), lines, frozenset(range(words)), colours=colours or {})


def code_text(text: str) -> Marked:
    """Any text as code."""
    return Marked(f"`{' '.join(text.split()).replace('|', '¦').replace('`', '´')}`")


# Markdown


def to_markdown(blocks: Iterable[Block], home: Path | None = None) -> str:
    """Write a document as Markdown; links to figures are relative to the folder `home`."""
    parts = [_markdown(block, home) for block in blocks]
    return "\n\n".join(part for part in parts if part is not None) + "\n"


def _markdown(block: Block, home: Path | None) -> str | None:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_plain(text)}"
        case Paragraph(text):
            return _plain(text)
        case Items(lines):
            return "\n".join(f"- {_plain(line)}" for line in lines)
        case Code(text, language):
            return f"```{language}\n{text.rstrip()}\n```"
        case Table():
            return _markdown_table(block)
        case Bars():
            return "\n".join(["```text", *bar_lines(block), "```"])
        case Figure(svg, alt):
            if isinstance(svg, bytes):
                return None
            path = svg if home is None else svg.relative_to(home)
            return f"![{_plain(alt)}]({path.as_posix()})"


def _markdown_table(table: Table) -> str:
    rule = ["---" if column in table.words else "---:" for column in range(len(table.head))]
    rows = [[code_text(c) if i in table.code else _cell(c) for i, c in enumerate(row)] for row in table.rows]
    lines = [[_cell(cell) for cell in table.head], rule, *rows]
    said = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"**{_plain(table.title)}**\n\n{said}" if table.title else said


def _cell(text: str) -> str:
    return text.replace("|", "\\|") if isinstance(text, Marked) else _plain(text)


def _plain(text: str) -> str:
    """Text on one line, with all Markdown and HTML syntax escaped."""
    if isinstance(text, Marked):
        return text
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#~&" else letter for letter in " ".join(text.split()))


# HTML

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --good: #006b4f; --bad: #a23b00; }
@media (prefers-color-scheme: dark) { :root { --good: #5fd0a8; --bad: #ff9d66; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
nav a { margin-right: 1em; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th, td { white-space: nowrap; }
.word { text-align: left; }
td.word { white-space: normal; }
.copied { font-size: .75em; overflow-wrap: anywhere; }
td:has(.copied) { min-width: 14rem; line-height: 1.3; }
th { border-bottom-width: 2px; }
.strong { font-weight: 600; }
.rule td { border-top: 2px solid var(--line); }
.good { color: var(--good); }
.bad { color: var(--bad); font-weight: 600; }
tbody tr:nth-child(even) { background: var(--soft); }
.wide { overflow-x: auto; }
.bars td { border: 0; }
.bar { display: inline-block; height: .9em; vertical-align: middle; border: 1px solid currentColor; }
.more { background: #0072b2; }
.less { background: repeating-linear-gradient(45deg, #d55e00 0 3px, transparent 3px 6px); }
figure { margin: 1.5em 0; }
img { width: 46rem; max-width: 100%; height: auto; background: white; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def to_html(blocks: Sequence[Block], title: str, language: str = "en", *, contents: bool = False) -> str:
    """Write a document as one HTML file without scripts or external resources, optionally with a table of contents."""
    parts = [_html(block, number) for number, block in enumerate(blocks)]
    if contents:
        links = " ".join(
            f'<a href="#b{number}">{_inline(block.text)}</a>'
            for number, block in enumerate(blocks)
            if isinstance(block, Heading) and block.level == 2
        )
        parts.insert(1, f"<nav>{links}</nav>")
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="{html.escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _html(block: Block, number: int) -> str:
    match block:
        case Heading(text, level):
            return f'<h{level} id="b{number}">{_inline(text)}</h{level}>'
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Items(lines):
            return f"<ul>{''.join(f'<li>{_inline(line)}</li>' for line in lines)}</ul>"
        case Code(text):
            return f"<pre><code>{html.escape(text)}</code></pre>"
        case Table():
            return _html_table(block)
        case Bars():
            return _html_bars(block)
        case Figure(svg, alt):
            data = base64.b64encode(svg if isinstance(svg, bytes) else svg.read_bytes()).decode()
            image = f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(alt)}">'
            caption = f"<figcaption>{_inline(alt)}</figcaption>" if block.caption else ""
            return f"<figure>{image}{caption}</figure>"


def _inline(text: str) -> str:
    escaped = html.escape(text)
    if not isinstance(text, Marked):
        return escaped
    return re.sub(r"(?<!\w)\*(\w[^*]*)\*", r"<em>\1</em>", re.sub(r"`([^`]*)`", r"<code>\1</code>", escaped))


def _html_table(table: Table) -> str:
    def cell(tag: str, column: int, text: str) -> str:
        names = ["word"] if column in table.words else []
        if tag == "td" and table.colours.get(text):
            names.append(table.colours[text])
        kind = f' class="{" ".join(names)}"' if names else ""
        scope = ' scope="col"' if tag == "th" else ""
        inside = _inline(text)
        if tag == "td" and column in table.code:
            inside = f'<code class="copied">{inside}</code>'
        return f"<{tag}{scope}{kind}>{inside}</{tag}>"

    def line(tag: str, cells: Sequence[str], *names: str) -> str:
        shown = (cell(tag, column, text) for column, text in enumerate(cells) if column not in table.bars)
        kind = f' class="{" ".join(names)}"' if names else ""
        return f"<tr{kind}>{''.join(shown)}</tr>"

    caption = f"<caption>{_inline(table.title)}</caption>" if table.title else ""
    rows = "\n".join(
        line("td", row, *["strong"] * (place in table.strong), *["rule"] * (place in table.rules))
        for place, row in enumerate(table.rows)
    )
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
