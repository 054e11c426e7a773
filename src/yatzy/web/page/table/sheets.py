"""The score sheets of all players side by side, with the points that the dice would give in open categories.

On a small screen one sheet is shown at a time, by default that of the player to move, and a row of names above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from yatzy.coach.advice import Advice
from yatzy.games import Pattern, Placement, Player, Position, Score, Sheet, placements
from yatzy.report.games import pays_text
from yatzy.web.page.parts.icons import icon
from yatzy.web.page.parts.markup import Markup, join, tag
from yatzy.web.page.reader import Reader


@dataclass(frozen=True, slots=True)
class Sheets:
    """The view model of the score sheets."""

    reader: Reader
    position: Position
    players: tuple[Player, ...]
    can_move: bool
    best: frozenset[str] = frozenset()
    """The best categories to fill now."""
    last: tuple[Sheet, int] | None = None
    """The last box filled: its sheet, and the index of the category."""
    shown: int | None = None
    """The player whose sheet a small screen shows; None for the player to move."""
    asked: str = ""
    """The category that was tapped with rolls left, and is filled when it is tapped again."""

    @property
    def seat(self) -> int:
        """The player whose sheet a small screen shows."""
        return self.position.mover if self.shown is None else self.shown


def sheets_markup(model: Sheets) -> Markup:
    """Render the sheets. Upper categories form a block of their own if they are together at the top."""
    position = model.position
    game = position.game
    count, upper = len(game.categories), game.upper_categories
    split = len(upper) if upper and upper == tuple(range(len(upper))) and len(upper) < count else 0
    offers = {} if position.awaits_roll or position.over else {
        place.category: place for place in placements(position.sheet, position.dice)
    }  # fmt: skip
    blocks = []
    for first, last in ((0, split), (split, count)):
        if first == last:
            continue
        rows = [_row(model, place, offers.get(place)) for place in range(first, last)]
        if last == split or (not split and game.bonus):
            rows += _sums(model)
        if last == count:
            rows += _end(model)
        blocks.append(_block(model, rows))
    players = len(position.sheets)
    jokers = game.joker is not None and game.joker.points > 0
    boxes = count + (game.bonus is not None) + jokers + (players == 1)
    columns = 2 if boxes <= TWO_COLUMNS else 3
    sheets = tag("div", *blocks, class_=f"yz-sheets yz-players-{min(players, 4)} yz-columns-{columns}", role="group",
                 aria_label=model.reader.t("sheet.label"), style=f"--rows:{-(-boxes // columns)}")  # fmt: skip
    return join(_strip(model), sheets) if players > 1 else sheets


TWO_COLUMNS = 18
"""The largest number of boxes that a small screen shows in two columns."""


def best_categories(advice: Advice | None) -> frozenset[str]:
    """The categories among the best moves of an advice."""
    if advice is None:
        return frozenset()
    return frozenset(one.move.category for one in advice.moves if one.best and isinstance(one.move, Score))


def player_name(reader: Reader, player: Player) -> Markup:
    """The name of a player; computers are marked."""
    if player.strategy is None:
        return join(player.name)
    title = reader.t("player.is_computer")
    mark = tag("span", icon("computer"), tag("span", title, class_="yz-hidden"), class_="yz-computer", title=title)
    return join(mark, player.name)


def _strip(model: Sheets) -> Markup:
    """The players with their points, for small screens. A tap shows a player's sheet."""
    position = model.position
    buttons = [
        tag(
            "button",
            tag("span", player_name(model.reader, player), class_="yz-player"),
            tag("b", position.sheets[seat].points),
            type="button",
            class_="yz-seat-tab" + (" yz-mover" if seat == position.mover and not position.over else ""),
            aria_pressed="true" if seat == model.seat else "false",
            aria_current="true" if seat == position.mover and not position.over else None,
            data_do="seat",
            data_arg=seat,
            data_key=f"seat-{seat}",
            data_testid=f"seat-{seat + 1}",
        )
        for seat, player in enumerate(model.players)
    ]
    return tag("div", *buttons, class_="yz-strip", role="group", aria_label=model.reader.t("sheet.players"))


def _block(model: Sheets, rows: Sequence[Markup]) -> Markup:
    position, players = model.position, model.players
    names = [
        tag("th", tag("span", player_name(model.reader, player), class_="yz-player"), scope="col", title=player.name,
            role="columnheader", class_=_column(model, seat),
            aria_current="true" if seat == position.mover and not position.over else None)
        for seat, player in enumerate(players)
    ]  # fmt: skip
    title = position.game.name(model.reader.language)
    head = tag("tr", tag("th", title, scope="col", role="columnheader", class_="yz-game"), *names, role="row")
    return tag("table", tag("thead", head, role="rowgroup"), tag("tbody", *rows, role="rowgroup"), class_="yz-sheet",
               role="table")  # fmt: skip


def _column(model: Sheets, seat: int, *more: str) -> str | None:
    """The classes of a cell in the column of a player."""
    position = model.position
    mover, shown = seat == position.mover and not position.over, seat == model.seat
    named = [name for name, holds in (("yz-mover", mover), ("yz-shown", shown)) if holds]
    return " ".join([*named, *more]) or None


