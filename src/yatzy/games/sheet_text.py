"""Read and write a sheet as fields of a position's text; `position.py` and docs/notation.md describe the fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from yatzy.errors import NotationError
from yatzy.games.game import Game
from yatzy.games.sheet import Sheet


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
        raise NotationError(f"position: {game.id} has {len(game.categories)} boxes, {len(boxes)} are given")
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
        raise NotationError(f"position: m{made} on an empty sheet, which has no points yet")
    return replace(sheet, points=made, points_known=False) if "m" in fields and sheet.filled else sheet


def _box_pays(game: Game, boxes: Sequence[str]) -> bool:
    """Whether the Joker box has its points, on a sheet whose other boxes are `x` or open."""
    pays = False
    for i, (category, box) in enumerate(zip(game.categories, boxes, strict=True)):
        if i == game.joker_box and box:
            full = str(category.fixed_points)
            if box not in ("0", full):
                raise NotationError(f"position: {category.id} must be 0 or {full}, not {box!r}")
            pays = box == full
        elif box not in ("", "x"):
            raise NotationError(f"position: {box!r} in a sheet with u or p; boxes there are empty or x")
    return pays


def _jokers(fields: Mapping[str, str]) -> int:
    return read_number("j", fields["j"]) if "j" in fields else 0


def read_number(tag: str, text: str) -> int:
    """The number in a field."""
    if not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise NotationError(f"position: {tag!r} needs a number, not {text!r}")
    return int(text)
