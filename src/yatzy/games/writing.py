"""A game as the text of a TOML file, which `gamefile.read_game` reads back to the same game with the same names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from yatzy.errors import GameError
from yatzy.games.game import Category, Game
from yatzy.games.patterns import Chance, Face, Groups, Pays, Straight

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def write_game(game: Game) -> str:
    """The text of a file that describes this game in full, based on no other."""
    return "\n".join([*_head(game), *(line for category in game.categories for line in _category(category)), ""])


def _head(game: Game) -> Iterator[str]:
    yield f"id = {_text(game.id)}"
    yield f"name = {_names(game.names)}"
    if game.note:
        yield f"note = {_text(game.note)}"
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


def _category(category: Category) -> Iterator[str]:
    yield from ("", "[[categories]]", f"id = {_text(category.id)}", f"name = {_names(category.names)}")
    match category.pattern:
        case Face(face):
            yield from ('pattern = "face"', f"face = {face}")
        case Groups():
            yield 'pattern = "groups"'
            yield from _groups(category.id, category.pattern)
        case Straight(faces, length, points):
            yield from ('pattern = "straight"', f"faces = {_list(faces)}" if faces else f"length = {length}")
            if points is not None:
                yield f"points = {points}"
        case Chance():
            yield 'pattern = "chance"'


def _groups(id: str, pattern: Groups) -> Iterator[str]:
    yield f"groups = {_list(pattern.sizes)}"
    if pattern.points is not None and pattern.pays is not Pays.GROUPS:
        raise GameError(f"categories: {id}: fixed points and pays exclude each other, so no file can say both")
    if pattern.points is not None:
        yield f"points = {pattern.points}"
    elif pattern.pays is not Pays.GROUPS:
        yield f"pays = {_text(pattern.pays.value)}"
    if pattern.same_face:
        yield "same_face = true"
    if pattern.partial:
        yield "partial = true"


def _names(names: Mapping[str, str]) -> str:
    """Names by language; `{}` for none, since a missing key would be filled from the id."""
    pairs = ", ".join(f"{language} = {_text(name)}" for language, name in names.items())
    return f"{{ {pairs} }}" if pairs else "{}"


def _list(numbers: Sequence[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def _text(text: str) -> str:
    """A text in quotes on one line, whatever is in it."""
    return '"' + "".join(_ESCAPES.get(letter) or (letter if letter.isprintable() else f"\\U{ord(letter):08x}")
                         for letter in text) + '"'  # fmt: skip
