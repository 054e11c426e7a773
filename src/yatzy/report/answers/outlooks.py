"""Outlooks as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from yatzy.games import Position
from yatzy.report.answers.base import Answer

if TYPE_CHECKING:
    from yatzy.evaluation.outlook import Outlook


class CategoryExpected(Answer):
    """The outlook of an open category."""

    chance: float
    """The chance of scoring in it."""
    points: float
    """The expected points there."""
    this_turn: float
    """The chance that this turn ends there with points."""
    this_turn_points: float
    """The expected points of this turn there; a turn that ends elsewhere counts as 0."""


class OutlookPart(Answer):
    """The outlook of a sheet under best play for points."""

    objective: Literal["expected"]
    exact: bool
    games: int | None
    """Number of simulated games; null if the outlook is exact."""
    mean: float
    sd: float
    low: int
    """The 10th percentile of the final score."""
    high: int
    """The 90th percentile of the final score."""
    bonus: float | None
    """The chance of the upper bonus; null in a game without one."""
    jokers: float
    """The expected Joker bonuses from now on, in points."""
    categories: dict[str, CategoryExpected]
    """The open categories by id."""


class OutlookAnswer(OutlookPart):
    """An outlook, with the chances of all final scores."""

    game: str
    position: str
    mass: list[float]
    """The chance of exactly 0, 1, 2, … points."""
    notes: tuple[str, ...]
    """What was assumed about the question."""


def outlook_part(outlook: Outlook) -> OutlookPart:
    """The outlook of a position, as a part of another answer."""
    return OutlookPart(**_fields(outlook))


def outlook_answer(where: Position, outlook: Outlook, notes: Iterable[str]) -> OutlookAnswer:
    """The outlook of a position with the chances of all final scores."""
    mass = outlook.score.mass.tolist()
    return OutlookAnswer(**_fields(outlook), game=where.game.id, position=str(where), mass=mass, notes=tuple(notes))


def _fields(outlook: Outlook) -> dict[str, Any]:
    return {
        "objective": "expected",
        "exact": outlook.exact,
        "games": outlook.games or None,
        "mean": outlook.mean,
        "sd": outlook.sd,
        "low": outlook.low,
        "high": outlook.high,
        "bonus": outlook.bonus,
        "jokers": outlook.jokers,
        "categories": {
            entry.category.id: CategoryExpected(
                chance=entry.chance,
                points=entry.points,
                this_turn=entry.this_turn,
                this_turn_points=entry.this_turn_points,
            )
            for entry in outlook.categories
        },
    }
