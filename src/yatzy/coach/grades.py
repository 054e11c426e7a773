"""Classes of moves by their loss. Review, tutor and quiz all use the limits defined here."""

from __future__ import annotations

from enum import Enum

from yatzy.units import Unit


class Grade(Enum):
    """How good a move is, from the best to the worst."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def sign(self) -> str:
        """The sign shown beside a move, as in chess, so that colour is not the only mark."""
        return _SIGNS[self]

    @property
    def rank(self) -> int:
        """0 for the best, 4 for the worst."""
        return _ORDER.index(self)


_ORDER = tuple(Grade)
_SIGNS = {Grade.BEST: "★", Grade.GOOD: "·", Grade.INACCURACY: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}

LIMITS: dict[Unit, tuple[float, float, float]] = {
    Unit.POINTS: (0.25, 1.0, 3.0),
    Unit.CHANCE: (0.05, 0.10, 0.15),
    Unit.WORTH: (0.05, 0.10, 0.15),
}
"""The largest loss of a good move, an inaccuracy and a mistake; anything above is a blunder.

For `Unit.WORTH` (payoffs and utilities) losses are measured as a share of the span between the worst and the best
result of a game.
"""


def grade_of(loss: float, unit: Unit, *, tied: bool, span: float = 1.0) -> Grade:
    """The class of a move with this loss; `tied` if its value counts as equal to the best."""
    if tied:
        return Grade.BEST
    share = loss / span if unit is Unit.WORTH else loss
    for limit, grade in zip(LIMITS[unit], _ORDER[1:], strict=False):
        if share <= limit:
            return grade
    return Grade.BLUNDER


def limit_of(grade: Grade, unit: Unit) -> float:
    """The largest loss of a class; infinite for blunders, 0 for the best."""
    if grade is Grade.BEST:
        return 0.0
    return LIMITS[unit][grade.rank - 1] if grade is not Grade.BLUNDER else float("inf")
