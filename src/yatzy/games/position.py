"""Positions, and how moves and rolls change them. Positions are immutable; a move returns a new one.

A turn alternates between rolls and moves. While a roll is awaited (`awaits_roll`), only the kept dice are on the table.
With rolls left the moves are keeps, otherwise categories. Scoring with rolls left is also accepted, as keeping all dice
until no roll is left. So is striking a category that the dice would pay for.

    yatzy~s3..9............~d13356~r2

As text a position is a list of fields joined by `~`: the game; for each player a sheet `s` (boxes joined by `.`, empty
if open, `x` if filled with unknown points) with `j` Joker bonuses or, if boxes are unknown, the upper sum `u` and the
points `p`, or the points `m` made since a sheet with unknown points; then the dice `d` and the rolls left `r`. Missing
fields are as at the start of a turn. docs/notation.md describes it for users.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from yatzy.errors import MoveError, NotationError, PositionError
from yatzy.games.dice import Dice, is_part, keeps_of, parse_faces, show_dice, sorted_dice
from yatzy.games.game import Game
from yatzy.games.gamefile import find_game, is_preset
from yatzy.games.moves import Keep, Move, Score
from yatzy.games.rules import Placement, is_joker_roll, place, placements
from yatzy.games.sheet import Sheet
from yatzy.games.sheet_text import read_number, read_sheet, write_sheet
from yatzy.notebook import table_html

MOST_PLAYERS = 20
"""The most players of a record or of a position as text."""
LONGEST_POSITION = 20_000
"""The most characters of a position as text; twenty sheets take a fraction of it."""
START_OF_TURN = 2**31 - 1
"""Sentinel default of `rolls_left`: replaced by the number of rolls of the game."""


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """The sheets of all players in order, the dice on the table, and the rolls left in this turn."""

    sheets: tuple[Sheet, ...]
    """One for each player, in the order of play."""
    dice: Dice = ()
    """In ascending order; fewer than all when a roll is due."""
    rolls_left: int = START_OF_TURN
    """In this turn; by default all of them, before the first roll."""

    def __post_init__(self) -> None:
        if not self.sheets:
            raise PositionError("a position needs at least one player")
        object.__setattr__(self, "dice", sorted_dice(self.dice))
        if self.rolls_left == START_OF_TURN:
            object.__setattr__(self, "rolls_left", self.game.rolls)
        self._check()

    @classmethod
    def start(cls, game: Game, players: int = 1) -> Position:
        """The position at the start of a game."""
        return cls((Sheet.start(game),) * players)

    @property
    def game(self) -> Game:
        """The game of the sheets."""
        return self.sheets[0].game

    @property
    def mover(self) -> int:
        """The index of the player to move: the first with the fewest filled categories."""
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
        """Whether dice must be rolled before the next move."""
        return len(self.dice) < self.game.dice and not self.over

    @property
    def between_turns(self) -> bool:
        """Whether the first roll of a turn comes next."""
        return not self.dice and self.rolls_left == self.game.rolls

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves; empty while a roll is awaited and after the end.

        `play` also accepts two kinds of moves that are never better: scoring with rolls left, and striking a category.
        """
        if self.awaits_roll or self.over:
            return ()
        if self.rolls_left:
            return _keep_moves(self.dice)
        sheet, scores = self.sheet, _score_moves(self.game)
        if not is_joker_roll(self.game, self.dice):
            return tuple(scores[i] for i in sheet.available)
        return tuple(scores[placement.category] for placement in placements(sheet, self.dice))

    def check(self, move: Move) -> None:
        """Raise MoveError with the reason unless the move is legal here."""
        if isinstance(move, Score):
            self.placement(move)
        elif self.awaits_roll or self.over or not self.rolls_left:
            raise MoveError("dice can be kept only after a roll and with rolls left")
        elif not is_part(move.dice, self.dice):
            raise MoveError("{kept} cannot be kept from {dice}", kept=show_dice(move.dice), dice=show_dice(self.dice))

    def placement(self, move: Score) -> Placement:
        """The placement of the dice in this category. Raises MoveError if it is not allowed."""
        if self.awaits_roll or self.over:
            raise MoveError("{category} cannot be filled before a roll", category=move.category)
        return place(self.sheet, self.dice, move)

    def parse_move(self, text: str) -> Move:
        """Parse a move, as `Game.parse_move` does, and check that it is legal here."""
        move = self.game.parse_move(text)
        self.check(move)
        return move

    def play(self, move: Move) -> Position:
        """The position after a move: awaiting the next roll, or at the start of the next turn."""
        if isinstance(move, Score):
            return self.filled(self.placement(move))
        self.check(move)
        return _position(self.sheets, move.dice, self.rolls_left - (move.dice == self.dice))

    def filled(self, placement: Placement) -> Position:
        """The start of the next turn, after the player to move has filled a category as the placement says."""
        mover = self.mover
        sheet = self.sheets[mover].fill(placement.category, placement.points, placement.joker_bonus)
        return _position((*self.sheets[:mover], sheet, *self.sheets[mover + 1 :]), (), self.game.rolls)

    def roll(self, dice: Iterable[int]) -> Position:
        """The position after a roll; `dice` are all dice, including the kept ones."""
        dice = sorted_dice(dice)
        if not self.awaits_roll:
            raise MoveError("there is nothing to roll here")
        self.game.check_dice(dice)
        if not is_part(self.dice, dice):
            raise MoveError(
                "the roll {dice} does not contain the kept {kept}", dice=show_dice(dice), kept=show_dice(self.dice)
            )
        return _position(self.sheets, dice, self.rolls_left - 1)

    @classmethod
    def parse(cls, text: str, game: Game | None = None) -> Position:
        """Parse a position from one line of text; the inverse of `str(position)`.

        game: a game that is not a preset, to which the text may refer by its id.
        """
        if len(text) > LONGEST_POSITION:
            raise NotationError(
                "position: {count:,} letters are too many; the most is {most:,}",
                count=len(text),
                most=LONGEST_POSITION,
            )
        id, *fields = text.split("~")
        game = find_game(id, game)
        sheets, turn = _sort_fields(fields)
        dice = parse_faces(turn["d"], game.dice, game.faces) if turn.get("d", "-") != "-" else ()
        if dice and "r" not in turn and len(dice) <= game.dice and game.rolls > 1:
            least = 0 if len(dice) == game.dice else 1
            raise NotationError(
                "position: with the dice {dice} on the table, the rolls left must be given: add ~r{least} to ~r{most}",
                dice=show_dice(dice),
                least=least,
                most=game.rolls - 1,
            )
        return cls(
            tuple(read_sheet(game, sheet) for sheet in sheets) or (Sheet.start(game),),
            dice,
            read_number("r", turn["r"]) if "r" in turn else game.rolls,
        )

    def __str__(self) -> str:
        return "~".join((self.game.id, *(field for sheet in self.sheets for field in write_sheet(sheet)), *self._turn))

    def __repr__(self) -> str:
        start = len(self.sheets) == 1 and not self.sheets[0].filled
        text = "~".join((self.game.id, *self._turn)) if start else str(self)
        return f"Position.parse({text!r})" if is_preset(self.game) else f"Position.parse({text!r}, {self.game!r})"

    def _repr_html_(self) -> str:
        game = self.game
        left = f"{self.rolls_left} {'roll' if self.rolls_left == 1 else 'rolls'} left"
        now = "the game is over" if self.over else f"dice {show_dice(self.dice)}, {left}"
        rows: list[tuple[object, ...]] = [
            (category.name(), *("" if box[i] is None else box[i] for box in map(_boxes, self.sheets)))
            for i, category in enumerate(game.categories)
        ]
        if game.bonus is not None:
            rows.append(("Bonus", *(game.bonus.points if sheet.bonus_won else "" for sheet in self.sheets)))
        rows.append(("Points", *(sheet.points for sheet in self.sheets)))
        headings = ["Category", *(f"Player {number}" for number in range(1, len(self.sheets) + 1))]
        return table_html(f"{game.name()}: {now}", headings, rows)

    @property
    def _turn(self) -> list[str]:
        """The fields of the turn."""
        dice = [f"d{show_dice(self.dice)}"] if self.dice else []
        return dice if self.rolls_left == self.game.rolls else [*dice, f"r{self.rolls_left}"]

    def _check(self) -> None:
        game = self.game
        if any(sheet.game != game for sheet in self.sheets):
            raise PositionError("all sheets of a position must be of one game")
        counts = [sheet.filled.bit_count() for sheet in self.sheets]
        if counts != sorted(counts, reverse=True) or counts[0] - counts[-1] > 1:
            raise PositionError("players have filled {counts} categories, but they take turns in order", counts=counts)
        if self.dice and self.over:
            raise PositionError("the game is over; there is nothing left to roll for")
        if len(self.dice) > game.dice:
            game.check_dice(self.dice)
        for die in self.dice:
            if not 1 <= die <= game.faces:
                raise PositionError("dice: {die} is not from 1 to {faces}", die=die, faces=game.faces)
        least, most = (1 if self.awaits_roll else 0), (game.rolls - 1 if self.dice else game.rolls)
        if not least <= self.rolls_left <= most:
            raise PositionError(
                "rolls left: {rolls_left} is not from {least} to {most} here",
                rolls_left=self.rolls_left,
                least=least,
                most=most,
            )


