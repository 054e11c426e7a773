"""Two players of many matches at once: a strategy whose moves are judged by the optimum, and the optimum.

Matches in the same position, which is a pair of states and a difference of points, form a group. Each position is
valued once, and its loss is a mean over all rolls (kernels/regret.py).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.lab.batch_player import key_of, turn_word
from yatzy.matches.endgames import Endgames, Layout
from yatzy.matches.leaves import SheetCurves, SheetSet, Window
from yatzy.matches.look_ahead import Asked, LookAhead, PairValues
from yatzy.matches.reach import TurnModel
from yatzy.matches.search import MatchSearch
from yatzy.model import CompiledGame
from yatzy.names import DynS
from yatzy.strategies.softened import choices
from yatzy.values.arrays import exact_turn_arrays, points_worth
from yatzy.values.curves import BestChances
from yatzy.values.expected import ExpectedScore
from yatzy.values.goals import no_curves, read_values
from yatzy.values.threads import run_ranges

STEP, LONG_STEP = 512, 4096
"""Positions per unit of work: some tens of milliseconds. The longer one is for what positions of a state share."""
ERROR = MatchSearch.tie
"""A loss above this counts as an error; values closer than this are equal for the searches themselves."""

FloatArray = npt.NDArray[np.float64]


class Seat:
    """The sheets of one player in many matches."""

    def __init__(self, compiled: CompiledGame, games: int, seed: int, first: int, stream: int) -> None:
        self._compiled, self._first, self._stream, self._keys = compiled, first, stream, key_of(seed)
        self.played = 0
        self.state, self.made = np.zeros(games, np.int32), np.zeros(games, np.int32)
        self.points = np.zeros((games, len(compiled.game.categories)), np.int16)
        self.jokers, self._trace = np.zeros(games, np.int32), np.zeros((0, 0, 0), np.int16)

    @property
    def states(self) -> npt.NDArray[np.int64]:
        """[match]: the state, counted from the first of the game."""
        return np.asarray(self.state + self._compiled.states.layer_start[self.played], np.int64)

    def table(self) -> kernels.Table:
        """What the kernels write the next turn to."""
        game, word = self._compiled.game, turn_word(self.played, self._stream)
        bonus = game.bonus.points if game.bonus else 0
        return kernels.Table(
            *self._keys, self._first, word, bonus, self._compiled.placing.outcome_category, self.state, self.made,
            self.points, self.jokers, self._trace,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions of many matches before a turn."""

    layer: int
    """The mover's filled categories."""
    rivals_layer: int
    groups: kernels.Groups
    rivals: npt.NDArray[np.int64]
    """[position]: the rival's state"""
    difference: npt.NDArray[np.int32]
    """[position]: the rival's points minus the mover's"""

    @classmethod
    def of(cls, mover: Seat, rival: Seat) -> Positions:
        """Group the matches, by the mover's state first."""
        states, rivals, difference = mover.states, rival.states, rival.made - mover.made
        order = np.lexsort((difference, rivals, states)).astype(np.int32)
        columns = [column[order] for column in (states, rivals, difference)]
        differs = np.zeros(len(order), np.bool_)
        for column in columns:
            differs |= np.diff(column, prepend=column[0] - 1) != 0
        cuts = np.flatnonzero(differs)
        states, rivals, difference = (column[cuts] for column in columns)
        groups = kernels.Groups(order, np.append(cuts, len(order)), states.astype(np.int64), np.zeros(0, np.int32))
        return cls(mover.played, rival.played, groups, rivals.astype(np.int64), difference.astype(np.int32))

    def __len__(self) -> int:
        return len(self.rivals)

    @property
    def depth(self) -> int:
        """How many categories both players have filled."""
        return self.layer + self.rivals_layer


