"""The best response to opponents with fixed strategies, which are known and do not depend on ours.

Let f_i be the probability mass function of the final score of opponent i, exact from its present sheet
(evaluation/evaluating.py), and F_i(x) the chance of fewer than x points. Our moves do not change them, so finishing
with x points is worth

    u(x) = Σ over a, b of the chance that a opponents are above x and b tied with it · the payoff of that place,

which for match points is Σ_i F_i(x) + ½ f_i(x). Playing against these opponents is therefore a one-player game with a
utility (values/utility.py), and its value is the expected payoff of the best response. From the start of the game it is
stored as a table (`BestAnswer`).

Move by move (`FixedOpponents`), the f_i are computed from the opponents' present sheets. Only states reachable from the
mover's sheet are solved, in double precision, each for all points x that can be scored on the way there:

    V(x) = u(points now + x) when all categories are filled; else a turn in which scoring p leads to V'(x + p).

This is the value of looking at the opponents' sheets now and never again. Recomputing it every turn does at least as
well, because the plan of the previous turn is still available.

Tillius (2026) shows with one end position that maximising points is not the best response to an opponent; the
position is among the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError, Message, PositionError, SizeError
from yatzy.evaluation.distribution import Distribution
from yatzy.evaluation.evaluating import evaluate
from yatzy.games import Game, Move, Position, Sheet
from yatzy.matches.evaluator import MatchEvaluator
from yatzy.matches.leaves import worth_of_score
from yatzy.model import CompiledGame, compile_game
from yatzy.names import Objective
from yatzy.names.payoffs import Payoff, PayoffName, payoff_for
from yatzy.strategies.base import Strategy
from yatzy.strategies.best import as_strategy
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.evaluator import MoveValue, Solution
from yatzy.values.goals import no_curves
from yatzy.values.resources import DEFAULTS, Resources
from yatzy.values.tables import block_of
from yatzy.values.threads import core_count, run_ranges
from yatzy.values.turn import TurnValues
from yatzy.values.utility import UtilityFunction, UtilityScore

LIMIT = 10_000_000
"""Limit on the values solved for one position: about five seconds on two cores."""
STEP = 4096
"""States whose turns are processed together: their outcomes take a few megabytes."""
RUN, GAP = 256, 8
"""States per unit of work, and the largest gap of unneeded states that does not start a new unit."""
DIGITS = 10
"""Decimals of a utility that identifies a table: threads sum in any order, so the last digits of a double vary."""

FloatArray: TypeAlias = npt.NDArray[np.float64]
Scores: TypeAlias = npt.NDArray[np.int32]
Play: TypeAlias = Callable[[Strategy, int], Scores]
"""Plays games by a strategy with the dice of a stream, which are the same in every call: [game], the final score."""
Worth: TypeAlias = Callable[[npt.NDArray[np.int64]], FloatArray]
"""The worth of final scores."""


def utility_against(opponents: Sequence[Distribution], payoff: Payoff | None = None) -> UtilityFunction:
    """The expected payoff of finishing with x points against these distributions; match points by default."""
    payoff = payoff_for("match-points" if payoff is None else payoff, len(opponents) + 1)
    for number, one in enumerate(opponents, 1):
        if abs(float(one.mass.sum()) - 1) > 1e-6 or one.mass.min() < 0:
            raise InputError("opponent {number}: the chances of all scores must add up to 1", number=number)
    scores = max(map(len, opponents)) + 1  # the last score beats everyone
    curves = []
    for one in opponents:
        at_least = np.zeros(scores + 1)
        at_least[: len(one)] = np.cumsum(one.mass[::-1])[::-1]
        at_least[0] = 1.0
        curves.append(at_least)
    return UtilityFunction(0, tuple(worth_of_score(payoff, curves).tolist()))


@dataclass(frozen=True, slots=True)
class AnswerTo(Objective):
    """The name of the best response to opponents."""

    opponents: tuple[str, ...]
    form = "answer:STRATEGY,…"

    def __str__(self) -> str:
        return f"answer:{','.join(self.opponents)}"

    @property
    def several(self) -> bool:
        """Always true."""
        return True


@dataclass(frozen=True, eq=False)
class FixedPlayer:
    """A player whose distribution of the final score is known."""

    name: str
    score: Distribution
    strategy: Strategy | None = None
    """How it plays, if known."""


def fixed_player(
    player: Strategy | Solution | Distribution | FixedPlayer, resources: Resources = DEFAULTS
) -> FixedPlayer:
    """A player from the start of a game; a solution stands for the best strategy for its objective."""
    if isinstance(player, FixedPlayer):
        return player
    if isinstance(player, Distribution):
        return FixedPlayer("distribution", player)
    strategy = as_strategy(player)
    what = Message("{game} as {strategy} plays it", game=strategy.game, strategy=strategy.name)
    watch = resources.watch(what, "Evaluating")
    return FixedPlayer(strategy.name, evaluate(strategy, threads=resources.threads, progress=watch).score, strategy)


class BestAnswer(UtilityScore):
    """A game solved against fixed opponents from the start; its value there is the expected payoff."""

    def __init__(
        self, game: Game, opponents: Sequence[FixedPlayer], payoff: Payoff | PayoffName | str = "match-points",
        resources: Resources = DEFAULTS,
    ) -> None:  # fmt: skip
        self.opponents = tuple(opponents)
        self.payoff = payoff_for(payoff, len(opponents) + 1)
        exact = utility_against([one.score for one in opponents], self.payoff)
        utility = replace(exact, worths=tuple(round(worth, DIGITS) + 0.0 for worth in exact.worths))  # avoid -0.0
        name = AnswerTo(tuple(one.name for one in opponents))
        super().__init__(game, utility, resources, str(name))
        self.name, self.unit = name, self.payoff.unit  # the table is identified by its utility, not by the opponents

    def paid(self, score: Distribution) -> float:
        """The expected payoff of another player against the same opponents."""
        return float(score.mass @ self.utility(np.arange(len(score))))


def answer_to(
    game: Game,
    opponents: Sequence[Strategy | Solution | Distribution | FixedPlayer],
    payoff: Payoff | PayoffName | str = "match-points",
    resources: Resources = DEFAULTS,
) -> BestAnswer:
    """The best response to some opponents from the start of a game; its table is built if missing."""
    for one in opponents:
        strategy = one.strategy if isinstance(one, FixedPlayer) else one
        if isinstance(strategy, Strategy | Solution):
            _check_game(strategy, game)
    payoff_for(payoff, len(opponents) + 1)  # fails before any opponent is evaluated
    players = {id(one): fixed_player(one, resources) for one in {id(one): one for one in opponents}.values()}
    return BestAnswer(game, [players[id(one)] for one in opponents], payoff, resources)


@dataclass(frozen=True, eq=False)
class PaidGames:
    """Payoffs of games, [game] each, for two players with the same dice against the same opponents' dice."""

    answer: FloatArray
    expected: FloatArray

    @property
    def gain(self) -> FloatArray:
        """[game]: the answer's payoff minus the other player's."""
        return self.answer - self.expected


