"""A game as it was played: who, when, and every turn as far as it is known.

A turn may be known in full (all rolls and keeps), by its last dice, or only by what was written on the sheet. A record
checks itself when it is made, by playing everything again, so whoever has one can trust it. The last turn may be under
way; then the record is a saved game.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

from yatzy.errors import InputError, RecordError
from yatzy.games.game import Game
from yatzy.games.moves import Keep, Score
from yatzy.games.patterns import Dice, sorted_dice
from yatzy.games.position import Position, apply_move, placement_of, show_dice
from yatzy.games.rules import is_joker_roll, placements
from yatzy.games.sheet import Sheet, rolls

MOST_PLAYERS = 20
MOST_LETTERS = 40
_NOT_IN_NAMES = ":[]"


class Detail(Enum):
    """How much is known of a turn."""

    FULL = "full"
    DICE = "dice"
    """The last dice and the category."""
    POINTS = "points"
    """The category and its points."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table; the strategy is that of a computer player."""

    name: str
    strategy: str | None = None


@dataclass(frozen=True, slots=True)
class Roll:
    """All dice after a roll."""

    dice: Dice


Step: TypeAlias = Roll | Keep | Score
"""What happens in a turn, one thing at a time."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of one player. Keeping all dice ends the rolls; what is left out of the points a `Record` fills in."""

    rolls: tuple[Dice, ...] = ()
    """All dice after each roll that is known."""
    keeps: tuple[Dice, ...] = ()
    """What was kept after each of them."""
    score: Score | None = None
    """None while the turn is under way."""
    points: int | None = None
    """What was written in the category."""
    joker_bonus: int | None = None

    def __post_init__(self) -> None:
        rolls, keeps = [sorted_dice(dice) for dice in self.rolls], [sorted_dice(dice) for dice in self.keeps]
        while self.score is not None and _idles(rolls, keeps):
            rolls.pop()
            del keeps[len(rolls) :]
        object.__setattr__(self, "rolls", tuple(rolls))
        object.__setattr__(self, "keeps", tuple(keeps))

    @property
    def detail(self) -> Detail:
        """How much is known; a single roll without a keep is taken for the last dice."""
        if not self.rolls and self.score is not None:
            return Detail.POINTS
        return Detail.DICE if self.score is not None and not self.keeps else Detail.FULL


def _idles(rolls: Sequence[Dice], keeps: Sequence[Dice]) -> bool:
    """Whether the last roll only repeats what was kept as a whole."""
    return len(rolls) > 1 and len(keeps) >= len(rolls) - 1 and keeps[len(rolls) - 2] == rolls[-2] == rolls[-1]


