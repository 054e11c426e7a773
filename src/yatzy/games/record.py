"""A game as it was played: the players, the date, and every turn as far as it is known.

A turn may be known in full (all rolls and keeps), by its last dice, or only by the points written on the sheet. A
record is validated on construction by replaying it, so other code need not check it. If the last turn is unfinished,
the record is a saved game.
"""

from __future__ import annotations

import datetime
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from yatzy.errors import InputError, Message, RecordError
from yatzy.games.game import Game
from yatzy.games.gamefile import find_game
from yatzy.games.position import MOST_PLAYERS, Position
from yatzy.games.turn import Detail, Roll, Step, Turn, play_turn, walk_turn

__all__ = ["Detail", "Player", "Record", "Roll", "Step", "Turn", "TurnRefused", "check_name", "seat_of"]

MOST_LETTERS = 40
MOST_NOTES = 200
LONGEST_NOTE = 500
LARGEST_SEED = 2**128 - 1
_NOT_IN_NAMES = ":[]#"
_NOT_ON_ONE_LINE = ("Cc", "Zl", "Zp", "Cs")


@dataclass(frozen=True, slots=True)
class Player:
    """A player; `strategy` is set for computer players."""

    name: str
    """Up to 40 letters, without `:`, `#`, `[` and `]`."""
    strategy: str | None = None
    """The name of a computer player's strategy, such as `softened:1`; None for a person."""