class Judge:
    """Optimal play, and the turns of one player at a time."""

    def __init__(self, chances: BestChances, endgames: Endgames) -> None:
        self.chances, self.endgames, self.compiled = chances, endgames, chances.compiled
        self.model, self._worth = exact_turn_arrays(self.compiled), points_worth(self.compiled)
        game = self.compiled.game
        self._choices = choices(game.dice, game.faces, 1.0)

    def depth_of(self, positions: Positions) -> int:
        """The open categories of both players."""
        return 2 * len(self.compiled.game.categories) - positions.depth

    def nowhere(self, layer: int) -> kernels.Curves:
        """The first state of a layer, for the kernels."""
        return no_curves(int(self.compiled.states.layer_start[layer]))

    def look_up(self, pairs: Layout, positions: Positions, low: int, high: int) -> FloatArray:
        """[position - low, outcome]: the mover's value of every outcome, from the pairs of one depth less."""
        value, groups = np.empty((high - low, self.model.outcomes)), positions.groups
        kernels.look_up_outcomes(
            self.model, self.nowhere(positions.layer + 1), pairs.pairs, groups.state, positions.rivals,
            positions.difference, low, high, value,
        )  # fmt: skip
        return value

    def _optimum(self, positions: Positions) -> Layout:
        """The pairs after the turn, in the complete solution."""
        table = self.endgames.tables[self.depth_of(positions) - 1]
        table.make_ready(np.unique(positions.rivals) - table.layout.pairs.mover)
        return table.layout

    def play_best(self, mover: Seat, rival: Seat, pool: ThreadPoolExecutor | None) -> None:
        """Play an optimal turn of all matches."""
        positions, table = Positions.of(mover, rival), mover.table()
        after, nowhere = self._optimum(positions), self.nowhere(positions.layer + 1)

        def work(low: int, high: int) -> None:
            best = self.look_up(after, positions, low, high)
            kernels.play_best(self.model, nowhere, best, positions.groups, low, high, table)

        run_ranges(pool, work, 0, len(positions), STEP)
        mover.played += 1

    def play(
        self, player: JudgedPlayer, mover: Seat, rival: Seat, realised: FloatArray, pool: ThreadPoolExecutor | None
    ) -> tuple[FloatArray, FloatArray]:
        """Play a turn of a strategy in all matches; what its moves lose is added to `realised`.

        Returns, [match, roll of the turn], the mean loss in its position and the chance of an error.
        """
        positions, table = Positions.of(mover, rival), mover.table()
        after, layer = self._optimum(positions), positions.layer
        player.prepare(positions, pool)
        nowhere, groups = self.nowhere(layer + 1), positions.groups
        shape = len(positions), self.compiled.game.rolls
        losses = kernels.Losses(np.empty(shape), np.empty(shape), realised)
        promise = player.promise(layer + 1)
        first, end = self.compiled.states.layer_start[layer + 1 : layer + 3].tolist()
        rules = kernels.Rules(
            self._choices, self._worth, np.zeros(end - first) if promise is None else promise, promise is not None,
            player.tie, ERROR,
        )  # fmt: skip

        def work(low: int, high: int) -> None:
            best = self.look_up(after, positions, low, high)
            own, keeps = player.values(positions, low, high)
            kernels.judge_turns(self.model, nowhere, rules, best, own, keeps, groups, low, high, table, losses)

        run_ranges(pool, work, 0, len(positions), player.step)
        player.release()
        mover.played += 1
        count = np.diff(groups.begin)
        lost, erring = np.empty((len(mover.state), shape[1])), np.empty((len(mover.state), shape[1]))
        lost[groups.order], erring[groups.order] = (
            np.repeat(part, count, axis=0) for part in (losses.lost, losses.erring)
        )
        return lost, erring


NO_KEEPS = np.zeros((0, 0, 0))


