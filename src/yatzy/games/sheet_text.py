"""Read and write a sheet as text: as fields of a position, or in words as people say it.

The fields are described in `position.py` and docs/notation.md. In words a sheet is a list of categories and points:

    ones 3, sixes 24, full house 22
    ones=3,sixes=24,full-house=22

A category is named by its id or by its name in any language. `jokers` is the number of Joker bonuses. `upper`, `bonus`
and `total`, which people write on their sheets, are compared with what the boxes add up to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from yatzy.errors import Message, NotationError
from yatzy.games.game import Category, Game
from yatzy.games.sheet import Sheet, possible_points

LONGEST_SHEET = 4_000
"""The most characters of a sheet in words."""
_ENDS = re.compile(r"[,;\n\r|]+")
_SIGNS = re.compile(r"[=:\s]+")
_JOKERS = ("jokers", "joker bonuses", "jokerbonus", "joker-boni")
_SUMS = {
    "upper": "upper", "upper sum": "upper",
    "bonus": "bonus", "upper bonus": "bonus",
    "total": "total", "sum": "total", "totalt": "total", "summa": "total", "summe": "total",
}  # fmt: skip
_STRUCK = ("x", "-", "–", "/", "—")


def parse_sheet(game: Game, text: str, where: str = Message("sheet")) -> Sheet:
    """Read a sheet in words, `ones 3, sixes 24`. Categories that are not named are open.

    Only points that can be made are accepted. Errors start with `where` and say what is expected.
    """
    if len(text) > LONGEST_SHEET:
        raise NotationError(
            "{where}: {count:,} letters are too many for a sheet; the most is {most:,}",
            where=where,
            count=len(text),
            most=LONGEST_SHEET,
        )
    said: dict[str, int] = {}
    for part in _ENDS.split(text):
        for name, points in _entries(game, part, where):
            if name in said:
                raise NotationError("{where}: {name} is given twice", where=where, name=name)
            said[name] = points
    if not said:
        raise NotationError("{where}: is empty; {expected}", where=where, expected=_expected(game))
    checked = [name for name in ("upper", "bonus", "total") if name in said and not _is_box(game, name)]
    sums: dict[str, int] = {name: said.pop(name) for name in checked}
    jokers = 0 if _is_box(game, "jokers") else said.pop("jokers", 0)
    sheet = Sheet.of_boxes(game, [said.get(category.id) for category in game.categories], jokers)
    bonus = game.bonus.points if game.bonus and sheet.bonus_won else 0
    found: dict[str, int] = {"upper": sheet.upper, "bonus": bonus, "total": sheet.points}
    for name, value in found.items():
        if sums.get(name, value) != value:
            raise NotationError(
                "{where}: {name} {given} is given, but the boxes make it {value}",
                where=where,
                name=name,
                given=sums[name],
                value=value,
            )
    return sheet


def format_sheet(sheet: Sheet) -> str:
    """A sheet that is known in full in words, by the ids of its categories; the inverse of `parse_sheet`."""
    pairs = zip(sheet.game.categories, sheet.boxes or (), strict=True)
    parts = [f"{category.id} {points}" for category, points in pairs if points is not None]
    return ", ".join([*parts, f"jokers {sheet.jokers}"] if sheet.jokers else parts)


def _entries(game: Game, text: str, where: str) -> list[tuple[str, int]]:
    """The names and points in a part of the text without commas, such as `ones 3` or `ones 3 sixes 24`."""
    found: list[tuple[str, int]] = []
    words: list[str] = []
    for word in _SIGNS.split(text.strip()):
        if words and _is_number(word) and (name := _find(game, " ".join(words))) is not None:
            found.append((name, int(word)))
            words = []
        elif word:
            words.append(word)
    if words:
        raise NotationError(
            "{where}: {reason}; {expected}", where=where, reason=_unread(game, words), expected=_expected(game)
        )
    return found


def _unread(game: Game, words: Sequence[str]) -> Message:
    """Why these words are not a category with points."""
    text, name = " ".join(words)[:60], " ".join(words[:-1])
    if _find(game, " ".join(words)) is not None:
        return Message("{text!r} has no points", text=text)
    if name and _find(game, name) is not None:
        instead = Message("; write 0 for a struck box") if words[-1] in _STRUCK else ""
        return Message(
            "{text!r} is not a number of points for {name}{instead}",
            text=words[-1][:20],
            name=name[:60],
            instead=instead,
        )
    if not (name and _is_number(words[-1])):
        return Message("{text!r} is not a category with points", text=text)
    close = game.closest_category(name)
    hint = Message(", did you mean {name}?", name=close.id) if close else ""
    return Message("{game} has no category {name!r}{hint}", game=game.id, name=name[:60], hint=hint)


def _expected(game: Game) -> Message:
    """What a sheet looks like, with an example of this game."""
    first, last = (_example(game, category) for category in (game.categories[0], game.categories[-1]))
    return Message("expected are categories with their points, such as '{first}, {last}'", first=first, last=last)


def _example(game: Game, category: Category) -> str:
    points = sorted(possible_points(game, category.id) - {0}) or [0]
    return f"{category.id} {points[len(points) // 2]}"


def _find(game: Game, name: str) -> str | None:
    """The id of a category, or `jokers`, or the name of a sum; None if it is none of these."""
    plain = name.casefold()
    try:
        return game.find_category(name).id
    except NotationError:
        return "jokers" if plain in _JOKERS else _SUMS.get(plain)


def _is_box(game: Game, name: str) -> bool:
    return name in game.category_index


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 6


def write_sheet(sheet: Sheet) -> list[str]:
    """The fields of a sheet."""
    game = sheet.game
    if sheet.boxes is not None:
        fields = ["s" + ".".join("" if points is None else str(points) for points in sheet.boxes)]
        return [*fields, f"j{sheet.jokers}"] if sheet.jokers else fields
    boxes = ["x" if sheet.filled >> i & 1 else "" for i in range(len(game.categories))]
    if game.joker_box is not None and boxes[game.joker_box]:
        boxes[game.joker_box] = str(game.categories[game.joker_box].fixed_points) if sheet.box_pays else "0"
    fields = ["s" + ".".join(boxes), f"u{sheet.upper}"]
    if sheet.points_known:
        return [*fields, f"p{sheet.points}"]
    return [*fields, f"m{sheet.points}"] if sheet.points else fields


def read_sheet(game: Game, fields: Mapping[str, str]) -> Sheet:
    """Read a sheet from its fields, which are keyed by their first letter."""
    boxes = fields["s"].split(".")
    if len(boxes) != len(game.categories):
        raise NotationError(
            "position: {game} has {count} boxes, {given} are given",
            game=game.id,
            count=len(game.categories),
            given=len(boxes),
        )
    if not fields.keys() & {"u", "p", "m"}:
        if "x" in boxes:
            raise NotationError("position: a sheet with x needs its upper sum u, and its points p if known")
        return Sheet.of_boxes(game, [read_number("s", box) if box else None for box in boxes], _jokers(fields))
    if "j" in fields:
        raise NotationError("position: j cannot be combined with u and p, which include everything")
    if "p" in fields and "m" in fields:
        raise NotationError("position: p and m exclude each other")
    sheet = Sheet.of_sums(
        game,
        [category.id for category, box in zip(game.categories, boxes, strict=True) if box],
        upper=read_number("u", fields.get("u", "0")),
        points=read_number("p", fields["p"]) if "p" in fields else None,
        box_pays=_box_pays(game, boxes),
    )
    made = read_number("m", fields.get("m", "0"))
    if made and not sheet.filled:
        raise NotationError("position: m{made} on an empty sheet, which has no points yet", made=made)
    return replace(sheet, points=made, points_known=False) if "m" in fields and sheet.filled else sheet


def _box_pays(game: Game, boxes: Sequence[str]) -> bool:
    """Whether the Joker box has its points, on a sheet whose other boxes are `x` or open."""
    pays = False
    for i, (category, box) in enumerate(zip(game.categories, boxes, strict=True)):
        if i == game.joker_box and box:
            full = str(category.fixed_points)
            if box not in ("0", full):
                raise NotationError(
                    "position: {category} must be 0 or {full}, not {box!r}", category=category.id, full=full, box=box
                )
            pays = box == full
        elif box not in ("", "x"):
            raise NotationError("position: {box!r} in a sheet with u or p; boxes there are empty or x", box=box)
    return pays


def _jokers(fields: Mapping[str, str]) -> int:
    return read_number("j", fields["j"]) if "j" in fields else 0


def read_number(tag: str, text: str) -> int:
    """The number in a field."""
    if not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise NotationError("position: {tag!r} needs a number, not {text!r}", tag=tag, text=text)
    return int(text)