@dataclass(frozen=True)
class Record:
    """A game, finished or not. Records are equal if the game and all recorded data are equal."""

    game: Game
    """The rules."""
    players: tuple[Player, ...]
    """In the order of play."""
    turns: tuple[Turn, ...] = ()
    """In the order of play."""
    date: datetime.date | None = None
    """The day on which it was played."""
    seed: int | None = None
    """The seed of the dice, if the program rolls them."""
    order_known: bool = True
    """Whether the turns were played in this order; False if they were copied from a sheet."""
    notes: tuple[str, ...] = ()
    """Free text, one line each."""
    start: Position | None = None
    """The first position, if not the start of the game."""
    undone: tuple[Step, ...] = ()
    """Undone steps that can be redone, the next one first."""
    positions: tuple[Position, ...] = field(init=False, compare=False, repr=False)
    """The position before each turn, and after the last finished one."""
    position: Position = field(init=False, compare=False, repr=False)
    """The current position."""

    def __post_init__(self) -> None:
        _check_players(self.players)
        _check_rest(self)
        if self.start is not None and self.start.game != self.game:
            raise RecordError(
                "the game is {game}, but the first position is of {other}", game=self.game.id, other=self.start.game.id
            )
        if self.start is not None and len(self.start.sheets) != len(self.players):
            raise RecordError(
                "{count} players, but the first position has {sheets}",
                count=len(self.players),
                sheets=len(self.start.sheets),
            )
        position = self.start or Position.start(self.game, len(self.players))
        before, turns = list[Position](), list[Turn]()
        for number, turn in enumerate(self.turns):
            try:
                if turn.score is None and number < len(self.turns) - 1:
                    raise RecordError("only the last turn may be without a category")
                before.append(position)
                turn, position = play_turn(turn, position)
            except InputError as error:
                raise TurnRefused(number, error, self) from None
            turns.append(turn)
        under_way = bool(turns) and turns[-1].score is None
        object.__setattr__(self, "turns", tuple(turns))
        object.__setattr__(self, "positions", tuple(before) if under_way else (*before, position))
        object.__setattr__(self, "position", position)
        _check_undone(self)

    @classmethod
    def parse(cls, text: str, game: Game | None = None, source: str = Message("record")) -> Record:
        """Parse a record; the inverse of `str(record)`. Errors start with `source` and name the line.

        game: a game that is not a preset, to which the record may refer by its id.
        """
        from yatzy.games import record_text  # circular import

        return record_text.read_record(text, lambda id: find_game(id, game), source)

    def __str__(self) -> str:
        """The record as text, one line per turn. Includes the rules if the game is not a preset."""
        from yatzy.games import record_text  # circular import

        return record_text.write_record(self)

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self.position.over

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of all players so far."""
        return tuple(sheet.points for sheet in self.position.sheets)

    def player_of(self, turn: int) -> int:
        """The player of a turn, played or not."""
        return self.positions[turn].mover

    def number_of(self, turn: int) -> int:
        """The number of a turn among all turns of its player, from 1."""
        return self.positions[turn].sheet.filled.bit_count() + 1

    def steps(self, turn: int) -> Iterator[tuple[Position, Step]]:
        """The steps of a turn, each with the position before it.

        A turn known by its last dice has two steps: one roll, with no roll left, and the category. A turn known only by
        its points has none.
        """
        one = self.turns[turn]
        if one.detail is not Detail.POINTS:
            yield from walk_turn(one, self.positions[turn])[0]


class TurnRefused(RecordError):  # noqa: N818
    """A turn breaks the rules; `number` is its index and `reason` the explanation."""

    def __init__(self, number: int, reason: InputError, record: Record) -> None:
        self.number, self.reason = number, reason
        round_, player = seat_of(number, len(record.players), record.start)
        super().__init__(
            "turn {number} of {name}: {reason}", number=round_, name=record.players[player].name, reason=reason
        )


def seat_of(turn: int, players: int, start: Position | None) -> tuple[int, int]:
    """The number of a turn among those of its player, from 1, and the player. Players take turns in order."""
    first = start.mover if start else 0
    player = (first + turn) % players
    return (start.sheets[player].filled.bit_count() if start else 0) + turn // players + 1, player


def _check_players(players: Sequence[Player]) -> None:
    if not 1 <= len(players) <= MOST_PLAYERS:
        raise RecordError("{count} players; a game has from 1 to {most}", count=len(players), most=MOST_PLAYERS)
    for player in players:
        check_name(player.name)
    names = [player.name.casefold() for player in players]
    for player, name in zip(players, names, strict=True):
        if names.count(name) > 1:
            raise RecordError("two players are called {player}; names must be different", player=player.name)
        if player.strategy is not None:
            _check_line(f"strategy of {player.name}", player.strategy)


def _check_rest(record: Record) -> None:
    """Raise RecordError if the seed or a note cannot be written to a record."""
    if record.seed is not None and not 0 <= record.seed <= LARGEST_SEED:
        raise RecordError("seed: must be a whole number from 0, of at most 128 bits")
    if len(record.notes) > MOST_NOTES:
        raise RecordError("{count} notes; a record has at most {most}", count=len(record.notes), most=MOST_NOTES)
    for note in record.notes:
        _check_line("note", note)


def _check_line(key: str, text: str) -> None:
    on_one_line = text == text.strip() and not any(unicodedata.category(c) in _NOT_ON_ONE_LINE for c in text)
    if not 1 <= len(text) <= LONGEST_NOTE or not on_one_line:
        raise RecordError("{key}: must be one line of from 1 to {most} letters", key=key, most=LONGEST_NOTE)


def _check_undone(record: Record) -> None:
    """Raise RecordError if an undone step cannot be redone."""
    position = record.position
    for number, step in enumerate(record.undone, 1):
        try:
            position = position.roll(step.dice) if isinstance(step, Roll) else position.play(step)
        except InputError as error:
            raise RecordError("undone: step {number}: {error}", number=number, error=error) from None


def name_from(text: str) -> str:
    """A text, such as the name of a strategy, as a player's name that a record can hold."""
    plain = "".join(" " if letter in _NOT_IN_NAMES or not letter.isprintable() else letter for letter in text)
    name = " ".join(plain.split())[:MOST_LETTERS].strip()
    return name if name and not name.isdigit() else f"Player {name}".strip()


def check_name(name: str) -> None:
    """Raise RecordError if a name cannot be written to a record."""
    if not 1 <= len(name) <= MOST_LETTERS or name != " ".join(name.split()) or not name.isprintable():
        raise RecordError(
            "player {name!r}: a name has from 1 to {most} letters on one line",
            name=name[:MOST_LETTERS],
            most=MOST_LETTERS,
        )
    if any(letter in name for letter in _NOT_IN_NAMES) or name.isdigit():
        raise RecordError(
            "player {name!r}: a name must not be a number or contain any of {letters}",
            name=name,
            letters=" ".join(_NOT_IN_NAMES),
        )
