"""HTML tables for notebooks, fully escaped; used by `_repr_html_` of the results.

A top-level module, because positions need it too. All other output for people is made in `report`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from yatzy.units import Unit


def table_html(caption: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """An HTML table; the first cell of each row is its heading."""
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[object]) -> str:
    first, *rest = (escape(str(cell)) for cell in row)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest)


def amount(value: float, unit: Unit = Unit.POINTS) -> str:
    """A value in its unit: a chance as a percentage, anything else with two decimals."""
    return f"{100 * value:.2f} %" if unit is Unit.CHANCE else f"{value + 0.0:.2f}"
