"""Dice, moves and positions as short URL-safe text, and back. docs/notation.md describes it for users.

    yatzy~s3..9............~d13356~r2

A position is fields joined by `~`: the game, then per player a sheet `s` (boxes joined by `.`, empty while
open, `x` for filled with points unknown) with `j` Joker bonuses or, when boxes are unknown, `u` upper sum and
`p` points or `m` points made since nobody knew them; then the dice `d` and the rolls left `r`. What is left out is
as at the start of a turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches

from yatzy.errors import NotationError
from yatzy.games.game import Category, Game
from yatzy.games.gamefile import load_preset
from yatzy.games.moves import Keep, Move, Score
from yatzy.games.patterns import Dice, sorted_dice
from yatzy.games.position import MOST_PLAYERS, Position, check_dice, show_dice
from yatzy.games.sheet import Sheet

_SEPARATORS = re.compile(r"[-., ]+")
STRUCK = "=0"
LONGEST_POSITION = 20_000
"""Letters of a position; twenty sheets take a fraction of it."""
_DICE = re.compile(r"[0-9][-., 0-9]*")


def parse_dice(game: Game, text: str) -> Dice:
    """Read all dice of a roll: `13356`, or `10-3-12` when a face has two digits."""
    dice = _faces(game, text)
    check_dice(game, dice)
    return dice


def _faces(game: Game, text: str) -> Dice:
    separated = _SEPARATORS.search(text) is not None or game.dice == 1
    parts = [part for part in _SEPARATORS.split(text) if part] if separated else list(text)
    for part in parts:
        if not (part.isascii() and part.isdigit()) or len(part) > 2:
            raise NotationError(f"dice: {part!r} in {text!r} is not a face from 1 to {game.faces}")
    return sorted_dice(map(int, parts))


def format_move(move: Move) -> str:
    """A move as text: the dice kept, `-` for none, or the id of the category, with `=0` behind it when struck."""
    if isinstance(move, Score):
        return move.category + (STRUCK if move.strike else "")
    return show_dice(move.dice)


def parse_move(game: Game, text: str) -> Move:
    """Read a move: dice to keep, `-` for none, or a category, with `=0` behind it to strike it."""
    if text == "-":
        return Keep(())
    if _DICE.fullmatch(text) or (text[:1].isdigit() and _plain(text) not in _categories_by_text(game)):
        return Keep(_faces(game, text))
    return Score(find_category(game, text.removesuffix(STRUCK)).id, text.endswith(STRUCK))


def find_category(game: Game, text: str) -> Category:
    """The category that a person means: its id or its name in any language, case and spaces aside."""
    wanted = _plain(text)
    known = _categories_by_text(game)
    if wanted in known:
        return known[wanted]
    close = get_close_matches(wanted, known, n=1, cutoff=0.4)
    hint = f"did you mean {known[close[0]].id}?" if close else f"known are {', '.join(game.category_index)}"
    raise NotationError(f"{game.id} has no category {text!r}; {hint}")


def _categories_by_text(game: Game) -> dict[str, Category]:
    """Every text that means a category; an id means its own even where another has it for a name."""
    names = {_plain(name): c for c in game.categories for name in c.names.values()}
    return names | {c.id: c for c in game.categories}


def _plain(text: str) -> str:
    return re.sub(r"[\s_]+", "-", text.strip().casefold())


def format_position(position: Position) -> str:
    """A position as one line of URL-safe text."""
    fields = [position.game.id]
    for sheet in position.sheets:
        fields.extend(_sheet_fields(sheet))
    if position.dice:
        fields.append("d" + show_dice(position.dice))
    if position.rolls_left != position.game.rolls:
        fields.append(f"r{position.rolls_left}")
    return "~".join(fields)


def _sheet_fields(sheet: Sheet) -> list[str]:
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


def parse_position(text: str, find_game: Callable[[str], Game] = load_preset) -> Position:
    """Read what `format_position` wrote; `find_game` turns the first field into a game."""
    if len(text) > LONGEST_POSITION:
        raise NotationError(f"position: {len(text):,} letters are too many; the most is {LONGEST_POSITION:,}")
    name, *fields = text.split("~")
    game = find_game(name)
    sheets: list[dict[str, str]] = []
    turn: dict[str, str] = {}
    for field in fields:
        tag, body = field[:1], field[1:]
        if tag == "s":
            if len(sheets) == MOST_PLAYERS:
                raise NotationError(f"position: more than {MOST_PLAYERS} players")
            sheets.append({"s": body})
            continue
        group = turn if tag in ("d", "r") else sheets[-1] if tag in ("j", "u", "p", "m") and sheets else None
        if group is None:
            raise NotationError(f"position: {field!r} is no field here; fields start with s, j, u, p, m, d or r")
        if tag in group:
            raise NotationError(f"position: {tag!r} is given twice")
        group[tag] = body
    return Position(
        tuple(_parse_sheet(game, sheet) for sheet in sheets) or (Sheet.start(game),),
        _faces(game, turn["d"]) if turn.get("d", "-") != "-" else (),
        _number("r", turn["r"]) if "r" in turn else game.rolls,
    )


def _parse_sheet(game: Game, fields: dict[str, str]) -> Sheet:
    boxes = fields["s"].split(".")
    if len(boxes) != len(game.categories):
        raise NotationError(f"position: {game.id} has {len(game.categories)} boxes, {len(boxes)} are given")
    if not fields.keys() & {"u", "p", "m"}:
        if "x" in boxes:
            raise NotationError("position: a sheet with x needs its upper sum u, and its points p if known")
        return Sheet.of_boxes(game, [_number("s", box) if box else None for box in boxes], _jokers(fields))
    if "j" in fields:
        raise NotationError("position: j does not go with u and p, which count everything")
    if "p" in fields and "m" in fields:
        raise NotationError("position: p and m exclude each other")
    sheet = Sheet.of_sums(
        game,
        [category.id for category, box in zip(game.categories, boxes, strict=True) if box],
        upper=_number("u", fields.get("u", "0")),
        points=_number("p", fields["p"]) if "p" in fields else None,
        box_pays=_box_pays(game, boxes),
    )
    made = _number("m", fields.get("m", "0"))
    if made and not sheet.filled:
        raise NotationError(f"position: m{made} on an empty sheet, which has no points yet")
    return replace(sheet, points=made, points_known=False) if "m" in fields and sheet.filled else sheet


def _box_pays(game: Game, boxes: Sequence[str]) -> bool:
    """Whether the Joker box holds its points, on a sheet where the other boxes are `x` or open."""
    pays = False
    for i, (category, box) in enumerate(zip(game.categories, boxes, strict=True)):
        if i == game.joker_box and box:
            full = str(category.fixed_points)
            if box not in ("0", full):
                raise NotationError(f"position: {category.id} must say 0 or {full}, not {box!r}")
            pays = box == full
        elif box not in ("", "x"):
            raise NotationError(f"position: {box!r} in a sheet with u or p; boxes there are empty or x")
    return pays


def _jokers(fields: dict[str, str]) -> int:
    return _number("j", fields["j"]) if "j" in fields else 0


def _number(tag: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise NotationError(f"position: {tag!r} needs a number, not {text!r}")
    return int(text)