def _position(sheets: tuple[Sheet, ...], dice: Dice, rolls_left: int) -> Position:
    """Make a position without checks, for results of legal moves and rolls."""
    position = object.__new__(Position)
    set_field = object.__setattr__
    set_field(position, "sheets", sheets)
    set_field(position, "dice", dice)
    set_field(position, "rolls_left", rolls_left)
    return position


def _boxes(sheet: Sheet) -> tuple[int | str | None, ...]:
    """The points of each category; `x` if they are unknown, None while it is open."""
    return sheet.boxes or tuple("x" if sheet.filled >> i & 1 else None for i in range(len(sheet.game.categories)))


@lru_cache(maxsize=1 << 12)
def _keep_moves(dice: Dice) -> tuple[Keep, ...]:
    return tuple(Keep(keep) for keep in keeps_of(dice))


@lru_cache(maxsize=64)
def _score_moves(game: Game) -> tuple[Score, ...]:
    """[category]: the move that fills it."""
    return tuple(Score(category.id) for category in game.categories)


def _sort_fields(fields: Iterable[str]) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The fields of each sheet and those of the turn, keyed by their first letter."""
    sheets: list[dict[str, str]] = []
    turn: dict[str, str] = {}
    for field in fields:
        tag, body = field[:1], field[1:]
        if tag == "s":
            if len(sheets) == MOST_PLAYERS:
                raise NotationError("position: more than {most} players", most=MOST_PLAYERS)
            sheets.append({"s": body})
            continue
        group = turn if tag in ("d", "r") else sheets[-1] if tag in ("j", "u", "p", "m") and sheets else None
        if group is None:
            raise NotationError(
                "position: {field!r} is not a field; fields start with s, j, u, p, m, d or r", field=field
            )
        if tag in group:
            raise NotationError("position: {tag!r} is given twice", tag=tag)
        group[tag] = body
    return sheets, turn
