"""Positions and what moves and rolls do to them. A position never changes; a move makes a new one.

A turn alternates between a roll (`awaits_roll`: fewer dice lie there than the game has, namely those kept)
and a move. With rolls left the moves are keeps; with none, categories. Scoring with rolls left is taken
too: it is the same as keeping all dice until no roll is left. So is striking a category that the dice would pay for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from yatzy.errors import MoveError, PositionError
from yatzy.games.game import Game
from yatzy.games.moves import Keep, Move, Score
from yatzy.games.patterns import Dice, sorted_dice
from yatzy.games.rules import Placement, is_joker_roll, placements
from yatzy.games.sheet import Sheet

MOST_PLAYERS = 20
"""Players of a record or of a position as text."""
START_OF_TURN = 2**31 - 1
"""Stands for the rolls of a whole turn, which the game knows; no game has that many."""


@dataclass(frozen=True, slots=True)
class Position:
    """The sheets of all players in order, the dice on the table, and the rolls left in this turn."""

    sheets: tuple[Sheet, ...]
    dice: Dice = ()
    rolls_left: int = START_OF_TURN

    def __post_init__(self) -> None:
        if not self.sheets:
            raise PositionError("a position needs at least one player")
        object.__setattr__(self, "dice", sorted_dice(self.dice))
        if self.rolls_left == START_OF_TURN:
            object.__setattr__(self, "rolls_left", self.game.rolls)
        self._check()

    @classmethod
    def start(cls, game: Game, players: int = 1) -> Position:
        """The position before anything has happened."""
        return cls((Sheet.start(game),) * players)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.sheets[0].game

    @property
    def mover(self) -> int:
        """Whose turn it is: the first of those who have filled the fewest categories."""
        counts = [sheet.filled.bit_count() for sheet in self.sheets]
        return counts.index(min(counts))

    @property
    def sheet(self) -> Sheet:
        """The sheet of the player to move."""
        return self.sheets[self.mover]

    @property
    def over(self) -> bool:
        """Whether all sheets are full."""
        return all(sheet.over for sheet in self.sheets)

    @property
    def awaits_roll(self) -> bool:
        """Whether dice have to be rolled before the next move."""
        return len(self.dice) < self.game.dice and not self.over

    @property
    def between_turns(self) -> bool:
        """Whether the next thing is the first roll of a turn."""
        return not self.dice and self.rolls_left == self.game.rolls

    def rolled(self, dice: Iterable[int]) -> Position:
        """The position after a roll; all dice are named, the kept ones too."""
        dice = sorted_dice(dice)
        if not self.awaits_roll:
            raise MoveError("there is nothing to roll here")
        check_dice(self.game, dice)
        if Counter(self.dice) - Counter(dice):
            raise MoveError(f"a roll to {show_dice(dice)} does not have the kept {show_dice(self.dice)}")
        return Position(self.sheets, dice, self.rolls_left - 1)

    def _check(self) -> None:
        game = self.game
        if any(sheet.game != game for sheet in self.sheets):
            raise PositionError("all sheets of a position must be of one game")
        counts = [sheet.filled.bit_count() for sheet in self.sheets]
        if counts != sorted(counts, reverse=True) or counts[0] - counts[-1] > 1:
            raise PositionError(f"players have filled {counts} categories, but they take turns in order")
        if self.dice and self.over:
            raise PositionError("the game is over; there is nothing left to roll for")
        if len(self.dice) > game.dice:
            check_dice(game, self.dice)
        for die in self.dice:
            if not 1 <= die <= game.faces:
                raise PositionError(f"dice: {die} is not from 1 to {game.faces}")
        least, most = (1 if self.awaits_roll else 0), (game.rolls - 1 if self.dice else game.rolls)
        if not least <= self.rolls_left <= most:
            raise PositionError(f"rolls left: {self.rolls_left} is not from {least} to {most} here")


def check_dice(game: Game, dice: Dice) -> None:
    """Refuse a roll that the game does not have."""
    if len(dice) != game.dice:
        raise PositionError(f"dice: {len(dice)} given, but {game.id} is played with {game.dice}")
    for die in dice:
        if not 1 <= die <= game.faces:
            raise PositionError(f"dice: {die} is not from 1 to {game.faces}")


def show_dice(dice: Dice) -> str:
    """Dice for messages and tables: `13356`; `3-10-12` with a face of two digits, `12-` alone; `-` for none."""
    if all(die < 10 for die in dice):
        return "".join(map(str, dice)) or "-"
    return "-".join(map(str, dice)) + ("-" if len(dice) == 1 else "")


def keeps_of(dice: Dice) -> tuple[Dice, ...]:
    """Every different way to keep some of the dice, from none to all."""
    counts = Counter(dice)
    choices = product(*(range(count + 1) for count in counts.values()))
    kept = (tuple(f for f, n in zip(counts, numbers, strict=True) for _ in range(n)) for numbers in choices)
    return tuple(sorted(kept, key=lambda keep: (len(keep), keep)))


def legal_moves(position: Position) -> tuple[Move, ...]:
    """The moves to choose from; none while a roll is awaited and after the end."""
    if position.awaits_roll or position.over:
        return ()
    if position.rolls_left:
        return tuple(Keep(keep) for keep in keeps_of(position.dice))
    categories = position.game.categories
    return tuple(Score(categories[p.category].id) for p in placements(position.sheet, position.dice))


def placement_of(position: Position, move: Score) -> Placement:
    """What scoring in this category means here; raises when it is not allowed."""
    if position.awaits_roll or position.over:
        raise MoveError(f"{move.category} cannot be filled before a roll")
    index = position.game.category_index.get(move.category)
    allowed = placements(position.sheet, position.dice)
    for placement in allowed:
        if placement.category == index and not move.strike:
            return placement
        if placement.category == index:
            if is_joker_roll(position.game, position.dice):
                raise MoveError(
                    f"{move.category} cannot be struck with {show_dice(position.dice)}: the Joker rule holds"
                )
            return Placement(placement.category, 0)
    names = ", ".join(position.game.categories[p.category].id for p in allowed)
    raise MoveError(f"{move.category} cannot be filled with {show_dice(position.dice)} here; allowed: {names}")


def apply_move(position: Position, move: Move) -> Position:
    """The position after a move: awaiting the roll of the dice not kept, or the next turn."""
    if isinstance(move, Score):
        placement = placement_of(position, move)
        sheet = position.sheet.fill(placement.category, placement.points, placement.joker_bonus)
        mover = position.mover
        return Position((*position.sheets[:mover], sheet, *position.sheets[mover + 1 :]))
    if position.awaits_roll or position.over or not position.rolls_left:
        raise MoveError("dice can be kept only after a roll and with rolls left")
    if Counter(move.dice) - Counter(position.dice):
        raise MoveError(f"{show_dice(move.dice)} cannot be kept of {show_dice(position.dice)}")
    kept_all = move.dice == position.dice
    return Position(position.sheets, move.dice, position.rolls_left - (1 if kept_all else 0))
