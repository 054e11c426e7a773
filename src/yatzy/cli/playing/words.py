"""Parse what a person types in a terminal game.

A word is read as a command, as dice or as a category, in that order. How dice are read depends on the position:

    before a roll            13356 are dice that were rolled
    with rolls left          33 and `keep 33` are values to keep, `#2 #3` are places (#1 is the first die)
    with no roll left        13 is the number of a category on the sheet

What could mean several things is not guessed: the game asks.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from yatzy.cli.playing.refusals import Refused, check_move
from yatzy.errors import NotationError
from yatzy.games import Category, Dice, Keep, Move, Position, Score, show_dice
from yatzy.games.dice import is_part

STRUCK = "=0"
_GAPS = re.compile(r"[\s,.;-]+")
_NUMBERS = re.compile(r"[0-9][0-9\s,.;-]*")
_PLACES = re.compile(r"(?:#[0-9]{1,4}[\s,.;]*)+")


class Do(Enum):
    """The kinds of commands."""

    ROLL = "roll"
    ENTER = "enter"
    MOVE = "move"
    HINT = "hint"
    WHY = "why"
    UNDO = "undo"
    REDO = "redo"
    SAVE = "save"
    SHEET = "sheet"
    TUTOR = "tutor"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Command:
    """A parsed line."""

    do: Do
    argument: str = ""
    dice: Dice = ()
    move: Move | None = None


COMMANDS = {
    "roll": Do.ROLL, "r": Do.ROLL, "hint": Do.HINT, "h": Do.HINT, "why": Do.WHY, "w": Do.WHY, "undo": Do.UNDO,
    "u": Do.UNDO, "redo": Do.REDO, "save": Do.SAVE, "sheet": Do.SHEET, "tutor": Do.TUTOR, "help": Do.HELP,
    "?": Do.HELP, "quit": Do.QUIT, "q": Do.QUIT, "exit": Do.QUIT,
}  # fmt: skip
_ALONE = (Do.ROLL, Do.HINT, Do.UNDO, Do.REDO, Do.SHEET, Do.HELP, Do.QUIT)
"""Commands without arguments."""
HELP = (
    ("Enter, roll, r", "roll"),
    ("33, keep 33", "values"),
    ("#2 #3", "places"),
    ("all, none, -", "all"),
    ("full house, fh", "category"),
    ("14", "number"),
    ("c 14, ones=0", "strike"),
    ("hint, h", "hint"),
    ("why, why 33", "why"),
    ("undo, u, redo", "undo"),
    ("sheet", "sheet"),
    ("tutor on, off", "tutor"),
    ("save, save FILE", "save"),
    ("quit, q, Ctrl-C", "quit"),
)
"""What can be typed, and the key of the text that says what it does."""


def read_command(text: str, position: Position) -> Command:
    """Parse a line; raises with one sentence if it cannot be parsed."""
    text = text.strip()
    word, _, rest = text.partition(" ")
    do, rest = COMMANDS.get(word.casefold()), rest.strip()
    if do is not None and not (rest and do in _ALONE):
        return Command(do, rest)
    if position.awaits_roll:
        return _before_roll(text, position)
    return Command(Do.MOVE, move=read_move(text, position))


def _before_roll(text: str, position: Position) -> Command:
    if not text:
        return Command(Do.ROLL)
    if not _NUMBERS.fullmatch(text):
        raise Refused("no_command", typed=repr(text))
    return Command(Do.ENTER, dice=_numbers(text, position.game.faces > 9))


def read_move(text: str, position: Position) -> Move:
    """Parse a keep or a category."""
    word, _, rest = text.partition(" ")
    word = word.casefold()
    if word in ("c", "score", "category") and rest:
        return _category(rest, position)
    if not position.rolls_left:
        if word in ("k", "keep", "all", "none", "-"):
            raise Refused("no_roll")
        return _category(text, position)
    if not text:
        raise Refused("what_to_keep", all="all", none="none")
    if word in ("k", "keep"):
        return _keep(rest.strip(), position)
    if word in ("all", "none", "-") or _NUMBERS.fullmatch(text) or text.startswith("#"):
        return _keep(text, position)
    return _category(text, position)


def read_choice(text: str, position: Position) -> Move:
    """Parse one of the moves that advice ranks: a keep while rolls are left, then a category."""
    move = read_move(text, position)
    if position.rolls_left and isinstance(move, Score):
        raise Refused("what_to_keep", all="all", none="none")
    check_move(position, move)
    return move


def _numbers(text: str, wide: bool) -> Dice:
    """Parse dice, one digit each or separated; faces of two digits are always separated."""
    parts = [part for part in _GAPS.split(text) if part]
    if len(parts) == 1 and not wide:
        parts = list(parts[0])
    if any(len(part) > 2 for part in parts):
        parts = [digit for part in parts for digit in part]
    return tuple(sorted(map(int, parts)))


def _keep(text: str, position: Position) -> Keep:
    """Keep all dice, none, those with these values, or those at these places."""
    said = text.casefold()
    if said == "all":
        return Keep(position.dice)
    if said in ("none", "-"):
        return Keep(())
    if said.startswith("#"):
        return _keep_places(said, position)
    if not said:
        raise Refused("what_to_keep", all="all", none="none")
    values = _values(said, position) if _NUMBERS.fullmatch(said) else None
    if values is None or len(values) > position.game.dice:
        raise Refused("no_dice", typed=repr(text[:40]), dice=show_dice(position.dice), count=position.game.dice)
    return Keep(values)


def _values(text: str, position: Position) -> Dice:
    """The values to keep. With faces of two digits, `12` may be one die or two: ask if both are on the table."""
    wide = position.game.faces > 9
    values = _numbers(text, wide)
    apart = tuple(sorted(int(digit) for digit in text if digit.isdigit()))
    if wide and text.isdigit() and apart != values and is_part(apart, position.dice):
        if is_part(values, position.dice):
            raise Refused("which_dice", typed=text, die=f"{text}-", dice=" ".join(map(str, apart)))
        return apart
    return values


def _keep_places(text: str, position: Position) -> Keep:
    """Keep dice by their places, `#1 #2`."""
    count = position.game.dice
    places = [int(number) for number in re.findall(r"[0-9]+", text)] if _PLACES.fullmatch(text) else [0]
    if any(not 1 <= place <= count for place in places):
        raise Refused("no_places", typed=repr(text), count=count)
    if len(set(places)) < len(places):
        raise Refused("twice", typed=repr(text))
    return Keep(tuple(position.dice[place - 1] for place in places))


def _category(text: str, position: Position) -> Score:
    strike = text.endswith(STRUCK)
    return Score(find_open(text.removesuffix(STRUCK), position).id, strike)


def find_open(text: str, position: Position) -> Category:
    """The category with this number or name, or the only open one with this beginning or these initials."""
    game, open_ = position.game, position.sheet.open
    text = text.strip()
    if text.isascii() and text.isdigit():
        number = int(text) if len(text) <= 4 else 0
        if not 1 <= number <= len(game.categories):
            raise Refused("no_number", number=text, last=len(game.categories))
        return game.categories[number - 1]
    if not text:
        raise Refused("which_category")
    with suppress(NotationError):
        return game.find_category(text)
    wanted = _plain(text)
    for matches in (_begins, _initials):
        found = [i for i in open_ if any(matches(name, wanted) for name in _names(game.categories[i]))]
        if len(found) == 1:
            return game.categories[found[0]]
        if found:
            raise Refused("several", typed=repr(text), categories=tuple(game.categories[i] for i in found))
    if (close := game.closest_category(text)) is not None:
        raise Refused("did_you_mean", game=game, typed=repr(text), category=close)
    raise Refused("no_category", game=game, typed=repr(text), categories=game.categories)


def _names(category: Category) -> set[str]:
    return {_plain(name) for name in (category.id, *category.names.values())}


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "-", text.strip().casefold())


def _begins(name: str, wanted: str) -> bool:
    return name.startswith(wanted)


def _initials(name: str, wanted: str) -> bool:
    words = [word for word in name.split("-") if word]
    return wanted in ("".join(word[0] for word in words), "".join(word[0] for word in words if len(word) > 2))


def places_of(position: Position) -> list[str]:
    """The places of the dice as they are typed, in order."""
    return [f"#{place}" for place in range(1, position.game.dice + 1)]
