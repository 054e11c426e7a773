"""Advice: every move of a position ranked by its value, with what it loses against the best."""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.errors import PositionError
from yatzy.games import Move, Position
from yatzy.solve import ExpectedScore

TIE = 1e-9
"""Values closer than this are the same: far above rounding, far below anything that matters."""


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A move with its value, its loss against the best one, and whether it is (tied for) the best."""

    move: Move
    value: float
    loss: float
    best: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """All moves of a position, best first."""

    position: Position
    objective: str
    moves: tuple[RankedMove, ...]

    @property
    def best(self) -> RankedMove:
        """The first of the best moves."""
        return self.moves[0]

    @property
    def value(self) -> float:
        """The value of the position: that of its best move."""
        return self.best.value


def advise(solution: ExpectedScore, position: Position) -> Advice:
    """Rank every legal move of a position."""
    values = solution.move_values(position)
    if not values:
        raise PositionError("there is nothing to choose here: the game is over or the dice are yet to be rolled")
    top = max(entry.value for entry in values)
    ranked = [
        RankedMove(entry.move, entry.value, max(top - entry.value, 0.0), top - entry.value <= TIE) for entry in values
    ]
    # Among ties, the legal order decides, not rounding.
    ranked.sort(key=lambda entry: 0.0 if entry.best else entry.loss)
    return Advice(position, solution.objective, tuple(ranked))
