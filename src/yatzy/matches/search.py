"""Nearly optimal play for any number of players: search a few whole turns and evaluate the leaves.

Between turns a match consists of a sheet for every player and the player to move. A search of d turns, of which the
rest of the present turn is the first, computes

    V = the payoff when the match is over, or the evaluation of the leaf (leaves.py) after d turns
    V = the turn of the mover, in which every ending is worth the V after it (reach.py)

Either everyone chooses for themselves, or all others against the player who searches (`names.Others`).
With d = 0 every move is evaluated directly: the mover's curve is taken through the rest of the turn, separately for
each score, and the resulting curve is evaluated. Only the first turn depends on the dice on the table; once the values
after it are known, all positions of the turn follow. If exact endgame tables cover the leaves, or the match is over
there, the values are those of optimal play.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, PositionError
from yatzy.games import Game, Move, Position, Sheet, placements
from yatzy.matches.evaluator import MatchEvaluator
from yatzy.matches.leaves import SheetCurves, SheetSet, Window, best_target, common_window, expected_payoff
from yatzy.matches.reach import ExactValues, Plan, ReachableSheets, TurnModel, TurnSearch, turns_of, zero_sum
from yatzy.names import Auto, DynS, Emp, MatchObjective, Others, parse_match_objective
from yatzy.names.payoffs import Payoff, PayoffName, match_points, parse_payoff
from yatzy.store.revisions import Computation
from yatzy.values.curves import BestChances
from yatzy.values.evaluator import MoveValue
from yatzy.values.kinds import CURVES, ENDGAMES
from yatzy.values.opening import Opening
from yatzy.values.targets import window_turn
from yatzy.values.threads import core_count
from yatzy.values.turn import TurnValues

MATCH_SEARCH = Computation("match-search", uses=(CURVES, ENDGAMES))
PRODUCTS, TURNS, REST = 3e10, 1.8e6, 0.03
"""Multiply-adds and turns of a lane per second on one core, and the fixed overhead in seconds."""
MANY = 10.0
"""Slowdown of both when the values of several players are carried in double precision."""
SCORES = 600
"""Approximate number of scores in a window."""
KEPT = 32
"""Turns and answers to cache."""

FloatArray = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class MatchAnswer:
    """The result of searching a position."""

    position: Position
    objective: str
    """What was searched; for match:auto, the search it chose."""
    depth: int
    """Turns searched, including the present one"""
    exact: bool
    """Whether these are the values of optimal play"""
    value: float
    moves: tuple[MoveValue, ...]
    seconds: float
    others: Others | None = None
    """What was assumed about the other players' turns; None if none was searched or there is no choice (zero sum)"""


