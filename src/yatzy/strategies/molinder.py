"""Two handwritten strategies for Yatzy: one for the bonus, one for the lower half (Molinder 2025).

Each choice is the first open category of a list whose order depends only on the dice:

    score   the category to fill at the end of a turn: those that pay first, strikes last
    aim     the aim of a turn for the lower half, chosen after its first roll and kept for the turn
    face    the face that a turn for the bonus collects, chosen again after every roll

`move` reads these lists for one roll, `plans` for all rolls and many sheets at once.

When the aim is reached, the strategy stops and scores as after the last roll. In Yatzy that is the category aimed at:
those before it in the lower order are closed or do not fit. The rule also covers games that accept dice in more
categories.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message
from yatzy.games import Dice, Game, Keep, Move, Position, Score
from yatzy.model import compile_game
from yatzy.names import Origin, strategies
from yatzy.strategies.base import DependsOn, Earlier, PlannedStrategy, Plans
from yatzy.strategies.outcomes import outcome_table, strike_outcomes

if TYPE_CHECKING:
    from yatzy.values.opening import Opening

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
"""By face, which is also the order of striking them."""
LOWER_ORDER = (
    "yatzy",
    "four-of-a-kind",
    "full-house",
    "two-pairs",
    "three-of-a-kind",
    "one-pair",
    "large-straight",
    "small-straight",
)
"""The lower half without chance, highest-paying first. Aim n is the nth of them; aim 0 is to stop at once."""
LOWER_STRIKES = (
    "one-pair",
    "small-straight",
    "three-of-a-kind",
    "large-straight",
    "two-pairs",
    "four-of-a-kind",
    "full-house",
    "chance",
    "yatzy",
)
"""The lower half, ordered by the most points that can be scored there."""
DONE_BY_ONE_ROLL = ("yatzy", "full-house", "large-straight", "small-straight")
GROUPS = {
    "one-pair": (2,),
    "two-pairs": (2, 2),
    "three-of-a-kind": (3,),
    "four-of-a-kind": (4,),
    "full-house": (3, 2),
    "yatzy": (5,),
}
STRAIGHTS = {"small-straight": {1, 2, 3, 4, 5}, "large-straight": {2, 3, 4, 5, 6}}

Ranking = tuple[npt.NDArray[np.intp], npt.NDArray[np.int16]]
"""Two arrays [index in the list, roll]: the category at that index, and the result of choosing it."""


class _Molinder(PlannedStrategy):
    """The common part of both strategies: the choice of a category, and the turn for the lower half."""

    depends_on = DependsOn.FILLED
    remembers = True
    aims = 1 + len(LOWER_ORDER)

    def __init__(self, game: Game) -> None:
        check_game(self.name, game)
        self.game = game

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        """The move; a category with rolls left if the aim of the turn has been reached."""
        open = [self.game.categories[i].id for i in position.sheet.open]
        if position.rolls_left:
            kept = self._kept(open, position.dice, earlier)
            if kept != position.dice:
                return Keep(kept)
        return next(score for score in self._scores(position.dice) if score.category in open)

    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The turns from sheets with these categories filled."""
        open = keys[:, None] >> np.arange(len(self.game.categories)) & 1 == 0
        aim = _first_open(open, self._aim_ranking)
        keep = np.empty((len(keys), self.game.rolls - 1, *self._aim_keep.shape), np.int16)
        keep[:] = self._aim_keep
        self._plan_upper_turns(open, aim, keep)
        place = np.empty((len(keys), *self._aim_keep.shape), np.int16)
        place[:] = _first_open(open, self._score_ranking)[:, None]
        return Plans(aim.astype(np.uint8), keep, place)

    @abstractmethod
    def _scores(self, dice: Dice) -> list[Score]:
        """Where to score the dice, in order of preference; every category comes at least once."""

    def _kept(self, open: Sequence[str], dice: Dice, earlier: Earlier) -> Dice:
        """The dice to keep with rolls left; all dice to stop."""
        first_roll = earlier[0] if earlier else dice
        aim = next((id for id in self._wishes(first_roll) if id in open), None)
        return self._kept_for(aim, dice)

    def _plan_upper_turns(
        self, open: npt.NDArray[np.bool_], aim: npt.NDArray[np.int16], keep: npt.NDArray[np.int16]
    ) -> None:
        """Write the turns that are not played for the lower half into the arrays of `Plans`."""

    def _fits(self, id: str, dice: Dice) -> bool:
        """Whether the dice score points there."""
        return id in self._paying[dice]

    def _fitting(self, dice: Dice) -> list[Score]:
        return [Score(id) for id in LOWER_ORDER if self._fits(id, dice)]

    def _strikes(self, ids: Sequence[str], dice: Dice) -> list[Score]:
        return [Score(id, strike=self._fits(id, dice)) for id in ids]

    def _wishes(self, dice: Dice) -> list[str]:
        """The aims after this first roll, in order of preference; a category that the dice fit is scored at once."""
        match [count for count, _ in _groups(dice)]:
            case [4 | 5, *_]:
                pattern = ["yatzy", "four-of-a-kind"]
            case [2 | 3, 2, *_]:
                pattern = ["full-house", "two-pairs"]
            case [3, *_]:
                pattern = ["yatzy", "four-of-a-kind", "full-house", "two-pairs", "three-of-a-kind"]
            case [2, *_]:
                pattern = ["yatzy", "four-of-a-kind", "full-house", "two-pairs", "three-of-a-kind", "one-pair"]
            case _:
                pattern = ["large-straight", "small-straight"]
        return [*(id for id in DONE_BY_ONE_ROLL if self._fits(id, dice)), *pattern, *LOWER_ORDER]

    def _kept_for(self, aim: str | None, dice: Dice) -> Dice:
        """The dice to keep for an aim; all dice when it has been reached or there is none."""
        if aim is None or self._fits(aim, dice):
            return dice
        if aim in STRAIGHTS:
            return tuple(sorted(STRAIGHTS[aim].intersection(dice)))
        # The dice available for each group, the larger group from the most frequent face.
        pairs = zip(GROUPS[aim], _groups(dice), strict=False)
        return tuple(sorted(face for size, (count, face) in pairs for _ in range(min(size, count))))

    @cached_property
    def _paying(self) -> dict[Dice, frozenset[str]]:
        """The categories that pay for each roll."""
        categories = self.game.categories
        return {roll: frozenset(c.id for c in categories if c.score(roll)) for roll in self._rolls}

    @cached_property
    def _rolls(self) -> tuple[Dice, ...]:
        return compile_game(self.game).lattice.rolls

    @cached_property
    def _aim_ranking(self) -> Ranking:
        aims = [list(dict.fromkeys(self._wishes(roll))) for roll in self._rolls]
        categories = [[self.game.category_index[id] for id in row] for row in aims]
        return _ranking(categories, [[1 + LOWER_ORDER.index(id) for id in row] for row in aims])

    @cached_property
    def _aim_keep(self) -> npt.NDArray[np.int16]:
        """[aim, roll]: the keep, the same for every sheet."""
        index = compile_game(self.game).lattice.index
        aims = (None, *LOWER_ORDER)
        return np.array([[index[self._kept_for(aim, roll)] for roll in self._rolls] for aim in aims], np.int16)

    @cached_property
    def _score_ranking(self) -> Ranking:
        compiled = compile_game(self.game)
        scored, struck = outcome_table(compiled), strike_outcomes(compiled)
        categories, outcomes = [], []
        for number, roll in enumerate(self._rolls):
            liked: dict[int, np.int16] = {}
            for score in self._scores(roll):
                i = self.game.category_index[score.category]
                liked.setdefault(i, struck[i] if score.strike else scored[number, i])
            categories.append(list(liked))
            outcomes.append(list(liked.values()))
        return _ranking(categories, outcomes)


