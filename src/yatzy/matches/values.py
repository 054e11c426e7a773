"""Values of two-player positions and moves under optimal play, for any source of the values between turns.

The values come from tables (matches/endgames.py) or are solved on demand: only the pairs of sheets that a position
leads to, in double precision. With two open categories each, that is a few dozen pairs and takes about a second.
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
from yatzy.values.turn import TurnValues

DEEPEST = 6
"""The most open categories of both players together to solve on demand; beyond, there are too many pairs."""

ranges_of = lru_cache(maxsize=8)(point_ranges)
"""The ranges of points that every state can score and can have scored; finding them takes up to a second."""

Number = TypeVar("Number", float, npt.NDArray[np.float32])


@dataclass(frozen=True, slots=True)
class Optimum(Objective):
    """The name of optimal play of two."""

    form = "match:optimum"

    def __str__(self) -> str:
        return self.form

    @property
    def several(self) -> bool:
        """Always true."""
        return True


class MatchValues(MatchEvaluator):
    """Optimal play of two: the values of positions and moves to the player to move."""

    name = Optimum()
    unit = Unit.WORTH
    payoff: Payoff
    tie = 1e-6

    def __init__(self, compiled: CompiledGame, deepest: int, payoff: Payoff | None) -> None:
        self.game, self.compiled = compiled.game, compiled
        self.deepest = deepest
        """The most open categories of both players together that can be answered."""
        self.payoff = match_points(2) if payoff is None else _checked(payoff)
        self._turn = lru_cache(maxsize=64)(self._solve_turn)

    @abstractmethod
    def between(self, mover: Sheet, opponent: Sheet) -> float:
        """The mover's expected match points before its turn."""

    def knows(self, mover: Sheet, opponent: Sheet) -> bool:
        """Whether `between` can answer directly; otherwise the turn is computed."""
        return True

    def can_occur(self, mover: Sheet, opponent: Sheet) -> bool:
        """Whether play can reach this difference of points, if it matters."""
        return True

    def paid(self, points: Number) -> Number:
        """Converts match points to the unit of the payoff."""
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
        return TurnValues(self.compiled, mover, lambda after: 1.0 - self.between(opponent, after))

    def _sheets(self, position: Position) -> tuple[Sheet, Sheet]:
        """The mover's sheet and the opponent's; positions that cannot be answered are refused."""
        if position.game != self.game:
            raise InputError(
                "the position is of {game}, the endgames are of {other}", game=position.game.id, other=self.game.id
            )
        if len(position.sheets) != 2:
            raise PositionError(
                "exact values exist for two players, but the position has {count}", count=len(position.sheets)
            )
        if not all(sheet.points_known for sheet in position.sheets):
            raise PositionError("the points of both players must be known")
        mover, opponent = position.sheet, position.sheets[1 - position.mover]
        depth = len(mover.open) + len(opponent.open)
        if depth > self.deepest:
            raise InputError(
                "the position has {depth} open categories of both together; the endgames reach to {deepest}",
                depth=depth,
                deepest=self.deepest,
            )
        if not self.can_occur(mover, opponent):
            raise PositionError(
                "no play leads to {points} and {other} points on these sheets",
                points=mover.points,
                other=opponent.points,
            )
        return mover, opponent


def _checked(payoff: Payoff) -> Payoff:
    if payoff.players != 2:
        raise InputError("exact values exist for two players, but the payoff is for {players}", players=payoff.players)
    if payoff.total is None:
        raise InputError(
            "exact values exist only for payoffs in which tied players share; otherwise the gain of one player is not"
            " the loss of the other"
        )
    return payoff


class SmallMatch(MatchValues):
    """Optimal play of two, solved on demand in double precision for positions near the end.

    Pairs of sheets that `beyond` knows are looked up there.
    """

    def __init__(self, position: Position, payoff: Payoff | None = None, beyond: MatchValues | None = None) -> None:
        compiled = compile_game(position.game)
        depth = sum(len(sheet.open) for sheet in position.sheets)
        deepest = DEEPEST + (beyond.deepest - 1 if beyond else 0)
        if depth > deepest:
            raise SizeError(
                "a position with {depth} open categories leads to too many; {deepest} are solved on demand",
                depth=depth,
                deepest=deepest,
            )
        super().__init__(compiled, deepest, payoff)
        self._ranges, self._beyond = ranges_of(compiled), beyond
        self._curves: dict[tuple[int, int], tuple[int, npt.NDArray[np.float64]]] = {}

    def between(self, mover: Sheet, opponent: Sheet) -> float:
        """The mover's expected match points before its turn."""
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
        """The first difference at which the result is open, and V at all such differences."""
        find = self.compiled.states.find
        key = (find(mover), find(opponent))
        if key not in self._curves:
            least, most = (array[list(key)].tolist() for array in self._ranges.arrays[:2])
            x = np.arange(least[0] - most[1], most[0] - least[1] + 1)
            if mover.over:
                values = np.full(len(x), 0.5)
            else:
                mover, opponent = (replace(sheet, points=0, boxes=None) for sheet in (mover, opponent))
                turn = TurnValues(
                    self.compiled, mover, lambda after: 1.0 - self._take(opponent, after, after.points - x)
                )
                values = turn.keep(self.game.rolls)[0]
            self._curves[key] = int(x[0]), values
        return self._curves[key]


def solve_position(position: Position, payoff: Payoff | None = None, beyond: MatchValues | None = None) -> float:
    """The best expected payoff of the player to move, without tables; `SmallMatch` gives the moves as well."""
    return SmallMatch(position, payoff, beyond).value(position)
