"""Classes of moves by what they lose. The limits stand here and nowhere else; review, tutor and quiz all ask here."""

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
        """Its sign beside a move, as in chess; colour is never the only one."""
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
"""The most that a good move, an inaccuracy and a mistake lose; beyond is a blunder.

Worths are payoffs and utilities; what they lose is taken as a share of their span, from the worst end of a game to the
best.
"""


def grade_of(loss: float, unit: Unit, *, tied: bool, span: float = 1.0) -> Grade:
    """The class of a move that loses so much; `tied` when its value is as good as the best."""
    if tied:
        return Grade.BEST
    share = loss / span if unit is Unit.WORTH else loss
    for limit, grade in zip(LIMITS[unit], _ORDER[1:], strict=False):
        if share <= limit:
            return grade
    return Grade.BLUNDER


def limit_of(grade: Grade, unit: Unit) -> float:
    """The most that a move of a class loses; infinite for blunders, 0 for the best."""
    if grade is Grade.BEST:
        return 0.0
    return LIMITS[unit][grade.rank - 1] if grade is not Grade.BLUNDER else float("inf")
