"""Games from TOML files: the presets beside this module and whatever a user writes. docs/games.md has the keys."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from yatzy.errors import GameError, SizeError
from yatzy.games.game import Bonus, Category, Game, Joker, JokerReading
from yatzy.games.patterns import Chance, Face, Groups, Pattern, Pays, Straight
from yatzy.games.toml import MOST_CHARACTERS, read_toml
from yatzy.reading import read_text_bounded

PRESETS = (
    "yatzy",
    "yatzy-no-bonus",
    "yatzy-four-rolls",
    "yatzy-lenient-two-pairs",
    "yatzy-five-as-full-house",
    "yatzy-four-as-two-pairs",
    "yatzy-lenient-kinds",
    "yatzy-forced-order",
    "yahtzee",
    "yahtzee-free-joker",
    "yahtzee-pawlewicz",
    "yahtzee-no-joker",
    "yahtzee-plain",
    "kniffel",
    "yacht",
    "maxi-yatzy",
    "two-yatzy",
)

_GAME_KEYS = ("id", "name", "note", "based_on", "dice", "faces", "rolls", "forced_order", "bonus", "joker",
              "categories", "change")  # fmt: skip
_CATEGORY_KEYS = ("id", "name", "pattern", "face", "groups", "faces", "length", "points", "pays", "same_face",
                  "partial")  # fmt: skip
_KEYS_OF_PATTERN = {
    "face": ("face",),
    "groups": ("groups", "points", "pays", "same_face", "partial"),
    "straight": ("faces", "length", "points"),
    "chance": (),
}
_EXCLUDES = {"points": "pays", "pays": "points", "faces": "length", "length": "faces"}
_Table = Mapping[str, Any]


def load_game(name_or_path: str | Path) -> Game:
    """A game by the id of a preset or from a TOML file."""
    text = str(name_or_path)
    if text in PRESETS:
        return load_preset(text)
    path = Path(name_or_path)
    if path.suffix == ".toml" or os.path.isfile(path):  # Path.is_file raises on a name too long
        return read_game(read_text_bounded(path, 4 * MOST_CHARACTERS, "a game", GameError), str(path))
    return load_preset(text)


@lru_cache(maxsize=len(PRESETS))
def load_preset(id: str) -> Game:
    """One of the games that come with the package."""
    if id not in PRESETS:
        close = get_close_matches(id, PRESETS, n=1, cutoff=0.4)
        hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(PRESETS)}"
        raise GameError(f"there is no game {id!r}; {hint} (a file of your own ends in .toml)")
    source = resources.files("yatzy.games") / "presets" / f"{id}.toml"
    return read_game(source.read_text(encoding="utf-8"), f"{id}.toml")


def find_game(id: str, own: Game | None = None) -> Game:
    """A game by its id: the caller's own where it has that id, else the preset."""
    return own if own is not None and own.id == id else load_preset(id)


def is_preset(game: Game) -> bool:
    """Whether the id alone tells the game, since it comes with the package."""
    return game.id in PRESETS and load_preset(game.id) == game


def read_game(text: str, source: str = "game") -> Game:
    """A game from the text of a TOML file; errors start with `source` and name the key."""
    try:
        return _game(read_toml(text))
    except (GameError, SizeError) as error:
        raise type(error)(f"{source}: {error}") from None
    except ValueError as error:  # besides bad TOML: a number of thousands of digits
        raise GameError(f"{source}: not TOML: {error}") from None


def _game(table: _Table) -> Game:
    _check_keys("", table, _GAME_KEYS)
    base = _base(_get("based_on", table, str)) if "based_on" in table else None
    names = _names("name", table.get("name"), _get("id", table, str))
    return Game(
        id=_get("id", table, str),
        names=names,
        note=_get("note", table, str, ""),
        dice=_get("dice", table, int, getattr(base, "dice", None)),
        faces=_get("faces", table, int, getattr(base, "faces", None)),
        rolls=_get("rolls", table, int, getattr(base, "rolls", None)),
        forced_order=_get("forced_order", table, bool, getattr(base, "forced_order", False)),
        bonus=_bonus(table["bonus"]) if "bonus" in table else getattr(base, "bonus", None),
        joker=_joker(table["joker"]) if "joker" in table else getattr(base, "joker", None),
        categories=_categories(table, base),
    )


def _base(id: str) -> Game:
    try:
        return load_preset(id)
    except GameError as error:
        raise GameError(f"based_on: {error}") from None


def _categories(table: _Table, base: Game | None) -> tuple[Category, ...]:
    if "categories" in table:
        if "change" in table:
            raise GameError("change: goes with based_on, not with categories of one's own")
        rows = table["categories"]
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise GameError("categories: must be tables written [[categories]]")
        return tuple(_category(row) for row in rows)
    if base is None:
        raise GameError("categories: is missing; write one [[categories]] table for each category")
    changes = _get("change", table, dict, {})
    for id in changes:
        if id not in base.category_index:
            raise GameError(f"change: {base.id} has no category {id!r}; it has {', '.join(base.category_index)}")
    return tuple(_changed(c, changes[c.id]) if c.id in changes else c for c in base.categories)


