"""The score sheets of all players side by side, with the points that the dice would give in open categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from yatzy.coach.advice import Advice
from yatzy.games import Placement, Player, Position, Score, Sheet, placements
from yatzy.web.page.parts.markup import Markup, tag
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
        blocks.append(_block(model, rows, first == 0))
    players = len(position.sheets)
    return tag("div", *blocks, class_=f"yz-sheets yz-players-{min(players, 4)}", role="group",
               aria_label=model.reader.t("sheet.label"))  # fmt: skip


def best_categories(advice: Advice | None) -> frozenset[str]:
    """The categories among the best moves of an advice."""
    if advice is None:
        return frozenset()
    return frozenset(one.move.category for one in advice.moves if one.best and isinstance(one.move, Score))


def _block(model: Sheets, rows: Sequence[Markup], first: bool) -> Markup:
    position, players = model.position, model.players
    names = [
        tag("th", tag("span", player.name, class_="yz-player"), scope="col", title=player.name,
            class_="yz-mover" if seat == position.mover and not position.over else None,
            aria_current="true" if seat == position.mover and not position.over else None)
        for seat, player in enumerate(players)
    ]  # fmt: skip
    title = position.game.name(model.reader.language) if first else ""
    head = tag("tr", tag("th", title, scope="col", class_="yz-game"), *names)
    return tag("table", tag("thead", head), tag("tbody", *rows), class_="yz-sheet")


def _row(model: Sheets, place: int, offer: Placement | None) -> Markup:
    position = model.position
    category = position.game.categories[place]
    name = category.name(model.reader.language)
    cells = []
    for seat, sheet in enumerate(position.sheets):
        mine = seat == position.mover and not position.over
        if mine and offer is not None and model.can_move:
            offered = _offer(model, category.id, name, offer, category.id in model.best)
            cells.append(tag("td", offered, class_="yz-mover"))
        else:
            cells.append(_cell(model, sheet, place, mine))
    return tag("tr", tag("th", name, scope="row", title=name), *cells)


def _offer(model: Sheets, id: str, name: str, offer: Placement, best: bool) -> Markup:
    extra = f" + {offer.joker_bonus}" if offer.joker_bonus else ""
    key = "sheet.offer_best" if best else "sheet.offer"
    return tag(
        "button",
        tag("span", "★", class_="yz-star", aria_hidden="true") if best else None,
        f"{offer.points}{extra}",
        type="button",
        class_=f"yz-offer{' yz-nothing' if not offer.points else ''}{' yz-best' if best else ''}",
        data_do="score",
        data_arg=id,
        data_key=f"score-{id}",
        data_testid=f"score-{id}",
        aria_label=model.reader.t(key, category=name, points=f"{offer.points}{extra}"),
    )


def _cell(model: Sheets, sheet: Sheet, place: int, mine: bool) -> Markup:
    last = model.last
    filled = bool(sheet.filled >> place & 1)
    points = sheet.boxes[place] if sheet.boxes is not None and filled else None
    shown = "" if not filled else "×" if points is None else str(points)
    new = last is not None and last == (sheet, place)
    classes = " ".join(name for name, holds in (("yz-mover", mine), ("yz-new", new), ("yz-zero", points == 0)) if holds)
    return tag("td", tag("span", shown, class_="yz-points"), class_=classes or None)


def _sums(model: Sheets) -> list[Markup]:
    position = model.position
    bonus = position.game.bonus
    rows = [_sum_row(model, model.reader.t("sheet.upper"), [str(sheet.upper) for sheet in position.sheets])]
    if bonus is None:
        return rows
    cells = []
    for seat, sheet in enumerate(position.sheets):
        mover = "yz-mover" if seat == position.mover and not position.over else None
        if sheet.bonus_won:
            cells.append(tag("td", f"+{bonus.points}", class_=mover))
            continue
        share = min(100 * sheet.upper // bonus.threshold, 100)
        label = model.reader.t("sheet.bonus_progress", sum=sheet.upper, threshold=bonus.threshold)
        bar = tag("span", tag("span", style=f"width:{share}%"), class_="yz-bar", role="img", aria_label=label)
        left = max(bonus.threshold - sheet.upper, 0)
        cells.append(tag("td", f"−{left}", bar, class_=mover, title=label))
    name = model.reader.t("sheet.bonus", points=bonus.points)
    return [*rows, tag("tr", tag("th", name, scope="row", title=name), *cells, class_="yz-sum yz-bonus")]


def _end(model: Sheets) -> list[Markup]:
    position, joker = model.position, model.position.game.joker
    rows = []
    if joker is not None and joker.points:
        extra = [str(sheet.jokers * joker.points) for sheet in position.sheets]
        rows.append(_sum_row(model, model.reader.t("sheet.jokers"), extra))
    totals = [str(sheet.points) for sheet in position.sheets]
    return [*rows, _sum_row(model, model.reader.t("sheet.total"), totals, "yz-total")]


def _sum_row(model: Sheets, name: str, values: Sequence[str], classes: str = "") -> Markup:
    position = model.position
    cells = [
        tag("td", value, class_="yz-mover" if seat == position.mover and not position.over else None)
        for seat, value in enumerate(values)
    ]
    return tag("tr", tag("th", name, scope="row"), *cells, class_=f"yz-sum {classes}".strip())


def scored_box(before: Position, after: Position) -> tuple[Sheet, int] | None:
    """The box filled between two positions: the sheet afterwards, and the index of the category."""
    for old, new in zip(before.sheets, after.sheets, strict=True):
        if old.filled != new.filled:
            return new, (old.filled ^ new.filled).bit_length() - 1
    return None
