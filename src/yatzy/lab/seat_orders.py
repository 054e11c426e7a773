"""Play-offs of two to six players in every order of the seats.

With n players there are n! orders, or n! / (m! …) different ones if m of them have the same strategy. A *set* is one
match in each of these orders, all with the same dice for every seat. So every strategy sits in every seat before and
after every other equally often, and the luck of a seat counts for all of them. Sets are independent of each other; the
standard errors are computed over sets.

The dice of set k depend on the seed and k alone. Sets are played in parts, and finished parts can be kept in a folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message
from yatzy.games import Game
from yatzy.lab.duel import Duellist, parse_duellist, play_seats
from yatzy.lab.remote import check_can_travel, shared_folder, worker_solver
from yatzy.lab.sample import Estimate, mean_of
from yatzy.matches.fixed_opponents import payoffs_of_games
from yatzy.names import Origin
from yatzy.names.payoffs import Payoff, PayoffName, payoff_for
from yatzy.solver import Solver
from yatzy.store.files import locked
from yatzy.store.kept import KeptResults, decode_arrays, encode_arrays
from yatzy.store.revisions import Computation
from yatzy.strategies.base import STRATEGIES
from yatzy.workers.running import run_tasks

SEAT_ORDERS = Computation("seat-orders", uses=(STRATEGIES,))
FEWEST, MOST = 2, 6
"""Players at a table; six different ones have 720 orders."""
PART = 2048
"""Matches of each part: some seconds of work for a table that looks at each other."""

Scores = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of a strategy, averaged over its seats in all orders."""

    strategy: str
    seats: int
    """How many players have this strategy."""
    payoff: Estimate
    wins: Estimate
    """The share of matches with more points than everyone else."""
    mean: Estimate
    """The mean final score."""


@dataclass(frozen=True, eq=False)
class SeatOrders:
    """Matches in all orders of the seats."""

    game: Game
    strategies: tuple[str, ...]
    """The different strategies, in the order in which they were given."""
    orders: tuple[tuple[int, ...], ...]
    """[order, seat]: which strategy sits there."""
    payoff: Payoff
    seed: int
    scores: Scores
    """[set, order, seat]: the final score."""

    @property
    def matches(self) -> int:
        """The number of matches."""
        sets, orders, _ = self.scores.shape
        return int(sets * orders)

    @cached_property
    def payoffs(self) -> npt.NDArray[np.float64]:
        """[set, order, seat]: the payoff of the player in this seat."""
        seats = [self.scores[..., seat] for seat in range(self.scores.shape[2])]
        paid = [payoffs_of_games(self.payoff, mine, seats[:i] + seats[i + 1 :]) for i, mine in enumerate(seats)]
        return np.stack(paid, axis=-1)

    @property
    def by_seat(self) -> tuple[Estimate, ...]:
        """[seat]: the mean payoff of whoever sits there; moving later is an advantage."""
        return tuple(mean_of(self.payoffs[..., seat].mean(axis=1)) for seat in range(self.payoffs.shape[2]))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The results of each strategy."""
        best = self.scores.max(axis=2, keepdims=True)
        alone = (self.scores == best) & ((self.scores == best).sum(axis=2, keepdims=True) == 1)
        found = []
        for index, name in enumerate(self.strategies):
            here = np.array(self.orders) == index
            paid, won, made = (mean_of(all_[:, here].mean(axis=1)) for all_ in (self.payoffs, alone, self.scores))
            found.append(Standing(name, self.orders[0].count(index), paid, won, made))
        return tuple(found)


def orders_of(players: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The different orders of some players; equal numbers cannot be told apart."""
    return tuple(sorted(set(permutations(players))))


