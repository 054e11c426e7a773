"""The list of moves: every move with its value for each objective, its loss and its class.

The browser marks the row of the selected move, which the tray names (`data-chosen`). So a click on a die sends the tray
and not the whole list.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from yatzy.coach.advice import Advice, RankedMove
from yatzy.coach.grades import Grade
from yatzy.games import Keep, Move, Position
from yatzy.names import parse_objective
from yatzy.report.numbers import loss_number, value_text
from yatzy.report.words import grade_name, objective_label
from yatzy.web.page.parts.charts import move_colour
from yatzy.web.page.parts.markup import GAP, Markup, Template, tag
from yatzy.web.page.parts.moves import category_offer, move_markup
from yatzy.web.page.reader import Reader

BY_MOVE = "move"
"""Sort by move instead of by an objective."""


@dataclass(frozen=True, slots=True)
class Column:
    """An objective, with its advice if available."""

    objective: str
    advice: Advice | None
    waiting: str = ""
    """The progress of its tables, if there is no advice."""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A row of the list, independent of the selection."""

    move: str
    cells: Markup
    best: bool
    grade: str | None
    compare: str
    """What its tick does, for screen readers."""


@dataclass(frozen=True, slots=True)
class MoveList:
    """The view model of the list of moves."""

    reader: Reader
    position: Position
    columns: tuple[Column, ...]
    sort: str
    can_move: bool
    rows: tuple[MoveRow, ...] = ()
    hidden: bool = False
    """Whether values are hidden."""
    compared: tuple[str, ...] = ()
    """The ticked moves as text."""


def ranking_of(columns: tuple[Column, ...], sort: str) -> Column | None:
    """The column that ranks the moves: the one sorted by, or the first with advice."""
    there = [column for column in columns if column.advice is not None]
    return next((column for column in there if column.objective == sort), there[0] if there else None)


def move_rows(
    reader: Reader, position: Position, columns: tuple[Column, ...], sort: str, can_move: bool
) -> tuple[MoveRow, ...]:
    """The rows of a position in sort order."""
    rank = ranking_of(columns, sort)
    ranking = rank.advice if rank is not None else None
    by_rank = ranking is not None and sort != BY_MOVE
    order = [entry.move for entry in ranking.moves] if by_rank and ranking else list(position.legal_moves)
    tied = ranking is not None and sum(one.best for one in ranking.moves) > 1
    return tuple(
        _row(reader, position, place, move, columns, ranking, can_move, tied) for place, move in enumerate(order)
    )


def move_list(model: MoveList) -> Markup:
    """Render the list, or a line that says why it is empty."""
    t, position, sort = model.reader.t, model.position, model.sort
    if position.over or position.awaits_roll:
        return tag("p", t("moves.over" if position.over else "moves.roll_first"), class_="yz-note")
    if model.hidden:
        return tag("p", t("moves.hints_off"), class_="yz-note")
    rank = ranking_of(model.columns, sort)
    head = tag(
        "tr",
        tag("th", tag("span", t("moves.compare"), class_="yz-hidden"), scope="col"),
        _head(t("moves.move"), BY_MOVE, sort == BY_MOVE, "yz-left"),
        *(_objective_head(model.reader, one, one is rank and sort != BY_MOVE) for one in model.columns),
        tag("th", t("moves.loss"), scope="col"),
        tag("th", tag("span", t("moves.class"), class_="yz-word"), scope="col", class_="yz-left"),
    )
    classes = "yz-moves yz-many" if len(model.columns) > 2 else "yz-moves"
    caption = tag("caption", t("moves.caption", count=len(model.rows)), class_="yz-hidden")
    rows = [_row_markup(model, place, row) for place, row in enumerate(model.rows)]
    return tag("table", caption, tag("thead", head), tag("tbody", *rows), class_=classes, data_testid="moves",
               data_part=str(position))  # fmt: skip


def _row_markup(model: MoveList, place: int, row: MoveRow) -> Markup:
    ticked = row.move in model.compared
    colour = move_colour(len(model.position.sheets), model.compared.index(row.move)) if ticked else None
    id = f"compare-{place}"
    pattern = _row_pattern(row.best, row.grade, model.can_move, colour)
    return pattern.fill(row.move, row.move, row.move, id, id, row.compare, row.cells)


@lru_cache(maxsize=256)
def _row_pattern(best: bool, grade: str | None, can_move: bool, colour: str | None) -> Template:
    """A row, whose tick adds the move to the chart. A tick has the colour of the move's lines there."""
    tick = tag("button", type="button", role="checkbox", class_="yz-tick", data_do="compare", data_arg=GAP,
               data_key=GAP, data_testid=GAP, aria_label=GAP, aria_checked="false" if colour is None else "true",
               style=None if colour is None else f"color:{colour}")  # fmt: skip
    return Template(
        tag("tr", tag("td", tick, class_="yz-left"), GAP, class_="yz-best" if best else None,
            data_do="play" if can_move else None, data_arg=GAP, data_move=GAP, data_grade=grade)
    )  # fmt: skip


