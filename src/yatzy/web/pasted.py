"""Reads what people paste: the record of a game, many games as CSV, a position, or the points of a sheet in words."""

from __future__ import annotations

import re
from collections.abc import Callable

from yatzy.coach.paper import PaperGame
from yatzy.errors import InputError, Message, NotationError
from yatzy.games import Game, Player, Position, Record, parse_sheet
from yatzy.web import limits, requests
from yatzy.web.coaching import CSV, read_records
from yatzy.web.refusals import TooMuch

Named = Callable[[int, int], str]
"""The name of a player who was given none, from their number from 1 and the number of players."""
_RECORD = re.compile(r"^\s*(game|check|player)\s*:", re.MULTILINE)


def read_pasted(text: str, game: Game, name: Named) -> list[Record]:
    """The games that a text describes. A position and a sheet in words, of `game`, become games that start there."""
    text = text.removeprefix("\ufeff").strip()
    if _RECORD.search(text) or CSV.match(text):
        return read_records(text)
    if "~" in text:
        return [_from_position(text, game, name)]
    try:
        return [_from_words(text, game, name)]
    except InputError as error:
        raise NotationError("this is no record, position or sheet that can be read: {error}", error=error) from None


def _from_position(text: str, game: Game, name: Named) -> Record:
    where = requests.read_position(text, game)
    count = len(where.sheets)
    return Record(where.game, tuple(Player(name(number, count)) for number in range(1, count + 1)), start=where)


def _from_words(text: str, game: Game, name: Named) -> Record:
    """Sheets in words: one, or several with the name of its player before each."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [_split_name(game, line) for line in lines]
    parts = [one for one in named if one is not None]
    if not lines or len(parts) < len(lines):
        return Record(game, (Player(name(1, 1)),), start=Position((parse_sheet(game, text),)))
    if len(parts) > limits.PLAYERS:
        raise TooMuch("a game may have {most} players here, not {count}", most=limits.PLAYERS, count=len(parts))
    sheets = [parse_sheet(game, said, Message("sheet of {name}", name=player)) for player, said in parts]
    paper = PaperGame(
        game,
        tuple(Player(player) for player, _ in parts),
        tuple(sheet.boxes or () for sheet in sheets),
        tuple(sheet.jokers for sheet in sheets),
    )
    players, where = paper.position()
    return Record(game, players, start=where)


def _split_name(game: Game, line: str) -> tuple[str, str] | None:
    """The name of a player and the sheet behind it; None if the line begins with a category."""
    head, colon, rest = line.partition(":")
    if not colon:
        return None
    try:
        game.find_category(head.strip())
    except NotationError:
        return " ".join(head.split()), rest
    return None
