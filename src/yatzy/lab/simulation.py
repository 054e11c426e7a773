"""Plays games with any strategy, with dice from a seed.

Dice are a function of (seed, stream, game, turn, roll, die), see kernels/random.py. So the results depend on the seed
only and not on the threads, two strategies can play with the same dice, and `replay` repeats any single game.

Strategies with a fast form play all games together, turn by turn: games in the same situation form a group and share a
plan. Any other strategy is called for one move at a time, game by game.

Results of games have a sampling error; `evaluation.evaluate` computes the same numbers exactly. Samples serve for
results that it does not compute, and to check it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np

from yatzy import kernels
from yatzy.errors import InputError, StrategyError
from yatzy.games import Dice, Keep, Position, Score, Sheet
from yatzy.lab.batch_player import BatchPlayer, key_of, turn_word
from yatzy.lab.sample import SimulatedGames
from yatzy.model import compile_game
from yatzy.store.revisions import Computation
from yatzy.strategies.base import STRATEGIES, Strategy, checked_move
from yatzy.strategies.best import as_strategy
from yatzy.values.arrays import exact_turn_arrays
from yatzy.values.evaluator import Solution
from yatzy.values.resources import Progress
from yatzy.values.threads import core_count

SIMULATION = Computation("simulation", uses=(STRATEGIES,))
DICE_VERSION = 1
"""Of the dice that a seed gives: raised if the same seed would give others."""
MOST_GAMES = 2**31 - 1
MOST_SEED = 2**64 - 1
MOST_STREAMS = 2**16
Kept = TypeVar("Kept")
Result = TypeVar("Result")


def simulate(
    strategy: Strategy | Solution,
    games: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
    *,
    first: int = 0,
    stream: int = 0,
) -> SimulatedGames:
    """Play the games `first`, `first + 1`, … from the start; a solution stands for the best strategy for its objective.

    A strategy that makes an illegal move stops the run: `StrategyError` names the move and holds the games finished
    before.
    """
    chosen = as_strategy(strategy)
    player = play_together(chosen, games, seed, threads, progress, first, stream)
    if player is not None:
        return player.sample()

    def sample(sheets: Sequence[Sheet]) -> SimulatedGames:
        return _sample(chosen, sheets, seed, first, stream)

    return play_one_by_one(chosen, range(first, first + games), seed, progress, stream, lambda game: game[1], sample)


def play_together(
    strategy: Strategy, games: int, seed: int, threads: int | None, progress: Progress | None, first: int, stream: int,
    *, traced: bool = False,
) -> BatchPlayer | None:  # fmt: skip
    """Play all games at once, turn by turn; None if the strategy has no fast form. Invalid game numbers are refused."""
    check_games(games, seed, first, stream)
    if not strategy.in_bulk:
        return None
    player = BatchPlayer.of(strategy, games, seed, first, stream, traced=traced)
    play_turns(player, threads, progress)
    return player


def check_games(games: int, seed: int, first: int, stream: int) -> None:
    """Refuse numbers of games, seeds or streams outside the range of the dice generator."""
    if not 1 <= games <= MOST_GAMES - first:
        raise InputError("games: {games} is not from 1 to {most:,}", games=games, most=MOST_GAMES - first)
    _check_dice(seed, first, stream)


def check_seed(seed: int) -> None:
    """Refuse a seed outside the range of the dice generator."""
    if not 0 <= seed <= MOST_SEED:
        raise InputError("seed: {seed} is not from 0 to 2^64 - 1", seed=seed)


def _check_dice(seed: int, game: int, stream: int) -> None:
    check_seed(seed)
    if not 0 <= game < MOST_GAMES:
        raise InputError("game: {game} is not from 0 to {most:,}", game=game, most=MOST_GAMES - 1)
    if not 0 <= stream < MOST_STREAMS:
        raise InputError("stream: {stream} is not from 0 to {most:,}", stream=stream, most=MOST_STREAMS - 1)


def play_turns(player: BatchPlayer, threads: int | None, progress: Progress | None) -> None:
    """Play all turns of all games of a player."""
    games, turns = len(player), len(player.game.categories)
    if progress is not None:
        progress(0, games * turns)
    with ThreadPoolExecutor(threads or core_count()) as pool:
        for turn in range(turns):
            player.play(turn, pool, _from(progress, games * turn, games * turns))


def _from(progress: Progress | None, before: int, total: int) -> Callable[[int], None] | None:
    if progress is None:
        return None
    tell = progress
    return lambda done: tell(before + done, total)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a game."""

    rolls: tuple[Dice, ...]
    """All dice after each roll; repeated if all of them were kept."""
    keeps: tuple[Keep, ...]
    """The keep after each roll but the last."""
    score: Score
    points: int
    """The points scored in the category."""
    bonuses: int
    """Bonuses in addition: the upper bonus, a Joker bonus."""


