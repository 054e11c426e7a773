"""Playing for a score: the best chance of a target, and the best score at a given chance. Both read the curves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from yatzy.games import Move, Position, Sheet, legal_moves
from yatzy.solve.chances import BestChances, Curve
from yatzy.solve.expected import ExpectedScore
from yatzy.solve.solution import MoveValue, Solution
from yatzy.solve.turn import TurnValues, turn_values
from yatzy.units import Unit


class TargetChance(Solution):
    """The best chance of at least `target` points in the end, points made so far included.

    Moves of equal chance, above all when the target is out of reach or certain, are told apart by the expected score.
    """

    unit = Unit.CHANCE
    tie = 0.0  # the chance of a perfect game is 1e-12, and worth playing for
    relative_tie = 2e-6

    def __init__(self, chances: BestChances, expected: ExpectedScore, target: int) -> None:
        super().__init__(chances.game)
        self.target = target
        self.objective = f"target:{target}"
        self.chances, self.expected, self.table = chances, expected, chances.table

    def worth(self, after: Sheet, before: Sheet) -> float:
        """The chance of reaching the target."""
        return self.chances.curve(after).at(self.target - after.points)

    def _second(self, position: Position, move: Move) -> float:
        return float(self.expected.turn(position.sheet).after(position, move))


class ScoreAtChance(Solution):
    """The best final score that is reached with at least a given chance.

    Moves that reach the same score are told apart by the chance of it.
    """

    def __init__(self, chances: BestChances, probability: float) -> None:
        super().__init__(chances.game)
        self.probability = probability
        self.objective = f"chance:{probability:g}"
        self._chances, self.table = chances, chances.table

    def worth(self, after: Sheet, before: Sheet) -> float:
        """The best score."""
        return float(after.points + self._score(self._chances.curve(after)))

    def _score(self, curve: Curve) -> int:
        """The most points with a chance of at least the probability."""
        return int(curve.low - 1 + np.count_nonzero(curve.chance >= self.probability))

    def value(self, position: Position | Sheet) -> float:
        """The best score from a position, or from a sheet between turns."""
        if isinstance(position, Sheet) or position.over or not position.dice:
            return super().value(position)
        scores, turn = curve_turn(self._chances, position.sheet)
        return float(self._best(scores, turn.at(position))[0])

    def move_values(self, position: Position) -> list[MoveValue]:
        """Every legal move with the best score after it."""
        moves = legal_moves(position)
        if not moves:
            return []
        scores, turn = curve_turn(self._chances, position.sheet)
        return [MoveValue(move, *self._best(scores, turn.after(position, move))) for move in moves]

    def _best(self, scores: npt.NDArray[np.int64], chance: npt.NDArray[np.float64]) -> tuple[float, float]:
        """The best score and its chance; `chance` never rises, and the lowest score is certain."""
        at = max(int(np.count_nonzero(chance >= self.probability)) - 1, 0)
        return float(scores[at]), float(chance[at])


def position_curve(chances: BestChances, position: Position) -> tuple[int, npt.NDArray[np.float64]]:
    """The best chances of final scores from a position: the first score in question, and the chance of each."""
    sheet = position.sheet
    if position.over or not position.dice:
        curve = chances.curve(sheet)
        return sheet.points, curve.between(0, curve.high)
    scores, turn = curve_turn(chances, sheet)
    at_least = turn.at(position)
    return int(scores[0]), at_least[: int(np.flatnonzero(at_least)[-1]) + 1]


def curve_turn(chances: BestChances, sheet: Sheet) -> tuple[npt.NDArray[np.int64], TurnValues]:
    """A turn of whole curves: the final scores in question, and what is worth which chances of them."""
    curve = chances.curve(sheet)
    first, last = sheet.points, sheet.points + curve.high

    def worth(after: Sheet) -> npt.NDArray[np.float64]:
        return chances.curve(after).between(first - after.points, last - after.points)

    return np.arange(first, last + 1), turn_values(chances._compiled, sheet, worth)
