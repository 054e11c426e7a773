"""A turn of a record, and how it changes a position.

How a turn is checked depends on what is known of it: every roll and keep, the last dice, or only the points, which must
be possible with some roll.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

from yatzy.errors import Message, RecordError, either
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
"""One step of a turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of one player. Keeping all dice ends the rolls. A `Record` fills in missing points."""

    rolls: tuple[Dice, ...] = ()
    """All dice after each roll that is known."""
    keeps: tuple[Dice, ...] = ()
    """The dice kept after each of these rolls."""
    score: Score | None = None
    """None if the turn is unfinished."""
    points: int | None = None
    """The points written in the category."""
    joker_bonus: int | None = None
    """The points of the Joker bonus, which are not written in a category."""

    def __post_init__(self) -> None:
        rolls, keeps = [sorted_dice(dice) for dice in self.rolls], [sorted_dice(dice) for dice in self.keeps]
        while self.score is not None and _idles(rolls, keeps):
            rolls.pop()
            del keeps[len(rolls) :]
        object.__setattr__(self, "rolls", tuple(rolls))
        object.__setattr__(self, "keeps", tuple(keeps))

    @property
    def detail(self) -> Detail:
        """How much is known. A single roll without a keep is treated as the last dice."""
        if not self.rolls and self.score is not None:
            return Detail.POINTS
        return Detail.DICE if self.score is not None and not self.keeps else Detail.FULL


def _idles(rolls: Sequence[Dice], keeps: Sequence[Dice]) -> bool:
    """Whether the last roll only repeats the previous one, of which all dice were kept."""
    return len(rolls) > 1 and len(keeps) >= len(rolls) - 1 and keeps[len(rolls) - 2] == rolls[-2] == rolls[-1]


def play_turn(turn: Turn, position: Position) -> tuple[Turn, Position]:
    """Play a turn; return it with its points filled in, and the position after it."""
    if position.over:
        raise RecordError("the game is over; no turn can follow")
    if turn.detail is Detail.POINTS:
        return _write_down(turn, position)
    if turn.score is None:
        if turn.points is not None or turn.joker_bonus is not None:
            raise RecordError("points are given, but no category")
        return turn, walk_turn(turn, position)[1]
    dice = _last_dice(turn, position) or walk_turn(turn, position)[1].dice
    placed = place(position.sheet, dice, turn.score)
    _check_points(turn, placed.points, placed.joker_bonus, dice)
    told = Turn(turn.rolls, turn.keeps, turn.score, placed.points, placed.joker_bonus)
    return told, position.filled(placed)


def _last_dice(turn: Turn, position: Position) -> Dice | None:
    """A fast check of a turn known in full: its last dice if it is clearly valid, None if `walk_turn` must check it.

    Making positions takes most of the time of reading a record, and this check avoids it for nearly all turns.
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
            left -= dice == roll  # keeping all dice uses up a roll
    return dice if len(dice) == game.dice and (not left or len(keeps) == len(turn.rolls)) else None


@lru_cache(maxsize=1 << 14)
def _may_follow(game: Game, kept: Dice, roll: Dice) -> bool:
    faces = range(1, game.faces + 1)
    return len(roll) == game.dice and all(die in faces for die in roll) and is_part(kept, roll)


def walk_turn(turn: Turn, position: Position) -> tuple[list[tuple[Position, Step]], Position]:
    """The steps of a turn with known dice, each with the position before it, and the position after the last dice.

    In a finished turn the last step is the category, which is not played yet.
    """
    steps = list[tuple[Position, Step]]()
    if turn.detail is Detail.DICE and not _held(position):
        position = Position(position.sheets, (), 1)  # the earlier rolls are not known
    if len(turn.keeps) not in (len(turn.rolls) - 1, len(turn.rolls)):
        raise RecordError(
            "{rolls} rolls and {keeps} keeps; they alternate, starting with a roll",
            rolls=len(turn.rolls),
            keeps=len(turn.keeps),
        )
    for number, dice in enumerate(turn.rolls):
        if position.awaits_roll:
            steps.append((position, Roll(dice)))
            position = position.roll(dice)
        elif position.dice != dice:
            raise RecordError(
                "{dice} are on the table, so {next} cannot follow",
                dice=show_dice(position.dice),
                next=show_dice(dice),
            )
        if number < len(turn.keeps):
            keep = Keep(turn.keeps[number])
            steps.append((position, keep))
            position = position.play(keep)
    if turn.score is not None:
        position = _stop(turn, position, steps)
    return steps, position


