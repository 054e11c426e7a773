"""Explanations as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from yatzy.coach.explain import Explanation, ReasonKind, Side
from yatzy.report.answers.base import Answer
from yatzy.report.answers.moves import RankedMoveAnswer, ranked_fields
from yatzy.report.answers.outlooks import OutlookPart, outlook_part
from yatzy.report.explanation import notes, sentences
from yatzy.units import Unit


class ExplainedMove(RankedMoveAnswer):
    """One of two moves, with its outlook."""

    outlook: OutlookPart


class PointsDifference(Answer):
    """How many expected points more the preferred move gives."""

    categories: dict[str, float]
    """By category."""
    bonus: float | None
    """From the upper bonus; null in a game without one."""
    jokers: float
    """From Joker bonuses."""
    all: float
    """The sum."""


class ExplanationAnswer(Answer):
    """Two moves side by side, and their differences."""

    game: str
    objective: str
    unit: Unit
    position: str
    preferred: ExplainedMove
    other: ExplainedMove
    difference: float
    """The value of the preferred move minus that of the other, for the objective."""
    tied: bool
    points: PointsDifference
    """How many points more the preferred move gives, by category and bonus."""
    sentences: tuple[str, ...]
    notes: tuple[str, ...]


def explanation_answer(
    explanation: Explanation, language: str = "en", assumed: Iterable[str] = ()
) -> ExplanationAnswer:
    """Two moves side by side, and why one is better. `assumed` are notes about the question, added to the others."""
    where, reasons = explanation.position, explanation.reasons
    return ExplanationAnswer(
        game=where.game.id,
        objective=explanation.objective,
        unit=explanation.unit,
        position=str(where),
        preferred=_side(explanation.preferred),
        other=_side(explanation.other),
        difference=explanation.difference,
        tied=explanation.tied,
        points=PointsDifference(
            categories={pair.category.id: pair.points for pair in explanation.categories},
            bonus=next((reason.points for reason in reasons if reason.kind is ReasonKind.BONUS), None),
            jokers=explanation.preferred.outlook.jokers - explanation.other.outlook.jokers,
            all=sum(reason.points for reason in reasons),
        ),
        sentences=tuple(sentences(explanation, language)),
        notes=(*notes(explanation, language), *assumed),
    )


def _side(side: Side) -> ExplainedMove:
    return ExplainedMove(**ranked_fields(side.ranked), outlook=outlook_part(side.outlook))
