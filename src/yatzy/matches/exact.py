"""Reference solver for two players: optimal play in exact fractions, written as simply as possible.

    V(position) = the mover's payoff, when both sheets are full; else
                  the mean over rolls, when a roll is due; else
                  the maximum over legal moves of V(position after), or of the payoff total minus that, if the move
                  ends the turn and the other player is to move.

It plays positions by the rules and uses no states, windows or curves. Positions whose sheets differ only in their
points are treated as equal if the difference of the points is equal, because nothing else matters. For small games
only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from yatzy.games import Dice, Game, Move, Position, Sheet, placements, rolls


class ExactMatch:
    """The expected payoff of the player to move, as a fraction, for every two-player position of a small game."""

    def __init__(
        self, game: Game, payoff: tuple[Fraction, Fraction, Fraction] = (Fraction(1), Fraction(1, 2), Fraction(0))
    ) -> None:
        """payoff: of a win, a tie and a loss; the total of both players must be constant."""
        self.game = game
        self.win, self.tie, self.loss = payoff
        assert self.win + self.loss == 2 * self.tie
        self._known: dict[tuple[object, ...], Fraction] = {}

    def value(self, position: Position) -> Fraction:
        """The expected payoff of the player to move."""
        if position.over:
            mine, theirs = (sheet.points for sheet in position.sheets)
            return self.win if mine > theirs else self.tie if mine == theirs else self.loss
        key = _key(position)
        if key not in self._known:
            if position.awaits_roll:
                self._known[key] = self._mean(position)
            else:
                self._known[key] = max(self.after(position, move) for move in position.legal_moves)
        return self._known[key]

    def after(self, position: Position, move: Move) -> Fraction:
        """The expected payoff of the player to move, after a move."""
        then = position.play(move)
        ended = sum(map(_filled, then.sheets)) > sum(map(_filled, position.sheets))
        return self.win + self.loss - self.value(then) if ended else self.value(then)

    def _mean(self, position: Position) -> Fraction:
        missing = self.game.dice - len(position.dice)
        total = Fraction(0)
        for more in product(range(1, self.game.faces + 1), repeat=missing):
            total += self.value(position.roll(position.dice + more))
        return total / int(self.game.faces**missing)


def every_pair(game: Game) -> Iterator[Position]:
    """Every reachable two-player position between turns; the points in single categories are not filled in."""
    layers = [{replace(Sheet.start(game), boxes=None)}]
    for _ in game.categories:
        layers.append(
            {
                sheet.fill(place.category, place.points, place.joker_bonus)
                for sheet in layers[-1]
                for dice in rolls(game)
                for place in placements(sheet, dice)
            }
        )
    for filled, sheets in enumerate(layers):
        for first, second in product(sheets, sheets):
            yield Position((first, second))
        if filled + 1 < len(layers):
            for first, second in product(layers[filled + 1], sheets):
                yield Position((first, second))


def _filled(sheet: Sheet) -> int:
    return sheet.filled.bit_count()


def _key(position: Position) -> tuple[tuple[int, int, bool], tuple[int, int, bool], int, Dice, int]:
    """Everything that matters about a position: the sheets and the difference, seen from the player to move."""
    mover, other = position.sheet, position.sheets[1 - position.mover]
    mine, theirs = ((sheet.filled, sheet.upper, sheet.box_pays) for sheet in (mover, other))
    return mine, theirs, other.points - mover.points, position.dice, position.rolls_left
