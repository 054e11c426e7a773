"""The regret of strategies over whole games, as JSON and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from yatzy.games import load_game
from yatzy.lab.regret import RegretResult, SeatRegret, StrategyRegret
from yatzy.lab.sample import Estimate
from yatzy.report.answers.base import Answer


class SeatRegretAnswer(Answer):
    """What a strategy loses in its games as first or as second player."""

    games: int
    value: float
    """The match points of optimal play in this seat."""
    loss: Estimate
    """The match points lost in a game."""
    turns: Sequence[Estimate]
    """The match points lost in each turn."""
    rolls: Sequence[Estimate]
    """The match points lost in a game by the decisions after each roll of a turn."""
    erring: Estimate
    """The share of decisions that are errors."""
    result: Estimate
    """The mean match points of the games."""
    without_luck: Estimate
    """The mean result without the luck of the dice."""
    foreseen: Estimate
    """The mean result by the mean losses."""


class StrategyRegretAnswer(Answer):
    """What a strategy loses in games against the optimum."""

    loss: Estimate
    """The match points lost in a game."""
    moves: Sequence[Estimate]
    """The match points lost per move, for each turn."""
    rolls: Sequence[Estimate]
    """The match points lost in a game by the decisions after each roll of a turn."""
    erring: Estimate
    """The share of decisions that are errors."""
    result: Estimate
    """The mean match points of the games."""
    without_luck: Estimate
    """The mean result without the luck of the dice."""
    foreseen: Estimate
    """The mean result by the mean losses."""
    apart: float
    """How many standard errors the mean result is above the one by the mean losses."""
    first: SeatRegretAnswer
    second: SeatRegretAnswer


class RegretAnswer(Answer):
    """The losses of some strategies."""

    game: str
    games: int
    """Of each strategy."""
    seed: int
    value: float
    """What the player who begins has under optimal play."""
    error: float
    """A loss above this counts as an error."""
    strategies: Mapping[str, StrategyRegretAnswer]


def regret_answer(result: RegretResult) -> RegretAnswer:
    """The answer of `yatzy match regret`."""
    return RegretAnswer(
        game=result.game.id,
        games=result.games,
        seed=result.seed,
        value=result.value,
        error=result.error,
        strategies={one.strategy: _strategy(one) for one in result.strategies},
    )


def _strategy(one: StrategyRegret) -> StrategyRegretAnswer:
    return StrategyRegretAnswer(
        loss=one.loss,
        moves=one.moves,
        rolls=one.rolls,
        erring=one.erring,
        result=one.result,
        without_luck=one.without_luck,
        foreseen=one.foreseen,
        apart=one.apart,
        first=_seat(one.first),
        second=_seat(one.second),
    )


def _seat(one: SeatRegret) -> SeatRegretAnswer:
    return SeatRegretAnswer(
        games=one.games,
        value=one.value,
        loss=one.loss,
        turns=one.turns,
        rolls=one.rolls,
        erring=one.erring,
        result=one.result,
        without_luck=one.without_luck,
        foreseen=one.foreseen,
    )


def read_regret(fields: Mapping[str, Any]) -> RegretResult:
    """The result that was written as JSON; the game must be a preset."""
    game = load_game(fields["game"])
    strategies = tuple(
        StrategyRegret(name, game.rolls, *(_read_seat(one[seat]) for seat in ("first", "second")))
        for name, one in fields["strategies"].items()
    )
    return RegretResult(game, fields["games"], fields["seed"], fields["value"], fields["error"], strategies)


def _read_seat(found: Mapping[str, Any]) -> SeatRegret:
    value, without_luck = found["value"], Estimate(**found["without_luck"])
    return SeatRegret(
        games=found["games"],
        value=value,
        loss=Estimate(**found["loss"]),
        turns=tuple(Estimate(**one) for one in found["turns"]),
        rolls=tuple(Estimate(**one) for one in found["rolls"]),
        erring=Estimate(**found["erring"]),
        result=Estimate(**found["result"]),
        realised=Estimate(value - without_luck.value, without_luck.error),
    )