@dataclass(frozen=True, eq=False)
class Gain:
    """The gain of the best response over another strategy, against the same opponents."""

    answer_exact: float
    """The expected payoff of the best response, in the single precision of its table."""
    expected_exact: float
    """The expected payoff of the strategy it is compared with, by default the one that maximises points."""
    games: PaidGames | None = None
    """The payoffs in played games, if games were played."""

    @property
    def gain_exact(self) -> float:
        """The expected gain of the best response."""
        return self.answer_exact - self.expected_exact


def gain(answer: BestAnswer, expected: Strategy | Solution | FixedPlayer, play: Play | None = None,
         resources: Resources = DEFAULTS) -> Gain:  # fmt: skip
    """The gain of the best response over the expected-score strategy; with `play`, also in played games.

    Both play with the dice of stream 0, and opponent i with those of stream i, so that most of the luck cancels.
    """
    other = fixed_player(expected, resources)
    exactly = answer.value(Sheet.start(answer.game)), answer.paid(other.score)
    if play is None:
        return Gain(*exactly)
    first, *rest = (_strategy_of(one) for one in (other, *answer.opponents))
    opponents = [play(strategy, stream) for stream, strategy in enumerate(rest, 1)]
    mine, others = (payoffs_of_games(answer.payoff, play(one, 0), opponents) for one in (as_strategy(answer), first))
    return Gain(*exactly, PaidGames(mine, others))


def payoffs_of_games(payoff: Payoff, mine: Scores, opponents: Sequence[Scores]) -> FloatArray:
    """[game]: a player's payoff in games that ended with these scores, [game] each."""
    above, level = (np.sum([compare(one, mine) for one in opponents], axis=0) for compare in (np.greater, np.equal))
    places = payoff.players
    pays = np.array([[payoff.of_place(a, b) if a + b < places else 0.0 for b in range(places)] for a in range(places)])
    return np.asarray(pays[above, level])


