"""Every move of the position with its value under the chosen objectives, its loss and its class; a click plays it."""

from __future__ import annotations

from collections.abc import Callable

from yatzy.coach.advice import Advice, RankedMove
from yatzy.games import Keep, Move, Position, Score
from yatzy.report.numbers import loss_number, value_text
from yatzy.report.words import grade_name
from yatzy.web.page.context import PageContext
from yatzy.web.page.parts.dice import mini
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.tables import State, tables_for

BY_MOVE = "move"


def objective_name(t: Callable[..., str], objective: str, *, long: bool = False) -> str:
    """An objective as the head of a column, or in a sentence."""
    if long and objective == "expected":
        return t("objective.expected_long")
    kind, _, rest = objective.partition(":")
    if kind == "match":
        kind, _, rest = rest.partition(":")
        return t(f"objective.{kind}", depth=rest)
    if kind == "chance":
        return t("objective.chance", percent=f"{100 * float(rest):g}")
    return t(f"objective.{kind}", number=rest)


def move_name(context: PageContext, position: Position, move: Move) -> Markup:
    """A move as it is shown."""
    t, game = context.t, position.game
    if isinstance(move, Score):
        points = position.placement(move).points
        category = game.categories[game.category_index[move.category]].name(context.language)
        return join(category, " ", tag("span", points, class_="yz-quiet"))
    if not move.dice:
        return join(t("move.none"))
    if len(move.dice) == game.dice:
        return join(mini(move.dice), " ", tag("span", t("move.all"), class_="yz-quiet yz-stop"))
    return mini(move.dice)


def move_table(context: PageContext, sort: str, can_move: bool) -> Markup:
    """The moves, ranked by one of the columns."""
    t, position, names = context.t, context.position, context.objectives
    if position.over or position.awaits_roll:
        key = "moves.over" if position.over else "moves.roll_first"
        return tag("p", t(key), class_="yz-note")
    if not context.hints:
        return tag("p", t("moves.hints_off"), class_="yz-note")
    rank = sort if sort in context.advices else next((name for name in names if name in context.advices), "")
    ranking = context.advices.get(rank)
    order = _order(position, ranking, sort == BY_MOVE)
    rows = [_row(context, place, move, ranking, can_move) for place, move in enumerate(order)]
    head = tag(
        "tr",
        _head(t("moves.move"), BY_MOVE, sort == BY_MOVE, "yz-left"),
        *(_objective_head(context, name, name == rank and sort != BY_MOVE) for name in names),
        tag("th", t("moves.loss"), scope="col"),
        tag("th", t("moves.class"), scope="col", class_="yz-left"),
    )
    classes = "yz-moves yz-many" if len(names) > 2 else "yz-moves"
    caption = tag("caption", t("moves.caption", count=len(order)), class_="yz-hidden")
    return tag("table", caption, tag("thead", head), tag("tbody", *rows), class_=classes, data_testid="moves")


def _order(position: Position, ranking: Advice | None, by_move: bool) -> list[Move]:
    if ranking is None or by_move:
        return list(position.legal_moves)
    return [entry.move for entry in ranking.moves]


def _head(label: str, argument: str, sorted_: bool, classes: str = "") -> Markup:
    button = tag("button", label, tag("span", " ▾" if sorted_ else "", aria_hidden="true", class_="yz-arrow"),
                 type="button", data_do="sort", data_arg=argument, data_key=f"sort-{argument}")  # fmt: skip
    order = ("ascending" if argument == BY_MOVE else "descending") if sorted_ else "none"
    return tag("th", button, scope="col", aria_sort=order, class_=classes or None)


def _objective_head(context: PageContext, objective: str, sorted_: bool) -> Markup:
    label = objective_name(context.t, objective)
    if objective in context.advices:
        return _head(label, objective, sorted_)
    return tag("th", label, tag("span", waiting_text(context, objective), class_="yz-wait"), scope="col",
               title=context.waiting.get(objective) or None)  # fmt: skip


def waiting_text(context: PageContext, objective: str) -> str:
    """How far the tables of an objective are."""
    stand = [context.tables.status_of(context.session.game, table) for table in tables_for(objective)]
    left = [one for one in stand if one.state is not State.READY]
    if not left:
        return " …"
    making = [one for one in left if one.state is State.MAKING]
    return f" {100 * making[0].done:.0f} %" if making else " …"


def _row(context: PageContext, place: int, move: Move, ranking: Advice | None, can_move: bool) -> Markup:
    position, text = context.position, str(move)
    entry = ranking.of(move) if ranking is not None else None
    chosen = context.chosen == text
    classes = [name for name, holds in (("yz-chosen", chosen), ("yz-best", bool(entry and entry.best))) if holds]
    values = [_value(context, context.advices.get(name), move) for name in context.objectives]
    button = tag("button", move_name(context, position, move), type="button", data_key=f"move-{place}",
                 data_testid=f"move-{place}", aria_label=_spoken(context, move, entry, ranking),
                 disabled=not can_move)  # fmt: skip
    judged = (_loss(context, entry, ranking), _grade(context, entry, ranking))
    return tag(
        "tr", tag("td", button, class_="yz-left"), *values, *judged,
        class_=" ".join(classes) or None, data_do="play" if can_move else None, data_arg=text, data_move=text,
        data_grade=entry.grade.value if entry else None,
    )  # fmt: skip


def _value(context: PageContext, advice: Advice | None, move: Move) -> Markup:
    if advice is None:
        return tag("td", "·", class_="yz-quiet")
    return tag("td", value_text(advice.of(move).value, advice.unit, context.language))


def _loss(context: PageContext, entry: RankedMove | None, ranking: Advice | None) -> Markup:
    if entry is None or ranking is None:
        return tag("td", "")
    shown = "0" if entry.grade.rank == 0 else f"−{loss_number(entry.loss, ranking.unit, context.language)}"
    return tag("td", shown)


def _grade(context: PageContext, entry: RankedMove | None, ranking: Advice | None) -> Markup:
    if entry is None or ranking is None:
        return tag("td", "", class_="yz-left")
    tied = entry.best and sum(one.best for one in ranking.moves) > 1
    word = grade_name(entry.grade, context.language)
    mark = tag("span", "=", class_="yz-tie", title=context.t("moves.tie")) if tied else None
    sign = tag("span", entry.grade.sign, class_="yz-sign", aria_hidden="true")
    classes = f"yz-left yz-grade yz-{entry.grade.value}"
    return tag("td", sign, tag("span", word, class_="yz-word"), mark, class_=classes)


def _spoken(context: PageContext, move: Move, entry: RankedMove | None, ranking: Advice | None) -> str:
    """A move for screen readers."""
    t, position = context.t, context.position
    if isinstance(move, Keep):
        said = t("move.keep", dice=" ".join(map(str, move.dice))) if move.dice else t("move.none")
    else:
        game = position.game
        name = game.categories[game.category_index[move.category]].name(context.language)
        said = t("move.score", category=name, points=position.placement(move).points)
    if entry is None or ranking is None:
        return said
    return t("move.spoken", move=said, value=value_text(entry.value, ranking.unit, context.language),
             grade=grade_name(entry.grade, context.language))  # fmt: skip
