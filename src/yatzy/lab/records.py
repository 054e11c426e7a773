"""Simulated games as records, turn by turn, for reviews, quizzes and other programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from yatzy.games import Player, Record, Score, Turn
from yatzy.games.record import name_from
from yatzy.lab.simulation import PlayedTurn
from yatzy.lab.traces import Traces
from yatzy.model import compile_game
from yatzy.strategies.base import Strategy

MOST_RECORDS = 100_000
"""The most games that are written as records; a game takes about a kilobyte."""


def trace_records(traces: Traces) -> Iterator[Record]:
    """A record of every game."""
    lattice, ids = compile_game(traces.game).lattice, tuple(traces.game.category_index)
    for game in range(len(traces)):
        turns = []
        for turn, category in enumerate(traces.category[game]):
            rolls = tuple(lattice.rolls[roll] for roll in traces.rolls[game, turn])
            keeps = tuple(lattice.keeps[keep] for keep in traces.keeps[game, turn])
            turns.append(Turn(rolls, keeps, Score(ids[category], bool(traces.struck[game, turn]))))
        number = traces.first + game
        yield Record(traces.game, (_player(traces.strategy),), tuple(turns), notes=(_note(traces.seed, number),))


def replay_record(strategy: Strategy, turns: Sequence[PlayedTurn], seed: int, number: int) -> Record:
    """The record of one game that was replayed."""
    played = tuple(record_turn(turn) for turn in turns)
    return Record(strategy.game, (_player(strategy.name),), played, notes=(_note(seed, number),))


def record_turn(turn: PlayedTurn) -> Turn:
    """A simulated turn as a record has it."""
    return Turn(turn.rolls, tuple(keep.dice for keep in turn.keeps), turn.score)


def _player(strategy: str) -> Player:
    return Player(name_from(strategy), strategy)


def _note(seed: int, number: int) -> str:
    """The seed is no `seed:` of the record: that one is for the dice of a game that people play."""
    return f"simulated, seed {seed}, game {number}"
