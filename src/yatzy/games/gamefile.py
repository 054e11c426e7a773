"""Read and write games as TOML files: the presets and user-defined ones. docs/games.md lists the keys."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from yatzy.errors import GameError, Message, SizeError
from yatzy.games.game import Bonus, Category, Game, Joker, JokerReading
from yatzy.games.keys import Table, check_keys, did_you_mean, get, get_choice, known_are, shown
from yatzy.games.patterns import PATTERNS, Value
from yatzy.games.toml import MOST_CHARACTERS, read_toml, toml_problem
from yatzy.reading import read_text_bounded

_ORDER = (
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
"""The order in which lists show the presets."""


def _list_presets() -> tuple[str, ...]:
    """The ids of the games in the folder `presets`; files not listed above come last."""
    files = (resources.files("yatzy.games") / "presets").iterdir()
    ids = {file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")}
    return (*(id for id in _ORDER if id in ids), *sorted(ids.difference(_ORDER)))


PRESETS = _list_presets()
"""The ids of the games that come with the program."""

_GAME_KEYS = ("id", "name", "note", "based_on", "dice", "faces", "rolls", "forced_order", "bonus", "joker",
              "categories", "change", "add", "drop")  # fmt: skip
_CATEGORY_KEYS = ("id", "name", "pattern")
_OF_BASE = ("change", "add", "drop")
"""Keys that change the categories of the base."""
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def load_game(name_or_path: str | Path) -> Game:
    """Load a game by the id of a preset or from a TOML file."""
    text = str(name_or_path)
    if text in PRESETS:
        return load_preset(text)
    path = Path(name_or_path)
    if path.suffix == ".toml" or os.path.isfile(path):  # Path.is_file raises if the name is too long
        return read_game(read_text_bounded(path, 4 * MOST_CHARACTERS, Message("a game"), GameError), str(path))
    return load_preset(text)


@lru_cache(maxsize=len(PRESETS))
def load_preset(id: str) -> Game:
    """Load a preset by its id."""
    if id not in PRESETS:
        close = get_close_matches(id, PRESETS, n=1, cutoff=0.4)
        hint = did_you_mean(close[0]) if close else known_are(PRESETS)
        raise GameError("there is no game {name!r}; {hint} (a file of your own ends in .toml)", name=id, hint=hint)
    source = resources.files("yatzy.games") / "presets" / f"{id}.toml"
    return read_game(source.read_text(encoding="utf-8"), f"{id}.toml")


def find_game(id: str, own: Game | None = None) -> Game:
    """Find a game by its id: `own` if it has that id, otherwise the preset."""
    return own if own is not None and own.id == id else load_preset(id)


def preset_with(id: str, hash_: str) -> Game | None:
    """The preset with this id; None if there is none, or if its rules have another hash."""
    game = load_preset(id) if id in PRESETS else None
    return game if game is not None and game.hash == hash_ else None


def is_preset(game: Game) -> bool:
    """Whether the game equals a preset, so that its id alone identifies it."""
    return game.id in PRESETS and load_preset(game.id) == game


def read_game(text: str, source: str = Message("game")) -> Game:
    """Parse a game from TOML; errors start with `source` and name the key."""
    try:
        return _game(read_toml(text))
    except (GameError, SizeError) as error:
        raise type(error)("{source}: {error}", source=source, error=error) from None
    except ValueError as error:  # invalid TOML, or a number with thousands of digits
        raise GameError("{path}: not TOML: {problem}", path=source, problem=toml_problem(error)) from None


def _game(table: Table) -> Game:
    check_keys("", table, _GAME_KEYS)
    base = _base(get("based_on", table, str)) if "based_on" in table else None
    return Game(
        id=get("id", table, str),
        names=_names(table, "", get("id", table, str)),
        notes=_by_language("note", table["note"]) if "note" in table else {},
        dice=get("dice", table, int, getattr(base, "dice", None)),
        faces=get("faces", table, int, getattr(base, "faces", None)),
        rolls=get("rolls", table, int, getattr(base, "rolls", None)),
        forced_order=get("forced_order", table, bool, getattr(base, "forced_order", False)),
        bonus=_bonus(table["bonus"]) if "bonus" in table else getattr(base, "bonus", None),
        joker=_joker(table["joker"]) if "joker" in table else getattr(base, "joker", None),
        categories=_categories(table, base),
    )


def _base(id: str) -> Game:
    try:
        return load_preset(id)
    except GameError as error:
        raise GameError("based_on: {error}", error=error) from None


def _categories(table: Table, base: Game | None) -> tuple[Category, ...]:
    for key in _OF_BASE:
        if key in table and base is None:
            raise GameError("{key}: works with based_on, which names the preset to start from", key=key)
        if key in table and "categories" in table:
            raise GameError("{key}: [[categories]] replaces all categories of the base; give one of the two", key=key)
    if "categories" in table:
        found = tuple(_category(row) for row in _rows("categories", table["categories"]))
        gone = Message("[[categories]] leaves out; to add some to those of the base use [[add]]")
        return _complete(found, table, base, gone)
    if base is None:
        raise GameError("categories: is missing; write one [[categories]] table for each category")
    changes, dropped = get("change", table, dict, {}), _dropped(table, base)
    for id in changes:
        _check_known("change", id, base)
        if id in dropped:
            raise GameError("change: {name!r} is dropped; give one of the two", name=id)
    kept = [_changed(c, changes[c.id]) if c.id in changes else c for c in base.categories if c.id not in dropped]
    for row in _rows("add", table.get("add", [])):
        kept.insert(*_added(row, kept, base))
    return _complete(tuple(kept), table, base, Message("is dropped"))


def _rows(key: str, rows: Any) -> list[dict[str, Any]]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise GameError("{key}: must be tables written [[{key}]]", key=key)
    return rows


def _dropped(table: Table, base: Game) -> tuple[str, ...]:
    """The ids of the categories of the base that are left out."""
    ids = table.get("drop", [])
    if not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
        raise GameError('drop: must be a list of category ids, such as ["chance"]')
    for id in ids:
        _check_known("drop", id, base)
    return tuple(ids)


def _check_known(key: str, id: str, base: Game) -> None:
    if id not in base.category_index:
        hint = "" if key == "drop" else Message("; [[add]] adds one")
        known = ", ".join(base.category_index)
        raise GameError(
            "{key}: {base} has no category {name!r}; it has {known}{hint}",
            key=key,
            base=base.id,
            name=shown(id),
            known=known,
            hint=hint,
        )


def _added(row: Table, there: Sequence[Category], base: Game) -> tuple[int, Category]:
    """A new category and its place: below the one that `after` names, or at the end."""
    after = get("after", row, str, "", "add: ")
    category = _category({key: value for key, value in row.items() if key != "after"}, "add")
    ids = [one.id for one in there]
    if category.id in ids:
        raise GameError(
            "add: {base} has {category!r} already; use [change.{category}]", base=base.id, category=category.id
        )
    if after and after not in ids:
        raise GameError(
            "add: {category}: after: {after!r} is not one of {ids}",
            category=category.id,
            after=shown(after),
            ids=", ".join(ids),
        )
    return (ids.index(after) + 1 if after else len(ids)), category


def _complete(categories: tuple[Category, ...], table: Table, base: Game | None, gone: Message) -> tuple[Category, ...]:
    """The categories, if the rules that the game takes from its base still have those that they need."""
    joker = base.joker if base is not None and "joker" not in table else None
    if joker is not None and joker.category not in {one.id for one in categories}:
        raise GameError(
            "joker: the rule of the base needs {category!r}, which {gone}; or write joker = false",
            category=joker.category,
            gone=gone,
        )
    bonus = base.bonus if base is not None and "bonus" not in table else None
    if bonus is not None and not any(one.upper for one in categories):
        raise GameError("bonus: the base has a bonus, but there is no upper category left; write bonus = false")
    return categories


def _changed(category: Category, change: Any) -> Category:
    """A category of the base with some of its keys replaced."""
    if not isinstance(change, dict):
        raise GameError("change.{category}: must be a table", category=category.id)
    table: dict[str, Any] = {"id": category.id, "name": category.names}
    if "pattern" not in change:
        replaced = {category.pattern.excludes.get(key) for key in change}
        table |= {key: value for key, value in category.pattern.write().items() if key not in replaced}
    return _category({**table, **change})


def _category(row: Table, key: str = "categories") -> Category:
    id = get("id", row, str, where=f"{key}: ")
    where = f"{key}: {shown(id)}: "
    kind = get("pattern", row, str, where=where)
    if kind not in PATTERNS:
        raise GameError(
            "{where}pattern: {kind!r} is not one of {patterns}", where=where, kind=kind, patterns=", ".join(PATTERNS)
        )
    pattern = PATTERNS[kind]
    own = (*_CATEGORY_KEYS, *pattern.key_names())
    if not row.keys() <= set(own):  # an unknown key, or one of another pattern
        check_keys(where, row, (*_CATEGORY_KEYS, *(key for other in PATTERNS.values() for key in other.key_names())))
        check_keys(where, row, own, Message(" of pattern {kind!r}", kind=kind))
    return Category(id, pattern.read(row, where), _names(row, where, id))


def _bonus(value: Any) -> Bonus | None:
    if value is False:
        return None
    table = _table("bonus", value)
    check_keys("bonus.", table, ("points", "threshold"))
    return Bonus(get("points", table, int, where="bonus."), get("threshold", table, int, where="bonus."))


def _joker(value: Any) -> Joker | None:
    if value is False:
        return None
    table = _table("joker", value)
    check_keys("joker.", table, ("category", "reading", "points"))
    return Joker(
        category=get("category", table, str, where="joker."),
        reading=get_choice("reading", table, JokerReading, "joker."),
        points=get("points", table, int, where="joker."),
    )


def _names(table: Table, where: str, id: str) -> Mapping[str, str]:
    """Names by language, from the id if there are none."""
    if "name" not in table:
        return {"en": id.replace("-", " ").capitalize()}
    return _by_language(f"{where}name", table["name"])


def _by_language(key: str, value: Any) -> Mapping[str, str]:
    """Texts by language; a single string is English."""
    if isinstance(value, str):
        return {"en": value}
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value.values()):
        return dict(value)
    raise GameError('{key}: must be a text or a table of texts such as {{ en = "…", sv = "…" }}', key=key)


def _table(key: str, value: Any) -> Table:
    if not isinstance(value, dict):
        raise GameError("{key}: must be a table, or false for none", key=key)
    return value


def write_game(game: Game) -> str:
    """A complete TOML description of this game, without `based_on`."""
    categories = (line for category in game.categories for line in _category_lines(category))
    return "\n".join([*_head_lines(game), *categories, ""])


def _head_lines(game: Game) -> Iterator[str]:
    yield f"id = {_text(game.id)}"
    yield f"name = {_names_text(game.names)}"
    if game.notes:
        yield f"note = {_names_text(game.notes)}"
    yield f"dice = {game.dice}"
    yield f"faces = {game.faces}"
    yield f"rolls = {game.rolls}"
    if game.forced_order:
        yield "forced_order = true"
    if game.bonus is not None:
        yield from ("", "[bonus]", f"points = {game.bonus.points}", f"threshold = {game.bonus.threshold}")
    if game.joker is not None:
        yield from ("", "[joker]", f"category = {_text(game.joker.category)}")
        yield from (f"reading = {_text(game.joker.reading.value)}", f"points = {game.joker.points}")


def _category_lines(category: Category) -> Iterator[str]:
    yield from ("", "[[categories]]", f"id = {_text(category.id)}", f"name = {_names_text(category.names)}")
    try:
        yield from (f"{key} = {_value(value)}" for key, value in category.pattern.write().items())
    except GameError as error:
        raise GameError("categories: {category}: {error}", category=category.id, error=error) from None


def _names_text(names: Mapping[str, str]) -> str:
    """Names by language as TOML; `{}` if there are none, because a missing key would default to the id."""
    pairs = ", ".join(f"{language} = {_text(name)}" for language, name in names.items())
    return f"{{ {pairs} }}" if pairs else "{}"


def _value(value: Value) -> str:
    if isinstance(value, str):
        return _text(value)
    return str(value).lower()  # `true`, `3` and `[3, 2]` are TOML


def _text(text: str) -> str:
    """A TOML string on one line, with escapes."""
    return '"' + "".join(_ESCAPES.get(letter) or (letter if letter.isprintable() else f"\\U{ord(letter):08x}")
                         for letter in text) + '"'  # fmt: skip