def _strategy_of(player: FixedPlayer) -> Strategy:
    if player.strategy is None:
        raise InputError("only strategies can play games, and only the distribution of this player is known")
    return player.strategy


def _check_game(player: Strategy | Solution, game: Game) -> None:
    if player.game != game:
        name = player.objective if isinstance(player, Solution) else player.name
        raise InputError(
            "{name} plays {game}, but the match is of {other}", name=name, game=player.game.id, other=game.id
        )


class FixedOpponents(MatchEvaluator):
    """A match against fixed opponents; every position is evaluated with their present sheets.

    The opponents are the players who are not to move, in the order of the sheets.
    """

    payoff: Payoff
    tie = 1e-6  # at the start, values come from a table in single precision
    zero_sum = False  # the opponents do not play for the payoff

    def __init__(
        self,
        game: Game,
        opponents: Sequence[Strategy | Solution],
        payoff: Payoff | PayoffName | str = "match-points",
        resources: Resources = DEFAULTS,
        limit: int = LIMIT,
    ) -> None:
        """`limit`: the most values to solve for one position; a whole game needs some tens of millions."""
        for one in opponents:
            _check_game(one, game)
        self.game, self.limit, self.resources = game, limit, resources
        self.opponents = tuple(map(as_strategy, opponents))
        self.payoff = payoff_for(payoff, len(opponents) + 1)
        self.name, self.unit = AnswerTo(tuple(one.name for one in self.opponents)), self.payoff.unit
        self._compiled = compile_game(game)
        self._final = lru_cache(maxsize=64)(self._evaluate)
        self._turn = lru_cache(maxsize=32)(self._solve_turn)
        self._points = lru_cache(maxsize=32)(self._solve_points)

    @cached_property
    def start(self) -> BestAnswer:
        """The best response from the start of the game, from its table."""
        return answer_to(self.game, self.opponents, self.payoff, self.resources)

    def value(self, position: Position) -> float:
        """The value of a position to the player to move; to the first player when the match is over."""
        mover, others = self._sheets(position)
        if position.over:
            return self.payoff.of_scores([sheet.points for sheet in position.sheets])[position.mover]
        return float(self._turn(mover, others).at(position))

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value, in the order of `legal_moves`; expected points break ties."""
        mover, others = self._sheets(position)
        moves = position.legal_moves
        if not moves:
            return []
        turn = self._turn(mover, others)
        values = [float(turn.after(position, move)) for move in moves]
        seconds = [0.0] * len(moves)
        if mover.filled and sum(self.tied(value, max(values)) for value in values) > 1:
            points = self._points(mover)
            seconds = [float(points.after(position, move)) for move in moves]
        return list(map(MoveValue, moves, values, seconds))

    def value_after(self, position: Position, move: Move) -> float:
        """From the turn, which covers struck categories too."""
        return float(self._turn(*self._sheets(position)).after(position, move))

    def _sheets(self, position: Position) -> tuple[Sheet, tuple[Sheet, ...]]:
        """The mover's sheet and those of the opponents, reduced to what matters."""
        if position.game != self.game:
            raise InputError(
                "the position is of {game}, the opponents play {other}", game=position.game.id, other=self.game.id
            )
        if len(position.sheets) != self.payoff.players:
            raise PositionError(
                "the position has {count} players, the match {players}",
                count=len(position.sheets),
                players=self.payoff.players,
            )
        for number, sheet in enumerate(position.sheets, 1):
            if not sheet.points_known:
                raise PositionError("a match is decided by points: give those of player {number}", number=number)
        sheets = [replace(sheet, boxes=None) for sheet in position.sheets]
        return sheets.pop(position.mover), tuple(sheets)

    def _evaluate(self, strategy: Strategy, sheet: Sheet) -> Distribution:
        return evaluate(strategy, Position((sheet,)), self.resources.threads).score

    def _solve_turn(self, mover: Sheet, others: tuple[Sheet, ...]) -> TurnValues:
        if not mover.filled and not any(sheet.filled for sheet in others):
            return self.start.turn(mover)
        reachable = ReachableStates(self._compiled, mover, self.limit)  # before the opponents, which take a second each
        scores = [self._final(*one) for one in zip(self.opponents, others, strict=True)]
        return reachable.turn(utility_against(scores, self.payoff), self.resources.threads)

    def _solve_points(self, mover: Sheet) -> TurnValues:
        return ReachableStates(self._compiled, mover, self.limit).turn(
            lambda scores: scores.astype(np.float64), self.resources.threads
        )


