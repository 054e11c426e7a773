r"""The tables of a document as LaTeX, each with a caption, to be read with \input into a paper that loads booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from yatzy.report.document import Block, Heading, Marked, Table

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "−": r"$-$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "·": r"$\cdot$",
    "–": "--",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "\u202f": r"\,",
}
_ESCAPE = str.maketrans(_SPECIAL)
_MARK = re.compile(r"`([^`]*)`|\*([^*]*)\*")


def to_latex(blocks: Iterable[Block]) -> str:
    """The tables of a document; their captions are the headings above them."""
    lines = ["% Needs \\usepackage{booktabs}."]
    headings: dict[int, str] = {}
    for block in blocks:
        if isinstance(block, Heading):
            headings = {level: text for level, text in headings.items() if level < block.level}
            headings[block.level] = block.text
        elif isinstance(block, Table):
            above = [text for _, text in sorted(headings.items())]
            lines += ["", *_table(block, block.title or ": ".join(above))]
    return "\n".join(lines) + "\n"


def _table(table: Table, caption: str) -> Iterator[str]:
    columns = [i for i in range(len(table.head)) if i not in table.bars]
    yield r"\begin{table}"
    yield r"  \centering"
    yield rf"  \caption{{{latex_text(caption)}}}"
    yield rf"  \begin{{tabular}}{{{''.join('l' if i in table.words else 'r' for i in columns)}}}"
    yield r"    \toprule"
    yield _row(table.head, columns)
    yield r"    \midrule"
    for number, row in enumerate(table.rows):
        if number in table.rules:
            yield r"    \midrule"
        yield _row(row, columns, strong=number in table.strong)
    yield r"    \bottomrule"
    yield r"  \end{tabular}"
    yield r"\end{table}"


def _row(row: tuple[str, ...], columns: list[int], *, strong: bool = False) -> str:
    cells = [latex_text(row[i]) for i in columns]
    return "    " + " & ".join(rf"\textbf{{{cell}}}" if strong and cell else cell for cell in cells) + r" \\"


def latex_text(text: str) -> str:
    """Text with the special characters of LaTeX escaped; `code` and *stress* of marked text become commands."""
    if not isinstance(text, Marked):
        return " ".join(text.split()).translate(_ESCAPE)
    parts, end = list[str](), 0
    for found in _MARK.finditer(text):
        parts.append(text[end : found.start()].translate(_ESCAPE))
        code, stress = found.groups()
        command, inner = (r"\emph", stress) if code is None else (r"\texttt", code)
        parts.append(f"{command}{{{inner.translate(_ESCAPE)}}}")
        end = found.end()
    return "".join([*parts, text[end:].translate(_ESCAPE)])
