"""Small parts that the analysis, the review, the quiz and the lab share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from yatzy.coach.advice import Advice
from yatzy.coach.grades import Grade
from yatzy.games import Move, Position, placements
from yatzy.report.numbers import loss_number, value_text
from yatzy.report.words import grade_name
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.dice import face
from yatzy.web.page.parts.markup import Markup, tag
from yatzy.web.page.parts.moves import move_name

STYLE = "/page-assets/views.css"
"""The style of these views."""


def chart_box(options: dict[str, Any], id: str, label: str) -> ui.echart:
    """A chart of a fixed height, drawn as SVG so that colours follow the style sheet."""
    chart = (
        ui.echart({key: _frozen(value) for key, value in options.items()}, renderer="svg")
        .classes("yz-chart")
        .props(f'role="img" data-testid="{id}"')
    )
    chart._props["aria-label"] = label
    return chart


def show_chart(chart: ui.echart, options: dict[str, Any]) -> None:
    """Show something else in a chart."""
    # NiceGUI watches every list and dictionary in its properties, which costs more than the chart. Tuples it leaves.
    chart._props["options"] = {key: _frozen(value) for key, value in options.items()}
    chart.update()


def _frozen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(value)
    if isinstance(value, dict):
        return {key: _frozen(one) for key, one in value.items()}
    return value


def segments(label: str, action: str, choices: Mapping[str, str], chosen: str) -> Markup:
    """One of a few things, side by side."""
    buttons = [
        tag("button", text, type="button", role="radio", class_="yz-segment", data_do=action, data_arg=key,
            aria_checked="true" if key == chosen else "false", data_key=f"{action}-{key}",
            data_testid=f"{action}-{key}")
        for key, text in choices.items()
    ]  # fmt: skip
    return tag("span", *buttons, role="radiogroup", aria_label=label, class_="yz-segments")


def grade_mark(grade: Grade, language: str) -> Markup:
    """A class as its sign and its word."""
    sign = tag("span", grade.sign, class_="yz-sign", aria_hidden="true")
    return tag("span", sign, tag("span", grade_name(grade, language)), class_=f"yz-grade yz-{grade.value}")


def dice_line(position: Position, kept: Sequence[int] = ()) -> Markup:
    """Dice that lie there."""
    dice = [
        tag("span", face(value), class_="yz-small-die" + (" yz-small-kept" if place in kept else ""))
        for place, value in enumerate(position.dice)
    ]
    said = " ".join(map(str, position.dice))
    return tag("div", *dice, class_="yz-small-dice", role="img", aria_label=said, data_testid="position-dice",
               data_dice="".join(map(str, position.dice)))  # fmt: skip


def advice_list(context: PageContext, advice: Advice, made: Move | None, most: int = 8) -> Markup:
    """The best moves of a position, and the one that was made where it is not among them."""
    t, language = context.t, context.language
    shown = list(advice.moves[:most])
    if made is not None and all(one.move != made for one in shown):
        shown += [one for one in advice.moves if one.move == made]
    rows = [
        tag("tr", tag("td", move_name(context, advice.position, one.move), class_="yz-left"),
            tag("td", value_text(one.value, advice.unit, language)),
            tag("td", "0" if one.grade is Grade.BEST else f"−{loss_number(one.loss, advice.unit, language)}"),
            tag("td", grade_mark(one.grade, language), class_="yz-left"),
            class_=" ".join(name for name, holds in (("yz-best", one.best), ("yz-chosen", one.move == made)) if holds)
            or None)
        for one in shown
    ]  # fmt: skip
    names = {"moves.move": "yz-left", "why.value": None, "moves.loss": None, "moves.class": "yz-left"}
    head = tag("tr", *(tag("th", t(name), scope="col", class_=kind) for name, kind in names.items()))
    return tag("table", tag("thead", head), tag("tbody", *rows), class_="yz-moves yz-plain", data_testid="advice")


def sheet_list(context: PageContext, position: Position) -> Markup:
    """The sheet of the player to move in two columns: what is filled, and what the dice would give."""
    game, sheet, language = position.game, position.sheet, context.language
    complete = len(position.dice) == game.dice
    now = {place.category: place.points for place in placements(sheet, position.dice)} if complete else {}
    cells = []
    for place, category in enumerate(game.categories):
        filled = bool(sheet.filled >> place & 1)
        points = sheet.boxes[place] if sheet.boxes is not None and filled else None
        if filled:
            shown = tag("b", "×" if points is None else points)
        else:
            shown = tag("span", f"({now[place]})" if place in now else "·", class_="yz-quiet")
        cells.append(tag("div", tag("span", category.name(language), class_="yz-cell-name"), shown, class_="yz-cell"))
    total = tag("div", tag("span", context.t("sheet.total")), tag("b", sheet.points), class_="yz-cell yz-cell-sum")
    bonus = None
    if game.bonus is not None:
        said = f"{sheet.upper} / {game.bonus.threshold}"
        bonus = tag("div", tag("span", context.t("sheet.upper")), tag("b", said), class_="yz-cell yz-cell-sum")
    return tag("div", tag("div", *cells, class_="yz-cells"), tag("div", bonus, total, class_="yz-cells"),
               class_="yz-sheet-list", role="group", aria_label=context.t("sheet.label"))  # fmt: skip


def bar(share: float, *, negative: bool = False) -> Markup:
    """A small bar; hollow for what takes."""
    width = f"{100 * min(max(share, 0.0), 1.0):.1f}%"
    kind = " yz-minus" if negative else ""
    return tag("span", tag("span", style=f"width:{width}"), class_=f"yz-bar{kind}", aria_hidden="true")