class MatchSearch(MatchEvaluator):
    """A match of two or more players; every position is answered by search."""

    name: MatchObjective
    tie = 2e-6  # values come from curves in single precision

    def __init__(
        self,
        chances: BestChances,
        objective: MatchObjective | str,
        payoff: Payoff | PayoffName | str = "match-points",
        *,
        exact: ExactValues | None = None,
        threads: int | None = None,
    ) -> None:
        self.game: Game = chances.game
        self.chances, self.table = chances, chances.table
        self.name = parse_match_objective(objective) if isinstance(objective, str) else objective
        # With no turn searched, whole curves are evaluated, and those values are not averages.
        self.additive = self.name.turns > 0 or self.name.seconds > 0
        self.payoff = parse_payoff(payoff) if isinstance(payoff, str) else payoff
        self.exact, self.unit = exact, self.payoff.unit
        self._compiled, self._threads = chances.compiled, threads or core_count()
        self._model = TurnModel(self._compiled)
        self._answers: dict[Position, MatchAnswer] = {}
        self._turns: dict[tuple[tuple[Sheet, ...], Plan], TurnValues] = {}
        self._depths: dict[tuple[tuple[Sheet, ...], tuple[int, ...]], tuple[int, float]] = {}
        self._met = set[tuple[Plan, int]]()
        """The plans and numbers of players with which a position after the last roll was answered."""
        self._keeping = Lock()  # a server calls from many threads
        self._slowness = 1.0
        self._reach = lru_cache(maxsize=8)(self._new_reach)
        self._promise = lru_cache(maxsize=32)(self._solve_promise)
        self._curve_turn = lru_cache(maxsize=8)(self._solve_curve_turn)

    def value(self, position: Position) -> float:
        """The value of a position to the player to move; to the first player when the match is over."""
        return self.answer(position).value

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value; expected points break ties."""
        return list(self.answer(position).moves)

    def answer(self, position: Position) -> MatchAnswer:
        """The values of a position and its moves, and how they were found; cached."""
        found = self._answers.get(position)
        if found is None:
            found = self._find_answer(position)
            self._keep(self._answers, position, found)
        return found

    def is_prompt(self, position: Position) -> bool:
        """Whether an answer surely takes only about a millisecond, with no kernel to load or compile before."""
        if not _knows_dice(position) or position.over or self.name.seconds:
            return False
        plan, _ = self._plan(position, self._payoff_for(position))
        return plan.depth == 1 and (plan, len(position.sheets)) in self._met

    def _find_answer(self, position: Position) -> MatchAnswer:
        begun, payoff = time.perf_counter(), self._payoff_for(position)
        if position.over:
            value = payoff.of_scores([sheet.points for sheet in position.sheets])[position.mover]
            return MatchAnswer(position, self.objective, 0, True, value, (), time.perf_counter() - begun)
        plan, guess = self._plan(position, payoff)
        moves = position.legal_moves
        if not plan.depth:
            values, here = self._by_curve(position, moves, payoff, plan.by_target)
        elif _knows_dice(position) and (position.sheets, plan) not in self._turns:
            values = self._search(position, payoff, plan).tolist()
            here = max(values)
            self._met.add((plan, len(position.sheets)))
        else:
            turn = self._turn(position, payoff, plan)
            values, here = [float(turn.after(position, move)) for move in moves], float(turn.at(position))
        seconds = time.perf_counter() - begun
        if guess and seconds > 2 * REST:  # damped: move halfway (in logarithms) towards the measured time
            self._slowness *= min(max(seconds / guess, 0.25), 4.0) ** 0.5
        entries = tuple(map(MoveValue, moves, values, self._promises(position, moves, values)))
        chosen = Emp(plan.depth, self.name.others) if isinstance(self.name, Auto) else self.name
        others = None if zero_sum(payoff) or plan.depth < 2 else self.name.others
        return MatchAnswer(position, str(chosen), plan.depth, plan.exact, here, entries, seconds, others)

    def _payoff_for(self, position: Position) -> Payoff:
        players = len(position.sheets)
        if position.game != self.game:
            raise InputError(
                "the position is of {game}, the search of {other}", game=position.game.id, other=self.game.id
            )
        if players < 2:
            raise PositionError("a match needs at least two players; this position has one")
        for number, sheet in enumerate(position.sheets, 1):
            if not sheet.points_known:
                raise PositionError("a match is decided by points: give those of player {number}", number=number)
        return self.payoff_for(players)

    def _plan(self, position: Position, payoff: Payoff) -> tuple[Plan, float]:
        """The depth to search, at most to the first leaves of known value, and the estimated time."""
        left = sum(len(sheet.open) for sheet in position.sheets)
        tables = self.exact if payoff == match_points(2) else None
        known = max(left - tables.depth, 1) if tables is not None else left
        guess = 0.0
        if isinstance(self.name, Auto):
            # Cached, so that every decision of a turn is searched to the same depth.
            key = (position.sheets, position.dice if _knows_dice(position) else ())
            found = self._depths.get(key) or self._affordable(position, payoff, known, self.name.seconds)
            depth, guess = found
            self._keep(self._depths, key, found)
        else:
            depth = self.name.turns
        against = self._one_value(payoff) and not zero_sum(payoff)
        if known <= max(depth, 1 if tables is not None else 0):
            return Plan(known, tables=tables is not None, exact=True, against=against), guess
        return Plan(depth, isinstance(self.name, DynS), against=against), guess

    def _one_value(self, payoff: Payoff) -> bool:
        """Whether the value of the searching player decides all turns."""
        return zero_sum(payoff) or self.name.others is Others.AGAINST_YOU

    def _affordable(self, position: Position, payoff: Payoff, known: int, seconds: float) -> tuple[int, float]:
        """The most turns that can be searched in the given time, from the amount of work, and the estimated time."""
        reaches, depth, guess = self._reaches(position), 1, 0.0
        while depth < known:
            # A set not yet computed may be large: first check the time, assuming it is the size of the one before.
            if self._guess(reaches, payoff, depth + 1, look=False) > seconds:
                break
            longer = self._guess(reaches, payoff, depth + 1, look=True)
            if longer > seconds:
                break
            depth, guess = depth + 1, longer
        return depth, guess

    def _guess(self, reaches: Sequence[ReachableSheets], payoff: Payoff, depth: int, *, look: bool) -> float:
        """The estimated seconds of a search; without `look`, a set not yet computed is assumed as large as the last."""
        players, levels = len(reaches), turns_of(len(reaches), depth)
        levels[0] -= 1

        def size(player: int, less: int = 0) -> int:
            reach, level = reaches[player], levels[player] - less
            return len(reach.level(level) if look else reach.levels[min(level, len(reach.levels) - 1)])

        def lanes(q: int) -> int:
            return prod(size(player) for player in range(players) if player != q)

        q = (depth - 1) % players
        products, played = size(q) * lanes(q) * SCORES, 0
        for turn in range(depth - 1, 0, -1):
            q = turn % players
            played += size(q, less=1) * lanes(q)
            levels[q] -= 1
        if self._one_value(payoff):
            seconds = products / PRODUCTS + played / TURNS
        else:
            seconds = MANY * (products / PRODUCTS + played / TURNS)
        return self._slowness * (seconds / self._threads + REST)

    def _reaches(self, position: Position) -> list[ReachableSheets]:
        """The sheets that all players can have, in the order of play; those of the mover after the present turn."""
        find, mover = self._compiled.states.find, position.mover
        if _knows_dice(position):  # only a few ways to end the turn
            sheet = position.sheet
            placed = placements(sheet, position.dice)  # in the order of the legal moves
            ends = self._sheet_set([sheet.fill(one.category, one.points, one.joker_bonus) for one in placed])
        else:
            ends = self._reach(find(position.sheet), position.sheet.points).level(1)
        others = (*position.sheets[mover + 1 :], *position.sheets[:mover])
        return [ReachableSheets(self._model, ends), *(self._reach(find(sheet), sheet.points) for sheet in others)]

    def _search(self, position: Position, payoff: Payoff, plan: Plan) -> FloatArray:
        """[sheet with which the mover may end the turn]: its value to the mover."""
        search = TurnSearch(self.chances, self._model, payoff, plan, self.exact)
        return search.values(self._reaches(position), self._threads)

    def _sheet_set(self, sheets: Sequence[Sheet]) -> SheetSet:
        states = self._compiled.states
        return SheetSet(
            np.array([states.find(sheet) for sheet in sheets], np.int64),
            np.array([sheet.points for sheet in sheets], np.int32),
        )

    def _new_reach(self, state: int, points: int) -> ReachableSheets:
        return ReachableSheets(self._model, SheetSet(np.array([state], np.int64), np.array([points], np.int32)))

    def _turn(self, position: Position, payoff: Payoff, plan: Plan) -> TurnValues:
        """The values inside the mover's turn, from the cache or by search."""
        key = (position.sheets, plan)
        turn = self._turns.get(key)
        if turn is None:
            find, sheet = self._compiled.states.find, position.sheet
            start = Position(position.sheets)
            ends = self._reach(find(sheet), sheet.points).level(1)
            values = self._search(start, payoff, plan).tolist()
            known = dict(zip(zip(ends.states.tolist(), ends.points.tolist(), strict=True), values, strict=True))
            # Outcomes that cannot happen without a Joker have no value and are not read again.
            turn = TurnValues(self._compiled, sheet, lambda end: known.get((find(end), end.points), -np.inf))
            self._keep(self._turns, key, turn)
        return turn

    def _keep(self, memory: dict[Any, Any], key: Any, value: Any) -> None:
        """Cache a value, dropping the oldest one if the cache is full."""
        with self._keeping:
            while len(memory) >= KEPT and key not in memory:
                del memory[next(iter(memory))]
            memory[key] = value

    def _by_curve(
        self, position: Position, moves: Sequence[Move], payoff: Payoff, by_target: bool
    ) -> tuple[list[float], float]:
        """Evaluate the curve that the mover has after the turn, for every move and for the position."""
        mover, sheet = position.mover, position.sheet
        others = [self._sheet_set([one]) for i, one in enumerate(position.sheets) if i != mover]
        curves = [SheetCurves(self.chances, one) for one in others]
        ends = self._reach(self._compiled.states.find(sheet), sheet.points).level(1)
        window = common_window([SheetCurves(self.chances, ends), *curves])
        opponents = [one.take(window, slice(None), np.float64)[0] for one in curves]
        turn = self._curve_turn(sheet, window)
        judge = best_target if by_target else expected_payoff

        def judged(curve: Any) -> float:
            curve = np.array(curve)
            curve[0], curve[-1] = 1.0, 0.0
            return float(judge(payoff, curve, opponents))

        return [judged(turn.after(position, move)) for move in moves], judged(turn.at(position))

    def _promises(self, position: Position, moves: Sequence[Move], values: Sequence[float]) -> list[float]:
        """The tie-breaker between equal moves: the points expected from the mover's curve."""
        top = max(values, default=0.0)
        if sum(self.tied(value, top) for value in values) < 2:
            return [0.0] * len(moves)
        turn = self._promise(position.sheet)
        return [float(turn.after(position, move)) for move in moves]

    def _solve_curve_turn(self, sheet: Sheet, window: Window) -> TurnValues:
        return window_turn(self.chances, sheet, window.first, window.last + 1)

    def _solve_promise(self, sheet: Sheet) -> TurnValues:
        def promise(end: Sheet) -> float:
            curve = self.chances.curve(end)
            return end.points + curve.low - 1 + float(curve.chance.sum(dtype=np.float64))

        return TurnValues(self._compiled, sheet, promise)


def _knows_dice(position: Position) -> bool:
    """Whether the last roll of the present turn has been made."""
    return not position.rolls_left and not position.awaits_roll


def open_search(
    solver: Opening, game: Game, name: MatchObjective, payoff: Payoff | PayoffName | str, exact: ExactValues | None
) -> MatchSearch:
    """`match:…`; `exact` are the available endgame tables, if any."""
    return MatchSearch(solver.chances(game), name, payoff, exact=exact, threads=solver.threads)
