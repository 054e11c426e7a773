"""Records of games that strategies play, for the tests that review them."""

from __future__ import annotations

from collections.abc import Sequence

from yatzy.games import Game, Player, Record, Turn
from yatzy.lab import replay
from yatzy.lab.simulation import PlayedTurn
from yatzy.strategies.base import Strategy

NAMES = ("Ann", "Bo", "Cy", "Di")


def turn_of(played: PlayedTurn) -> Turn:
    """A simulated turn as a record has it."""
    return Turn(played.rolls, tuple(keep.dice for keep in played.keeps), played.score)


def record_of(game: Game, games: Sequence[Sequence[PlayedTurn]]) -> Record:
    """The games of some players at one table, a turn each in order."""
    players = tuple(Player(name) for name in NAMES[: len(games)])
    return Record(game, players, tuple(turn_of(turn) for together in zip(*games, strict=True) for turn in together))


def played_record(strategy: Strategy, seed: int, number: int = 0, players: int = 1) -> Record:
    """A game of some players who all play by a strategy, each with dice of their own."""
    return record_of(strategy.game, [replay(strategy, seed, number, stream) for stream in range(players)])
