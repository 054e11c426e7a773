"""Advice: every move of a position, ranked by value, with its loss against the best.

All surfaces show this structure. `advise` ranks the moves under one objective; `advise_all` puts several objectives
side by side, with the outlook of the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from yatzy.coach.grades import Grade, grade_of
from yatzy.errors import InputError, Message, MoveError, PositionError
from yatzy.games import Move, Position, Score, show_dice
from yatzy.notebook import amount, table_html
from yatzy.units import Unit
from yatzy.values.evaluator import Evaluator

if TYPE_CHECKING:
    from yatzy.evaluation.outlook import Outlook
    from yatzy.matches.search import MatchAnswer, MatchSearch


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A move with its value, its loss against the best one, and its class."""

    move: Move
    """A legal move."""
    value: float
    """In the unit of the advice."""
    loss: float
    """The value of the best move minus this one, at least 0."""
    best: bool
    """Whether it is the best, or tied for best, also by the tie-break."""
    grade: Grade
    """The class of the loss, from best to blunder."""


@dataclass(frozen=True)
class Advice:
    """All moves of a position, best first."""

    position: Position
    """The position advised on."""
    objective: str
    """The name of the objective, such as `target:300`."""
    unit: Unit
    """What the values are: points, chances, or worths."""
    moves: tuple[RankedMove, ...]
    """Every legal move."""

    @property
    def best(self) -> RankedMove:
        """The first of the best moves."""
        return self.moves[0]

    @property
    def value(self) -> float:
        """The value of the position: that of its best move."""
        return self.best.value

    def of(self, move: Move) -> RankedMove:
        """The entry of one move."""
        try:
            return self._by_move[move]
        except KeyError:
            raise MoveError(no_choice(self.position, move)) from None

    def _repr_html_(self) -> str:
        rows = [
            (one.move, amount(one.value, self.unit), amount(one.loss, self.unit), one.grade.value) for one in self.moves
        ]
        return table_html(f"{self.position}: {self.objective}", ("Move", "Value", "Loss", "Grade"), rows)

    @cached_property
    def _by_move(self) -> dict[Move, RankedMove]:
        return {entry.move: entry for entry in self.moves}


def no_choice(position: Position, move: Move) -> Message:
    """The error message for a move that is not among those to choose from."""
    if position.rolls_left:
        return Message(
            "{move} is not a move here: choose which of the dice {dice} to keep, '-' for none",
            move=move,
            dice=show_dice(position.dice),
        )
    allowed = ", ".join(sorted(str(one) for one in position.legal_moves))
    return Message("{move} is not a move here: no roll is left; choose {allowed}", move=move, allowed=allowed)


def advise(solution: Evaluator, position: Position) -> Advice:
    """Rank every legal move of a position."""
    values = solution.moves(position)
    if not values:
        raise PositionError("there is no move to choose here: the game is over or the dice have not been rolled")
    top = max(entry.value for entry in values)
    leaders = {entry.move: entry.tie_breaker for entry in values if solution.tied(entry.value, top)}
    highest, span = max(leaders.values()), solution.span(position)
    ranked = [
        RankedMove(
            move=entry.move,
            value=entry.value,
            loss=max(top - entry.value, 0.0),
            best=entry.move in leaders and highest - entry.tie_breaker <= 1e-9,
            grade=grade_of(top - entry.value, solution.unit, tied=entry.move in leaders, span=span),
        )
        for entry in values
    ]
    # Ties are ordered by the second criterion, then by the legal order, never by rounding errors.
    ranked.sort(key=lambda entry: (0.0, -leaders[entry.move]) if entry.move in leaders else (entry.loss, 0.0))
    return Advice(position, solution.objective, solution.unit, tuple(ranked))


def advise_match(search: MatchSearch, position: Position) -> tuple[Advice, MatchAnswer]:
    """Rank every legal move of a position in a match, with details of the search."""
    answer = search.answer(position)  # advice takes its values from there
    return advise(search, position), answer


def as_listed(position: Position, move: Move) -> Move:
    """The move as advice lists it: striking a category that pays nothing counts as filling it."""
    if isinstance(move, Score) and move.strike and not position.rolls_left:
        filled = replace(move, strike=False)
        if not position.placement(filled).points:
            return filled
    return move


def rank_move(evaluator: Evaluator, advice: Advice, move: Move) -> RankedMove | None:
    """Rank any legal move, including a category struck although the dice pay, which advice does not list.

    None if the value of such a move is unknown.
    """
    where, move = advice.position, as_listed(advice.position, move)
    if not isinstance(move, Score) or not move.strike or where.rolls_left:
        return advice.of(move)
    value, top = evaluator.value_after(where, move), max(entry.value for entry in advice.moves)
    if value is None:
        return None
    tied = evaluator.tied(value, top)
    grade = grade_of(top - value, evaluator.unit, tied=tied, span=evaluator.span(where))
    return RankedMove(move, value, max(top - value, 0.0), tied, grade)


def ranked_move(evaluator: Evaluator, advice: Advice, move: Move) -> RankedMove:
    """Like `rank_move`, but raises if the value is unknown."""
    found = rank_move(evaluator, advice, move)
    if found is None:
        raise MoveError("{move}: its value is not known for {objective}", move=move, objective=evaluator.objective)
    return found


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """A move under several objectives."""

    move: Move
    under: tuple[RankedMove, ...]
    """The entry of the move under each objective, in order."""


@dataclass(frozen=True)
class AdviceTable:
    """All moves of a position under one objective or several, and the outlook of the position."""

    advices: tuple[Advice, ...]
    outlook: Outlook | None = None
    """Under play for the expected score; None if not requested."""

    @property
    def position(self) -> Position:
        """The position of the advice."""
        return self.advices[0].position

    @property
    def first(self) -> Advice:
        """The advice by which the rows are ranked."""
        return self.advices[0]

    @property
    def objectives(self) -> tuple[str, ...]:
        """The objective of each column."""
        return tuple(advice.objective for advice in self.advices)

    @property
    def rows(self) -> tuple[AdviceRow, ...]:
        """One row per move, ranked by the first objective."""
        return self.ranked_by(0)

    def ranked_by(self, column: int) -> tuple[AdviceRow, ...]:
        """The rows ranked by the objective with this index."""
        return tuple(
            AdviceRow(entry.move, tuple(advice.of(entry.move) for advice in self.advices))
            for entry in self.advices[column].moves
        )


def advise_all(evaluators: Sequence[Evaluator], position: Position, outlook: Outlook | None = None) -> AdviceTable:
    """Rank every move under several objectives; the rows are ranked by the first."""
    if not evaluators:
        raise InputError("at least one objective is needed to rank moves by")
    return AdviceTable(tuple(advise(evaluator, position) for evaluator in evaluators), outlook)