def _changed(category: Category, change: Any) -> Category:
    """A category of the base with some of its keys replaced."""
    if not isinstance(change, dict):
        raise GameError(f"change.{category.id}: must be a table")
    replaced = {_EXCLUDES[key] for key in change if key in _EXCLUDES}
    kept = ("id", "name") if "pattern" in change else set(_CATEGORY_KEYS) - replaced
    return _category({**{key: value for key, value in _category_table(category).items() if key in kept}, **change})


def _category_table(category: Category) -> _Table:
    """The keys that would give this category, for changes to lie over."""
    table: dict[str, Any] = {"id": category.id, "name": category.names}
    match category.pattern:
        case Face(face):
            return {**table, "pattern": "face", "face": face}
        case Groups(sizes, points, pays, same_face, partial):
            pay = {"pays": pays.value} if points is None else {"points": points}
            return {**table, "pattern": "groups", "groups": list(sizes), **pay,
                    "same_face": same_face, "partial": partial}  # fmt: skip
        case Straight(faces, length, points):
            run = {"faces": list(faces)} if faces else {"length": length}
            return {**table, "pattern": "straight", **run, **({} if points is None else {"points": points})}
        case Chance():
            return {**table, "pattern": "chance"}


def _category(row: _Table) -> Category:
    id = _get("id", row, str, where="categories: ")
    where = f"categories: {_shown(id)}: "
    _check_keys(where, row, _CATEGORY_KEYS)
    kind = _get("pattern", row, str, where=where)
    if kind not in _KEYS_OF_PATTERN:
        raise GameError(f"{where}pattern: {kind!r} is none of {', '.join(_KEYS_OF_PATTERN)}")
    _check_keys(where, row, ("id", "name", "pattern", *_KEYS_OF_PATTERN[kind]), f" of pattern {kind!r}")
    return Category(id, _pattern(kind, row, where), _names(f"{where}name", row.get("name"), id))


def _pattern(kind: str, row: _Table, where: str) -> Pattern:
    points = _get("points", row, int, where=where) if "points" in row else None
    match kind:
        case "face":
            return Face(_get("face", row, int, where=where))
        case "groups":
            if points is not None and "pays" in row:
                raise GameError(f"{where}points: fixed points and pays exclude each other")
            return Groups(
                sizes=_integers("groups", row, where),
                points=points,
                pays=_choice("pays", row, Pays, Pays.GROUPS, where),
                same_face=_get("same_face", row, bool, False, where),
                partial=_get("partial", row, bool, False, where),
            )
        case "straight":
            return Straight(
                faces=_integers("faces", row, where) if "faces" in row else (),
                length=_get("length", row, int, 0, where),
                points=points,
            )
        case _:
            return Chance()


def _bonus(value: Any) -> Bonus | None:
    if value is False:
        return None
    table = _table("bonus", value)
    _check_keys("bonus.", table, ("points", "threshold"))
    return Bonus(_get("points", table, int, where="bonus."), _get("threshold", table, int, where="bonus."))


def _joker(value: Any) -> Joker | None:
    if value is False:
        return None
    table = _table("joker", value)
    _check_keys("joker.", table, ("category", "reading", "points"))
    return Joker(
        category=_get("category", table, str, where="joker."),
        reading=_choice("reading", table, JokerReading, None, "joker."),
        points=_get("points", table, int, where="joker."),
    )


def _names(key: str, value: Any, fallback: str) -> Mapping[str, str]:
    """Names by language: one string is the English one."""
    if value is None:
        return {"en": fallback.replace("-", " ").capitalize()}
    if isinstance(value, str):
        return {"en": value}
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value.values()):
        return dict(value)
    raise GameError(f'{key}: must be a text or a table of texts such as {{ en = "…", sv = "…" }}')


def _table(key: str, value: Any) -> _Table:
    if not isinstance(value, dict):
        raise GameError(f"{key}: must be a table, or false for none")
    return value


def _check_keys(where: str, table: _Table, known: tuple[str, ...], of: str = "") -> None:
    for key in table:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
            raise GameError(f"{where}{_shown(key)}: is not a key{of}; {hint}")


def _shown(key: str) -> str:
    """A key as it stands, quoted where it would break the line."""
    return key if key.isprintable() else repr(key)


_TYPE_NAMES = {int: "a whole number", str: "a text in quotes", bool: "true or false", dict: "a table"}


def _get(key: str, table: _Table, kind: type, default: Any = None, where: str = "") -> Any:
    value = table.get(key, default)
    if value is None:
        raise GameError(f"{where}{key}: is missing; it must be {_TYPE_NAMES[kind]}")
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise GameError(f"{where}{key}: must be {_TYPE_NAMES[kind]}, not {value!r}")
    return value


def _integers(key: str, table: _Table, where: str) -> tuple[int, ...]:
    value = table.get(key)
    if not isinstance(value, list) or not all(type(item) is int for item in value):
        raise GameError(f"{where}{key}: must be a list of whole numbers")
    return tuple(value)


def _choice(key: str, table: _Table, kind: Any, default: Any, where: str) -> Any:
    value = _get(key, table, str, default and default.value, where)
    values = [member.value for member in kind]
    if value not in values:
        raise GameError(f"{where}{key}: {value!r} is none of {', '.join(values)}")
    return kind(value)
