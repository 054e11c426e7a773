"""Playing for a score: the best chance of a target, and the best score at a given chance, both from the curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError
from yatzy.games import Game, Move, Position, Sheet
from yatzy.model import most_points
from yatzy.names import objectives
from yatzy.units import Unit
from yatzy.values.curves import BestChances, Curve
from yatzy.values.evaluator import Meaning, MoveValue, Solution
from yatzy.values.expected import ExpectedScore
from yatzy.values.goals import read_values, target_goal
from yatzy.values.turn import TurnValues

if TYPE_CHECKING:
    from yatzy.values.opening import Opening

STRIDE = 16
"""Step between scores in the coarse search of a curve."""


class TargetChance(Solution):
    """The best chance of a final score of at least `target`, including the points so far.

    The expected score breaks ties, which occur mainly when the target is out of reach or certain.
    """

    unit = Unit.CHANCE
    tie = 0.0  # the chance of a perfect game is 1e-12, and still worth playing for
    relative_tie = 2e-6
    reviews_in_bulk = True
    by_points = True

    def __init__(self, chances: BestChances, expected: ExpectedScore, target: int) -> None:
        super().__init__(chances.game)
        self.target, self.name = target, objectives.Target(target)
        self.chances, self.expected, self.table = chances, expected, chances.table

    def worth(self, after: Sheet, before: Sheet) -> float:
        """The chance of reaching the target."""
        return self.chances.curve(after).at(self.target - after.points)

    def goal(self, layer: int, *, break_ties: bool = True) -> kernels.TurnGoal:
        """The chances of the next layer; the expected score breaks ties."""
        values = read_values(self._compiled, self.expected.table, layer + 1) if break_ties else None
        return target_goal(self.chances, layer, self._points_worth, self.target, values)

    def meaning(self, players: int = 1) -> Meaning:
        """The chance of at least `target` points."""
        return Meaning("target", self.target)

    def _tie_breaker(self, position: Position, move: Move) -> float:
        return float(self.expected.turn(position.sheet).after(position, move))


class ScoreAtChance(Solution):
    """The best final score that can be reached with at least a given chance.

    Among moves that reach the same score, the chance of it decides.
    """

    additive = False  # quantiles are not averages

    def __init__(self, chances: BestChances, probability: float) -> None:
        super().__init__(chances.game)
        self.probability, self.name = probability, objectives.ScoreAtChance(probability)
        self._chances, self.table = chances, chances.table

    def worth(self, after: Sheet, before: Sheet) -> float:
        """The best score."""
        return float(after.points + self._score(self._chances.curve(after)))

    def meaning(self, players: int = 1) -> Meaning:
        """The score at this chance."""
        return Meaning("at_chance", self.probability)

    def _score(self, curve: Curve) -> int:
        """The highest score with a chance of at least the probability."""
        return int(curve.low - 1 + np.count_nonzero(curve.chance >= self.probability))

    def value(self, position: Position | Sheet) -> float:
        """The best score from a position, or from a sheet between turns."""
        if isinstance(position, Sheet) or position.over or position.between_turns:
            return super().value(position)
        return self._best_scores(position, [lambda turn: turn.at(position)])[0][0]

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with the best score after it."""
        moves = position.legal_moves
        if not moves:
            return []
        asked = [lambda turn, move=move: turn.after(position, move) for move in moves]
        found = self._best_scores(position, asked)
        return [MoveValue(move, *best) for move, best in zip(moves, found, strict=True)]

    def _best_scores(
        self, position: Position, asked: Sequence[Callable[[TurnValues], npt.NDArray[np.float64]]]
    ) -> list[tuple[float, float]]:
        """The best score and its chance, for each requested curve of a turn.

        Curves start at 1 and never rise, so a coarse search of every STRIDE-th score shows where to search finely.
        """
        sheet, game = position.sheet, position.game
        curve = self._chances.curve(sheet)
        # A lower bound for the chance before the rolls so far: these rolls had at least the chance 1 / faces^dice each.
        least = self.probability / float(game.faces) ** (game.dice * (game.rolls - position.rolls_left)) / 2
        top = curve.low + int(np.count_nonzero(curve.chance >= least))
        coarse = np.arange(sheet.points, sheet.points + top + 1, STRIDE)
        turn = curve_turn(self._chances, sheet, coarse)
        places = [max(int(np.count_nonzero(ask(turn) >= self.probability)) - 1, 0) for ask in asked]
        near = sorted(set(places))
        fine = np.concatenate([np.arange(coarse[place], coarse[place] + STRIDE) for place in near])
        turn = curve_turn(self._chances, sheet, fine)
        best = []
        for ask, place in zip(asked, places, strict=True):
            first = near.index(place) * STRIDE
            chance = ask(turn)[first : first + STRIDE]
            at = max(int(np.count_nonzero(chance >= self.probability)) - 1, 0)
            best.append((float(fine[first + at]), float(chance[at])))
        return best


def position_curve(
    chances: BestChances, position: Position, move: Move | None = None
) -> tuple[int, npt.NDArray[np.float64]]:
    """The best chances of final scores from a position: the first score, and the chance of each score from there.

    move: a legal move, after which the player to move has these chances.
    """
    sheet = position.sheet
    if move is None and (position.over or position.between_turns):
        curve = chances.curve(sheet)
        return sheet.points, curve.between(0, curve.high)
    turn = _whole_turn(chances, sheet)
    at_least = turn.at(position) if move is None else turn.after(position, move)
    return sheet.points, at_least[: int(np.flatnonzero(at_least)[-1]) + 1]


@lru_cache(maxsize=4)
def _whole_turn(chances: BestChances, sheet: Sheet) -> TurnValues:
    """A turn with its chances of all final scores; cached because it is needed after every roll and keep."""
    return window_turn(chances, sheet, sheet.points, sheet.points + chances.curve(sheet).high)


def curve_turn(chances: BestChances, sheet: Sheet, scores: npt.NDArray[np.int64]) -> TurnValues:
    """A turn in which worths are the chances of these final scores."""
    return TurnValues(chances.compiled, sheet, lambda after: chances.curve(after).take(scores - after.points))


def window_turn(chances: BestChances, sheet: Sheet, first: int, last: int) -> TurnValues:
    """The same for all final scores from `first` to `last`."""

    def worth_of(after: Sheet) -> npt.NDArray[np.float64]:
        return chances.curve(after).between(first - after.points, last - after.points)

    return TurnValues(chances.compiled, sheet, worth_of)


def open_target(solver: Opening, game: Game, name: objectives.Target) -> TargetChance:
    """`target:S`."""
    return TargetChance(solver.chances(game), solver.expected(game), name.score)


def open_score_at_chance(solver: Opening, game: Game, name: objectives.ScoreAtChance) -> ScoreAtChance:
    """`chance:P`."""
    return ScoreAtChance(solver.chances(game), name.probability)


def check_target(name: objectives.Target, game: Game) -> None:
    """Refuse a target that no game can reach."""
    if name.score > (most := most_points(game)):
        raise InputError(
            "{name}: a target for {game} is a whole number from 1 to {most}", name=name, game=game.id, most=most
        )
