"""HTML for notebooks: tables in which everything is escaped. `_repr_html_` of the results calls this.

It stands above all rooms, because positions need it too. Everything else that people read is made in `report`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from yatzy.units import Unit


def table_html(caption: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; the first cell of a row is its heading."""
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[object]) -> str:
    first, *rest = (escape(str(cell)) for cell in row)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest)


def amount(value: float, unit: Unit = Unit.POINTS) -> str:
    """A value in its unit: a chance as a percentage, anything else with two decimals."""
    return f"{100 * value:.2f} %" if unit is Unit.CHANCE else f"{value + 0.0:.2f}"
