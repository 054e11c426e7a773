"""The scoring rules: which categories may be filled and what they pay, with all Joker readings. Defined only here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from yatzy.errors import MoveError
from yatzy.games.dice import Dice, show_dice
from yatzy.games.game import Game, JokerReading
from yatzy.games.moves import Score
from yatzy.games.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Placement:
    """A category in which the dice may be scored, with the points written there and the additional Joker bonus."""

    category: int
    points: int
    joker_bonus: int = 0


@dataclass(frozen=True, slots=True)
class JokerContext:
    """The part of a sheet that determines the Joker rule for a roll of equal dice."""

    box_open: bool
    box_pays: bool
    upper_open: bool
    """Whether the upper category of the dice's face is open."""
    lower_open: bool
    """Whether any category that is not upper is open."""


def is_joker_roll(game: Game, dice: Dice) -> bool:
    """Whether the Joker rule applies: all dice are equal, and the game has a Joker."""
    return game.joker is not None and len(set(dice)) == 1


def placements(sheet: Sheet, dice: Dice) -> tuple[Placement, ...]:
    """All legal placements of these dice on a sheet."""
    game, available = sheet.game, sheet.available
    if not is_joker_roll(game, dice):
        return tuple(Placement(i, _points(game, i, dice)) for i in available)
    upper = game.upper_of_face.get(dice[0])
    context = JokerContext(
        box_open=game.joker_box in sheet.open,
        box_pays=sheet.box_pays,
        upper_open=upper in sheet.open,
        lower_open=any(i in sheet.open for i in game.lower_categories),
    )
    return tuple(p for p in joker_placements(game, dice, context) if p.category in available)


def place(sheet: Sheet, dice: Dice, move: Score) -> Placement:
    """The placement for a scoring move. Raises MoveError if it is not allowed."""
    game = sheet.game
    index, joker = game.category_index.get(move.category, -1), is_joker_roll(game, dice)
    if not joker and index in sheet.available:  # without a Joker, the other categories do not matter
        return Placement(index, 0 if move.strike else _points(game, index, dice))
    allowed = placements(sheet, dice)
    for placement in allowed:
        if placement.category == index:
            if move.strike:
                raise MoveError(
                    "{category} cannot be struck with {dice}: the Joker rule applies",
                    category=move.category,
                    dice=show_dice(dice),
                )
            return placement
    names = ", ".join(game.categories[p.category].id for p in allowed)
    raise MoveError(
        "{category} cannot be filled with {dice} here; allowed: {names}",
        category=move.category,
        dice=show_dice(dice),
        names=names,
    )


@lru_cache(maxsize=1 << 14)
def _points(game: Game, category: int, dice: Dice) -> int:
    return game.categories[category].score(dice)


def joker_placements(game: Game, dice: Dice, context: JokerContext) -> Iterator[Placement]:
    """The placements of equal dice, assuming that every category is open unless the context says otherwise."""
    joker, upper = game.joker, game.upper_of_face.get(dice[0])
    assert joker is not None
    for i, category in enumerate(game.categories):
        if not _joker_may_go(game, i, upper, context):
            continue
        # In Pawlewicz's reading the chosen box decides whether the roll is a Joker; in the others, the sheet.
        if joker.reading is JokerReading.PAWLEWICZ:
            is_joker = i == upper or not context.upper_open
            pays_bonus = context.box_pays and is_joker
        else:
            is_joker = not context.box_open and not context.upper_open
            pays_bonus = context.box_pays
        points = _points(game, i, dice)
        wild = joker.reading is not JokerReading.BONUS_ONLY and i != game.joker_box
        if is_joker and wild and category.fixed_points is not None:
            points = category.fixed_points
        yield Placement(i, points, joker.points if pays_bonus else 0)


def _joker_may_go(game: Game, category: int, upper: int | None, context: JokerContext) -> bool:
    """Apply the forced reading: once the box is filled, use the upper box of the face, else a lower box, else any."""
    assert game.joker is not None
    if game.joker.reading is not JokerReading.FORCED or context.box_open or game.forced_order:
        return True
    if context.upper_open:
        return category == upper
    return not context.lower_open or not game.categories[category].upper
