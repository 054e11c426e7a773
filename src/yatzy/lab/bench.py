"""Judges positions of two players: the value of every move under perfect play, and the moves that strategies make.

Perfect play and the strategies look at the same sheets, those that the players can have after the next turns. So the
sheets of a position and their curves are found once for all of them, and the present turn is played back once, with a
lane for each. A strategy that is neither a search nor the best one for points is asked by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.games import Keep, Position, Sheet
from yatzy.matches.endgames import Endgames
from yatzy.matches.leaves import SheetCurves, SheetSet, best_target, common_window, expected_payoff
from yatzy.matches.reach import Plan, ReachableSheets, TurnModel, TurnSearch
from yatzy.matches.search import MatchSearch
from yatzy.names import DynS
from yatzy.names.payoffs import match_points
from yatzy.values.curves import BestChances
from yatzy.values.evaluator import Evaluator
from yatzy.values.expected import ExpectedScore
from yatzy.values.goals import read_values

PAYOFF = match_points(2)
POINTS, PROMISE = "points", "promise"
"""Columns: the expected final score, and that of the curve read as a distribution, which breaks ties of searches."""

FloatArray = npt.NDArray[Any]


class Bench:
    """Perfect play and some strategies; each thread has its own."""

    def __init__(self, chances: BestChances, endgames: Endgames, evaluators: Sequence[Evaluator]) -> None:
        self.chances, self.endgames, self.evaluators = chances, endgames, evaluators
        self.model = TurnModel(chances.compiled)
        self._layers: dict[int, FloatArray] = {}

    def judge(
        self, position: Position, wanted: Sequence[int], *, perfect: bool
    ) -> tuple[npt.NDArray[np.float64], list[int]]:
        """[legal move]: its value under perfect play, if asked for; and the moves of the wanted strategies.

        Strategies and moves are numbers: places in `evaluators` and in the legal moves.
        """
        turn, strategies = _Turn(self, position), [self.evaluators[number] for number in wanted]
        best = self._plan(position)
        sources = [self._source(evaluator, position) for evaluator in strategies]
        columns: list[Plan | str] = [best] if perfect else []
        columns += [one for one in sources if one is not None]
        columns += [PROMISE for one in strategies if isinstance(one, MatchSearch)]
        found = turn.values(list(dict.fromkeys(columns)))
        chosen = []
        for evaluator, source in zip(strategies, sources, strict=True):
            if source is not None:
                chosen.append(_best(evaluator, found[source], found.get(PROMISE)))
            elif isinstance(evaluator, MatchSearch):
                chosen.append(_best(evaluator, turn.by_curve(isinstance(evaluator.name, DynS)), found[PROMISE]))
            else:
                chosen.append(position.legal_moves.index(evaluator.best(position)))
        return found.get(best, np.empty(0)), chosen

    def _plan(self, position: Position) -> Plan:
        """The search of perfect play: down to the endgame tables."""
        left = sum(len(sheet.open) for sheet in position.sheets)
        return Plan(max(left - self.endgames.depth, 1), tables=True, exact=True)

    def _source(self, evaluator: Evaluator, position: Position) -> Plan | str | None:
        """The column of a strategy; None if it has none. A search to the end of the match is perfect play."""
        if isinstance(evaluator, ExpectedScore):
            return POINTS
        if not isinstance(evaluator, MatchSearch) or not evaluator.name.turns:
            return None
        if evaluator.name.turns >= sum(len(sheet.open) for sheet in position.sheets):
            return self._plan(position)
        return Plan(evaluator.name.turns, isinstance(evaluator.name, DynS))

    def points_to_come(self, layer: int) -> FloatArray:
        """[state of a layer]: the expected points to come."""
        if layer not in self._layers:
            solved = next(one for one in self.evaluators if isinstance(one, ExpectedScore))
            self._layers[layer] = read_values(self.chances.compiled, solved.table, layer)
        return self._layers[layer]


def _best(evaluator: Evaluator, values: FloatArray, promises: FloatArray | None) -> int:
    """The move that an evaluator chooses, as `Evaluator.best` does."""
    top = values.max()
    tied = np.flatnonzero(top - values <= max(evaluator.tie, evaluator.relative_tie * abs(top)))
    if isinstance(evaluator, MatchSearch) and promises is not None:
        return int(tied[promises[tied].argmax()])
    return int(tied[0])


class _Turn:
    """The turn of a position, shared by all who judge it."""

    def __init__(self, bench: Bench, position: Position) -> None:
        self._bench, self._position = bench, position
        mine, other = position.sheet, position.sheets[1 - position.mover]
        self._start = ReachableSheets(bench.model, self._sheets([mine]))
        if position.rolls_left:
            self._ends = self._start.level(1)
        else:
            played = (position.play(move) for move in position.legal_moves)
            self._ends = self._sheets([after.sheets[position.mover] for after in played])
        self._reaches = ReachableSheets(bench.model, self._ends), ReachableSheets(bench.model, self._sheets([other]))
        self._curves: dict[SheetSet, SheetCurves] = {}

    def _sheets(self, sheets: Sequence[Sheet]) -> SheetSet:
        find = self._bench.chances.compiled.states.find
        states, points = [find(sheet) for sheet in sheets], [sheet.points for sheet in sheets]
        return SheetSet(np.array(states, np.int64), np.array(points, np.int32))

    def _curves_of(self, sheets: SheetSet) -> SheetCurves:
        if sheets not in self._curves:
            self._curves[sheets] = SheetCurves(self._bench.chances, sheets)
        return self._curves[sheets]

    def values(self, columns: Sequence[Plan | str]) -> dict[Plan | str, FloatArray]:
        """By column, [legal move]: the values of the moves."""
        if not columns:
            return {}
        after = np.stack([self._after(column) for column in columns], axis=1)
        return dict(zip(columns, self._played_back(after).T, strict=True))

    def _after(self, column: Plan | str) -> FloatArray:
        """[sheet after the turn]: its value to the mover."""
        bench = self._bench
        if column == PROMISE:
            return self._curves_of(self._ends).means()
        if column == POINTS:
            layer = len(bench.chances.game.categories) - len(self._position.sheet.open) + 1
            first = bench.chances.compiled.states.layer_start[layer]
            return np.asarray(self._ends.points + bench.points_to_come(layer)[self._ends.states - first])
        assert isinstance(column, Plan)
        search = TurnSearch(bench.chances, bench.model, PAYOFF, column, bench.endgames, self._curves_of)
        return search.values(self._reaches, threads=1)

    def _played_back(self, after: FloatArray) -> FloatArray:
        """[sheet after the turn, lane] to [legal move, lane]."""
        if not self._position.rolls_left:
            return after  # the sheets are those after each move
        lanes = after.shape[1]
        padded = np.zeros((len(after), -(-lanes // kernels.LANES) * kernels.LANES))
        padded[:, :lanes] = after
        keeps = self._bench.model.keep_values(self._start, padded, self._position.rolls_left)
        return np.asarray(keeps[self._keeps, :lanes])

    @cached_property
    def _keeps(self) -> list[int]:
        index = self._bench.chances.compiled.lattice.index
        return [index[move.dice] for move in self._position.legal_moves if isinstance(move, Keep)]

    @cached_property
    def _move_curves(self) -> tuple[FloatArray, list[FloatArray]]:
        """[legal move, score]: the mover's curves after each move; and the opponent's, for the same scores."""
        mine, other = self._curves_of(self._ends), self._curves_of(self._reaches[1].levels[0])
        window = common_window([mine, other])
        curves = self._played_back(mine.take(window, slice(None), np.float64))
        curves[:, 0], curves[:, -1] = 1.0, 0.0
        return curves, [other.take(window, slice(None), np.float64)[0]]

    def by_curve(self, by_target: bool) -> FloatArray:
        """[legal move]: the evaluation of the mover's curve after it; the search of no turn."""
        judge = best_target if by_target else expected_payoff
        return judge(PAYOFF, *self._move_curves)