class ReachableStates:
    """The states reachable from a sheet, and the points that can be scored on the way there."""

    def __init__(self, compiled: CompiledGame, sheet: Sheet, limit: int) -> None:
        self._compiled, self._sheet, self._limit = compiled, sheet, limit
        self._first = sheet.filled.bit_count() + 1
        self._offsets = self._follow()
        """By layer: int64[state of the layer + 1], the offsets of the values of each state; empty where unreachable."""

    def turn(self, worth: Worth, threads: int | None = None) -> TurnValues:
        """The turn from the sheet, given the worth of final scores."""
        states, sheet = self._compiled.states, self._sheet
        first, offset = int(states.layer_start[self._first]), self._offsets[0]
        value = self._solve(worth, threads)

        def worth_of(after: Sheet) -> float:
            begin, end = offset[states.find(after) - first :][:2].tolist()
            made = after.points - sheet.points
            # Outcomes that cannot happen without a Joker have no value and are not read again.
            return float(value[begin + made]) if made < end - begin else -np.inf

        return TurnValues(self._compiled, sheet, worth_of)

    def _follow(self) -> list[npt.NDArray[np.int64]]:
        arrays, starts = exact_turn_arrays(self._compiled), self._compiled.states.layer_start
        used = np.ones(self._compiled.placing.rows.total, np.bool_)
        states, most = np.array([self._compiled.states.find(self._sheet)], np.int64), np.zeros(1, np.int64)
        offsets, values = [], 0
        for first, end in pairwise(starts[self._first :].tolist()):
            width = np.zeros(end - first, np.int64)
            for begin in range(0, len(states), STEP):
                piece = slice(begin, min(begin + STEP, len(states)))
                shape = (piece.stop - begin, arrays.outcomes)
                to, points = np.empty(shape, np.int64), np.empty(shape, np.int32)
                kernels.find_next(arrays, no_curves(first), used, states[piece], to, points)
                happens = to >= 0
                np.maximum.at(width, to[happens], (points + most[piece, None] + 1)[happens])
            met = np.flatnonzero(width)
            states, most = met + first, width[met] - 1
            offsets.append(np.concatenate([[0], np.cumsum(width)]))
            values += int(offsets[-1][-1])
            if values > self._limit:
                raise SizeError(
                    "with {count} open categories the answer takes more than {limit:,} values, the limit for one"
                    " position; ask later in the game, or from the start, where there is a table",
                    count=len(self._sheet.open),
                    limit=self._limit,
                )
        return offsets

    def _solve(self, worth: Worth, threads: int | None) -> FloatArray:
        """The values of the states after the turn, laid out by the first entry of the offsets."""
        last = self._offsets[-1]
        value = worth(self._sheet.points + np.arange(last[-1]) - np.repeat(last[:-1], np.diff(last)))
        with ThreadPoolExecutor(threads or core_count()) as pool:
            for place in range(len(self._offsets) - 2, -1, -1):
                value = self._play_back(place, value, pool)
        return value

    def _play_back(self, place: int, value: FloatArray, pool: ThreadPoolExecutor) -> FloatArray:
        """The values of the states of a layer, from those of the next layer."""
        arrays, offset = exact_turn_arrays(self._compiled), self._offsets[place]
        first, end = self._compiled.states.layer_start[self._first + place :][:2].tolist()
        after = kernels.Curves(end, np.zeros(0, np.int32), self._offsets[place + 1], value)
        here, runs = np.empty(int(offset[-1])), _runs(np.flatnonzero(np.diff(offset)))

        def work(begin: int, stop: int) -> None:
            for low, high in runs[begin:stop]:
                block = block_of(arrays.block_start, first + low)
                kernels.solve_utilities(arrays, after, first + low, first + high, block, offset[low : high + 1], here)

        run_ranges(pool, work, 0, len(runs), 1)
        return here


def _runs(met: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Ranges that cover the given states of a layer, with few others in between."""
    runs = []
    for part in np.split(met, np.flatnonzero(np.diff(met) > GAP) + 1):
        low, high = int(part[0]), int(part[-1]) + 1
        runs += [(begin, min(begin + RUN, high)) for begin in range(low, high, RUN)]
    return runs