class MolinderLower(_Molinder):
    """For the lower half: aims there in every turn, and scores above only what fits nowhere below."""

    name = "molinder-lower"

    def _scores(self, dice: Dice) -> list[Score]:
        upper = [Score(UPPER[face - 1]) for _, face in _groups(dice)]
        return [*self._fitting(dice), *upper, Score("chance"), *self._strikes((*UPPER, *LOWER_STRIKES), dice)]


class MolinderBonus(_Molinder):
    """For the bonus: collects faces while an upper category is open, then plays for the lower half."""

    name = "molinder-bonus"

    def _scores(self, dice: Dice) -> list[Score]:
        upper = [Score(UPPER[face - 1]) for count, face in _groups(dice) if count >= 3]
        return [*upper, *self._fitting(dice), Score("chance"), *self._strikes((*LOWER_STRIKES, *UPPER), dice)]

    def _kept(self, open: Sequence[str], dice: Dice, earlier: Earlier) -> Dice:
        if not set(UPPER).intersection(open):
            return super()._kept(open, dice, earlier)
        return next(((face,) * count for count, face in _groups(dice) if UPPER[face - 1] in open), ())

    def _plan_upper_turns(
        self, open: npt.NDArray[np.bool_], aim: npt.NDArray[np.int16], keep: npt.NDArray[np.int16]
    ) -> None:
        turns = open[:, [self.game.category_index[id] for id in UPPER]].any(axis=1)
        aim[turns] = 0
        keep[turns] = _first_open(open[turns], self._face_ranking)[:, None, None]

    @cached_property
    def _face_ranking(self) -> Ranking:
        index = compile_game(self.game).lattice.index
        categories, keeps = [], []
        for roll in self._rolls:
            faces = sorted(range(1, 7), key=lambda face: (roll.count(face), face), reverse=True)
            categories.append([self.game.upper_of_face[face] for face in faces])
            keeps.append([index[(face,) * roll.count(face)] for face in faces])
        return _ranking(categories, keeps)


