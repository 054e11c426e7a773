"""Advice and outlooks as documents."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from yatzy.names import Expected, parse_objective
from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.numbers import number, percent, precise_text
from yatzy.report.texts import text
from yatzy.report.words import capital, grade_colour, grade_label, move_name, objective_label, position_title

if TYPE_CHECKING:
    from yatzy.coach.advice import Advice
    from yatzy.evaluation.outlook import Outlook

NARROW = 12
"""Columns of a heading on a narrow screen."""


def advice_table(
    advices: Sequence[Advice], top: int | None = None, language: str = "en", assumed: Sequence[str] = ()
) -> Table:
    """The best moves, ranked by the first objective. With several objectives, the best of each column is starred.

    assumed: the fields of the position that were assumed; the title names an assumed upper sum.
    """
    ranked, where = advices[0], advices[0].position
    rows = []
    for entry in ranked.moves[:top]:
        under = [(advice, advice.of(entry.move)) for advice in advices]
        stars = [(" *" if one.best else "  ") * (len(advices) > 1) for _, one in under]
        values = [precise_text(one.value, advice.unit, language) for advice, one in under]
        loss = "-" if entry.best else precise_text(entry.loss, ranked.unit, language)
        grade = grade_label(entry.grade, language)
        cells = [value + star for value, star in zip(values, stars, strict=True)]
        rows.append((grade, move_name(where.game, entry.move, language), *cells, loss))
    names = [text(language, f"advice_table.{name}") for name in ("class", "move")]
    head = (*names, *(_column(advice, language) for advice in advices), text(language, "advice_table.loss"))
    strong = frozenset(place for place, entry in enumerate(ranked.moves[:top]) if entry.best)
    title = position_title(where, language)
    if "upper" in assumed:
        title = text(language, "advice_table.upper_assumed", title=title, upper=where.sheet.upper)
    colours = {grade_label(entry.grade, language): grade_colour(entry.grade) for entry in ranked.moves}
    short = tuple((row[0][:2].strip(), *row[1:]) for row in rows)
    narrow = Table(("", *(fill(name, NARROW) for name in head[1:])), short, frozenset({0, 1}), title, strong=strong)
    return Table(head, tuple(rows), frozenset({0, 1}), title, strong=strong, colours=colours, narrow=narrow)


def _column(advice: Advice, language: str) -> str:
    known = advice.position.sheet.points_known
    if parse_objective(advice.objective) == Expected():
        return text(language, "advice_table.expected" if known else "advice_table.to_come")
    unit = f"advice_table.{advice.unit.value}" if known else f"advice_table.{advice.unit.value}_to_come"
    return f"{objective_label(advice.objective, language)}\n{text(language, unit)}"


def outlook_blocks(outlook: Outlook, language: str = "en") -> list[Block]:
    """The outlook of a position: the chance of each category and of the bonus, and the range of final scores."""
    from yatzy.report.explanation import range_text, sampled_note  # imports the evaluation of strategies

    rows = [
        (
            entry.category.name(language),
            percent(entry.chance, 1, language),
            percent(entry.this_turn, 1, language),
            number(entry.points, 2, language),
        )
        for entry in outlook.categories
    ]
    head = tuple(text(language, f"explain.{name}") for name in ("category", "chance", "this_turn", "points"))
    blocks: list[Block] = [Table(head, tuple(rows), frozenset({0}))]
    if outlook.bonus is not None:
        blocks.append(Paragraph(f"{text(language, 'explain.bonus')}: {percent(outlook.bonus, 1, language)}"))
    blocks.append(Paragraph(capital(range_text(outlook, language))))
    if not outlook.exact:
        blocks.append(Paragraph(sampled_note(outlook.games, language)))
    return blocks
