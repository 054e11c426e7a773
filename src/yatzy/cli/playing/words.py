"""Parse what a person types in a terminal game.

A word is read as a command, as dice or as a category, in that order. How dice are read depends on the position:

    before a roll            13356 are dice that were rolled
    with rolls left          33 are values to keep, bc are places (a is the first die), `k 2 3` are places too
    with no roll left        13 is the number of a category on the sheet
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from string import ascii_lowercase

from yatzy.cli.playing.refusals import Refused
from yatzy.errors import NotationError
from yatzy.games import Category, Dice, Keep, Move, Position, Score

STRUCK = "=0"
_GAPS = re.compile(r"[\s,.;-]+")
_NUMBERS = re.compile(r"[0-9][0-9\s,.;-]*")


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
    ("33", "values"),
    ("bc, k 2 3", "places"),
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
        return _keep_places(rest, position)
    if text.casefold() == "all":
        return Keep(position.dice)
    if text.casefold() in ("none", "-"):
        return Keep(())
    if _NUMBERS.fullmatch(text):
        return Keep(_numbers(text, position.game.faces > 9))
    if _are_letters(text.casefold(), position):
        return _keep_places(text, position)
    return _category(text, position)


def _numbers(text: str, wide: bool) -> Dice:
    """Parse dice, one digit each or separated; faces of two digits are always separated."""
    parts = [part for part in _GAPS.split(text) if part]
    if len(parts) == 1 and not wide:
        parts = list(parts[0])
    if any(len(part) > 2 for part in parts):
        parts = [digit for part in parts for digit in part]
    return tuple(sorted(map(int, parts)))


def _are_letters(text: str, position: Position) -> bool:
    """Whether a text consists of letters of dice, each once."""
    letters, places = text.replace(" ", ""), ascii_lowercase[: position.game.dice]
    known = {category.id for category in position.game.categories}
    return bool(letters) and set(letters) <= set(places) and len(set(letters)) == len(letters) and text not in known


def _keep_places(text: str, position: Position) -> Keep:
    """Keep dice by their places: letters from a, or numbers from 1."""
    count = position.game.dice
    text = text.casefold().strip()
    if text in ("all", "none", "-", ""):
        return Keep(position.dice if text == "all" else ())
    if _NUMBERS.fullmatch(text):
        parts = [part for part in _GAPS.split(text) if part]
        places = [int(part[:4]) for part in (list(parts[0]) if len(parts) == 1 and count < 10 else parts)]
    else:
        letters = _GAPS.sub("", text)
        places = [ascii_lowercase.find(letter) + 1 for letter in letters]
    last = ascii_lowercase[count - 1]
    if any(not 1 <= place <= count for place in places):
        raise Refused("no_dice", typed=repr(text), last=last, count=count)
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


def letters_of(position: Position) -> str:
    """The letters of the dice, in order."""
    return ascii_lowercase[: position.game.dice]
