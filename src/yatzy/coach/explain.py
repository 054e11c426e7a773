"""Why one move is better than another: both outlooks side by side, and the terms of the difference.

If both moves are followed by play for the most points, the final score is the sum of the points so far, those to come
in every category, the upper bonus and the Joker bonuses. So for two moves a and b

    V(a) − V(b) = Σ over categories (points(a) − points(b)) + bonus · (chance(a) − chance(b)) + Jokers(a) − Jokers(b)

and every term is a reason for one of the moves. For other objectives the values are those of the objective, but the
outlooks are still those of play for the most points after the move.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from yatzy.coach.advice import Advice, RankedMove, advise, no_choice, ranked_move
from yatzy.coach.grades import Grade
from yatzy.errors import MoveError, PositionError
from yatzy.evaluation.outlook import CategoryOutlook, Outlook, OutlookSource
from yatzy.games import Category, Move, Position, Score
from yatzy.names import Expected, parse_objective
from yatzy.units import Unit
from yatzy.values.evaluator import Evaluator

SEEN = 0.05
"""Differences below this many points are not mentioned."""
MOST_REASONS = 2
"""Reasons given for each side."""
SHARE = 0.15
"""Reasons below this share of the largest are not mentioned."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two moves, with its outlook."""

    ranked: RankedMove
    outlook: Outlook

    @property
    def move(self) -> Move:
        """The move of this side."""
        return self.ranked.move


@dataclass(frozen=True, slots=True)
class CategoryPair:
    """A category after either move."""

    category: Category
    preferred: CategoryOutlook
    other: CategoryOutlook

    @property
    def points(self) -> float:
        """The expected points of the preferred move in this category minus those of the other."""
        return self.preferred.points - self.other.points


class ReasonKind(Enum):
    """The subject of a reason."""

    CATEGORY = "category"
    BONUS = "bonus"
    JOKERS = "jokers"


@dataclass(frozen=True, slots=True)
class Reason:
    """One term of the difference."""

    kind: ReasonKind
    points: float
    """Its size: positive for the preferred move, negative against it."""
    preferred: float
    """The expected points after the preferred move; for the bonus, its chance."""
    other: float
    category: Category | None = None


@dataclass(frozen=True)
class Explanation:
    """Two moves of a position side by side; the preferred one ranks first."""

    position: Position
    """The position of the decision."""
    objective: str
    """The name of the objective, such as `target:300`."""
    unit: Unit
    """What the values are: points, chances, or worths."""
    preferred: Side
    """The move with the higher value."""
    other: Side
    """The move that it is compared with."""

    @property
    def difference(self) -> float:
        """The value of the preferred move minus that of the other, for the objective."""
        return self.preferred.ranked.value - self.other.ranked.value

    @property
    def tied(self) -> bool:
        """Whether both moves have equal values, ignoring tie-breaks."""
        both_best = self.preferred.ranked.grade is self.other.ranked.grade is Grade.BEST
        return both_best or self.difference <= 1e-9

    @property
    def by_expected(self) -> bool:
        """Whether values and outlooks are of the same play, that for the expected score."""
        return parse_objective(self.objective) == Expected()

    @property
    def exact(self) -> bool:
        """Whether the outlooks have no sampling error."""
        return self.preferred.outlook.exact and self.other.outlook.exact

    @cached_property
    def categories(self) -> tuple[CategoryPair, ...]:
        """The categories that were open, in the order of the sheet."""
        pairs = zip(self.preferred.outlook.categories, self.other.outlook.categories, strict=True)
        return tuple(CategoryPair(a.category, a, b) for a, b in pairs)

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """All terms of the difference of expected final scores; they sum to it."""
        a, b, bonus = self.preferred.outlook, self.other.outlook, self.position.game.bonus
        found = [
            Reason(ReasonKind.CATEGORY, pair.points, pair.preferred.points, pair.other.points, pair.category)
            for pair in self.categories
        ]
        if bonus is not None and a.bonus is not None and b.bonus is not None:
            found.append(Reason(ReasonKind.BONUS, bonus.points * (a.bonus - b.bonus), a.bonus, b.bonus))
        if self.position.game.joker is not None:
            found.append(Reason(ReasonKind.JOKERS, a.jokers - b.jokers, a.jokers, b.jokers))
        return tuple(found)

    @property
    def gains(self) -> tuple[Reason, ...]:
        """The main reasons for the preferred move, largest first."""
        return self._greatest(1)

    @property
    def losses(self) -> tuple[Reason, ...]:
        """The main reasons against it, largest first."""
        return self._greatest(-1)

    def _greatest(self, side: int) -> tuple[Reason, ...]:
        least = max(SEEN, SHARE * max(abs(reason.points) for reason in self.reasons))
        there = [reason for reason in self.reasons if side * reason.points >= least]
        return tuple(sorted(there, key=lambda reason: -abs(reason.points))[:MOST_REASONS])


def explain(
    evaluator: Evaluator,
    outlooks: OutlookSource,
    position: Position,
    move: Move | None = None,
    against: Move | None = None,
    *,
    advice: Advice | None = None,
) -> Explanation:
    """Compare `move`, by default the second best, with `against`, by default the best.

    advice: the evaluator's advice on this position, if it is already known.
    """
    advice = advice or advise(evaluator, position)
    pair = _pair(evaluator, advice, move, against)
    # Ordered as in the advice, which breaks ties. A move that it does not list is never better.
    order = {entry.move: place for place, entry in enumerate(advice.moves)}
    pair.sort(key=lambda entry: order.get(entry.move, len(order)))
    if pair[1].move not in order:
        pair.sort(key=lambda entry: entry.loss)
    sides = (Side(entry, outlooks.after(position, entry.move)) for entry in pair)
    return Explanation(position, advice.objective, advice.unit, *sides)


def check_comparison(position: Position, move: Move | None, against: Move | None) -> None:
    """Refuse moves that cannot be compared, before anything is solved."""
    legal = position.legal_moves
    if len(legal) == 1:
        raise PositionError("{move} is the only move here; there is nothing to compare", move=legal[0])
    if move is not None and move == against:
        raise MoveError("{move} is given twice; two different moves are compared", move=move)
    for one in (move, against):
        if isinstance(one, Score) and one.strike and not position.rolls_left:
            position.placement(one)
        elif one is not None and one not in legal:
            raise MoveError(no_choice(position, one))


def check_moves(evaluator: Evaluator, position: Position, move: Move | None, against: Move | None) -> None:
    """Refuse moves that cannot be compared, before a table of outlooks is made."""
    _pair(evaluator, advise(evaluator, position), move, against)


def _pair(evaluator: Evaluator, advice: Advice, move: Move | None, against: Move | None) -> list[RankedMove]:
    check_comparison(advice.position, move, against)
    named = [ranked_move(evaluator, advice, one) for one in (move, against) if one is not None]
    if len(named) == 2 and named[0] == named[1]:  # the same move: struck, and filled for no points
        raise MoveError("{move} is given twice; two different moves are compared", move=named[0].move)
    return [*named, *(entry for entry in advice.moves if entry not in named)][:2]
