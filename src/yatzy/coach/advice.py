"""Advice: every move of a position ranked by its value, with what it loses against the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from yatzy.coach.grades import Grade, grade_of
from yatzy.errors import PositionError
from yatzy.games import Game, Move, Position
from yatzy.solve import MoveValue
from yatzy.units import Unit


class Adviser(Protocol):
    """What knows the value of every move: a solution, or a search for several players."""

    @property
    def game(self) -> Game:
        """The game it knows."""

    @property
    def objective(self) -> str:
        """What is played for."""

    @property
    def unit(self) -> Unit:
        """What values are."""

    def move_values(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value."""

    def tied(self, value: float, top: float) -> bool:
        """Whether a value is as good as the best one."""

    def span(self, position: Position) -> float:
        """From the worst end of a game to the best, where values are worths."""


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A move with its value, its loss against the best one, and its class."""

    move: Move
    value: float
    loss: float
    best: bool
    """Whether it is (tied for) the best, by what decides between equal values too."""
    grade: Grade


@dataclass(frozen=True, slots=True)
class Advice:
    """All moves of a position, best first."""

    position: Position
    objective: str
    unit: Unit
    moves: tuple[RankedMove, ...]

    @property
    def best(self) -> RankedMove:
        """The first of the best moves."""
        return self.moves[0]

    @property
    def value(self) -> float:
        """The value of the position: that of its best move."""
        return self.best.value

    def of(self, move: Move) -> RankedMove:
        """What is said of one move."""
        return next(entry for entry in self.moves if entry.move == move)


def advise(solution: Adviser, position: Position) -> Advice:
    """Rank every legal move of a position."""
    values = solution.move_values(position)
    if not values:
        raise PositionError("there is nothing to choose here: the game is over or the dice are yet to be rolled")
    top = max(entry.value for entry in values)
    leaders = {entry.move: entry.second for entry in values if solution.tied(entry.value, top)}
    second, span = max(leaders.values()), solution.span(position)
    ranked = [
        RankedMove(
            move=entry.move,
            value=entry.value,
            loss=max(top - entry.value, 0.0),
            best=entry.move in leaders and second - entry.second <= 1e-9,
            grade=grade_of(top - entry.value, solution.unit, tied=entry.move in leaders, span=span),
        )
        for entry in values
    ]
    # Among ties the second criterion decides, then the legal order, never rounding.
    ranked.sort(key=lambda entry: (0.0, -leaders[entry.move]) if entry.move in leaders else (entry.loss, 0.0))
    return Advice(position, solution.objective, solution.unit, tuple(ranked))