class JudgedPlayer(ABC):
    """A strategy as the kernels judge it: the values of its outcomes or keeps."""

    tie: float
    """Moves this close to the best are equal to it."""
    step = STEP
    """Positions per unit of work."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

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


class PointsPlayer(JudgedPlayer):
    """The best strategy for points."""

    def __init__(self, judge: Judge, evaluator: ExpectedScore) -> None:
        super().__init__(judge)
        self.tie, self._evaluator = evaluator.tie, evaluator
        self._worth, self._to_come = points_worth(judge.compiled), np.zeros(0)

    def prepare(self, positions: Positions, pool: ThreadPoolExecutor | None) -> None:
        """Read the values of the next layer."""
        self._to_come = read_values(self.judge.compiled, self._evaluator.table, positions.layer + 1)

    def values(self, positions: Positions, low: int, high: int) -> tuple[FloatArray, FloatArray]:
        """The expected points."""
        judge = self.judge
        value, nowhere = np.empty((high - low, judge.model.outcomes)), judge.nowhere(positions.layer + 1)
        kernels.value_outcomes(
            judge.model, nowhere, self._worth, self._to_come, positions.groups.state, low, high, value
        )
        return value, NO_KEEPS


class SearchPlayer(JudgedPlayer):
    """EMP or DynS; searches never read endgame tables here."""

    tie = MatchSearch.tie

    def promise(self, layer: int) -> FloatArray | None:
        """The mean of the curve of each state, read as a distribution."""
        curves = self.judge.chances.curves(layer)
        total = np.concatenate([[0.0], np.cumsum(curves.chance, dtype=np.float64)])
        return np.asarray(curves.low - 1 + np.diff(total[curves.offset]))


class AheadPlayer(SearchPlayer):
    """A search of at least one turn."""

    def __init__(self, judge: Judge, turns: int, *, by_target: bool) -> None:
        super().__init__(judge)
        self._ahead, self._turns = LookAhead(judge.chances, by_target=by_target), turns
        self._model = TurnModel(judge.compiled)
        self._after: PairValues | None = None
        self._further = False

    def prepare(self, positions: Positions, pool: ThreadPoolExecutor | None) -> None:
        """Find the values of the pairs to which the positions lead, after one turn or two."""
        depth = self.judge.depth_of(positions)
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
        judge, after = self.judge, self._after
        assert after is not None
        if not self._further:
            return judge.look_up(after.layout, positions, low, high), NO_KEEPS
        value, groups = np.empty((high - low, judge.model.outcomes)), positions.groups
        kernels.look_ahead(
            self._model.of_size[4], self._model.used, judge.nowhere(positions.layer + 1),
            judge.nowhere(positions.rivals_layer + 1), after.layout.pairs, groups.state, positions.rivals,
            positions.difference, low, high, value,
        )  # fmt: skip
        return value, NO_KEEPS


class CurvePlayer(SearchPlayer):
    """A search of no turn, which evaluates the mover's curve after every move."""

    step = LONG_STEP

    def __init__(self, judge: Judge, *, by_target: bool) -> None:
        super().__init__(judge)
        self._by_target, self._model = by_target, TurnModel(judge.compiled)
        self._rivals, self._first = np.zeros((0, 0)), 0

    def prepare(self, positions: Positions, pool: ThreadPoolExecutor | None) -> None:
        """Find the rivals' chances of at least 0, 1, … points to come."""
        curves = self.judge.chances.curves(positions.rivals_layer)
        length = np.diff(curves.offset)
        self._rivals = np.empty((len(length), int((curves.low + length).max()) + 1))
        kernels.fill_curves(curves, np.arange(len(length)), np.zeros(len(length), np.int32), 0, self._rivals)
        self._first = curves.first

    def values(self, positions: Positions, low: int, high: int) -> tuple[FloatArray, FloatArray]:
        """The evaluation of the curves, state by state of the mover."""
        model = self.judge.model
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
        model, game = self.judge.model, self.judge.compiled.game
        link, ends = self._model.next_level(SheetSet(np.array([state], np.int64), np.zeros(1, np.int32)))
        sheets = SheetCurves(self.judge.chances, ends)
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


def judged_player(judge: Judge, evaluator: ExpectedScore | MatchSearch) -> JudgedPlayer:
    """A strategy in the form that is judged in bulk."""
    if isinstance(evaluator, ExpectedScore):
        return PointsPlayer(judge, evaluator)
    by_target = isinstance(evaluator.name, DynS)
    if evaluator.name.turns:
        return AheadPlayer(judge, evaluator.name.turns, by_target=by_target)
    return CurvePlayer(judge, by_target=by_target)