def _stop(turn: Turn, position: Position, steps: list[tuple[Position, Step]]) -> Position:
    """The position before scoring: add steps that keep all dice until no roll is left."""
    assert turn.score is not None
    if position.awaits_roll:
        raise RecordError("{dice} was kept, so another roll comes before the category", dice=show_dice(position.dice))
    if position.rolls_left and len(turn.keeps) < len(turn.rolls):
        kept = show_dice(position.dice)
        if position.rolls_left == 1:
            raise RecordError("1 roll was left; what was kept is missing, such as ({dice})", dice=kept)
        raise RecordError(
            "{left} rolls were left; what was kept is missing, such as ({dice})", left=position.rolls_left, dice=kept
        )
    while position.rolls_left:
        keep = Keep(position.dice)
        steps.append((position, keep))
        position = position.play(keep)
    steps.append((position, turn.score))
    return position


def _held(position: Position) -> Dice:
    """The dice that must be part of the last roll of the turn: none while another keep is still possible."""
    return () if position.rolls_left > position.awaits_roll else position.dice


def _write_down(turn: Turn, position: Position) -> tuple[Turn, Position]:
    """Play a turn of which only the category and its points are known."""
    assert turn.score is not None
    sheet, game, id = position.sheet, position.game, turn.score.category
    category = game.category_index.get(id)
    if category not in sheet.available:
        allowed = ", ".join(game.categories[i].id for i in sheet.available)
        raise RecordError("{name} cannot be filled here; allowed: {allowed}", name=id, allowed=allowed)
    points = 0 if turn.points is None and turn.score.strike else turn.points
    if points is None:
        raise RecordError("{name}: neither dice nor points are given", name=id)
    if points and turn.score.strike:
        raise RecordError("{name} is struck, so it gets 0 points, not {points}", name=id, points=points)
    bonus = turn.joker_bonus or 0
    held = _held(position)
    if held or bonus or points not in _plain_points(game, category):
        bonus = _find_bonus(turn, points, possible_placements(sheet, category, held))
    told = Turn((), (), Score(id), points, bonus)
    return told, position.filled(Placement(category, points, bonus))


def _find_bonus(turn: Turn, points: int, ways: set[tuple[int, int]]) -> int:
    """The Joker bonus that goes with the points; the lowest possible if the turn does not give it."""
    assert turn.score is not None
    id = turn.score.category
    bonuses = sorted(bonus for number, bonus in ways if number == points)
    if not bonuses:
        allowed = ", ".join(map(str, sorted({number for number, _ in ways})))
        raise RecordError(
            "{name} cannot get {points} points here; possible: {allowed}",
            name=id,
            points=points,
            allowed=allowed or Message("nothing"),
        )
    bonus = turn.joker_bonus if turn.joker_bonus is not None else bonuses[0]
    if bonus not in bonuses:
        possible = either(f"+{bonus}" for bonus in bonuses)
        raise RecordError(
            "{name} with {points} points cannot pay a bonus of +{bonus} here; possible: {allowed}",
            name=id,
            points=points,
            bonus=bonus,
            allowed=possible,
        )
    return bonus


def possible_placements(sheet: Sheet, category: int, held: Dice = ()) -> set[tuple[int, int]]:
    """All pairs (points, Joker bonus) that an open category can get from some roll, including 0 by striking it.

    Only rolls that include the dice `held` are considered.
    """
    game, bound = sheet.game, Counter(held)
    ways = {(points, 0) for points in _plain_points(game, category, held)}
    for dice in _joker_rolls(game):
        if not bound - Counter(dice):
            ways |= {(way.points, way.joker_bonus) for way in placements(sheet, dice) if way.category == category}
    return ways


@lru_cache(maxsize=1024)
def _plain_points(game: Game, category: int, held: Dice = ()) -> frozenset[int]:
    """The possible points of a category from rolls to which no Joker rule applies, including 0 by striking it."""
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
        hint = Message("; to strike it write {category}=0", category=category) if turn.points == 0 else ""
        raise RecordError(
            "{category} gets {points} for {dice}, not {given}{hint}",
            category=category,
            points=points,
            dice=show_dice(dice),
            given=turn.points,
            hint=hint,
        )
    if turn.joker_bonus is not None and turn.joker_bonus != bonus:
        raise RecordError(
            "{category} with {dice} pays a bonus of +{bonus}, not +{given}",
            category=category,
            dice=show_dice(dice),
            bonus=bonus,
            given=turn.joker_bonus,
        )