@dataclass(frozen=True)
class Record:
    """A game, finished or under way. Equal when the game and all that is told of it are equal."""

    game: Game
    players: tuple[Player, ...]
    turns: tuple[Turn, ...] = ()
    """In the order of play."""
    date: datetime.date | None = None
    seed: int | None = None
    """Of the dice, where the program rolls them."""
    order_known: bool = True
    """Whether the turns were played in this order; a sheet that was only copied does not tell."""
    notes: tuple[str, ...] = ()
    start: Position | None = None
    """Where the game was taken up, if not at its start."""
    positions: tuple[Position, ...] = field(init=False, compare=False, repr=False)
    """Before each turn, and after the last finished one."""
    position: Position = field(init=False, compare=False, repr=False)
    """Where the game stands."""

    def __post_init__(self) -> None:
        _check_players(self.players)
        if self.start is not None and self.start.game != self.game:
            raise RecordError(f"the game is {self.game.id}, but it was taken up in a position of {self.start.game.id}")
        if self.start is not None and len(self.start.sheets) != len(self.players):
            raise RecordError(f"{len(self.players)} players, but a position of {len(self.start.sheets)} to take up")
        position = self.start or Position.start(self.game, len(self.players))
        before, turns = list[Position](), list[Turn]()
        for number, turn in enumerate(self.turns):
            try:
                if turn.score is None and number < len(self.turns) - 1:
                    raise RecordError("only the last turn may be without a category")
                before.append(position)
                turn, position = _play(turn, position)
            except InputError as error:
                raise TurnRefused(number, str(error), self) from None
            turns.append(turn)
        under_way = bool(turns) and turns[-1].score is None
        object.__setattr__(self, "turns", tuple(turns))
        object.__setattr__(self, "positions", tuple(before) if under_way else (*before, position))
        object.__setattr__(self, "position", position)

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self.position.over

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of all players so far."""
        return tuple(sheet.points for sheet in self.position.sheets)

    def player_of(self, turn: int) -> int:
        """Whose turn it is, or was."""
        return self.positions[turn].mover

    def steps(self, turn: int) -> Iterator[tuple[Position, Step]]:
        """What happened in a turn, each with the position before it.

        Of a turn known by its last dice that is one roll, with no roll left, and the category. Of one known by its
        points nothing is told.
        """
        one = self.turns[turn]
        if one.detail is not Detail.POINTS:
            yield from _walk(one, self.positions[turn])


class TurnRefused(RecordError):  # noqa: N818  (what it is, in two words)
    """A turn breaks the rules; `number` says which, from 0, and `reason` why."""

    def __init__(self, number: int, reason: str, record: Record) -> None:
        self.number, self.reason = number, reason
        names = [player.name for player in record.players]
        first = record.start.mover if record.start else 0
        super().__init__(f"turn {number // len(names) + 1} of {names[(first + number) % len(names)]}: {reason}")


def _check_players(players: Sequence[Player]) -> None:
    if not 1 <= len(players) <= MOST_PLAYERS:
        raise RecordError(f"{len(players)} players; a game has from 1 to {MOST_PLAYERS}")
    for player in players:
        check_name(player.name)
    names = [player.name.casefold() for player in players]
    for player, name in zip(players, names, strict=True):
        if names.count(name) > 1:
            raise RecordError(f"two players are called {player.name}; every name must be another one")


def check_name(name: str) -> None:
    """Refuse a name that a record could not hold."""
    if not 1 <= len(name) <= MOST_LETTERS or name != " ".join(name.split()) or not name.isprintable():
        raise RecordError(f"player {name[:MOST_LETTERS]!r}: a name has from 1 to {MOST_LETTERS} letters on one line")
    if any(letter in name for letter in _NOT_IN_NAMES) or name.isdigit():
        raise RecordError(f"player {name!r}: a name is not just a number and has none of {' '.join(_NOT_IN_NAMES)}")


def _play(turn: Turn, position: Position) -> tuple[Turn, Position]:
    """A turn with its points filled in, and the position after it."""
    if position.over:
        raise RecordError("the game is over; no turn can follow")
    if turn.detail is Detail.POINTS:
        return _write_down(turn, position)
    placed = turn
    for here, step in _walk(turn, position):
        if isinstance(step, Roll):
            position = here.rolled(step.dice) if here.awaits_roll else here
        elif isinstance(step, Keep):
            position = apply_move(here, step)
        else:
            place = placement_of(here, step)
            _check_points(turn, place.points, place.joker_bonus, show_dice(here.dice))
            placed = replace(turn, points=place.points, joker_bonus=place.joker_bonus)
            position = apply_move(here, step)
    return placed, position


def _walk(turn: Turn, position: Position) -> Iterator[tuple[Position, Step]]:
    """The steps of a turn of which dice are known."""
    if turn.detail is Detail.DICE and position.rolls_left > 1 and position.awaits_roll:
        position = Position(position.sheets, position.dice, 1)  # how the dice came about is not known
    if len(turn.keeps) not in (len(turn.rolls) - 1, len(turn.rolls)):
        raise RecordError(f"{len(turn.rolls)} rolls and {len(turn.keeps)} keeps; they take turns, a roll first")
    for number, dice in enumerate(turn.rolls):
        if position.awaits_roll:
            yield position, Roll(dice)
            position = position.rolled(dice)
        elif position.dice != dice:
            raise RecordError(f"{show_dice(position.dice)} lie there and were kept, so {show_dice(dice)} cannot follow")
        if number < len(turn.keeps):
            keep = Keep(turn.keeps[number])
            yield position, keep
            position = apply_move(position, keep)
    if turn.score is None:
        return
    if position.awaits_roll:
        raise RecordError(f"{show_dice(position.dice)} was kept, so another roll comes before the category")
    while position.rolls_left:
        if len(turn.keeps) < len(turn.rolls):
            raise RecordError(
                f"{position.rolls_left} rolls were left; what was kept is missing, such as ({show_dice(position.dice)})"
            )
        yield position, Keep(position.dice)
        position = apply_move(position, Keep(position.dice))
    yield position, turn.score


def _write_down(turn: Turn, position: Position) -> tuple[Turn, Position]:
    """A turn of which only the category and its points are known."""
    assert turn.score is not None
    sheet, game = position.sheet, position.game
    category = game.category_index.get(turn.score.category)
    if category not in sheet.available:
        allowed = ", ".join(game.categories[i].id for i in sheet.available)
        raise RecordError(f"{turn.score.category} cannot be filled here; allowed: {allowed}")
    points = 0 if turn.points is None and turn.score.strike else turn.points
    if points is None:
        raise RecordError(f"{turn.score.category}: neither dice nor points are told")
    ways = possible_placements(sheet, category)
    bonuses = sorted(bonus for number, bonus in ways if number == points)
    if not bonuses:
        allowed = ", ".join(map(str, sorted({number for number, _ in ways})))
        raise RecordError(f"{turn.score.category} cannot get {points} points here; possible: {allowed}")
    bonus = turn.joker_bonus if turn.joker_bonus is not None else bonuses[0]
    if bonus not in bonuses:
        allowed = " or ".join(map(str, bonuses))
        raise RecordError(f"{turn.score.category} with {points} points cannot bring +{bonus} here; possible: {allowed}")
    after = sheet.fill(category, points, bonus)
    sheets = (*position.sheets[: position.mover], after, *position.sheets[position.mover + 1 :])
    score = Score(turn.score.category)
    return replace(turn, score=score, points=points, joker_bonus=bonus), Position(sheets)


def possible_placements(sheet: Sheet, category: int) -> set[tuple[int, int]]:
    """The points with their Joker bonus that some roll can bring to an open category; 0 by striking it."""
    game = sheet.game
    ways = {(points, 0) for points in _plain_points(game, category)}
    for dice in _joker_rolls(game):
        ways |= {(place.points, place.joker_bonus) for place in placements(sheet, dice) if place.category == category}
    return ways


@lru_cache(maxsize=1024)
def _plain_points(game: Game, category: int) -> frozenset[int]:
    """What rolls pay to which no Joker rule applies; nothing, for one that is struck."""
    pays = {game.categories[category].score(dice) for dice in rolls(game) if not is_joker_roll(game, dice)}
    return frozenset(pays | {0} if pays else pays)


@lru_cache(maxsize=64)
def _joker_rolls(game: Game) -> tuple[Dice, ...]:
    return tuple(dice for dice in rolls(game) if is_joker_roll(game, dice))


def _check_points(turn: Turn, points: int, bonus: int, dice: str) -> None:
    assert turn.score is not None
    category = turn.score.category
    if turn.points is not None and turn.points != points:
        hint = f"; to strike it write {category}=0" if turn.points == 0 else ""
        raise RecordError(f"{category} gets {points} for {dice}, not {turn.points}{hint}")
    if turn.joker_bonus is not None and turn.joker_bonus != bonus:
        raise RecordError(f"{category} with {dice} brings +{bonus} beside it, not +{turn.joker_bonus}")
