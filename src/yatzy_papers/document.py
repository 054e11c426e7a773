"""A document of headings, paragraphs, tables and pictures, as Markdown and as one HTML file without anything outside.

Text is plain but for `code` between backticks and *stress* between stars.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some sentences."""

    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: `words` columns of words, then numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure in an SVG file."""

    title: str
    path: Path


Block: TypeAlias = Heading | Paragraph | Grid | Picture


def to_markdown(blocks: Iterable[Block], home: Path | None = None) -> str:
    """Markdown; links to pictures are relative to `home`."""
    return "\n\n".join(_markdown(block, home) for block in blocks) + "\n"


def _markdown(block: Block, home: Path | None) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Grid(head, rows, words):
            rule = ["---" if column < words else "---:" for column in range(len(head))]
            return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in (head, rule, *rows))
        case Picture(title, path):
            return f"![{title}]({path.relative_to(home).as_posix() if home is not None else path.as_posix()})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


STYLE = """
:root { color-scheme: light dark; --line: #ccc; --soft: #f5f5f5; --good: #006b4f; --bad: #a23b00; }
@media (prefers-color-scheme: dark) { :root { --line: #444; --soft: #222; --good: #5fd0a8; --bad: #ff9d66; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; margin: 2em 0 .5em; }
nav a { margin-right: 1em; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: .5em 0 1em; }
th, td { border-bottom: 1px solid var(--line); padding: .25em .7em; text-align: right; white-space: nowrap; }
th { background: var(--soft); }
th.word, td.word { text-align: left; white-space: normal; }
td.reproduced { color: var(--good); }
td.differs { color: var(--bad); font-weight: 600; }
figure { margin: 1.5em 0; background: white; padding: .5em; border: 1px solid var(--line); }
figure svg { width: 100%; height: auto; }
figcaption { color: #444; font-size: .9rem; }
code { background: var(--soft); padding: 0 .2em; white-space: nowrap; }
"""


def to_html(blocks: Sequence[Block], title: str) -> str:
    """One page with its pictures in it."""
    parts = [_html(block, number) for number, block in enumerate(blocks)]
    links = " ".join(
        f'<a href="#b{number}">{_inline(block.text)}</a>'
        for number, block in enumerate(blocks)
        if isinstance(block, Heading) and block.level == 2
    )
    parts.insert(1, f"<nav>{links}</nav>")
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{html.escape(title)}</title>'
    )
    body = "\n".join(parts)
    top = f"<head>{head}<style>{STYLE}</style></head>"
    return f'<!doctype html>\n<html lang="en">\n{top}\n<body>\n{body}\n</body>\n</html>\n'


def _html(block: Block, number: int) -> str:
    match block:
        case Heading(level, text):
            return f'<h{level} id="b{number}">{_inline(text)}</h{level}>'
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Grid(head, rows, words):
            top = "".join(_html_cell("th", text, column < words) for column, text in enumerate(head))
            body = "".join(
                "<tr>" + "".join(_html_cell("td", text, column < words) for column, text in enumerate(row)) + "</tr>\n"
                for row in rows
            )
            return f'<div class="wide"><table>\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}</tbody></table></div>'
        case Picture(title, path):
            svg = re.sub(r"^.*?(?=<svg)", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            caption = f"<figcaption>{_inline(title)}</figcaption>"
            return f'<figure role="img" aria-label="{html.escape(title)}">{svg}{caption}</figure>'


def _html_cell(tag: str, text: str, word: bool) -> str:
    marks = ["word"] if word else []
    marks += [text] if tag == "td" and text in ("reproduced", "differs") else []
    mark = f' class="{" ".join(marks)}"' if marks else ""
    return f"<{tag}{mark}>{_inline(text)}</{tag}>"


def _inline(text: str) -> str:
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))
    return re.sub(r"(?<!\w)\*(\w[^*]*)\*", r"<em>\1</em>", text)
