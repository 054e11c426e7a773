"""Plays matches in bulk: EMP(1), softened or not, and strategies that ignore the opponents.

All matches are played turn by turn: the first player's turn in all matches, then the second's, and so on. Each seat has
its own dice (streams 0, 1, …). In a *paired* play-off of two every match is played twice with the same dice and the
players swapped, so that the luck of the dice cancels; `lab.seat_orders` does the same for more players.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from yatzy import kernels, names
from yatzy.errors import InputError
from yatzy.games import Game
from yatzy.lab.batch_player import BatchPlayer
from yatzy.lab.sample import Estimate, SimulatedGames, mean_of, share_of
from yatzy.matches.leaves import worth_of_score
from yatzy.model import compile_game, most_points
from yatzy.names import Emp, Origin, Softened
from yatzy.names.payoffs import Payoff, match_points
from yatzy.solver import Solver
from yatzy.strategies.base import PlayTurns, Strategy
from yatzy.strategies.softened import choices
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.curves import BestChances
from yatzy.values.resources import Progress
from yatzy.values.threads import core_count

NEARLY_BEST = Emp(1)
STEP = 256
"""Matches per unit of work: a turn of each takes some tens of microseconds."""


class Duellist(ABC):
    """A match player that can play many matches at once."""

    game: Game
    name: str
    strategy: Strategy | None = None
    """What it plays, if that does not depend on the opponents."""

    @abstractmethod
    def sit(self, games: int, seed: int, first: int, stream: int) -> BatchPlayer:
        """The player of this number of matches."""

    def meet(self, player: BatchPlayer, rivals: Sequence[BatchPlayer], payoff: Payoff) -> None:
        """Set the opponents and what the match pays; most players ignore both."""
        return


class SoloPlayer(Duellist):
    """A strategy that ignores the opponent."""

    def __init__(self, strategy: Strategy) -> None:
        if not strategy.in_bulk:
            raise InputError(
                "{strategy} is too slow for matches in bulk; expected, target:S, greedy … are not",
                strategy=strategy.name,
            )
        self.game, self.name, self.strategy = strategy.game, strategy.name, strategy

    def sit(self, games: int, seed: int, first: int, stream: int) -> BatchPlayer:
        """The player of this number of matches."""
        assert self.strategy is not None
        return BatchPlayer.of(self.strategy, games, seed, first, stream, count_points=True)


class EmpPlayer(Duellist):
    """EMP(1); softened when a firmness is given."""

    def __init__(self, chances: BestChances, firmness: float | None = None) -> None:
        self.game, self.chances, self.firmness = chances.game, chances, firmness
        self.name = str(NEARLY_BEST if firmness is None else Softened(NEARLY_BEST, firmness))
        self.seen: npt.NDArray[np.int16] | None = None
        """Softened: [game, roll of the turn], the dice of the last turn played, as indices into the lattice."""

    def sit(self, games: int, seed: int, first: int, stream: int) -> BatchPlayer:
        """The player of this number of matches."""
        player = BatchPlayer(
            self.game, self.name, None, False, games, seed, first, stream, count_points=True, step=STEP
        )
        if self.firmness is not None:
            self.seen = np.zeros((games, self.game.rolls), np.int16)
        return player

    def meet(self, player: BatchPlayer, rivals: Sequence[BatchPlayer], payoff: Payoff) -> None:
        """Set the opponents and what the match pays."""
        player.play_layer = lambda layer: self._play(layer, rivals, payoff)

    def _play(self, layer: int, others: Sequence[BatchPlayer], payoff: Payoff) -> PlayTurns:
        arrays, after = exact_turn_arrays(compile_game(self.game)), self.chances.curves(layer + 1)
        one, scores = others[0], most_points(self.game) + 2
        worth = np.empty((0, scores + 1), np.float32)
        if payoff != match_points(2):
            worth = worths_against([(self.chances.curves(one.played), one) for one in others], payoff, scores)
        rivals = kernels.Rivals(self.chances.curves(one.played), one.state, one.made, scores, worth)
        if self.firmness is None:
            return lambda groups, low, high, table: kernels.play_emp(arrays, after, rivals, groups, low, high, table)
        drawn, seen = choices(self.game.dice, self.game.faces, self.firmness), self.seen

        def play(groups: kernels.Groups, low: int, high: int, table: kernels.Table) -> None:
            kernels.play_soft_emp(arrays, after, rivals, drawn, groups, low, high, table, seen)

        return play


def worths_against(
    rivals: Sequence[tuple[kernels.Curves, BatchPlayer]], payoff: Payoff, scores: int
) -> npt.NDArray[np.float32]:
    """[game, score + 1]: what finishing with −1, 0, 1, … points is worth against the rivals, each with its curves."""
    games = len(rivals[0][1])
    worth = np.empty((games, scores + 1), np.float32)
    for first in range(0, games, STEP):
        part, opponents = slice(first, first + STEP), []
        for curves, rival in rivals:
            at_least = np.empty((len(rival.state[part]), scores + 2), np.float32)
            kernels.fill_curves(curves, rival.state[part].astype(np.int64), rival.made[part], -1, at_least)
            opponents.append(at_least)
        worth[part] = worth_of_score(payoff, opponents)
    return worth


@dataclass(frozen=True, eq=False)
class Matches:
    """Played matches."""

    first: SimulatedGames
    """The scores of the player who starts."""
    second: SimulatedGames

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """[match]: the match points of the player who starts: 1, ½ or 0."""
        return np.asarray(0.5 + 0.5 * np.sign(self.first.total - self.second.total), np.float64)


def play_matches(
    first: Duellist,
    second: Duellist,
    games: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
    after_turn: Callable[[int, int, BatchPlayer, BatchPlayer], None] | None = None,
    first_game: int = 0,
) -> Matches:
    """Play matches; `after_turn` is called after every turn with its number, its player (0 or 1) and both players."""
    played = play_seats([first, second], match_points(2), games, seed, threads, progress, after_turn, first_game)
    return Matches(*played)


def play_seats(
    duellists: Sequence[Duellist],
    payoff: Payoff,
    games: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
    after_turn: Callable[..., None] | None = None,
    first_game: int = 0,
) -> list[SimulatedGames]:
    """[seat]: the games of matches of two or more players, who play in this order. Progress counts turns.

    `after_turn` is called after every turn with its number, its player and all players.
    """
    first = duellists[0]
    for other in duellists[1:]:
        if other.game != first.game:
            raise InputError(
                "{first} plays {game} and {second} {other}; a match has one game",
                first=first.name,
                game=first.game.id,
                second=other.name,
                other=other.game.id,
            )
    if games < 1:
        raise InputError("games: {games} is not at least 1", games=games)
    turns, seats = len(first.game.categories), len(duellists)
    players = [one.sit(games, seed, first_game, seat) for seat, one in enumerate(duellists)]
    for seat, one in enumerate(duellists):
        one.meet(players[seat], players[:seat] + players[seat + 1 :], payoff)
    if progress is not None:
        progress(0, seats * turns)
    with ThreadPoolExecutor(threads or core_count()) as pool:
        for turn in range(turns):
            for mover in range(seats):
                players[mover].play(turn, pool)
                if after_turn is not None:
                    after_turn(turn, mover, *players)
                if progress is not None:
                    progress(seats * turn + mover + 1, seats * turns)
    return [player.sample() for player in players]


@dataclass(frozen=True, eq=False)
class PlayOff:
    """Two players over many matches, each played twice with the players swapped."""

    names: tuple[str, str]
    matches: tuple[Matches, Matches]
    """The first player starts; the second player starts, with the same dice."""

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """[pair]: the first player's match points of both matches, 0 … 2."""
        return self.matches[0].points + (1 - self.matches[1].points)

    @property
    def score(self) -> Estimate:
        """The first player's mean match points per match; the standard error is computed over pairs."""
        return mean_of(self.points / 2)

    @property
    def advantage(self) -> Estimate:
        """The score minus a half."""
        return Estimate(self.score.value - 0.5, self.score.error)

    @property
    def wins(self) -> Estimate:
        """The share of matches that the first player wins outright."""
        return share_of(np.concatenate([self.matches[0].points == 1, self.matches[1].points == 0]))

    @property
    def draws(self) -> Estimate:
        """The share of drawn matches."""
        return share_of(np.concatenate([match.points == 0.5 for match in self.matches]))

    @property
    def moving_first(self) -> Estimate:
        """The mean match points of the player who starts, over all matches."""
        return mean_of(np.concatenate([match.points for match in self.matches]))

    @property
    def means(self) -> tuple[Estimate, Estimate]:
        """The mean final score of each player."""
        one, other = self.matches
        first, second = ((one.first, other.second), (one.second, other.first))
        return mean_of(np.concatenate([a.total for a in first])), mean_of(np.concatenate([a.total for a in second]))


def play_off(
    first: Duellist,
    second: Duellist,
    pairs: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> PlayOff:
    """Play a number of pairs of matches."""
    half = None if progress is None else _half(progress, 0)
    one = play_matches(first, second, pairs, seed, threads, half)
    half = None if progress is None else _half(progress, 1)
    other = play_matches(second, first, pairs, seed, threads, half)
    return PlayOff((first.name, second.name), (one, other))


def _half(progress: Progress, which: int) -> Progress:
    return lambda done, total: progress(which * total + done, 2 * total)


def parse_duellist(text: str, game: Game, solver: Solver, origin: Origin = Origin.DATA) -> Duellist:
    """A match player by name: match:emp:1, softened:X:match:emp:1, or any fast strategy, which plays alone."""
    name = names.parse_strategy(text)
    if name.searched is None:
        return SoloPlayer(solver.strategy(game, name, origin))
    if name.searched != NEARLY_BEST:
        raise InputError("{strategy} is too slow for matches in bulk; {other} is not", strategy=text, other=NEARLY_BEST)
    return EmpPlayer(solver.chances(game), name.firmness)
