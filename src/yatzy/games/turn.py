"""A turn of a record, and what it does to a position.

How a turn is known decides how it is checked: in full, roll by roll; by its last dice; or by its points alone, which
some roll must be able to bring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

from yatzy.errors import RecordError
from yatzy.games.dice import Dice, is_part, show_dice, sorted_dice
from yatzy.games.game import Game
from yatzy.games.moves import Keep, Score
from yatzy.games.position import Position
from yatzy.games.rules import Placement, is_joker_roll, place, placements
from yatzy.games.sheet import Sheet, rolls


class Detail(Enum):
    """How much is known of a turn."""

    FULL = "full"
    DICE = "dice"
    """The last dice and the category."""
    POINTS = "points"
    """The category and its points."""


@dataclass(frozen=True, slots=True)
class Roll:
    """All dice after a roll."""

    dice: Dice

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", sorted_dice(self.dice))


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


def play_turn(turn: Turn, position: Position) -> tuple[Turn, Position]:
    """A turn with its points filled in, and the position after it."""
    if position.over:
        raise RecordError("the game is over; no turn can follow")
    if turn.detail is Detail.POINTS:
        return _write_down(turn, position)
    if turn.score is None:
        if turn.points is not None or turn.joker_bonus is not None:
            raise RecordError("points are told, but no category")
        return turn, walk_turn(turn, position)[1]
    dice = _last_dice(turn, position) or walk_turn(turn, position)[1].dice
    placed = place(position.sheet, dice, turn.score)
    _check_points(turn, placed.points, placed.joker_bonus, dice)
    told = Turn(turn.rolls, turn.keeps, turn.score, placed.points, placed.joker_bonus)
    return told, position.filled(placed)


def _last_dice(turn: Turn, position: Position) -> Dice | None:
    """The last dice of a turn known in full that is plainly right; None where `walk_turn` has to look closely.

    Positions cost most of the time of reading a record, and nearly all turns need none.
    """
    game, dice, left, keeps = position.game, position.dice, position.rolls_left, turn.keeps
    if not 0 <= len(turn.rolls) - len(keeps) <= 1 or not keeps:
        return None
    for number, roll in enumerate(turn.rolls):
        if len(dice) < game.dice:
            if not _may_follow(game, dice, roll):
                return None
            dice, left = roll, left - 1
        elif dice != roll:
            return None
        if number < len(keeps):
            if not left or not is_part(keeps[number], roll):
                return None
            dice = keeps[number]
            left -= dice == roll  # all kept: a roll is passed by
    return dice if len(dice) == game.dice and (not left or len(keeps) == len(turn.rolls)) else None


@lru_cache(maxsize=1 << 14)
def _may_follow(game: Game, kept: Dice, roll: Dice) -> bool:
    faces = range(1, game.faces + 1)
    return len(roll) == game.dice and all(die in faces for die in roll) and is_part(kept, roll)


def walk_turn(turn: Turn, position: Position) -> tuple[list[tuple[Position, Step]], Position]:
    """The steps of a turn of which dice are known, each with the position before it, and the position at its end.

    The category is among the steps, but it is not played yet.
    """
    steps = list[tuple[Position, Step]]()
    if turn.detail is Detail.DICE and not _held(position):
        position = Position(position.sheets, (), 1)  # how the dice came about is not known
    if len(turn.keeps) not in (len(turn.rolls) - 1, len(turn.rolls)):
        raise RecordError(f"{len(turn.rolls)} rolls and {len(turn.keeps)} keeps; they take turns, a roll first")
    for number, dice in enumerate(turn.rolls):
        if position.awaits_roll:
            steps.append((position, Roll(dice)))
            position = position.roll(dice)
        elif position.dice != dice:
            raise RecordError(f"{show_dice(position.dice)} lie there, so {show_dice(dice)} cannot follow")
        if number < len(turn.keeps):
            keep = Keep(turn.keeps[number])
            steps.append((position, keep))
            position = position.play(keep)
    if turn.score is not None:
        position = _stop(turn, position, steps)
    return steps, position


def _stop(turn: Turn, position: Position, steps: list[tuple[Position, Step]]) -> Position:
    """The position in which the category is filled: all dice are kept until no roll is left."""
    assert turn.score is not None
    if position.awaits_roll:
        raise RecordError(f"{show_dice(position.dice)} was kept, so another roll comes before the category")
    if position.rolls_left and len(turn.keeps) < len(turn.rolls):
        left = "1 roll was" if position.rolls_left == 1 else f"{position.rolls_left} rolls were"
        raise RecordError(f"{left} left; what was kept is missing, such as ({show_dice(position.dice)})")
    while position.rolls_left:
        keep = Keep(position.dice)
        steps.append((position, keep))
        position = position.play(keep)
    steps.append((position, turn.score))
    return position


def _held(position: Position) -> Dice:
    """The dice that the last roll of the turn is bound to show: none as long as others can still be kept."""
    return () if position.rolls_left > position.awaits_roll else position.dice


def _write_down(turn: Turn, position: Position) -> tuple[Turn, Position]:
    """A turn of which only the category and its points are known."""
    assert turn.score is not None
    sheet, game, id = position.sheet, position.game, turn.score.category
    category = game.category_index.get(id)
    if category not in sheet.available:
        allowed = ", ".join(game.categories[i].id for i in sheet.available)
        raise RecordError(f"{id} cannot be filled here; allowed: {allowed}")
    points = 0 if turn.points is None and turn.score.strike else turn.points
    if points is None:
        raise RecordError(f"{id}: neither dice nor points are told")
    if points and turn.score.strike:
        raise RecordError(f"{id} is struck, so it gets 0 points, not {points}")
    bonus = turn.joker_bonus or 0
    held = _held(position)
    if held or bonus or points not in _plain_points(game, category):
        bonus = _find_bonus(turn, points, possible_placements(sheet, category, held))
    told = Turn((), (), Score(id), points, bonus)
    return told, position.filled(Placement(category, points, bonus))


def _find_bonus(turn: Turn, points: int, ways: set[tuple[int, int]]) -> int:
    """The Joker bonus that goes with the points, the least where nobody told it."""
    assert turn.score is not None
    id = turn.score.category
    bonuses = sorted(bonus for number, bonus in ways if number == points)
    if not bonuses:
        allowed = ", ".join(map(str, sorted({number for number, _ in ways})))
        raise RecordError(f"{id} cannot get {points} points here; possible: {allowed or 'nothing'}")
    bonus = turn.joker_bonus if turn.joker_bonus is not None else bonuses[0]
    if bonus not in bonuses:
        allowed = " or ".join(f"+{bonus}" for bonus in bonuses)
        raise RecordError(f"{id} with {points} points cannot bring +{bonus} here; possible: {allowed}")
    return bonus


def possible_placements(sheet: Sheet, category: int, held: Dice = ()) -> set[tuple[int, int]]:
    """The points with their Joker bonus that some roll can bring to an open category; 0 by striking it.

    Only rolls that show the dice `held` count.
    """
    game, bound = sheet.game, Counter(held)
    ways = {(points, 0) for points in _plain_points(game, category, held)}
    for dice in _joker_rolls(game):
        if not bound - Counter(dice):
            ways |= {(way.points, way.joker_bonus) for way in placements(sheet, dice) if way.category == category}
    return ways


@lru_cache(maxsize=1024)
def _plain_points(game: Game, category: int, held: Dice = ()) -> frozenset[int]:
    """What rolls pay to which no Joker rule applies; nothing, for one that is struck."""
    bound = Counter(held)
    fitting = [dice for dice in rolls(game) if not bound - Counter(dice)] if held else rolls(game)
    pays = {game.categories[category].score(dice) for dice in fitting if not is_joker_roll(game, dice)}
    return frozenset(pays | {0} if pays else pays)


@lru_cache(maxsize=64)
def _joker_rolls(game: Game) -> tuple[Dice, ...]:
    return tuple(dice for dice in rolls(game) if is_joker_roll(game, dice))


def _check_points(turn: Turn, points: int, bonus: int, dice: Dice) -> None:
    assert turn.score is not None
    category = turn.score.category
    if turn.points is not None and turn.points != points:
        hint = f"; to strike it write {category}=0" if turn.points == 0 else ""
        raise RecordError(f"{category} gets {points} for {show_dice(dice)}, not {turn.points}{hint}")
    if turn.joker_bonus is not None and turn.joker_bonus != bonus:
        raise RecordError(f"{category} with {show_dice(dice)} brings +{bonus} beside it, not +{turn.joker_bonus}")
