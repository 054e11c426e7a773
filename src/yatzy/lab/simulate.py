"""Games played by the strategy that is best for a solved objective, with dice from a seed.

All games advance together, turn by turn. In each turn they are sorted by their state, so that a state is planned once
for all its games. Dice are a function of (seed, game, turn, roll, die), see kernels/random.py: the results depend on
the seed alone, not on the threads, and `replay` plays any one game again.

What the games show has a sampling error; `solve.evaluate` finds the same numbers without one. The sample is
for what has no such formula, and to check the formula.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError
from yatzy.games import Dice, Game, Keep, Score
from yatzy.model import CompiledGame, compile_game
from yatzy.solve.expected import ExpectedScore
from yatzy.solve.exponential import ExponentialUtility
from yatzy.solve.solution import Solution
from yatzy.solve.tables import Progress, block_of
from yatzy.solve.threads import core_count, run_ranges

STEP = 8192
"""Games per piece of work: some milliseconds."""

MOST_GAMES = 2**31 - 1
MOST_SEED = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number found from a sample, with its standard error."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class SimulatedGames:
    """Games that were played, one row each."""

    game: Game
    strategy: str
    seed: int
    total: npt.NDArray[np.int32]
    """[game]: the final score."""
    upper: npt.NDArray[np.int32]
    """[game]: the sum of the upper categories."""
    bonus: npt.NDArray[np.bool_]
    """[game]: whether the upper bonus was won."""
    jokers: npt.NDArray[np.int32]
    """[game]: the Joker bonuses, in points."""
    points: npt.NDArray[np.int16]
    """[game, category]: what is written there."""

    def __len__(self) -> int:
        return len(self.total)

    @cached_property
    def mean(self) -> Estimate:
        """The mean of the final score."""
        return _mean(self.total)

    @cached_property
    def sd(self) -> Estimate:
        """The standard deviation of the final score."""
        off = self.total - self.total.mean()
        variance = float(np.mean(off**2))
        if variance == 0:
            return Estimate(0.0, 0.0)
        # The variance has the variance (m₄ − σ⁴) / n, and σ = √variance moves 1 / 2σ times as much.
        spread = max(float(np.mean(off**4)) - variance**2, 0.0)
        return Estimate(math.sqrt(variance), math.sqrt(spread / len(self)) / (2 * math.sqrt(variance)))

    def percentile(self, percent: float) -> Estimate:
        """The least score that at least so many percent of the games do not exceed.

        Its error is half the distance between the scores that lie one standard error of that share to both sides.
        """
        n, share = len(self), percent / 100
        around = math.sqrt(n * share * (1 - share))
        ranks = [math.ceil(n * share * (1 - 1e-15) + shift) - 1 for shift in (0, -around, around)]
        here, below, above = (int(self._sorted[min(max(rank, 0), n - 1)]) for rank in ranks)
        return Estimate(here, (above - below) / 2)

    def at_least(self, score: int) -> Estimate:
        """The share of games with at least so many points."""
        return _share(self.total >= score)

    @property
    def bonus_share(self) -> Estimate:
        """The share of games that won the upper bonus."""
        return _share(self.bonus)

    def category_mean(self, category: str) -> Estimate:
        """The mean of the points in the category with this id."""
        return _mean(self.points[:, self.game.category_index[category]])

    def category_hit(self, category: str) -> Estimate:
        """The share of games with any points in the category with this id."""
        return _share(self.points[:, self.game.category_index[category]] > 0)

    @cached_property
    def _sorted(self) -> npt.NDArray[np.int32]:
        return np.sort(self.total)


def _mean(numbers: npt.NDArray[Any]) -> Estimate:
    return Estimate(float(numbers.mean()), float(numbers.std()) / math.sqrt(len(numbers)))


def _share(which: npt.NDArray[np.bool_]) -> Estimate:
    share = float(which.mean())
    return Estimate(share, math.sqrt(share * (1 - share) / len(which)))


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a game."""

    rolls: tuple[Dice, ...]
    """All dice after each roll; the same once more where all of them were kept."""
    keeps: tuple[Keep, ...]
    """What was kept after each roll but the last."""
    score: Score
    points: int
    """What was written in the category."""
    bonuses: int
    """What came beside it: the upper bonus, a Joker bonus."""