def _head(label: str, argument: str, sorted_: bool, classes: str = "") -> Markup:
    button = tag("button", label, tag("span", " ▾" if sorted_ else "", aria_hidden="true", class_="yz-arrow"),
                 type="button", data_do="sort", data_arg=argument, data_key=f"sort-{argument}")  # fmt: skip
    order = ("ascending" if argument == BY_MOVE else "descending") if sorted_ else "none"
    return tag("th", button, scope="col", aria_sort=order, class_=classes or None)


def _objective_head(reader: Reader, column: Column, sorted_: bool) -> Markup:
    label = objective_label(parse_objective(column.objective), reader.language)
    if column.advice is not None:
        return _head(label, column.objective, sorted_)
    return tag("th", label, tag("span", column.waiting, class_="yz-wait"), scope="col", title=column.problem or None)


def _row(
    reader: Reader,
    position: Position,
    place: int,
    move: Move,
    columns: tuple[Column, ...],
    ranking: Advice | None,
    can_move: bool,
    tied: bool,
) -> MoveRow:
    """A row. `tied`: there are several best moves."""
    entry = ranking.of(move) if ranking is not None else None
    said, id = _words(reader, move, category_offer(reader, position, move), position.game.dice), f"move-{place}"
    button = _button(can_move).fill(id, id, _spoken(reader, said.spoken, entry, ranking), said.shown)
    grade = _grade(reader, None if entry is None else entry.grade, tied and entry is not None and entry.best)
    cells = [button, *(_value(reader, column.advice, move) for column in columns), _loss(reader, entry, ranking), grade]
    best = entry is not None and entry.best
    return MoveRow(said.move, Markup("".join(cells)), best, None if entry is None else entry.grade.value, said.compare)


@dataclass(frozen=True, slots=True)
class _Words:
    """A move in words."""

    move: str
    """As it is typed."""
    shown: Markup
    spoken: str
    """For screen readers."""
    compare: str
    """What its tick does, for screen readers."""


@lru_cache(maxsize=2048)
def _words(reader: Reader, move: Move, offer: tuple[str, int], dice: int) -> _Words:
    """A move in words; `offer` and `dice` as for `move_markup`. Most moves of a position return in later ones."""
    t = reader.t
    if isinstance(move, Keep):
        spoken = t("move.keep", dice=" ".join(map(str, move.dice))) if move.dice else t("move.none")
    else:
        category, points = offer
        spoken = t("move.score", category=category, points=points)
    return _Words(str(move), move_markup(reader, move, offer, dice), spoken, t("moves.compare_move", move=spoken))


@lru_cache(maxsize=2)
def _button(can_move: bool) -> Template:
    """The cell with the button of a move."""
    button = tag("button", GAP, type="button", data_key=GAP, data_testid=GAP, aria_label=GAP, disabled=not can_move)
    return Template(tag("td", button, class_="yz-left"))


_NUMBER = Template(tag("td", GAP))


def _value(reader: Reader, advice: Advice | None, move: Move) -> Markup:
    if advice is None:
        return tag("td", "·", class_="yz-quiet")
    return _NUMBER.fill(value_text(advice.of(move).value, advice.unit, reader.language))


def _loss(reader: Reader, entry: RankedMove | None, ranking: Advice | None) -> Markup:
    if entry is None or ranking is None:
        return _NUMBER.fill("")
    lost = entry.grade.rank != 0
    return _NUMBER.fill(f"−{loss_number(entry.loss, ranking.unit, reader.language)}" if lost else "0")


@lru_cache(maxsize=64)
def _grade(reader: Reader, grade: Grade | None, tied: bool) -> Markup:
    if grade is None:
        return tag("td", "", class_="yz-left")
    word = grade_name(grade, reader.language)
    mark = tag("span", "=", class_="yz-tie", title=reader.t("moves.tie")) if tied else None
    sign = tag("span", grade.sign, class_="yz-sign", aria_hidden="true")
    classes = f"yz-left yz-grade yz-{grade.value}"
    return tag("td", sign, tag("span", word, class_="yz-word"), mark, class_=classes)


def _spoken(reader: Reader, said: str, entry: RankedMove | None, ranking: Advice | None) -> str:
    """The description of a move for screen readers, with its value if known."""
    if entry is None or ranking is None:
        return said
    return reader.t("move.spoken", move=said, value=value_text(entry.value, ranking.unit, reader.language),
             grade=grade_name(entry.grade, reader.language))  # fmt: skip
