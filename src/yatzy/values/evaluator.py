"""What every solved objective can do: say what a position is worth, and every move in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from yatzy.games import Game, Move, Position, Sheet, legal_moves
from yatzy.model import compile_game
from yatzy.units import Unit
from yatzy.values.tables import SolvedTable
from yatzy.values.turn import TurnValues, turn_values


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A move, its value, and what decides between moves of equal value."""

    move: Move
    value: float
    tie_breaker: float = 0.0


class Evaluator(Protocol):
    """What knows the value of positions and of every move in them: a solved game, or a search for several players."""

    @property
    def game(self) -> Game:
        """The game it knows."""

    @property
    def objective(self) -> str:
        """What is played for."""

    @property
    def unit(self) -> Unit:
        """What values are."""

    def value(self, position: Position) -> float:
        """What a position is worth to the player to move."""

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value."""

    def tied(self, value: float, top: float) -> bool:
        """Whether a value is as good as the best one."""

    def span(self, position: Position) -> float:
        """From the worst end of a game to the best, where values are worths."""


class Solution(ABC):
    """A game solved for an objective.

    A turn is averaged in *worths*, which must be numbers that may be averaged; people are shown *values*.
    The two differ only where an objective says so (`_value_of_worth`).
    """

    objective: str
    unit: Unit = Unit.POINTS
    table: SolvedTable
    tie = 1e-9
    """Values closer than this are the same: far above rounding, far below anything that matters."""
    relative_tie = 0.0
    """The same in proportion to the value, for values that are stored in single precision."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._compiled = compile_game(game)
        self.turn = lru_cache(maxsize=64)(self._solve_turn)
        """All worths inside a turn from a sheet."""

    @property
    def states(self) -> int:
        """The number of states of the game."""
        return len(self._compiled.states)

    @abstractmethod
    def worth(self, after: Sheet, before: Sheet) -> float:
        """What a sheet between turns is worth; `before` is the sheet of the turn in question."""

    def _value_of_worth(self, worth: float, before: Sheet) -> float:
        return worth

    def _solve_turn(self, sheet: Sheet) -> TurnValues:
        return turn_values(self._compiled, sheet, lambda after: self.worth(after, sheet))

    def value(self, position: Position | Sheet) -> float:
        """What a position, or a sheet between turns, is worth to the player to move."""
        sheet = position if isinstance(position, Sheet) else position.sheet
        if isinstance(position, Sheet) or position.over or position.between_turns:
            worth = self.worth(sheet, sheet)
        else:
            worth = float(self.turn(sheet).at(position))
        return self._value_of_worth(worth, sheet)

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value, in the order of `legal_moves`."""
        moves = legal_moves(position)
        if not moves:
            return []
        turn = self.turn(position.sheet)
        worths = [float(turn.after(position, move)) for move in moves]
        return [
            MoveValue(move, self._value_of_worth(worth, position.sheet), self._tie_breaker(position, move))
            for move, worth in zip(moves, worths, strict=True)
        ]

    def best(self, position: Position) -> Move:
        """The best move; between equal values the second criterion decides, then the order of `legal_moves`."""
        values = self.moves(position)
        top = max(entry.value for entry in values)
        leaders = [entry for entry in values if self.tied(entry.value, top)]
        return max(leaders, key=lambda entry: entry.tie_breaker).move

    def tied(self, value: float, top: float) -> bool:
        """Whether a value is as good as the best one."""
        return top - value <= max(self.tie, self.relative_tie * abs(top))

    def span(self, position: Position) -> float:
        """From the worst end of a game to the best, where values are worths; by that their losses are graded."""
        return 1.0

    def _tie_breaker(self, position: Position, move: Move) -> float:
        """What decides between moves of equal value."""
        return 0.0
