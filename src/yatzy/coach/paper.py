"""A game on paper that is entered in the middle: the points in the boxes of every player, then who rolls next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from yatzy.errors import PositionError
from yatzy.games import Game, Player, Position, Sheet
from yatzy.games.sheet import most_jokers, possible_points

Boxes = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class PaperGame:
    """The sheets as far as they are entered. Any seat may have been the first to play."""

    game: Game
    players: tuple[Player, ...]
    boxes: tuple[Boxes, ...]
    """[player][category]: the points, or None while it is open."""
    jokers: tuple[int, ...]
    """[player]: the number of Joker bonuses."""
    next_seat: int = 0
    """Who rolls next, if all players have filled equally many boxes."""

    @classmethod
    def start(cls, game: Game, players: Sequence[Player]) -> PaperGame:
        """Empty sheets."""
        empty: Boxes = (None,) * len(game.categories)
        return cls(game, tuple(players), (empty,) * len(players), (0,) * len(players))

    def choices(self, category: int) -> tuple[int, ...]:
        """The points that a category can have, in ascending order."""
        return tuple(sorted(possible_points(self.game, self.game.categories[category].id)))

    def most_jokers(self, seat: int) -> int:
        """The most Joker bonuses that the sheet of a player can have."""
        return most_jokers(self.game, self.boxes[seat])

    def fill(self, seat: int, category: int, points: int | None) -> PaperGame:
        """Write points into a box, or None to open it again. Joker bonuses that no longer fit are removed."""
        if points is not None and points not in self.choices(category):
            raise PositionError(
                "{category}: {points} points cannot be made there",
                category=self.game.categories[category].id,
                points=points,
            )
        sheet = (*self.boxes[seat][:category], points, *self.boxes[seat][category + 1 :])
        filled = replace(self, boxes=(*self.boxes[:seat], sheet, *self.boxes[seat + 1 :]))
        return filled.with_jokers(seat, min(self.jokers[seat], filled.most_jokers(seat)))

    def with_jokers(self, seat: int, count: int) -> PaperGame:
        """Set the number of Joker bonuses of a player."""
        if not 0 <= count <= self.most_jokers(seat):
            raise PositionError(
                "{jokers} Joker bonuses are not from 0 to {most} on this sheet",
                jokers=count,
                most=self.most_jokers(seat),
            )
        return replace(self, jokers=(*self.jokers[:seat], count, *self.jokers[seat + 1 :]))

    def sheet(self, seat: int) -> Sheet:
        """The sheet of a player. In a game with a forced order, gaps are refused."""
        return Sheet.of_boxes(self.game, self.boxes[seat], self.jokers[seat])

    @property
    def first_seat(self) -> int | None:
        """Who was the first to play. None if the numbers of filled boxes do not fit any order of play."""
        counts = [sum(points is not None for points in boxes) for boxes in self.boxes]
        if len(set(counts)) == 1:
            return self.next_seat
        for first in range(len(counts)):
            order = counts[first:] + counts[:first]
            if order == sorted(order, reverse=True) and order[0] - order[-1] <= 1:
                return first
        return None

    @property
    def is_even(self) -> bool:
        """Whether all players have filled equally many boxes, so that anyone may be the next to roll."""
        return len({sum(points is not None for points in boxes) for boxes in self.boxes}) == 1

    def position(self) -> tuple[tuple[Player, ...], Position]:
        """The players in the order of play, and the position before the next roll."""
        first = self.first_seat
        if first is None:
            raise PositionError("players take turns, so one may have filled at most one box more than another")
        seats = [*range(first, len(self.players)), *range(first)]
        return tuple(self.players[seat] for seat in seats), Position(tuple(self.sheet(seat) for seat in seats))