def _groups(dice: Dice) -> list[tuple[int, int]]:
    """(number of dice, face) for each face that shows, most dice first, then the higher face."""
    return sorted(((count, face) for face, count in Counter(dice).items()), reverse=True)


def _ranking(categories: list[list[int]], results: Sequence[Sequence[int | np.int16]]) -> Ranking:
    """A ranking from its lists by roll, which all have the same length."""
    return np.array(categories, np.intp).T, np.array(results, np.int16).T


def _first_open(open: npt.NDArray[np.bool_], ranking: Ranking) -> npt.NDArray[np.int16]:
    """[turn, roll]: the result of the first open category of each list; 0 if none is. open: [turn, category]."""
    categories, results = ranking
    found = np.zeros((len(open), categories.shape[1]), np.int16)
    for category, result in zip(categories[::-1], results[::-1], strict=True):
        np.copyto(found, result, where=open[:, category])
    return found


def check_game(name: strategies.StrategyName | str, game: Game) -> None:
    """Refuse a game that the strategy cannot play."""
    ids, of_yatzy = (*UPPER, *LOWER_STRIKES), Message("{name} plays games with the categories of yatzy", name=name)
    if lacking := [id for id in ids if id not in game.category_index]:
        raise InputError(
            "{of_yatzy}; {game} lacks {lacking}", of_yatzy=of_yatzy, game=game.id, lacking=", ".join(lacking)
        )
    if foreign := [id for id in game.category_index if id not in ids]:
        raise InputError(
            "{of_yatzy}; {game} also has {foreign}", of_yatzy=of_yatzy, game=game.id, foreign=", ".join(foreign)
        )
    for face, id in enumerate(UPPER, 1):
        if game.upper_of_face.get(face) != game.category_index[id]:
            raise InputError(
                "{of_yatzy}; in {game} the category of the {face}s is not {category}",
                of_yatzy=of_yatzy,
                game=game.id,
                face=face,
                category=id,
            )
    if (game.dice, game.faces) != (5, 6) or game.rolls < 3:
        raise InputError(
            "{name} plays games of 5 dice with 6 faces and 3 rolls or more; {game} has {dice} with {faces} and {rolls}",
            name=name,
            game=game.id,
            dice=game.dice,
            faces=game.faces,
            rolls=game.rolls,
        )
    if game.forced_order:
        raise InputError("{name} chooses its categories freely; the order of {game} is forced", name=name, game=game.id)
    if game.joker is not None:
        raise InputError("{name} plays games without a Joker rule; {game} has one", name=name, game=game.id)


def open_bonus(solver: Opening, game: Game, name: strategies.MolinderBonus, origin: Origin) -> MolinderBonus:
    """`molinder-bonus`."""
    return MolinderBonus(game)


def open_lower(solver: Opening, game: Game, name: strategies.MolinderLower, origin: Origin) -> MolinderLower:
    """`molinder-lower`."""
    return MolinderLower(game)
