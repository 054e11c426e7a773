"""Tables of two-player endgames: one depth, computed again from the table with one open category less."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, default_rng

from yatzy.errors import TableForeign
from yatzy.games import Sheet
from yatzy.matches.blocks import PositionSample
from yatzy.matches.endgames import Endgames
from yatzy.values.bounds import error_bound
from yatzy.values.resources import Progress
from yatzy.values.turn import FloatArray, TurnValues
from yatzy.verification.optimum import play_out
from yatzy.verification.results import Identity, Law, Place
from yatzy.verification.rows import Batch, TableRows
from yatzy.verification.turns import LANES, IntArray, sheets_of, state_text


@dataclass(eq=False)
class EndgameRows(TableRows):
    """The pairs of states of one depth. A row is a pair; the layers of the file are pieces of consecutive movers."""

    usual = 500

    def open(self) -> None:
        """Open the tables up to this depth."""
        depth = self.objective.partition(":")[2]
        if not (depth.isascii() and depth.isdigit() and int(depth[:4]) <= 2 * len(self.game.categories)):
            raise TableForeign(
                "{objective}: {game} has no endgames of that depth", objective=self.objective, game=self.game.id
            )
        bound = error_bound(self.game, self.objective)
        assert bound is not None
        self.bound, self.endgames = bound, Endgames(self.game, int(depth), self.sources.solver.plain)
        self.here = self.endgames.tables[-1]
        self.below = self.endgames.tables[-2] if len(self.endgames.tables) > 1 else None
        self.values = self.here.layout.values

    @property
    def layers(self) -> range:
        """All pairs together."""
        return range(1)

    def rows(self, layer: int) -> int:
        """The number of pairs."""
        return len(self.here.layout.pairs.within)

    def order(self, layer: int, rows: IntArray) -> IntArray:
        """By mover, so that pairs of the same mover share a turn."""
        return np.sort(rows)

    def again(self, layer: int, rows: IntArray) -> Iterator[Batch]:
        """For every pair a plain turn of the mover, for all differences at once."""
        pairs = self.here.layout.pairs
        movers, opponents = pairs.mover + rows // pairs.opponents, pairs.opponent + rows % pairs.opponents
        begin = 0
        while begin < len(rows):
            end, held = begin, 0
            while end < len(rows) and movers[end] == movers[begin] and (held < LANES or end == begin):
                held += len(self.here.layout.ranges.open_differences(int(movers[end]), int(opponents[end])))
                end += 1
            yield from self._mover(int(movers[begin]), opponents[begin:end].tolist())
            begin = end

    def _mover(self, mover: int, opponents: list[int]) -> Iterator[Batch]:
        """The pairs of one mover with some opponents, as the chances of the waiting opponent."""
        windows = [self.here.layout.ranges.open_differences(mover, opponent) for opponent in opponents]
        (sheet,) = sheets_of(self.compiled, np.array([mover]))
        if self.below is None:
            again = np.full(sum(map(len, windows)), 0.5)  # two full sheets with equal points
        elif any(windows):
            again, other = 1 - self._turn(sheet, opponents, windows, 1.0), -self._turn(sheet, opponents, windows, -1.0)
        begin = 0
        for opponent, window in zip(opponents, windows, strict=True):
            if not window:
                continue
            stored = self.here.waiting(mover, opponent).chance.astype(np.float64)[::-1]
            part = slice(begin, begin + len(window))

            def where(at: int, opponent: int = opponent, window: range = window) -> Place:
                (facing,) = sheets_of(self.compiled, np.array([opponent]))
                piece = int(self.here.layout.piece[mover - self.here.layout.pairs.mover])
                return Place(piece, state_text(sheet, facing), "difference", window[at])

            fall = -np.diff(stored)  # the opponent gains with its lead
            self.keep(Law.MONOTONE).add(float(fall.max(initial=0.0)), where, int(fall.argmax()) if len(fall) else 0)
            if self.below is not None:
                apart = np.abs(stored - other[part])
                self.keep(Law.REVERSED, self.bound.again).add(float(apart.max()), where, int(apart.argmax()))
            yield Batch(stored, again[part], where, len(window))
            begin += len(window)

    def _turn(self, mover: Sheet, opponents: list[int], windows: list[range], side: float) -> FloatArray:
        """The mover's value at all differences, or with side −1 the opponent's, negated: the mover minimises it."""
        below = self.below
        assert below is not None
        differences = [np.arange(window.start, window.stop) for window in windows]

        def worth(after: Sheet) -> FloatArray:
            state, found = self.compiled.states.find(after), []
            for opponent, x in zip(opponents, differences, strict=True):
                # The opponent is to move, so the mover is the one who waits, x minus the points of the turn behind.
                waiting = below.waiting(opponent, state).take(x - after.points)
                found.append(waiting if side > 0 else waiting - 1.0)
            return np.concatenate(found)

        value: FloatArray = TurnValues(self.compiled, mover, worth).keep(self.game.rolls)[0]
        return value

    def simulate(self, games: int, seed: int, progress: Progress | None) -> Identity | None:
        """Both optimal players from one pair of sheets: the start of the game if the table reaches it."""
        found = self._open_pair(default_rng([seed, 2])) if self.below is not None else None
        if found is None:
            return None
        depth, threads = self.here.layout.depth, self.sources.solver.threads
        _, points = play_out(self.endgames, depth, found, games, seed, threads, progress)
        value = float(found.value[0])
        return self.simulated(float(points.mean()), math.sqrt(max(value * (1 - value), 0.0) / games), value, games)

    def _open_pair(self, rng: Generator) -> PositionSample | None:
        """A pair with an open result, at the difference where the mover's value is nearest to a half."""
        pairs = self.here.layout.pairs
        for pair in rng.integers(self.rows(0), size=1000).tolist():
            states = (pairs.mover + pair // pairs.opponents, pairs.opponent + pair % pairs.opponents)
            window = self.here.layout.ranges.open_differences(*states)
            if window:
                first, values = self.here.curve(*states)
                at = int(np.abs(values - 0.5).argmin())
                mover, opponent, difference = (np.array([one], np.int32) for one in (*states, first + at))
                return PositionSample(mover, opponent, difference, values[at : at + 1])
        return None
