"""A new objective and a new strategy, each with its name and its solver and nothing else; importing this adds them."""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.errors import InputError
from yatzy.games import Game, Move, Position, Sheet
from yatzy.names import EXPECTED, Objective, Origin, StrategyName, register, unregister
from yatzy.strategies.base import Earlier, Strategy
from yatzy.values.evaluator import Solution
from yatzy.values.expected import ExpectedScore
from yatzy.values.opening import Opening


@register
@dataclass(frozen=True, slots=True)
class Gift(Objective):
    """The expected score and a gift, which changes no decision."""

    points: int
    form = "gift:POINTS"
    help = "the most points on average, and POINTS as a gift"
    opener = "helpers.new_names:open_gift"
    checker = "helpers.new_names:check_gift"
    examples = ("gift:1000",)

    def __str__(self) -> str:
        return f"gift:{self.points}"

    @classmethod
    def read(cls, rest: str) -> Gift:
        return cls(int(rest))

    @property
    def tables(self) -> tuple[str, ...]:
        return (EXPECTED,)

    @property
    def number(self) -> float:
        return self.points


class GiftScore(Solution):
    def __init__(self, expected: ExpectedScore, name: Gift) -> None:
        super().__init__(expected.game)
        self.name, self.table, self._expected = name, expected.table, expected

    def worth(self, after: Sheet, before: Sheet) -> float:
        points = self.name.points if isinstance(self.name, Gift) else 0
        return self._expected.worth(after, before) + points


def open_gift(solver: Opening, game: Game, name: Gift) -> GiftScore:
    return GiftScore(solver.expected(game), name)


def check_gift(name: Gift, game: Game) -> None:
    if name.points > 5000:
        raise InputError(f"{name}: is too much for {game.id}")


@register
@dataclass(frozen=True, slots=True)
class LastMove(StrategyName):
    """The last of the legal moves."""

    form = "last-move"
    help = "the last of the legal moves"
    opener = "helpers.new_names:open_last_move"
    examples = ("last-move",)

    def __str__(self) -> str:
        return self.form


class LastMoveStrategy(Strategy):
    def __init__(self, game: Game) -> None:
        self.game, self.name = game, "last-move"

    def move(self, position: Position, earlier: Earlier = ()) -> Move:
        return position.legal_moves[-1]


def open_last_move(solver: Opening, game: Game, name: LastMove, origin: Origin) -> Strategy:
    return LastMoveStrategy(game)


def remove() -> None:
    """Undo what importing this did."""
    unregister(Gift)
    unregister(LastMove)


def add() -> None:
    """Do again what importing this did."""
    register(Gift)
    register(LastMove)
