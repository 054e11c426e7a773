"""The parts of the analysis as HTML: its numbers are tables, which tests and screen readers can read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from yatzy.report.numbers import number, percent
from yatzy.web.page.analysis.model import Categories, Chart, Head, Range, Ticks, Wins
from yatzy.web.page.parts.blocks import bar, line_key, segments
from yatzy.web.page.parts.charts import LEVELS, LegendEntry, Line, Text
from yatzy.web.page.parts.markup import GAP, Markup, Template, join, tag


def head_line(model: Head) -> Markup:
    """The title, and the switches of the chart."""
    t = model.reader.t
    views = segments(t("analysis.view.label"), "chart", {
        "at-least": t("analysis.view.at_least"), "exactly": t("analysis.view.exactly"),
    }, "exactly" if model.exactly else "at-least")  # fmt: skip
    best = tag("button", t("analysis.view.best"), type="button", class_="yz-switch", role="switch",
               aria_checked="true" if model.with_best else "false", data_do="chart-best", data_key="chart-best",
               data_testid="chart-best", title=t("analysis.view.best_note"))  # fmt: skip
    why = tag("button", t("analysis.view.why_short"), type="button", class_="yz-button", data_do="why",
              data_key="why", data_testid="why", title=f"{t('analysis.view.why')} (W)")  # fmt: skip
    return join(tag("h2", t("analysis.label")), tag("div", views, best, why, class_="yz-row"))


def ticks_line(model: Ticks) -> Markup:
    """How to compare moves, or a button to stop comparing."""
    t = model.reader.t
    if model.ticked:
        return tag("button", t("analysis.view.untick"), type="button", class_="yz-button", data_do="compare",
                   data_arg="", data_key="untick", data_testid="untick")  # fmt: skip
    if model.can_tick:
        return tag("p", t("analysis.view.tick"), class_="yz-note yz-fine")
    return join()


def range_line(model: Range) -> Markup:
    """The expected final score, its 80 % range, the bonus, and the chance of the target."""
    t, language, outlook, best, target = (
        model.reader.t, model.reader.language, model.outlook, model.best, model.target
    )  # fmt: skip
    parts: list[tuple[str, str, str]] = []
    if outlook is not None:
        parts.append(("mean", t("analysis.range.mean"), number(outlook.mean, 1, language)))
        parts.append(("middle", t("analysis.range.middle"), f"{outlook.low} – {outlook.high}"))
        if outlook.bonus is not None:
            parts.append(("bonus", t("analysis.range.bonus"), percent(outlook.bonus, 0, language)))
    if target is not None and best is not None:
        parts.append(("beat", t("analysis.range.beat", score=target), percent(best.at(target), 1, language)))
    if not parts:
        return tag("p", t("analysis.view.not_yet"), class_="yz-note")
    figures = [
        tag("div", tag("b", value, data_testid=f"range-{id}"), tag("span", name), class_="yz-figure")
        for id, name, value in parts
    ]
    return tag("div", *figures, class_="yz-figures", role="group", aria_label=t("analysis.range.title"))


def chart_table(model: Chart) -> Markup:
    """The numbers of a chart, or nothing if it has no lines."""
    if not model.lines:
        return join()
    return number_table(model.lines, model.target, model.reader.t, model.reader.language)


def number_table(lines: Sequence[Line], target: int | None, t: Text, language: str) -> Markup:
    """A column per line of the chart: its mean, and the score reached with each of several chances."""
    heads = [_line_head(entry) for entry in map(LegendEntry.of, lines)]
    rows = [
        _row(t("analysis.numbers.mean"), ["–" if one.mean is None else number(one.mean, 2, language) for one in lines])
    ]
    if target is not None:
        cells = [percent(line.at(target), 1, language) for line in lines]
        rows.append(_row(t("analysis.numbers.target", score=target), cells))
    for place, level in enumerate(LEVELS):
        name = t("analysis.numbers.chance", percent=f"{100 * level:g}")
        rows.append(_row(name, [str(line.scores[place]) for line in lines]))
    caption = tag("caption", t("analysis.numbers.caption"))
    head = tag("tr", tag("td", ""), *heads)
    return tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="yz-data yz-numbers",
               data_testid="analysis-numbers")  # fmt: skip


def _row(name: str, cells: Sequence[str]) -> Markup:
    return _number_row(len(cells)).fill(name, *cells)


@lru_cache(maxsize=64)
def _line_head(entry: LegendEntry) -> Markup:
    """The head of the column of a line."""
    return tag("th", line_key(entry), entry.name, scope="col")


@lru_cache(maxsize=16)
def _number_row(cells: int) -> Template:
    """A row with its name and this many cells."""
    return Template(tag("tr", tag("th", GAP, scope="row", class_="yz-left"), *[tag("td", GAP)] * cells))


@lru_cache(maxsize=2)
def _category_row(classes: str | None) -> Template:
    """A category: its name, the chance of points as a number and as a bar, the points, and the chance this turn."""
    name, cell = tag("th", GAP, scope="row", class_="yz-left"), tag("td", GAP)
    return Template(tag("tr", name, cell, tag("td", GAP, class_="yz-bar-cell"), cell, cell, class_=classes))


def win_table(model: Wins) -> Markup:
    """Every player's chance to win."""
    t, language, players, plain = model.reader.t, model.reader.language, model.players, model.plain
    if not plain:
        return join()
    known = dict[int, float]()
    if model.best is not None:
        known[model.mover] = model.best
        if len(players) == 2:
            known[1 - model.mover] = 1 - model.best
    head = tag("tr", tag("th", t("analysis.win.player"), scope="col", class_="yz-left"),
               tag("th", t("analysis.win.plain"), scope="col"), tag("th", t("analysis.win.best"), scope="col"),
               tag("td", ""))  # fmt: skip
    rows = [
        tag("tr", tag("th", player.name, scope="row", class_="yz-left"), tag("td", percent(plain[seat], 1, language)),
            tag("td", percent(known[seat], 1, language) if seat in known else "–"),
            tag("td", bar(known.get(seat, plain[seat])), class_="yz-bar-cell"))
        for seat, player in enumerate(players)
    ]  # fmt: skip
    caption = tag("caption", t("analysis.win.caption"))
    table = tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="yz-data yz-wins",
                data_testid="chances-to-win")  # fmt: skip
    return join(table, tag("p", t("analysis.win.note"), class_="yz-note yz-fine"))


