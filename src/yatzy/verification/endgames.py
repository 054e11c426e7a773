"""Tables of two-player endgames: one depth, computed again from the table with one open category less."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator, default_rng

from yatzy.errors import TableForeign
from yatzy.games import Sheet, placements
from yatzy.matches.endgames import Endgames
from yatzy.values.bounds import error_bound
from yatzy.values.resources import Progress
from yatzy.values.turn import FloatArray, TurnValues
from yatzy.verification.results import Identity, Law, Place
from yatzy.verification.rows import Batch, TableRows
from yatzy.verification.turns import LANES, IntArray, sheets_of, state_text

MOST_GAMES = 2000
"""Endgames to play out: every new position costs a turn in NumPy."""


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
        """Both best players from one pair of sheets: the start of the game if the table reaches it."""
        if self.below is None:
            return None
        games, rng = min(games, MOST_GAMES), default_rng([seed, 2])
        found = self._open_pair(rng)
        if found is None:
            return None
        mover, opponent, value = found
        points = play_out(self.endgames, mover, opponent, games, rng, progress)
        return self.simulated(float(points.mean()), float(points.std()) / math.sqrt(games), value, games)

    def _open_pair(self, rng: Generator) -> tuple[Sheet, Sheet, float] | None:
        """A pair with an open result, and the mover's value at the difference where it is nearest to a half."""
        pairs = self.here.layout.pairs
        for pair in rng.integers(self.rows(0), size=1000).tolist():
            states = (pairs.mover + pair // pairs.opponents, pairs.opponent + pair % pairs.opponents)
            window = self.here.layout.ranges.open_differences(*states)
            if window:
                first, values = self.here.curve(*states)
                at = int(np.abs(values - 0.5).argmin())
                mover, opponent = sheets_of(self.compiled, np.array(states))
                return mover, replace(opponent, points=first + at), float(values[at])
        return None


def play_out(
    endgames: Endgames, mover: Sheet, opponent: Sheet, games: int, rng: Generator, progress: Progress | None
) -> FloatArray:
    """[game]: the match points of the mover when both play best from here.

    Games in the same position are played together, since they share the turn.
    """
    groups: dict[tuple[Sheet, Sheet], int] = {(mover, opponent): games}
    turns = len(mover.open) + len(opponent.open)
    for turn in range(turns):
        following: dict[tuple[Sheet, Sheet], int] = {}
        for done, ((own, other), count) in enumerate(groups.items()):
            for after in _play_turn(endgames, own, other, count, rng):
                following[other, after] = following.get((other, after), 0) + 1
            if progress is not None:
                progress(turn * 1000 + 1000 * done // len(groups), turns * 1000)
        groups = following
    # After all turns, the sheets are in the order of the players to move: the mover's first if the turns were even.
    ends, counts = list(groups), list(groups.values())
    margin = np.array([own.points - other.points for own, other in ends]) * (1 if turns % 2 == 0 else -1)
    return np.repeat((np.sign(margin) + 1) / 2, counts)


def _play_turn(endgames: Endgames, own: Sheet, other: Sheet, count: int, rng: Generator) -> Iterator[Sheet]:
    """The sheets after one turn of the best player, once for each game."""
    compiled = endgames.compiled
    lattice, game = compiled.lattice, compiled.game
    turn = TurnValues(compiled, own, lambda after: 1.0 - endgames.between(other, after))
    keeps = [turn.best_keeps(left) for left in range(1, game.rolls)]
    category = turn.best_categories()
    for dice in rng.integers(1, game.faces + 1, (count, game.rolls, game.dice)).tolist():
        roll = tuple(sorted(dice[0]))
        for left in range(game.rolls - 1, 0, -1):
            kept = lattice.keeps[keeps[left - 1][lattice.index[roll] - lattice.first_roll]]
            roll = tuple(sorted((*kept, *dice[game.rolls - left][len(kept) :])))
        place = int(category[lattice.index[roll] - lattice.first_roll])
        yield _filled(own, roll, place)


def _filled(sheet: Sheet, dice: tuple[int, ...], category: int) -> Sheet:
    place = next(one for one in placements(sheet, dice) if one.category == category)
    return sheet.fill(place.category, place.points, place.joker_bonus)