def play_all_orders(
    players: Sequence[Duellist],
    matches: int,
    seed: int,
    payoff: Payoff | PayoffName | str = "match-points",
    solver: Solver | None = None,
    folder: Path | None = None,
) -> SeatOrders:
    """Play at least this many matches of two to six players, in whole sets. Players of the same name are the same.

    folder: where finished parts are kept; a run that was interrupted resumes there.
    """
    if not FEWEST <= len(players) <= MOST:
        raise InputError(
            "a play-off has {fewest} to {most} players, not {count}", fewest=FEWEST, most=MOST, count=len(players)
        )
    if matches < 1:
        raise InputError("matches: {matches} is not at least 1", matches=matches)
    solver = solver or Solver()
    pays, known = payoff_for(payoff, len(players)), {one.name: one for one in players}
    names = tuple(known)
    orders = orders_of([names.index(one.name) for one in players])
    sets = -(-matches // len(orders))
    if solver.executor is not None:
        for name, player in known.items():
            check_can_travel(name, player.strategy)
    table = _Table([known[name] for name in names], orders, pays, seed, solver)
    if folder is None:
        scores = table.play(sets, None)
    else:
        with locked(folder, "seat-orders", solver.report):
            scores = table.play(sets, KeptResults(folder, SEAT_ORDERS, solver.report))
    return SeatOrders(players[0].game, names, orders, pays, seed, scores)


@dataclass(frozen=True, slots=True)
class PartTask:
    """Sets to play."""

    game: Game
    players: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    payoff: Payoff
    seed: int
    first: int
    count: int
    folder: str


def play_part(task: PartTask) -> Scores:
    """Play the sets of a task."""
    solver = worker_solver(task.folder)
    players = [parse_duellist(name, task.game, solver, Origin.PERSON) for name in task.players]
    return _Table(players, task.orders, task.payoff, task.seed, solver).part(task.first, task.count)


class _Table:
    """Plays sets in parts."""

    def __init__(
        self,
        players: Sequence[Duellist],
        orders: tuple[tuple[int, ...], ...],
        payoff: Payoff,
        seed: int,
        solver: Solver,
    ) -> None:
        self._players, self._orders, self._payoff, self._seed, self._solver = players, orders, payoff, seed, solver
        self._size = max(1, PART // len(orders))

    def play(self, sets: int, kept: KeptResults | None) -> Scores:
        """[set, order, seat]: the final scores."""
        total = sets * len(self._orders)
        progress = self._solver.watch(
            Message("{matches:,} matches of {players}", matches=total, players=len(self._orders[0])), "Playing"
        )
        parts, missing, done = dict[int, Scores](), list[PartTask](), 0

        def add(task: PartTask, scores: Scores, new: bool = True) -> None:
            nonlocal done
            if new and kept is not None:
                kept.write(self._key(task.first, task.count), encode_arrays({"scores": scores}))
            parts[task.first] = scores
            done += task.count * len(self._orders)
            if progress is not None:
                progress(done, total)

        for first in range(0, sets, self._size):
            task = self._task(first, min(self._size, sets - first))
            found = None if kept is None else kept.read(self._key(first, task.count), partial(self._decode, task.count))
            if found is not None:
                add(task, found, new=False)
            elif self._solver.executor is not None:
                missing.append(task)
            else:
                add(task, self.part(first, task.count))
        if self._solver.executor is not None:
            run_tasks(self._solver.executor, play_part, missing, add)
        return np.concatenate([parts[first] for first in sorted(parts)])

    def _task(self, first: int, count: int) -> PartTask:
        names = tuple(one.name for one in self._players)
        where = shared_folder(self._solver)
        return PartTask(self._players[0].game, names, self._orders, self._payoff, self._seed, first, count, where)

    def part(self, first: int, count: int) -> Scores:
        """[set, order, seat]: the final scores of some sets."""
        scores = np.empty((count, len(self._orders), len(self._orders[0])), np.int32)
        for place, order in enumerate(self._orders):
            seated = [self._players[index] for index in order]
            games = play_seats(seated, self._payoff, count, self._seed, self._solver.threads, first_game=first)
            for seat, sample in enumerate(games):
                scores[:, place, seat] = sample.total
        return scores

    def _key(self, first: int, count: int) -> dict[str, Any]:
        game = self._players[0].game
        return {
            "game": game.id,
            "hash": game.hash,
            "players": [one.name for one in self._players],
            "orders": [list(order) for order in self._orders],
            "payoff": [list(self._payoff.values), self._payoff.share_ties],
            "seed": self._seed,
            "first": first,
            "sets": count,
        }

    def _decode(self, count: int, data: bytes) -> Scores:
        scores = decode_arrays(data)["scores"]
        if scores.shape != (count, len(self._orders), len(self._orders[0])) or scores.dtype != np.int32:
            raise ValueError
        return scores