def simulate(
    solution: Solution, games: int, seed: int, threads: int | None = None, progress: Progress | None = None
) -> SimulatedGames:
    """Play so many games from the start by the strategy that is best for a solved objective."""
    player = _Player(solution, seed)
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"games: {games} is not from 1 to {MOST_GAMES:,}")
    from yatzy.kernels.play import play_turn, sort_games

    game, turns, done, counting = player.game, len(player.game.categories), 0, Lock()
    state, order = np.zeros(games, np.int32), np.empty(games, np.int32)
    points, jokers = np.zeros((games, turns), np.int16), np.zeros(games, np.int32)
    upper_bonus = game.bonus.points if game.bonus else 0
    if progress is not None:
        progress(0, games * turns)
    with ThreadPoolExecutor(threads or core_count()) as pool:
        for turn in range(turns):
            first, values, after = player.layer(turn)
            begin = np.empty(after.first - first + 1, np.int64)
            sort_games(state, begin, order)

            def play(low: int, high: int, turn: int = turn, first: int = first, values: Any = values,
                     after: Any = after, begin: Any = begin) -> None:  # fmt: skip
                nonlocal done
                play_turn(player.arrays, player.worth, values, after, first, begin, order, low, high, player.category,
                          upper_bonus, *player.key, turn, state, points, jokers)  # fmt: skip
                with counting:
                    done += high - low
                    if progress is not None:
                        progress(done, games * turns)

            run_ranges(pool, play, 0, games, STEP)
    upper = points[:, list(game.upper_categories)].sum(axis=1, dtype=np.int32)
    bonus = upper >= game.bonus.threshold if game.bonus else np.zeros(games, np.bool_)
    total = points.sum(axis=1, dtype=np.int32) + jokers + np.int32(upper_bonus) * bonus
    return SimulatedGames(game, solution.objective, seed, total, upper, bonus, jokers, points)


def replay(solution: Solution, seed: int, game: int) -> list[PlayedTurn]:
    """Play one of the games of `simulate` again, the one of row `game`."""
    player = _Player(solution, seed)
    if not 0 <= game < MOST_GAMES:
        raise InputError(f"game: {game} is not from 0 to {MOST_GAMES - 1:,}")
    state, turns = 0, []
    for turn in range(len(player.game.categories)):
        played, state = player.play(game, turn, state)
        turns.append(played)
    return turns


class _Player:
    """A solved game and a seed, in the form that the kernels take."""

    def __init__(self, solution: Solution, seed: int) -> None:
        if not isinstance(solution, ExpectedScore | ExponentialUtility):
            raise InputError(f"{solution.objective} cannot be simulated; expected and exp can")
        if not 0 <= seed <= MOST_SEED:
            raise InputError(f"seed: {seed} is not from 0 to 2^64 - 1")
        from yatzy.solve.arrays import exact_turn_arrays, points_worth

        self.solution, self.game = solution, solution.game
        self.compiled: CompiledGame = compile_game(solution.game)
        self.arrays = exact_turn_arrays(self.compiled)
        theta = solution.theta if isinstance(solution, ExponentialUtility) else None
        self.worth = points_worth(self.compiled, theta)
        self.category = self.compiled.placing.outcome_category
        self.key = seed & 0xFFFFFFFF, seed >> 32

    def layer(self, layer: int) -> tuple[int, npt.NDArray[np.float64], Any]:
        """The first state of a layer, the values of the next one, and where that one begins."""
        from yatzy.kernels.chances import Curves

        first, end, last = self.compiled.states.layer_start[layer : layer + 3].tolist()
        values = self.solution.table.read(layer + 1, "value", 0, last - end)
        return first, values, Curves(end, np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.float32))

    def play(self, game: int, turn: int, state: int) -> tuple[PlayedTurn, int]:
        """One turn of one game, and the state after it; states count from the first of their layer."""
        from yatzy.kernels.play import plan_turn
        from yatzy.kernels.random import roll_dice

        lattice, rerolls, outcomes = self.compiled.lattice, self.arrays.rerolls, self.arrays.outcomes
        first, values, after = self.layer(turn)
        place, keep = np.empty(len(lattice.rolls), np.int32), np.empty((rerolls, len(lattice.keeps)), np.int32)
        to, points = np.empty(outcomes, np.int64), np.empty(outcomes, np.int32)
        block = block_of(self.arrays.block_start, first + state)
        plan_turn(self.arrays, self.worth, values, after, first + state, block, place, keep, to, points)
        dice = self.arrays.child, self.arrays.first_roll, self.arrays.faces
        rolls = [roll_dice(*dice, *self.key, game, turn, 0, 0)]
        keeps: list[int] = []
        for left in range(rerolls - 1, -1, -1):
            keeps.append(int(keep[left, rolls[-1]]))
            rolls.append(roll_dice(*dice, *self.key, game, turn, rerolls - left, keeps[-1]))
        outcome = place[rolls[-1] - lattice.first_roll]
        written = int(self.compiled.placing.outcome_points[outcome])
        played = PlayedTurn(
            rolls=tuple(lattice.keeps[roll] for roll in rolls),
            keeps=tuple(Keep(lattice.keeps[kept]) for kept in keeps),
            score=Score(self.game.categories[self.category[outcome]].id),
            points=written,
            bonuses=int(points[outcome]) - written,
        )
        return played, int(to[outcome])
