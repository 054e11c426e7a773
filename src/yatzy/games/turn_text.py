"""The parts of a record as text: a turn `11455 (55) 55556 (5555) 15555 fives 20`, dice, categories, dates, and so on.

All readers reject long texts before parsing them, and raise only `InputError`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from yatzy.errors import InputError, Message, RecordError
from yatzy.games.dice import Dice, show_dice
from yatzy.games.game import Game
from yatzy.games.moves import STRUCK, Keep, Score
from yatzy.games.position import Position
from yatzy.games.record import Roll, Step, Turn

LONGEST_WORD = 60
LONGEST_POSITION = 10_000
_TOKEN = re.compile(r"\([^()]*\)|[^\s()]+|[()]")
_ROLL = re.compile(r"[0-9][0-9.,-]*")
_POINTS = re.compile(r"[0-9]+")
_BONUS = re.compile(r"\+[0-9]+")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class LineRefused(RecordError):  # noqa: N818
    """A line cannot be parsed or breaks the rules; the message starts with its number."""

    def __init__(self, number: int, reason: InputError | Message) -> None:
        super().__init__("line {number}: {reason}", number=number, reason=reason)


@contextmanager
def at_line(number: int) -> Iterator[None]:
    """Add the line number to any InputError that does not have one yet."""
    try:
        yield
    except LineRefused:
        raise
    except InputError as error:
        raise LineRefused(number, error) from None


def format_steps(steps: Iterable[Step]) -> str:
    """Steps of one or more turns as text: rolls as dice, keeps in parentheses, categories by id."""
    return " ".join(_format_step(step) for step in steps)


def _format_step(step: Step) -> str:
    if isinstance(step, Roll):
        return show_dice(step.dice)
    return f"({show_dice(step.dice)})" if isinstance(step, Keep) else str(step)


def parse_steps(game: Game, text: str) -> tuple[Step, ...]:
    """The inverse of `format_steps`; categories may also be given by name."""
    steps, words = list[Step](), list[str]()
    for token in [*_TOKEN.findall(text), ""]:
        step: Step | None = None
        if token.startswith("("):
            step = Keep(read_keep(game, token))
        elif _ROLL.fullmatch(token):
            step = Roll(read_roll(game, token))
        elif token:
            words.append(token)
            continue
        if words:
            steps.append(read_score(game, " ".join(words)))
            words = []
        if step is not None:
            steps.append(step)
    return tuple(steps)


def parse_turn(game: Game, text: str) -> Turn:
    """Read a turn, which may be incomplete."""
    tokens = _TOKEN.findall(text)
    rolls, keeps = list[Dice](), list[Dice]()
    wrong: InputError | None = None
    used = 0
    for token in tokens:
        if token.startswith("("):
            if len(keeps) == len(rolls):
                raise RecordError("{token} is kept, but no roll comes before it", token=shorten(token))
            keeps.append(read_keep(game, token, rolls[-1]))
        elif _ROLL.fullmatch(token):
            try:
                dice = read_roll(game, token)
            except InputError as error:
                wrong = error  # raised later, unless the token begins the name of a category
                break
            if len(keeps) < len(rolls):
                raise RecordError(
                    "what was kept of {roll} is missing; write it in parentheses", roll=show_dice(rolls[-1])
                )
            rolls.append(dice)
        else:
            break
        used += 1
    if used == len(tokens):
        return Turn(tuple(rolls), tuple(keeps))
    try:
        score, points, bonus = _read_end(game, tokens[used:])
    except InputError as error:
        raise wrong or error from None
    return Turn(tuple(rolls), tuple(keeps), score, points, bonus)


def _read_end(game: Game, words: list[str]) -> tuple[Score, int | None, int | None]:
    """Read the category, its points and the Joker bonus at the end of a turn."""
    points = bonus = None
    if _BONUS.fullmatch(words[-1]):
        bonus = read_number("Joker bonus", words.pop()[1:])
    if words and _POINTS.fullmatch(words[-1]):
        points = read_number("points", words.pop())
    if not words:
        raise RecordError("points are given, but no category")
    return read_score(game, " ".join(words)), points, bonus


def read_roll(game: Game, text: str) -> Dice:
    """Read all dice of a roll."""
    if len(text) > LONGEST_WORD:
        raise RecordError(
            "{text!r} are too many dice; {game} is played with {dice}", text=shorten(text), game=game.id, dice=game.dice
        )
    return _read_roll(game, text)


@lru_cache(maxsize=1 << 14)
def _read_roll(game: Game, text: str) -> Dice:
    return game.parse_dice(text)


def read_keep(game: Game, text: str, roll: Dice | None = None) -> Dice:
    """Read a keep, with or without parentheses: dice, `-` or empty for none, `all` if the roll is given."""
    inside = text.removeprefix("(").removesuffix(")").strip()
    if inside.casefold() == "all" and roll is not None:
        return roll
    if len(inside) > LONGEST_WORD or (text.startswith("(") and not text.endswith(")")):
        raise RecordError(
            "{text} is not what was kept; write the dice in parentheses, (-) for none", text=shorten(text)
        )
    return _read_keep(game, inside or "-")


@lru_cache(maxsize=1 << 14)
def _read_keep(game: Game, text: str) -> Dice:
    move = game.parse_move(text) if text == "-" or text[0].isdigit() else None
    if not isinstance(move, Keep):
        raise RecordError("({text}) is not what was kept; write the dice in parentheses, (-) for none", text=text)
    return move.dice


def read_score(game: Game, text: str) -> Score:
    """Read a category by its id or its name in any language, followed by `=0` if it is struck."""
    if len(text) > LONGEST_WORD:
        raise RecordError("{text!r} is too long for a category", text=shorten(text))
    return _read_score(game, text)


@lru_cache(maxsize=1 << 12)
def _read_score(game: Game, text: str) -> Score:
    return Score(game.find_category(text.removesuffix(STRUCK)).id, text.endswith(STRUCK))


def read_number(what: str, text: str, digits: int = 6) -> int:
    """Read a non-negative integer of at most `digits` digits."""
    if not (text.isascii() and text.isdigit()) or len(text) > digits:
        raise RecordError(
            "{what}: {text!r} is not a number of at most {digits} digits", what=what, text=shorten(text), digits=digits
        )
    return int(text)


def read_date(text: str) -> datetime.date:
    """Read an ISO date, such as 2026-11-15."""
    try:
        if _DATE.fullmatch(text):
            return datetime.date.fromisoformat(text)
    except ValueError:
        pass
    raise RecordError("date: {text!r} is not a day such as 2026-11-15", text=shorten(text))


def read_seed(text: str) -> int:
    """Read the seed of the dice."""
    return read_number("seed", text, digits=39)


def read_order(text: str) -> bool:
    """Read whether the order of the turns is known."""
    if text.casefold() not in ("known", "unknown"):
        raise RecordError("order: {text!r} is neither known nor unknown", text=shorten(text))
    return text.casefold() == "known"


def read_start(text: str, game: Game, players: int) -> Position:
    """Read the first position of a game with `players` players."""
    if len(text) > LONGEST_POSITION:
        raise RecordError(
            "position: {count:,} letters are too long; the most is {most:,}",
            count=len(text),
            most=LONGEST_POSITION,
        )
    if (id := text.partition("~")[0]) != game.id:
        raise RecordError("position: {name!r} is its game, but {game} is played", name=shorten(id), game=game.id)
    position = Position.parse(text, game)
    if len(position.sheets) != players:
        raise RecordError(
            "position: it has {count} sheets, but the players named are {players}",
            count=len(position.sheets),
            players=players,
        )
    return position


def shorten(text: str) -> str:
    """Truncate a text for an error message."""
    return text if len(text) <= LONGEST_WORD else text[: LONGEST_WORD - 1] + "…"
