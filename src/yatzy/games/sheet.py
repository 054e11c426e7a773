"""One player's sheet between turns: the filled categories, and the sums that the future depends on.

A sheet may be known in full (points of every box) or only by its sums (filled boxes, upper sum, points so far), as
people remember positions. In both cases `filled`, `upper`, `points` and `box_pays` are set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement

from yatzy.errors import Message, PositionError, either
from yatzy.games.dice import Dice
from yatzy.games.game import Game
from yatzy.games.patterns import Face

_LISTED = 8
"""The most possible points of a category that an error message lists."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet. Make one with `start`, `of_boxes` or `of_sums`; the constructor does not validate."""

    game: Game
    """The rules."""
    filled: int
    """Bit i is set when category i is filled."""
    upper: int
    """The sum of the upper categories."""
    points: int
    """All points so far, bonuses included."""
    box_pays: bool
    """Whether the Joker box was filled with its points, which enables the Joker bonus."""
    boxes: tuple[int | None, ...] | None
    """The points of each category, or None while it is open; None if only the sums are known."""
    points_known: bool = True
    """If False, `points` counts from 0 at an earlier sheet with unknown points."""

    @classmethod
    def start(cls, game: Game) -> Sheet:
        """The empty sheet."""
        return cls(game, 0, 0, 0, False, (None,) * len(game.categories))

    @classmethod
    def of_boxes(cls, game: Game, boxes: Sequence[int | None], jokers: int = 0) -> Sheet:
        """A sheet with the points of every filled category and the number of Joker bonuses."""
        if len(boxes) != len(game.categories):
            raise PositionError(
                "a sheet of {game} has {count} boxes, not {given}",
                game=game.id,
                count=len(game.categories),
                given=len(boxes),
            )
        for category, points in zip(game.categories, boxes, strict=True):
            if points is not None and points not in (possible := possible_points(game, category.id)):
                raise PositionError(
                    "{category}: {points} points cannot be made there; {nearest}",
                    category=category.id,
                    points=points,
                    nearest=_nearest(points, possible),
                )
        filled = sum(1 << i for i, points in enumerate(boxes) if points is not None)
        upper = sum(boxes[i] or 0 for i in game.upper_categories)
        box_pays = game.joker_box is not None and bool(boxes[game.joker_box])
        most = most_jokers(game, boxes)
        if not 0 <= jokers <= most:
            raise PositionError(
                "{jokers} Joker bonuses are not from 0 to {most} on this sheet", jokers=jokers, most=most
            )
        points = sum(value or 0 for value in boxes)
        points += _bonus_paid(game, upper) + jokers * (game.joker.points if game.joker else 0)
        _check_order(game, filled)
        return cls(game, filled, upper, points, box_pays, tuple(boxes))

    @classmethod
    def of_sums(
        cls,
        game: Game,
        filled: Iterable[str],
        *,
        upper: int = 0,
        points: int | None = None,
        box_pays: bool = False,
    ) -> Sheet:
        """A sheet of which only the filled categories and the sums are known.

        Without `points` the count starts at 0, so values are the points still to come.
        """
        filled = set(filled)
        for id in filled - set(game.category_index):
            raise PositionError(
                "{game} has no category {name!r}; it has {known}",
                game=game.id,
                name=id,
                known=", ".join(game.category_index),
            )
        mask = sum(1 << game.category_index[id] for id in filled)
        _check_order(game, mask)
        if upper < 0 or not reachable_sums(game, mask) >> upper & 1:
            raise PositionError(_unreachable_sum(game, mask, upper))
        if box_pays and not (game.joker_box is not None and mask >> game.joker_box & 1):
            raise PositionError("the Joker box cannot hold points while it is open")
        least = upper + _bonus_paid(game, upper)
        if box_pays and game.joker_box is not None:
            least += game.categories[game.joker_box].fixed_points or 0
        most = least + _most_other_points(game, mask, box_pays)
        if points is not None and not least <= points <= most:
            raise PositionError(
                "{points} points do not fit the sheet; possible are {least} to {most}",
                points=points,
                least=least,
                most=most,
            )
        boxes = None if mask else (None,) * len(game.categories)
        return cls(game, mask, upper, points or 0, box_pays, boxes, points_known=points is not None or not mask)

    @property
    def open(self) -> tuple[int, ...]:
        """The indices of the open categories."""
        return tuple(i for i in range(len(self.game.categories)) if not self.filled >> i & 1)

    @property
    def available(self) -> tuple[int, ...]:
        """The indices of the categories that may be filled next: all open ones unless the order is forced."""
        return self.open[:1] if self.game.forced_order else self.open

    @property
    def over(self) -> bool:
        """Whether every category is filled."""
        return self.filled.bit_count() == len(self.game.categories)

    @property
    def bonus_won(self) -> bool:
        """Whether the upper bonus has been paid."""
        return bool(self.game.bonus and self.upper >= self.game.bonus.threshold)

    @property
    def jokers(self) -> int:
        """The number of Joker bonuses on a sheet known in full."""
        if self.boxes is None or self.game.joker is None or not self.game.joker.points:
            return 0
        extra = self.points - sum(points or 0 for points in self.boxes) - _bonus_paid(self.game, self.upper)
        return extra // self.game.joker.points

    def fill(self, category: int, points: int, joker_bonus: int) -> Sheet:
        """The sheet with one more category filled; `rules.placements` gives the points and the bonus."""
        game = self.game
        upper = self.upper + (points if game.categories[category].upper else 0)
        bonus = _bonus_paid(game, upper) - _bonus_paid(game, self.upper)
        boxes = self.boxes
        if boxes is not None:
            boxes = (*boxes[:category], points, *boxes[category + 1 :])
        return Sheet(  # `replace` takes twice as long, and a turn fills about fifty sheets
            game,
            filled=self.filled | 1 << category,
            upper=upper,
            points=self.points + points + bonus + joker_bonus,
            box_pays=self.box_pays or (category == game.joker_box and points > 0),
            boxes=boxes,
            points_known=self.points_known,
        )


