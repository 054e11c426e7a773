"""Small components shared by the analysis, the review, the quiz and the lab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from yatzy.coach.advice import Advice
from yatzy.coach.grades import Grade
from yatzy.games import Move, Position, placements
from yatzy.report.numbers import loss_number, value_text
from yatzy.report.words import grade_name
from yatzy.web.page.parts.charts import LegendEntry
from yatzy.web.page.parts.dice import face
from yatzy.web.page.parts.markup import GAP, Markup, Template, join, tag
from yatzy.web.page.parts.moves import move_name
from yatzy.web.page.reader import Reader

STYLE = "/page-assets/views.css"
"""The style sheet of these views."""


def segments(label: str, action: str, choices: Mapping[str, str], chosen: str) -> Markup:
    """A row of buttons to choose one option."""
    buttons = [
        tag("button", text, type="button", role="radio", class_="yz-segment", data_do=action, data_arg=key,
            aria_checked="true" if key == chosen else "false", data_key=f"{action}-{key}",
            data_testid=f"{action}-{key}")
        for key, text in choices.items()
    ]  # fmt: skip
    return tag("span", *buttons, role="radiogroup", aria_label=label, class_="yz-segments")


def scroll_box(*content: Markup | None) -> Markup:
    """Something that scrolls sideways where it is too wide; it can be focused, so that keys scroll it."""
    return tag("div", *content, class_="yz-scroll", tabindex="0")


def grade_mark(grade: Grade, language: str) -> Markup:
    """A class of moves, with its sign and name."""
    sign = tag("span", grade.sign, class_="yz-sign", aria_hidden="true")
    return tag("span", sign, tag("span", grade_name(grade, language)), class_=f"yz-grade yz-{grade.value}")


def dice_line(position: Position, kept: Sequence[int] = ()) -> Markup:
    """The dice of a position. They cannot be clicked."""
    dice = [
        tag("span", face(value), class_="yz-small-die" + (" yz-small-kept" if place in kept else ""))
        for place, value in enumerate(position.dice)
    ]
    said = " ".join(map(str, position.dice))
    return tag("div", *dice, class_="yz-small-dice", role="img", aria_label=said, data_testid="position-dice",
               data_dice="".join(map(str, position.dice)))  # fmt: skip


def advice_list(reader: Reader, advice: Advice, made: Move | None, most: int = 8) -> Markup:
    """The best moves of a position, and the move made if it is not among them."""
    t, language = reader.t, reader.language
    shown = list(advice.moves[:most])
    if made is not None and all(one.move != made for one in shown):
        shown += [one for one in advice.moves if one.move == made]
    rows = [
        tag("tr", tag("td", move_name(reader, advice.position, one.move), class_="yz-left"),
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


def legend(entries: Sequence[LegendEntry]) -> Markup:
    """The lines of a chart with their names. It wraps where space is short."""
    return tag("ul", *map(_legend_entry, entries), class_="yz-legend") if entries else join()


@lru_cache(maxsize=64)
def _legend_entry(entry: LegendEntry) -> Markup:
    return tag("li", line_key(entry), entry.name)


def line_key(entry: LegendEntry) -> Markup:
    """A short piece of a line of a chart, to tell which line a name belongs to."""
    return tag("span", class_=f"yz-key yz-key-{entry.dash}", style=f"color:{entry.colour}")


def sheet_list(reader: Reader, position: Position) -> Markup:
    """The sheet of the player to move in two columns, read downwards. Open categories show what the dice would give."""
    game, sheet, language = position.game, position.sheet, reader.language
    complete = len(position.dice) == game.dice
    now = {place.category: place.points for place in placements(sheet, position.dice)} if complete else {}
    cells = []
    for place, category in enumerate(game.categories):
        filled = bool(sheet.filled >> place & 1)
        points = sheet.boxes[place] if sheet.boxes is not None and filled else None
        if filled:
            shown = tag("b", "×" if points is None else points)
        elif place in now:
            label = reader.t("sheets.would_give", points=now[place])
            shown = tag("span", now[place], class_="yz-open-box", title=label, aria_label=label, role="img")
        else:
            shown = tag("span", class_="yz-open-box")
        cells.append(tag("div", tag("span", category.name(language), class_="yz-cell-name"), shown, class_="yz-cell"))
    total = tag("div", tag("span", reader.t("sheet.total")), tag("b", sheet.points), class_="yz-cell yz-cell-sum")
    bonus = None
    if game.bonus is not None:
        said = f"{sheet.upper} / {game.bonus.threshold}"
        bonus = tag("div", tag("span", reader.t("sheet.upper")), tag("b", said), class_="yz-cell yz-cell-sum")
    return tag("div", tag("div", *cells, class_="yz-cells"), tag("div", bonus, total, class_="yz-cell-sums"),
               class_="yz-sheet-list", role="group", aria_label=reader.t("sheet.label"))  # fmt: skip


def bar(share: float, *, negative: bool = False) -> Markup:
    """A small bar, hollow if negative."""
    return _bar(negative).fill(f"{100 * min(max(share, 0.0), 1.0):.1f}")


@lru_cache(maxsize=2)
def _bar(negative: bool) -> Template:
    kind = " yz-minus" if negative else ""
    return Template(tag("span", tag("span", style=f"width:{GAP}%"), class_=f"yz-bar{kind}", aria_hidden="true"))
