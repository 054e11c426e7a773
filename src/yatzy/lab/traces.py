"""Plays games with any strategy and records every decision.

The games are those of `simulate` with the same seed; here the dice and moves of every turn are kept too, for reviews.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from yatzy.evaluation.played_turns import PlayedTurns, turns_of_games
from yatzy.games import Game
from yatzy.lab.batch_player import BatchPlayer
from yatzy.lab.simulation import PlayedTurn, play_one_by_one, play_together
from yatzy.model import compile_game
from yatzy.strategies.base import Strategy
from yatzy.strategies.best import as_strategy
from yatzy.values.evaluator import Solution
from yatzy.values.resources import Progress


@dataclass(frozen=True, eq=False)
class Traces:
    """Played games, decision by decision."""

    game: Game
    strategy: str
    seed: int
    first: int
    """The number of the first game."""
    stream: int
    """The dice stream of the seed: players at one table have different streams."""
    rolls: npt.NDArray[np.int16]
    """[game, turn, roll]: all dice after each roll, as indices into `Lattice.rolls`."""
    keeps: npt.NDArray[np.int16]
    """[game, turn, roll but the last]: the keep, as an index into `Lattice.keeps`; all dice where the turn stopped."""
    category: npt.NDArray[np.int8]
    """[game, turn]: the category filled."""
    points: npt.NDArray[np.int16]
    """[game, turn]: the points scored there."""
    joker: npt.NDArray[np.int16]
    """[game, turn]: the Joker bonus in addition."""
    struck: npt.NDArray[np.bool_]
    """[game, turn]: whether 0 was scored although the dice pay."""

    def __len__(self) -> int:
        return len(self.rolls)

    @property
    def total(self) -> npt.NDArray[np.int32]:
        """[game]: the final score."""
        total: npt.NDArray[np.int32] = self.points.sum(axis=1, dtype=np.int32) + self.joker.sum(axis=1, dtype=np.int32)
        if self.game.bonus:
            upper = np.where(np.isin(self.category, self.game.upper_categories), self.points, 0).sum(axis=1)
            total += np.int32(self.game.bonus.points) * (upper >= self.game.bonus.threshold)
        return total

    def turns(self) -> PlayedTurns:
        """All turns, game by game, for `TurnReviews`."""
        return turns_of_games(
            self.game, self.rolls, self.keeps, self.category, self.points, self.joker, self.struck
        )  # fmt: skip


def trace(
    strategy: Strategy | Solution,
    games: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
    *,
    first: int = 0,
    stream: int = 0,
) -> Traces:
    """Play the games of `simulate` and keep every decision; a few hundred bytes per game.

    A strategy that makes an illegal move stops the run: `StrategyError` names the move and holds the games finished
    before.
    """
    chosen = as_strategy(strategy)
    player = play_together(chosen, games, seed, threads, progress, first, stream, traced=True)
    if player is not None:
        return _of_player(player)

    def traces(played: Sequence[Sequence[PlayedTurn]]) -> Traces:
        return _of_turns(chosen, played, seed, first, stream)

    return play_one_by_one(chosen, range(first, first + games), seed, progress, stream, lambda game: game[0], traces)


def _of_player(player: BatchPlayer) -> Traces:
    placing = compile_game(player.game).placing
    rolls, done = player.trace[:, :, 0::2].copy(), player.trace[:, :, 1::2]
    outcome = done[:, :, -1]
    category, points = placing.outcome_category[outcome], placing.outcome_points[outcome]
    # Outcomes from rows.total on are equal dice under a Joker rule, which cannot be struck.
    struck = (outcome < placing.rows.total) & (points < placing.points[rolls[:, :, -1], category])
    return Traces(
        player.game, player.name, player.seed, player.first, player.stream, rolls, done[:, :, :-1].copy(),
        category.astype(np.int8), points.astype(np.int16), player.joker, struck,
    )  # fmt: skip


def _of_turns(strategy: Strategy, played: Sequence[Sequence[PlayedTurn]], seed: int, first: int, stream: int) -> Traces:
    game, compiled = strategy.game, compile_game(strategy.game)
    index, first_roll = compiled.lattice.index, compiled.lattice.first_roll
    rolls = np.array([[[index[d] - first_roll for d in turn.rolls] for turn in one] for one in played], np.int16)
    keeps = np.array([[[index[k.dice] for k in turn.keeps] for turn in one] for one in played], np.int16)
    category = np.array([[game.category_index[turn.score.category] for turn in one] for one in played], np.int8)
    points = np.array([[turn.points for turn in one] for one in played], np.int16)
    strike = np.array([[turn.score.strike for turn in one] for one in played], np.bool_)
    joker = np.array([[turn.bonuses for turn in one] for one in played], np.int16)
    if game.bonus:  # counted in the turn that crosses the threshold
        upper = np.cumsum(np.where(np.isin(category, game.upper_categories), points, 0), axis=1)
        won = np.diff(upper >= game.bonus.threshold, axis=1, prepend=False)
        joker -= won * np.int16(game.bonus.points)
    struck = strike & (compiled.placing.points[rolls[:, :, -1], category] > 0)
    return Traces(game, strategy.name, seed, first, stream, rolls, keeps.reshape(*rolls.shape[:2], game.rolls - 1),
                  category, points, joker, struck)  # fmt: skip
