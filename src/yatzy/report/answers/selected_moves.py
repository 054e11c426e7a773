"""Selected moves as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from yatzy.report.answers.base import Answer
from yatzy.report.answers.moves import MoveAnswer, move_fields

if TYPE_CHECKING:
    from yatzy.coach.selected_moves import ScoreChances, SelectedMoves


class ScoreCurves(Answer):
    """The chances of all final scores: at best, and if play goes on for the most points."""

    first: int
    """The points so far: the score of the first entry of both lists."""
    best: list[float]
    """The best chance of at least `first`, `first` + 1, … points. Each score has its own best strategy."""
    played_on: list[float]
    """The chance of at least `first`, `first` + 1, … points, if play goes on for the most points."""
    mean: float
    """The expected final score, if play goes on for the most points."""
    sd: float
    games: int | None
    """Number of simulated games behind `played_on`; null if it is exact."""


class SelectedMove(ScoreCurves, MoveAnswer):
    """A move, and the chances of all final scores after it."""


class SelectedMovesPart(Answer):
    """The chances of all final scores, from a position and after some of its moves."""

    present: ScoreCurves
    """The chances from the position itself."""
    moves: tuple[SelectedMove, ...]


class SelectedMovesAnswer(SelectedMovesPart):
    """A position and some of its moves, with the chances of all final scores."""

    game: str
    position: str
    notes: tuple[str, ...]
    """What was assumed about the question."""


def selected_moves_part(found: SelectedMoves) -> SelectedMovesPart:
    """Selected moves, as a part of another answer."""
    return SelectedMovesPart(**_fields(found))


def selected_moves_answer(found: SelectedMoves, notes: Iterable[str]) -> SelectedMovesAnswer:
    """Selected moves of a position."""
    where = found.position
    return SelectedMovesAnswer(**_fields(found), game=where.game.id, position=str(where), notes=tuple(notes))


def _fields(found: SelectedMoves) -> dict[str, Any]:
    return {
        "present": ScoreCurves(**_curves(found.present)),
        "moves": tuple(
            SelectedMove(**move_fields(one.move), **_curves(one)) for one in found.moves if one.move is not None
        ),
    }


def _curves(one: ScoreChances) -> dict[str, Any]:
    score = one.outlook.score
    return {
        "first": one.first,
        "best": one.best.tolist(),
        "played_on": one.played_on.tolist(),
        "mean": score.mean,
        "sd": score.sd,
        "games": one.outlook.games or None,
    }
