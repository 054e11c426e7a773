"""The common interface for values of positions and moves: a solved game, a search or an exact endgame.

Advice, explanations, reviews and players use only an `Evaluator`. It declares what its values are (`unit`, `meaning`),
whose they are (`sides`) and whether they are averages over the next roll (`additive`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

from yatzy import kernels
from yatzy.games import Game, Move, Position, Sheet
from yatzy.model import compile_game
from yatzy.names import Objective
from yatzy.units import Unit
from yatzy.values.arrays import points_worth
from yatzy.values.tables import SolvedTable
from yatzy.values.turn import TurnValues


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A move and its value."""

    move: Move
    """A legal move."""
    value: float
    """To the player to move, in the unit of the evaluator."""
    tie_breaker: float = 0.0
    """Breaks ties between moves of equal value; higher is better."""


class Sides(Enum):
    """Whose values are known."""

    OWN = "own"
    """Every player's: each plays a separate game."""
    BOTH = "both"
    """Both players': one player's gain is the other's loss."""
    MOVER = "mover"
    """Only the player to move's."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of values: the key of a text, and the number that the text mentions."""

    key: str
    number: float = 0.0


class Evaluator(ABC):
    """Gives the value of positions and of every move in them."""

    game: Game
    name: Objective
    """The objective."""
    unit: Unit = Unit.POINTS
    additive: bool = True
    """Whether the value before a roll is the mean of the values after it. Only then can luck be measured."""
    reviews_in_bulk: bool = False
    """Whether many played turns can be reviewed at once (evaluation/reviewed_turns.py)."""
    tie: float = 1e-9
    """Values closer than this are equal: far above rounding, far below any relevant difference."""
    relative_tie: float = 0.0
    """The same relative to the value, for values that are stored in single precision."""

    @property
    def objective(self) -> str:
        """The name as text."""
        return str(self.name)

    @abstractmethod
    def value(self, position: Position) -> float:
        """The value of a position to the player to move; to the first player when the match is over."""

    @abstractmethod
    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value, in the order of `legal_moves`."""

    def best(self, position: Position) -> Move:
        """The best move; ties are broken by the tie-breaker, then by the order of `legal_moves`."""
        values = self.moves(position)
        top = max(entry.value for entry in values)
        return max((one for one in values if self.tied(one.value, top)), key=lambda one: one.tie_breaker).move

    def tied(self, value: float, top: float) -> bool:
        """Whether a value equals the best one, within the tolerance."""
        return top - value <= max(self.tie, self.relative_tie * abs(top))

    def span(self, position: Position) -> float:
        """The difference between the best and the worst result of a game; the scale for grading losses in worths."""
        worst, best = self.results(position)
        return (best - worst) or 1.0

    def results(self, position: Position) -> tuple[float, float]:
        """The worst and the best result of a game if values are worths; otherwise unused."""
        return 0.0, 1.0

    # From the point of view of each player

    @abstractmethod
    def sides(self, players: int) -> Sides:
        """Whose values are known in a game of this number of players."""

    @abstractmethod
    def meaning(self, players: int) -> Meaning:
        """The meaning of the values in a game of this number of players."""

    @abstractmethod
    def value_to(self, position: Position, player: int) -> float | None:
        """The value of a position to any player; None if unknown."""

    def value_after(self, position: Position, move: Move) -> float | None:
        """The value of a legal move to the player to move; None if unknown.

        Also accepts striking a category although the dice pay, which `moves` does not list.
        """
        return self.value_to(position.play(move), position.mover)

    def mean(self, position: Position) -> float:
        """The value of a position before a roll, computed as the mean over the roll if values are additive."""
        return self.value(position)

    def of_opponent(self, value: float, players: int) -> float | None:
        """Converts a value of the player to move to that of each other player; None if unknown."""
        return None


class Solution(Evaluator):
    """A game solved for an objective of one player.

    A turn is averaged in *worths*, numbers for which averaging is valid; the user sees *values*. The two differ only if
    an objective defines a conversion (`_value_of_worth`).
    """

    table: SolvedTable
    by_points: bool | None = None
    """Whether the best choices depend on the points so far as well as the state; None if the kernels have no `goal`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._compiled = compile_game(game)
        self.turn = lru_cache(maxsize=64)(self._solve_turn)
        """The worths inside a turn from a sheet."""

    @property
    def states(self) -> int:
        """The number of states of the game."""
        return len(self._compiled.states)

    @abstractmethod
    def worth(self, after: Sheet, before: Sheet) -> float:
        """The worth of a sheet between turns; `before` is the sheet at the start of the turn being evaluated."""

    def goal(self, layer: int, *, break_ties: bool = True) -> kernels.TurnGoal:
        """The goal of the kernels in the turns of a layer; reviews need values only and break no ties."""
        raise NotImplementedError(f"{self.objective} is played move by move")

    @cached_property
    def _points_worth(self) -> kernels.Worth:
        return points_worth(self._compiled)

    def _value_of_worth(self, worth: float, before: Sheet) -> float:
        return worth

    def _solve_turn(self, sheet: Sheet) -> TurnValues:
        return TurnValues(self._compiled, sheet, lambda after: self.worth(after, sheet))

    def value(self, position: Position | Sheet) -> float:
        """The value of a position, or of a sheet between turns."""
        sheet = position if isinstance(position, Sheet) else position.sheet
        if isinstance(position, Sheet) or position.over or position.between_turns:
            worth = self.worth(sheet, sheet)
        else:
            worth = float(self.turn(sheet).at(position))
        return self._value_of_worth(worth, sheet)

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value."""
        moves = position.legal_moves
        if not moves:
            return []
        turn = self.turn(position.sheet)
        worths = [float(turn.after(position, move)) for move in moves]
        return [
            MoveValue(move, self._value_of_worth(worth, position.sheet), self._tie_breaker(position, move))
            for move, worth in zip(moves, worths, strict=True)
        ]

    def _tie_breaker(self, position: Position, move: Move) -> float:
        return 0.0

    def sides(self, players: int) -> Sides:
        """Every player's own."""
        return Sides.OWN

    def meaning(self, players: int = 1) -> Meaning:
        """Determined by the unit, unless the objective overrides it."""
        return Meaning("final_score" if self.unit is Unit.POINTS else "worth")

    def value_to(self, position: Position, player: int) -> float:
        """From the player's sheet, and from the dice if it is the player's turn."""
        mine = player == position.mover and not position.over
        return self.value(position if mine else position.sheets[player])

    def mean(self, position: Position) -> float:
        """The mean over the roll, computed from the turn rather than read from the table."""
        if not self.additive:
            return self.value(position)
        return self._value_of_worth(float(self.turn(position.sheet).at(position)), position.sheet)