PlayedGame: TypeAlias = tuple[list[PlayedTurn], Sheet]
"""The turns of a game, and the sheet at its end."""


def replay(strategy: Strategy | Solution, seed: int, game: int, stream: int = 0) -> list[PlayedTurn]:
    """Play one of the games of `simulate` again."""
    strategy = as_strategy(strategy)
    _check_dice(seed, game, stream)
    return play_game(strategy, seed, game, stream)[0]


def play_game(strategy: Strategy, seed: int, game: int, stream: int) -> PlayedGame:
    """One game: its turns, and the sheet at its end."""
    position, played = Position.start(strategy.game), []
    for turn in range(len(strategy.game.categories)):
        one, position = _play_turn(strategy, position, _Dice(strategy, seed, game, turn_word(turn, stream)))
        played.append(one)
    return played, position.sheet


class _Dice:
    """The dice of one turn of a game, and the random numbers for a strategy that chooses its moves at random."""

    def __init__(self, strategy: Strategy, seed: int, game: int, turn: int) -> None:
        compiled = compile_game(strategy.game)
        self._lattice, self._child = compiled.lattice, exact_turn_arrays(compiled).child
        self._key, self._game, self._turn = key_of(seed), game, turn

    def roll(self, number: int, kept: Dice) -> Dice:
        """All dice after a roll."""
        lattice, where = self._lattice, (*self._key, self._game, self._turn, number)
        return lattice.keeps[
            kernels.roll_dice(self._child, lattice.first_roll, lattice.faces, *where, lattice.index[kept])
        ]

    def draw(self, number: int, moves: Sequence[tuple[Any, float]]) -> Any:
        """One of the moves, drawn by their probabilities."""
        share = kernels.draw_share(*self._key, self._game, self._turn, number)
        weights = np.array([chance for _, chance in moves])
        return moves[kernels.draw(weights, len(weights), float(weights.sum()), share)][0]


def _play_turn(strategy: Strategy, position: Position, dice: _Dice) -> tuple[PlayedTurn, Position]:
    last = position.game.rolls - 1
    rolls, keeps = [dice.roll(0, ())], list[Keep]()
    position, score = position.roll(rolls[0]), None
    while score is None:
        number = last - position.rolls_left
        earlier = tuple(rolls[:-1])
        move = (
            dice.draw(number, strategy.weights(position, earlier))
            if strategy.mixed
            else strategy.move(position, earlier)
        )
        after = checked_move(strategy, position, move)
        if isinstance(move, Score):
            score, place = move, position.placement(move)
            while len(keeps) < last:  # stopping early counts as keeping all dice
                keeps.append(Keep(rolls[-1]))
                rolls.append(rolls[-1])
        else:
            keeps.append(move)
            rolls.append(dice.roll(number + 1, move.dice))
            if after.awaits_roll:
                after = after.roll(rolls[-1])
            position = after
    bonuses = after.sheet.points - position.sheet.points - place.points
    return PlayedTurn(tuple(rolls), tuple(keeps), score, place.points, bonuses), after


def play_one_by_one(
    strategy: Strategy, games: range, seed: int, progress: Progress | None, stream: int,
    keep: Callable[[PlayedGame], Kept], together: Callable[[Sequence[Kept]], Result],
) -> Result:  # fmt: skip
    """Play games one by one; `keep` selects what is kept of each, and `together` combines it at the end.

    The error of a strategy that makes an illegal move holds the games finished before.
    """
    played: list[Kept] = []
    for game in games:
        if progress is not None:
            progress(len(played), len(games))
        try:
            played.append(keep(play_game(strategy, seed, game, stream)))
        except StrategyError as error:
            error.finished = together(played) if played else None
            raise
    if progress is not None:
        progress(len(games), len(games))
    return together(played)


def _sample(strategy: Strategy, sheets: Sequence[Sheet], seed: int, first: int, stream: int) -> SimulatedGames:
    bonus_points = strategy.game.joker.points if strategy.game.joker else 0
    return SimulatedGames(
        strategy.game,
        strategy.name,
        seed,
        first,
        stream,
        total=np.array([sheet.points for sheet in sheets], np.int32),
        upper=np.array([sheet.upper for sheet in sheets], np.int32),
        bonus=np.array([sheet.bonus_won for sheet in sheets], np.bool_),
        jokers=np.array([sheet.jokers * bonus_points for sheet in sheets], np.int32),
        points=np.array([sheet.boxes for sheet in sheets], np.int16),
    )
