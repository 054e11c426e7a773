"""Reference solver: the same recurrence in exact fractions, written as simply as possible.

    E(sheet)            = mean over first rolls of V(sheet, roll, R - 1)
    V(sheet, dice, r)   = max over keeps K of dice of  mean over rolls d of the rest of V(sheet, K + d, r - 1)
    V(sheet, dice, 0)   = max over allowed categories of  points + E(sheet after)

It works on sheets and dice only, does not use the compiled model, and merges only equal upper sums, so that it can
reveal errors of the fast solver. For small games only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from yatzy.games import Dice, Game, Keep, Move, Position, Score, Sheet, keeps_of, placements, rolls


class ExactSolver:
    """Expected points still to come, as fractions, for every sheet and decision of a small game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._sheet_values: dict[tuple[int, int, bool], Fraction] = {}
        self._turn_values: dict[tuple[tuple[int, int, bool], Dice, int], Fraction] = {}

    def value(self, sheet: Sheet) -> Fraction:
        """Expected points still to come from a sheet between turns."""
        if sheet.over:
            return Fraction(0)
        key = (sheet.filled, sheet.upper, sheet.box_pays)
        if key not in self._sheet_values:
            self._sheet_values[key] = self.keep_value(sheet, (), self.game.rolls)
        return self._sheet_values[key]

    def keep_value(self, sheet: Sheet, kept: Dice, rolls_left: int) -> Fraction:
        """Expected points still to come when these dice are kept and the others rolled."""
        missing = self.game.dice - len(kept)
        total = Fraction(0)
        for more in product(range(1, self.game.faces + 1), repeat=missing):
            total += self.roll_value(sheet, tuple(sorted(kept + more)), rolls_left - 1)
        return total / int(self.game.faces**missing)

    def roll_value(self, sheet: Sheet, dice: Dice, rolls_left: int) -> Fraction:
        """Expected points still to come with these dice on the table."""
        key = ((sheet.filled, sheet.upper, sheet.box_pays), dice, rolls_left)
        if key not in self._turn_values:
            self._turn_values[key] = max(value for _, value in self.moves(sheet, dice, rolls_left))
        return self._turn_values[key]

    def moves(self, sheet: Sheet, dice: Dice, rolls_left: int) -> Iterator[tuple[Move, Fraction]]:
        """Every move with the expected points still to come after it."""
        if rolls_left:
            for keep in keeps_of(dice):
                yield Keep(keep), self.keep_value(sheet, keep, rolls_left)
            return
        for place in placements(sheet, dice):
            after = sheet.fill(place.category, place.points, place.joker_bonus)
            yield (
                Score(self.game.categories[place.category].id),
                after.points - sheet.points + self.value(after),
            )


def every_sheet(game: Game) -> Iterator[Sheet]:
    """Every reachable sheet, one for each distinct future: sheets that differ only in total points count once."""
    seen = set()
    waiting = [Sheet.start(game)]
    while waiting:
        sheet = waiting.pop()
        key = (sheet.filled, sheet.upper, sheet.box_pays)
        if key in seen:
            continue
        seen.add(key)
        yield sheet
        for dice in rolls(game):
            waiting += [sheet.fill(p.category, p.points, p.joker_bonus) for p in placements(sheet, dice)]


def every_decision(game: Game) -> Iterator[Position]:
    """Every position of a one-player game that offers a choice."""
    for sheet in every_sheet(game):
        if not sheet.over:
            for rolls_left in range(game.rolls):
                for dice in rolls(game):
                    yield Position((sheet,), dice, rolls_left)


class ExactUtility:
    """The best expected worth of the final score in a small game, as fractions, for any utility or target."""

    def __init__(self, game: Game, worth: Callable[[int], Fraction]) -> None:
        self.game, self.worth = game, worth
        self._known: dict[tuple[Sheet, Dice, int], Fraction] = {}

    def value(self, sheet: Sheet) -> Fraction:
        """The expected worth from a sheet between turns, including its points."""
        return self.worth(sheet.points) if sheet.over else self.keep_value(sheet, (), self.game.rolls)

    def keep_value(self, sheet: Sheet, kept: Dice, rolls_left: int) -> Fraction:
        """The expected worth when these dice are kept and the others rolled."""
        key = (_bare(sheet), kept, rolls_left)
        if key not in self._known:
            missing = self.game.dice - len(kept)
            total = Fraction(0)
            for more in product(range(1, self.game.faces + 1), repeat=missing):
                moves = self.moves(sheet, tuple(sorted(kept + more)), rolls_left - 1)
                total += max(value for _, value in moves)
            self._known[key] = total / int(self.game.faces**missing)
        return self._known[key]

    def moves(self, sheet: Sheet, dice: Dice, rolls_left: int) -> Iterator[tuple[Move, Fraction]]:
        """Every move with the expected worth after it."""
        if rolls_left:
            for keep in keeps_of(dice):
                yield Keep(keep), self.keep_value(sheet, keep, rolls_left)
            return
        for place in placements(sheet, dice):
            after = sheet.fill(place.category, place.points, place.joker_bonus)
            yield Score(self.game.categories[place.category].id), self.value(after)


def exact_distribution(
    game: Game, choose: Callable[[Position], Move], start: Position | None = None
) -> dict[int, Fraction]:
    """The distribution of the final score of a strategy, as fractions, by following every roll.

    start: a position with one player; by default the start of the game.
    """
    result: dict[int, Fraction] = {}
    waiting = {start or Position.start(game): Fraction(1)}
    while waiting:
        # Least finished position first, so that all of its mass has arrived before it is processed.
        here = min(waiting, key=lambda position: (position.sheet.filled.bit_count(), -2 * position.rolls_left
                                                  + position.awaits_roll))  # fmt: skip
        mass = waiting.pop(here)
        if here.over:
            result[here.sheet.points] = result.get(here.sheet.points, Fraction(0)) + mass
        elif here.awaits_roll:
            missing = game.dice - len(here.dice)
            for more in product(range(1, game.faces + 1), repeat=missing):
                after = here.roll(here.dice + more)
                waiting[after] = waiting.get(after, Fraction(0)) + mass / int(game.faces**missing)
        else:
            after = here.play(choose(here))
            after = Position((_bare(after.sheet),), after.dice, after.rolls_left)
            waiting[after] = waiting.get(after, Fraction(0)) + mass
    return result


def _bare(sheet: Sheet) -> Sheet:
    """The sheet reduced to its sums; the points of single categories no longer matter."""
    return replace(sheet, boxes=None)