def _row(model: Sheets, place: int, offer: Placement | None) -> Markup:
    position, language = model.position, model.reader.language
    category = position.game.categories[place]
    name = category.name(language)
    cells = []
    for seat, sheet in enumerate(position.sheets):
        mine = seat == position.mover and not position.over
        if mine and offer is not None and model.can_move:
            offered = _offer(
                model.reader, category.id, name, offer.points, offer.joker_bonus, category.id in model.best,
                category.id == model.asked,
            )  # fmt: skip
            cells.append(_boxed(offered, _column(model, seat)))
        else:
            cells.append(_cell(model, sheet, place, seat))
    return _box_row(_category(category.id, name, category.pattern, language), *cells)


@lru_cache(maxsize=1024)
def _boxed(offered: Markup, classes: str | None) -> Markup:
    return tag("td", offered, class_=classes, role="cell")


@lru_cache(maxsize=1024)
def _box_row(*cells: Markup) -> Markup:
    """A category with its boxes. Most rows are the same after the next click."""
    return tag("tr", *cells, role="row", class_="yz-box")


@lru_cache(maxsize=512)
def _category(id: str, name: str, pattern: Pattern, language: str) -> Markup:
    """The name of a category, which opens its rule."""
    rule = tag("button", name, type="button", class_="yz-rule", data_do="rule", data_arg=id, data_key=f"rule-{id}",
               data_testid=f"rule-{id}", title=pays_text(pattern, language))  # fmt: skip
    return tag("th", rule, scope="row", role="rowheader")


@lru_cache(maxsize=1024)
def _offer(reader: Reader, id: str, name: str, points: int, joker_bonus: int, best: bool, asked: bool) -> Markup:
    extra = f" + {joker_bonus}" if joker_bonus else ""
    key = "sheet.offer_again" if asked else "sheet.offer_best" if best else "sheet.offer"
    states = {"yz-nothing": not points, "yz-best": best, "yz-asked": asked}
    return tag(
        "button",
        tag("span", "★", class_="yz-star", aria_hidden="true") if best else None,
        f"{points}{extra}{'?' if asked else ''}",
        type="button",
        class_=" ".join(["yz-offer", *(name for name, holds in states.items() if holds)]),
        data_do="score",
        data_arg=id,
        data_key=f"score-{id}",
        data_testid=f"score-{id}",
        aria_label=reader.t(key, category=name, points=f"{points}{extra}"),
    )


def _cell(model: Sheets, sheet: Sheet, place: int, seat: int) -> Markup:
    last = model.last
    filled = bool(sheet.filled >> place & 1)
    points = sheet.boxes[place] if sheet.boxes is not None and filled else None
    shown = "" if not filled else "×" if points is None else str(points)
    new = last is not None and last == (sheet, place)
    more = [name for name, holds in (("yz-new", new), ("yz-zero", points == 0), ("yz-filled", filled)) if holds]
    return _points(shown, _column(model, seat, *more))


@lru_cache(maxsize=1024)
def _points(shown: str, classes: str | None) -> Markup:
    return tag("td", tag("span", shown, class_="yz-points"), class_=classes, role="cell")


def _sums(model: Sheets) -> list[Markup]:
    position = model.position
    bonus = position.game.bonus
    rows = [_sum_row(model, model.reader.t("sheet.upper"), [str(sheet.upper) for sheet in position.sheets], "yz-upper")]
    if bonus is None:
        return rows
    cells = []
    for seat, sheet in enumerate(position.sheets):
        if sheet.bonus_won:
            cells.append(tag("td", f"+{bonus.points}", class_=_column(model, seat), role="cell"))
            continue
        share = min(100 * sheet.upper // bonus.threshold, 100)
        label = model.reader.t("sheet.bonus_progress", sum=sheet.upper, threshold=bonus.threshold)
        bar = tag("span", tag("span", style=f"width:{share}%"), class_="yz-bar", role="img", aria_label=label)
        left = max(bonus.threshold - sheet.upper, 0)
        cells.append(tag("td", f"−{left}", bar, class_=_column(model, seat), title=label, role="cell"))
    name = model.reader.t("sheet.bonus", points=bonus.points)
    head = tag("th", name, scope="row", title=name, role="rowheader")
    return [*rows, tag("tr", head, *cells, class_="yz-sum yz-bonus", role="row")]


def _end(model: Sheets) -> list[Markup]:
    position, joker = model.position, model.position.game.joker
    rows = []
    if joker is not None and joker.points:
        extra = [str(sheet.jokers * joker.points) for sheet in position.sheets]
        rows.append(_sum_row(model, model.reader.t("sheet.jokers"), extra, "yz-jokers"))
    totals = [str(sheet.points) for sheet in position.sheets]
    return [*rows, _sum_row(model, model.reader.t("sheet.total"), totals, "yz-total")]


def _sum_row(model: Sheets, name: str, values: Sequence[str], classes: str) -> Markup:
    cells = [tag("td", value, class_=_column(model, seat), role="cell") for seat, value in enumerate(values)]
    return tag("tr", tag("th", name, scope="row", role="rowheader"), *cells, class_=f"yz-sum {classes}", role="row")


def scored_box(before: Position, after: Position) -> tuple[Sheet, int] | None:
    """The box filled between two positions: the sheet afterwards, and the index of the category."""
    for old, new in zip(before.sheets, after.sheets, strict=True):
        if old.filled != new.filled:
            return new, (old.filled ^ new.filled).bit_length() - 1
    return None