def category_table(model: Categories) -> Markup:
    """The outlook of every open category and of the bonus."""
    t, language, game, outlook = model.reader.t, model.reader.language, model.position.game, model.outlook
    if outlook is None or (not outlook.categories and outlook.bonus is None):
        return join()
    rows = [
        _category_row(None).fill(one.category.name(language), percent(one.chance, 0, language), bar(one.chance),
                                 number(one.points, 1, language), percent(one.this_turn, 0, language))
        for one in outlook.categories
    ]  # fmt: skip
    if outlook.bonus is not None and game.bonus is not None:
        bonus, points = outlook.bonus, game.bonus.points
        rows.append(
            _category_row("yz-last").fill(t("sheet.bonus", points=points), percent(bonus, 0, language), bar(bonus),
                                          number(points * bonus, 1, language), "")
        )  # fmt: skip
    names = ("category", "chance", "", "points", "this_turn")
    head = [
        tag("th", t(f"analysis.categories.{name}"), scope="col", class_="yz-left" if name == "category" else None)
        if name
        else tag("td", class_="yz-bar-cell")  # above the bars
        for name in names
    ]
    caption = tag("caption", t("analysis.categories.caption"), class_="yz-hidden")
    table = tag("table", caption, tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="yz-data yz-categories",
                data_testid="outlook-categories")  # fmt: skip
    return tag("details", tag("summary", t("analysis.categories.details")), table, class_="yz-details", open=True)
