"""Strategies in many matches at once, whose moves are judged by the optimum.

Each position is valued once, and its loss is a mean over all rolls (kernels/regret.py).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.lab.batch_player import BatchPlayer
from yatzy.lab.optimal_play import STEP, FloatArray, OptimalPlay, Positions
from yatzy.matches.leaves import SheetCurves, SheetSet, Window
from yatzy.matches.look_ahead import Asked, LookAhead, PairValues
from yatzy.matches.reach import TurnModel
from yatzy.matches.search import MatchSearch
from yatzy.names import DynS
from yatzy.strategies.softened import choices
from yatzy.values.arrays import points_worth
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.values.goals import read_values
from yatzy.values.threads import run_ranges

LONG_STEP = 4096
"""Positions per unit of work, for what positions of a state share."""
ERROR = MatchSearch.tie
"""A loss above this counts as an error; values closer than this are equal for the searches themselves."""

NO_KEEPS = np.zeros((0, 0, 0))


class JudgedPlayer(ABC):
    """A strategy as the kernels judge it: the values of its outcomes or keeps."""

    tie: float
    """Moves this close to the best are equal to it."""
    step = STEP
    """Positions per unit of work."""

    def __init__(self, optimum: OptimalPlay, chances: BestChances) -> None:
        self.optimum, self.chances, self.compiled = optimum, chances, optimum.compiled
        self._worth = points_worth(self.compiled)

    def prepare(self, positions: Positions, pool: ThreadPoolExecutor | None) -> None:
        """Find what the turns in these positions need; values are then asked for in several threads."""
        return

    def release(self) -> None:
        """Drop what was prepared."""
        return

    def promise(self, layer: int) -> FloatArray | None:
        """[state of a layer]: the points still to come that break ties; None if nothing does."""
        return None

    @abstractmethod
    def values(self, positions: Positions, low: int, high: int) -> tuple[FloatArray, FloatArray]:
        """[position - low, outcome]: the values of outcomes; [rolls left - 1, keep, position - low]: those of keeps.

        The latter is empty if keeps are worth what can follow.
        """

    def play(
        self, mover: BatchPlayer, rival: BatchPlayer, realised: FloatArray, pool: ThreadPoolExecutor | None
    ) -> tuple[FloatArray, FloatArray]:
        """Play a turn in all matches; what the moves lose is added to `realised`.

        Returns, [match, roll of the turn], the mean loss in its position and the chance of an error.
        """
        positions, table = Positions.of(mover, rival), mover.table(mover.played)
        optimum, game, layer = self.optimum, self.compiled.game, positions.layer
        after, nowhere, groups = optimum.after(positions), optimum.nowhere(layer + 1), positions.groups
        self.prepare(positions, pool)
        shape = len(positions), game.rolls
        losses = kernels.Losses(np.empty(shape), np.empty(shape), realised)
        promise, keeps_of = self.promise(layer + 1), choices(game.dice, game.faces, 1.0)
        first, end = self.compiled.states.layer_start[layer + 1 : layer + 3].tolist()
        rules = kernels.Rules(
            keeps_of.part, keeps_of.part_start, self._worth, np.zeros(end - first) if promise is None else promise,
            promise is not None, self.tie, ERROR,
        )  # fmt: skip

        def work(low: int, high: int) -> None:
            best = optimum.look_up(after, positions, low, high)
            own, keeps = self.values(positions, low, high)
            kernels.judge_turns(optimum.model, nowhere, rules, best, own, keeps, groups, low, high, table, losses)

        run_ranges(pool, work, 0, len(positions), self.step)
        self.release()
        mover.played += 1
        count = np.diff(groups.begin)
        lost, erring = np.empty((len(mover), shape[1])), np.empty((len(mover), shape[1]))
        lost[groups.order], erring[groups.order] = (
            np.repeat(part, count, axis=0) for part in (losses.lost, losses.erring)
        )
        return lost, erring


class PointsPlayer(JudgedPlayer):
    """The best strategy for points."""

    def __init__(self, optimum: OptimalPlay, chances: BestChances, evaluator: ExpectedScore) -> None:
        super().__init__(optimum, chances)
        self.tie, self._evaluator, self._to_come = evaluator.tie, evaluator, np.zeros(0)

    def prepare(self, positions: Positions, pool: ThreadPoolExecutor | None) -> None:
        """Read the values of the next layer."""
        self._to_come = read_values(self.compiled, self._evaluator.table, positions.layer + 1)

    def values(self, positions: Positions, low: int, high: int) -> tuple[FloatArray, FloatArray]:
        """The expected points."""
        optimum = self.optimum
        value, nowhere = np.empty((high - low, optimum.model.outcomes)), optimum.nowhere(positions.layer + 1)
        kernels.value_by_points(
            optimum.model, nowhere, self._worth, self._to_come, positions.groups.state, low, high, value
        )
        return value, NO_KEEPS


class SearchPlayer(JudgedPlayer):
    """EMP or DynS; searches never read endgame tables here."""

    tie = MatchSearch.tie

    def promise(self, layer: int) -> FloatArray | None:
        """The mean of the curve of each state, read as a distribution."""
        curves = self.chances.curves(layer)
        total = np.concatenate([[0.0], np.cumsum(curves.chance, dtype=np.float64)])
        return np.asarray(curves.low - 1 + np.diff(total[curves.offset]))


class AheadPlayer(SearchPlayer):
    """A search of at least one turn."""

    def __init__(self, optimum: OptimalPlay, chances: BestChances, turns: int, *, by_target: bool) -> None:
        super().__init__(optimum, chances)
        self._ahead, self._turns = LookAhead(chances, by_target=by_target), turns
        self._model = TurnModel(self.compiled)
        self._after: PairValues | None = None
        self._further = False

    def prepare(self, positions: Positions, pool: ThreadPoolExecutor | None) -> None:
        """Find the values of the pairs to which the positions lead, after one turn or two."""
        depth = self.optimum.depth_of(positions)
        self._further = self._turns > 1 and depth > 1
        if self._further:
            asked = Asked(positions.groups.state, positions.rivals, positions.difference)
            self._after = self._ahead.after_two_turns(depth - 2, self._turns - 2, asked, pool)
        else:
            self._after = self._ahead.after_turn(depth - 1, pool)

    def release(self) -> None:
        """Drop the pairs."""
        self._after = None

    def values(self, positions: Positions, low: int, high: int) -> tuple[FloatArray, FloatArray]:
        """What the search finds after the turn."""
        optimum, after = self.optimum, self._after
        assert after is not None
        if not self._further:
            return optimum.look_up(after.layout, positions, low, high), NO_KEEPS
        value, groups = np.empty((high - low, optimum.model.outcomes)), positions.groups
        kernels.look_ahead(
            self._model.of_size[4], self._model.used, optimum.nowhere(positions.layer + 1),
            optimum.nowhere(positions.rivals_layer + 1), after.layout.pairs, groups.state, positions.rivals,
            positions.difference, low, high, value,
        )  # fmt: skip
        return value, NO_KEEPS


class CurvePlayer(SearchPlayer):
    """A search of no turn, which evaluates the mover's curve after every move."""

    step = LONG_STEP

    def __init__(self, optimum: OptimalPlay, chances: BestChances, *, by_target: bool) -> None:
        super().__init__(optimum, chances)
        self._by_target, self._model = by_target, TurnModel(self.compiled)
        self._rivals, self._first = np.zeros((0, 0)), 0

    def prepare(self, positions: Positions, pool: ThreadPoolExecutor | None) -> None:
        """Find the rivals' chances of at least 0, 1, … points to come."""
        curves = self.chances.curves(positions.rivals_layer)
        length = np.diff(curves.offset)
        self._rivals = np.empty((len(length), int((curves.low + length).max()) + 1))
        kernels.fill_curves(curves, np.arange(len(length)), np.zeros(len(length), np.int32), 0, self._rivals)
        self._first = curves.first

    def values(self, positions: Positions, low: int, high: int) -> tuple[FloatArray, FloatArray]:
        """The evaluation of the curves, state by state of the mover."""
        model = self.optimum.model
        wide = -(-(high - low) // kernels.LANES) * kernels.LANES
        own, keeps = np.full((high - low, model.outcomes), -np.inf), np.zeros((model.rerolls, model.keeps, wide))
        states = positions.groups.state[low:high]
        cuts = np.flatnonzero(np.diff(states, prepend=-1, append=-1))
        for begin, end in pairwise(cuts.tolist()):
            link, ends, curves = self._curves(int(states[begin]))
            place = slice(low + begin, low + end)
            worths = self._worths(positions, place, curves.shape[1])
            found = self._evaluated(curves, worths)[:, : end - begin]
            happens = np.flatnonzero(link >= 0)
            own[begin:end, happens] = found[link[happens]].T
            keeps[:, :, begin:end] = found[ends:].reshape(model.rerolls, model.keeps, -1)
        return own, keeps

    def _curves(self, state: int) -> tuple[npt.NDArray[np.int32], int, FloatArray]:
        """The links of the outcomes of a state, the number of sheets they lead to, and curves of the points to come.

        [row, points]: those of these sheets, then those of all keeps by rolls left.
        """
        model, game = self.optimum.model, self.compiled.game
        link, ends = self._model.next_level(SheetSet(np.array([state], np.int64), np.zeros(1, np.int32)))
        sheets = SheetCurves(self.chances, ends)
        scores = sheets.most + 2
        wide = -(-scores // kernels.LANES) * kernels.LANES
        curves = np.zeros((len(ends) + model.rerolls * model.keeps, wide))
        curves[: len(ends), :scores] = sheets.take(Window(0, sheets.most), slice(None), np.float64)
        after = np.ascontiguousarray(curves[: len(ends)])
        for left in range(1, game.rolls):
            first = len(ends) + (left - 1) * model.keeps
            rolls = self._model.of_size[8]._replace(rerolls=left - 1)
            kernels.keep_values(rolls, state, link[0], after, curves[first : first + model.keeps])
        curves[:, 0] = 1.0
        return link[0], len(ends), curves

    def _worths(self, positions: Positions, place: slice, scores: int) -> FloatArray:
        """[position, points]: the rival's chance of at least as many points as the mover's present ones and these."""
        rivals, difference = positions.rivals[place] - self._first, positions.difference[place]
        at = np.arange(scores) - difference[:, None]
        last = self._rivals.shape[1] - 1
        return np.where(at < 0, 1.0, self._rivals[rivals[:, None], np.clip(at, 0, last)])

    def _evaluated(self, curves: FloatArray, theirs: FloatArray) -> FloatArray:
        """[row, position]: the evaluation, and more positions up to a whole vector."""
        lanes = -(-len(theirs) // kernels.LANES) * kernels.LANES
        worth, value = np.zeros((curves.shape[1] - 1, lanes)), np.empty((len(curves), lanes))
        if self._by_target:
            worth[:, : len(theirs)] = (1.0 - theirs[:, :-1]).T
            kernels.best_targets(curves[:, :-1], np.zeros_like(worth), worth, 0, len(curves), value)
        else:
            worth[:, : len(theirs)] = (1.0 - 0.5 * (theirs[:, :-1] + theirs[:, 1:])).T
            kernels.expected_worths(curves[:, :-1] - curves[:, 1:], worth, value)
        return value


def judged_player(optimum: OptimalPlay, chances: BestChances, evaluator: ExpectedScore | MatchSearch) -> JudgedPlayer:
    """A strategy in the form that is judged in bulk."""
    if isinstance(evaluator, ExpectedScore):
        return PointsPlayer(optimum, chances, evaluator)
    by_target = isinstance(evaluator.name, DynS)
    if evaluator.name.turns:
        return AheadPlayer(optimum, chances, evaluator.name.turns, by_target=by_target)
    return CurvePlayer(optimum, chances, by_target=by_target)
