"""What positions of two are worth at the optimum, and every move in them, wherever the values between turns come from.

Beside tables (match/endgames.py) there is solving on demand: of all pairs of sheets only those that a position leads
to, in double precision. With two open categories each that are a few dozen pairs and a second or so.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, PositionError, SizeError
from yatzy.games import Position, Sheet
from yatzy.matches.counting import point_ranges
from yatzy.matches.evaluator import MatchEvaluator
from yatzy.model import CompiledGame, compile_game
from yatzy.names import Objective
from yatzy.names.payoffs import Payoff, match_points
from yatzy.units import Unit
from yatzy.values.evaluator import MoveValue
from yatzy.values.turn import TurnValues, turn_values

DEEPEST = 6
"""Open categories of both together that are solved on demand; beyond, a position leads to too many pairs."""

ranges_of = lru_cache(maxsize=8)(point_ranges)
"""The points that every state can make and can have made; they take up to a second to find."""

Number = TypeVar("Number", float, npt.NDArray[np.float32])


@dataclass(frozen=True, slots=True)
class Optimum(Objective):
    """The name of optimal play of two."""

    form = "match:optimum"

    def __str__(self) -> str:
        return self.form

    @property
    def several(self) -> bool:
        """Always."""
        return True


class MatchValues(MatchEvaluator):
    """The optimum of two: what positions and moves are worth to the player to move."""

    name = Optimum()
    unit = Unit.WORTH
    payoff: Payoff
    tie = 1e-6

    def __init__(self, compiled: CompiledGame, deepest: int, payoff: Payoff | None) -> None:
        self.game, self.compiled = compiled.game, compiled
        self.deepest = deepest
        """Open categories of both together that are answered for."""
        self.payoff = match_points(2) if payoff is None else _checked(payoff)
        self._turn = lru_cache(maxsize=64)(self._solve_turn)

    @abstractmethod
    def between(self, mover: Sheet, opponent: Sheet) -> float:
        """The mover's match points before its turn."""

    def knows(self, mover: Sheet, opponent: Sheet) -> bool:
        """Whether `between` can be asked as it is; else the turn is worked out."""
        return True

    def can_occur(self, mover: Sheet, opponent: Sheet) -> bool:
        """Whether play can lead to this difference of points, as far as it matters."""
        return True

    def paid(self, points: Number) -> Number:
        """Match points in the unit of the payoff."""
        win, loss = self.payoff.values
        return points if (win, loss) == (1.0, 0.0) else loss + (win - loss) * points

    def value(self, position: Position) -> float:
        """The best expected payoff of the player to move."""
        mover, opponent = self._sheets(position)
        between_turns = position.between_turns
        if position.over or (between_turns and self.knows(mover, opponent)):
            return self.paid(self.between(mover, opponent))
        return self.paid(float(self._turn(mover, opponent).at(position)))

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value, in the order of `legal_moves`."""
        mover, opponent = self._sheets(position)
        moves = position.legal_moves
        if not moves:
            return []
        turn = self._turn(mover, opponent)
        return [MoveValue(move, self.paid(float(turn.after(position, move)))) for move in moves]

    def _solve_turn(self, mover: Sheet, opponent: Sheet) -> TurnValues:
        return turn_values(self.compiled, mover, lambda after: 1.0 - self.between(opponent, after))

    def _sheets(self, position: Position) -> tuple[Sheet, Sheet]:
        """The mover's sheet and the opponent's, if they can be answered for."""
        if position.game != self.game:
            raise InputError(f"the position is of {position.game.id}, the endgames are of {self.game.id}")
        if len(position.sheets) != 2:
            raise PositionError(f"the optimum is known for two players, and the position has {len(position.sheets)}")
        if not all(sheet.points_known for sheet in position.sheets):
            raise PositionError("the points of both players must be known")
        mover, opponent = position.sheet, position.sheets[1 - position.mover]
        depth = len(mover.open) + len(opponent.open)
        if depth > self.deepest:
            raise InputError(
                f"the position has {depth} open categories of both together; the endgames reach to {self.deepest}"
            )
        if not self.can_occur(mover, opponent):
            raise PositionError(f"no play leads to {mover.points} and {opponent.points} points on these sheets")
        return mover, opponent


def _checked(payoff: Payoff) -> Payoff:
    if payoff.players != 2:
        raise InputError(f"the optimum is known for two players, and the payoff is for {payoff.players}")
    if payoff.total is None:
        raise InputError(
            "the optimum of two is for payoffs in which those who tie share; otherwise the two do not want opposite"
            " things, and what is best for one depends on more than its own payoff"
        )
    return payoff


class SmallMatch(MatchValues):
    """The optimum of two, solved on demand in double precision for positions near the end.

    With `beyond`, the values of pairs of sheets that it knows are taken from there.
    """

    def __init__(self, position: Position, payoff: Payoff | None = None, beyond: MatchValues | None = None) -> None:
        compiled = compile_game(position.game)
        depth = sum(len(sheet.open) for sheet in position.sheets)
        deepest = DEEPEST + (beyond.deepest - 1 if beyond else 0)
        if depth > deepest:
            raise SizeError(
                f"a position with {depth} open categories leads to too many; {deepest} are solved on demand"
            )
        super().__init__(compiled, deepest, payoff)
        self._ranges, self._beyond = ranges_of(compiled), beyond
        self._curves: dict[tuple[int, int], tuple[int, npt.NDArray[np.float64]]] = {}

    def between(self, mover: Sheet, opponent: Sheet) -> float:
        """The mover's match points before its turn."""
        if self._beyond is not None and self._beyond.knows(mover, opponent):
            return self._beyond.between(mover, opponent)
        return float(self._take(mover, opponent, np.array([opponent.points - mover.points]))[0])

    def _take(self, mover: Sheet, opponent: Sheet, difference: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """V at some differences."""
        low, values = self._curve(mover, opponent)
        at = difference - low
        inside = values[np.clip(at, 0, len(values) - 1)]
        return np.where(at < 0, 1.0, np.where(at >= len(values), 0.0, inside))

    def _curve(self, mover: Sheet, opponent: Sheet) -> tuple[int, npt.NDArray[np.float64]]:
        """V at all differences at which the game is open, and the first of them."""
        find = self.compiled.states.find
        key = (find(mover), find(opponent))
        if key not in self._curves:
            least, most = (array[list(key)].tolist() for array in self._ranges.arrays[:2])
            x = np.arange(least[0] - most[1], most[0] - least[1] + 1)
            if mover.over:
                values = np.full(len(x), 0.5)
            else:
                mover, opponent = (replace(sheet, points=0, boxes=None) for sheet in (mover, opponent))
                turn = turn_values(
                    self.compiled, mover, lambda after: 1.0 - self._take(opponent, after, after.points - x)
                )
                values = turn.keep(self.game.rolls)[0]
            self._curves[key] = int(x[0]), values
        return self._curves[key]


def solve_position(position: Position, payoff: Payoff | None = None, beyond: MatchValues | None = None) -> float:
    """The best expected payoff of the player to move, without tables; `SmallMatch` tells the moves as well."""
    return SmallMatch(position, payoff, beyond).value(position)