@lru_cache(maxsize=64)
def rolls(game: Game) -> tuple[Dice, ...]:
    """All rolls of the game, each once."""
    return tuple(combinations_with_replacement(range(1, game.faces + 1), game.dice))


@lru_cache(maxsize=1024)
def possible_points(game: Game, category: str) -> frozenset[int]:
    """All points that a category can get from any roll, including Jokers."""
    box = game.categories[game.category_index[category]]
    return frozenset({0, box.fixed_points or 0, *(box.score(dice) for dice in rolls(game))})


@lru_cache(maxsize=4096)
def reachable_sums(game: Game, filled: int) -> int:
    """The possible upper sums of the filled upper categories, as bits of an integer."""
    sums = 1
    for i in game.upper_categories:
        pattern = game.categories[i].pattern
        if filled >> i & 1 and isinstance(pattern, Face):
            more = 0
            for count in range(game.dice + 1):
                more |= sums << pattern.face * count
            sums = more
    return sums


def _nearest(points: int, possible: Iterable[int]) -> Message:
    """What could be meant instead, as the end of an error message."""
    found = sorted(possible)
    if len(found) <= _LISTED:
        return Message("possible are {points}", points=", ".join(map(str, found)))
    low, high = sorted(sorted(found, key=lambda one: abs(one - points))[:2])
    return Message("nearest are {low} and {high}", low=low, high=high)


def most_jokers(game: Game, boxes: Sequence[int | None]) -> int:
    """The most Joker bonuses of a sheet: one for every other box whose points equal dice can give.

    There are none before the Joker box has its points.
    """
    if game.joker is None or not game.joker.points or game.joker_box is None or not boxes[game.joker_box]:
        return 0
    equal = [(face,) * game.dice for face in range(1, game.faces + 1)]
    most = 0
    for i, (category, points) in enumerate(zip(game.categories, boxes, strict=True)):
        if i != game.joker_box and points is not None:
            most += points in {category.fixed_points, *(category.score(dice) for dice in equal)}
    return most


def _bonus_paid(game: Game, upper: int) -> int:
    return game.bonus.points if game.bonus and upper >= game.bonus.threshold else 0


def _most_other_points(game: Game, filled: int, box_pays: bool) -> int:
    """The most points from Joker bonuses and from the filled lower categories except the Joker box."""
    lower = [i for i in game.lower_categories if filled >> i & 1 and i != game.joker_box]
    jokers = filled.bit_count() - 1 if box_pays else 0
    most = sum(max(possible_points(game, game.categories[i].id)) for i in lower)
    return most + jokers * (game.joker.points if game.joker else 0)


def _check_order(game: Game, filled: int) -> None:
    if game.forced_order and filled & (filled + 1):
        gap = next(category.id for i, category in enumerate(game.categories) if not filled >> i & 1)
        raise PositionError("{gap} is open, so nothing after it can be filled: the order is forced", gap=gap)


def _unreachable_sum(game: Game, filled: int, upper: int) -> Message:
    there = [game.categories[i].id for i in game.upper_categories if filled >> i & 1]
    sums = reachable_sums(game, filled)
    if not there:
        return Message(
            "an upper sum of {upper} cannot be made: no upper category is filled, so it must be 0", upper=upper
        )
    top = sums.bit_length() - 1
    near = sorted((s for s in range(top + 1) if sums >> s & 1), key=lambda s: (abs(s - upper), s))[:2]
    return Message(
        "an upper sum of {upper} cannot be made with {filled}; nearest is {near}, the most is {top}",
        upper=upper,
        filled=", ".join(there),
        near=either(sorted(near)),
        top=top,
    )
