"""Moves as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yatzy.coach.grades import Grade
from yatzy.games import Keep, Move
from yatzy.report.answers.base import Answer, left_out

if TYPE_CHECKING:
    from yatzy.coach.advice import RankedMove


class MoveAnswer(Answer):
    """A move."""

    move: str
    """As people type it: `33`, `-` to keep no dice, `chance`; a struck category ends in `=0`."""
    keep: tuple[int, ...] | None = left_out()
    """The dice to keep; only if the move is a keep."""
    category: str | None = left_out()
    """The category to fill; only if the move fills one."""


class RankedMoveAnswer(MoveAnswer):
    """A move with its value and its loss against the best move."""

    value: float
    loss: float
    best: bool
    grade: Grade


def move_fields(move: Move) -> dict[str, Any]:
    """The fields of `MoveAnswer`, for answers that have more."""
    if isinstance(move, Keep):
        return {"move": str(move), "keep": move.dice}
    return {"move": str(move), "category": move.category}


def move_answer(move: Move) -> MoveAnswer:
    """A move alone."""
    return MoveAnswer(**move_fields(move))


def ranked_fields(entry: RankedMove) -> dict[str, Any]:
    """The fields of `RankedMoveAnswer`, for answers that have more."""
    found = move_fields(entry.move)
    found |= {"value": entry.value, "loss": entry.loss, "best": entry.best, "grade": entry.grade}
    return found


def ranked_answer(entry: RankedMove) -> RankedMoveAnswer:
    """A move with its value, loss and grade."""
    return RankedMoveAnswer(**ranked_fields(entry))
