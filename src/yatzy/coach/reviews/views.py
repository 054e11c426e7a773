"""What a judge says of positions, seen from each player at the table.

A review needs more than advice: what a position is worth to a player who is not to move, what it is worth on the mean
before a roll, and what came out in the end. How that is found depends on the objective:

- one player's own (expected, target:S, utility:FILE): everybody's own sheet alone counts;
- a match of two in which what they get together is always the same: what one gains the other loses;
- other matches: a search knows the value of the player to move, and of nobody else.

The objectives chance:P and exp:THETA, and searches of depth 0, have values that are no means of the values after a
roll. They tell good moves from bad ones, but what a roll brought cannot be told in their values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from yatzy.errors import InputError
from yatzy.games import Game, Move, Position, Record, apply_move
from yatzy.names.payoffs import Payoff, match_points, parse_payoff, win_outright
from yatzy.units import Unit
from yatzy.values.evaluator import Evaluator, MoveValue, Solution
from yatzy.values.expected import ExpectedScore
from yatzy.values.exponential import ExponentialUtility
from yatzy.values.targets import ScoreAtChance, TargetChance

if TYPE_CHECKING:
    from yatzy.matches.values import MatchValues


class Optimum:
    """The optimum of two (match/values.py) as an adviser."""

    unit = Unit.WORTH
    objective = "match:optimum"

    def __init__(self, values: MatchValues, tie: float = 1e-6) -> None:
        self.game: Game = values.game
        self.payoff = values.payoff
        self._values, self._tie = values, tie

    def value(self, position: Position) -> float:
        """The payoff to expect of the player to move."""
        return self._values.value(position)

    def moves(self, position: Position) -> list[MoveValue]:
        """Every legal move with its value."""
        return self._values.moves(position)

    def tied(self, value: float, top: float) -> bool:
        """Whether a value is as good as the best one."""
        return top - value <= self._tie

    def span(self, position: Position) -> float:
        """From what a loss pays to what a win pays."""
        return self.payoff.values[0] - self.payoff.values[-1]


class Sides(Enum):
    """Whose values are known."""

    OWN = "own"
    """Everybody plays a game of their own."""
    BOTH = "both"
    """What one of two gains the other loses."""
    MOVER = "mover"
    """Only that of the player to move."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What values are: the key of a text, and the number that the text names."""

    key: str
    number: float = 0.0


class View(Protocol):
    """What positions of a record are worth to each player."""

    sides: Sides
    meaning: Meaning
    additive: bool
    """Whether the value before a roll is the mean of the values after it."""

    def now(self, position: Position, player: int) -> float | None:
        """What a position is worth to a player; None where that is not known."""

    def mean(self, position: Position) -> float:
        """What a position before a roll is worth to the player to move, as the mean over the roll."""

    def to_other(self, value: float) -> float | None:
        """What a value of the player to move is to another; None where that is not known."""

    def after(self, position: Position, move: Move) -> float | None:
        """What a move is worth to the player to move, one that no list of moves has; None where that is not known."""


class Alone:
    """Every player's own game, judged by a solved objective of one player."""

    sides = Sides.OWN

    def __init__(self, solution: Solution) -> None:
        self._solution, self.meaning = solution, _meaning(solution)
        self.additive = not isinstance(solution, ExponentialUtility | ScoreAtChance)

    def now(self, position: Position, player: int) -> float:
        """From the player's sheet, and the dice where it is the player's turn."""
        sheet = position.sheets[player]
        if sheet.over and isinstance(self._solution, ExpectedScore):
            return float(sheet.points)
        mine = player == position.mover and not position.over
        return self._solution.value(position if mine else sheet)

    def mean(self, position: Position) -> float:
        """Worked out from the values after the roll, not read from the table."""
        if not self.additive:
            return self._solution.value(position)
        return float(self._solution.turn(position.sheet).at(position))

    def to_other(self, value: float) -> None:
        """Nothing."""

    def after(self, position: Position, move: Move) -> float:
        """From the sheet after it."""
        return self.now(apply_move(position, move), position.mover)


class Pair:
    """A match of two in which what one gains the other loses."""

    sides = Sides.BOTH

    def __init__(self, judge: Evaluator, payoff: Payoff) -> None:
        assert payoff.total is not None
        self._judge, self._payoff, self._total = judge, payoff, payoff.total
        self.meaning = _payoff_meaning(payoff)
        self.additive = _searches(judge)

    def now(self, position: Position, player: int) -> float:
        """What is judged for the player to move, and the rest of what there is for the other."""
        if position.over:
            return self._payoff.of_scores([sheet.points for sheet in position.sheets])[player]
        value = float(self._judge.value(position))
        return value if player == position.mover else self.to_other(value)

    def mean(self, position: Position) -> float:
        """As judged before the roll."""
        return float(self._judge.value(position))

    def to_other(self, value: float) -> float:
        """The rest of what there is."""
        return self._total - value

    def after(self, position: Position, move: Move) -> float:
        """As judged in the position after it."""
        return self.now(apply_move(position, move), position.mover)


class Mover:
    """A match in which only the value of the player to move is known."""

    sides = Sides.MOVER

    def __init__(self, judge: Evaluator, payoff: Payoff) -> None:
        self._judge, self._payoff, self.meaning = judge, payoff, _payoff_meaning(payoff)
        self.additive = _searches(judge)

    def now(self, position: Position, player: int) -> float | None:
        """Of the player to move, and of all when the match is over."""
        if position.over:
            return self._payoff.of_scores([sheet.points for sheet in position.sheets])[player]
        return float(self._judge.value(position)) if player == position.mover else None

    def mean(self, position: Position) -> float:
        """As judged before the roll."""
        return float(self._judge.value(position))

    def to_other(self, value: float) -> None:
        """Not known."""

    def after(self, position: Position, move: Move) -> float | None:
        """Not known, for then somebody else is to move."""
        return None


def _searches(judge: Evaluator) -> bool:
    """Whether values are means of what comes; with no turn searched the judge is asked of whole curves instead."""
    from yatzy.matches.search import MatchSearch  # compiled, so not for everybody who reviews a game of one
    from yatzy.names import DynS, Emp

    return not (isinstance(judge, MatchSearch) and isinstance(judge.strategy, Emp | DynS) and not judge.strategy.depth)


def _meaning(solution: Solution) -> Meaning:
    match solution:
        case TargetChance():
            return Meaning("target", solution.target)
        case ScoreAtChance():
            return Meaning("at_chance", solution.probability)
        case ExponentialUtility():
            return Meaning("sure_score")
    return Meaning("final_score" if solution.unit is Unit.POINTS else "worth")


def _payoff_meaning(payoff: Payoff) -> Meaning:
    if payoff == win_outright(payoff.players):
        return Meaning("win_alone")
    if payoff == match_points(2):
        return Meaning("win_or_tie")
    return Meaning("match_points" if payoff == match_points(payoff.players) else "payoff")


def view_of(judge: Evaluator, record: Record) -> View:
    """How a judge sees a record; refused where it knows another game."""
    if judge.game != record.game:
        raise InputError(f"the record is of {record.game.id}, but {judge.objective} is solved for {judge.game.id}")
    if isinstance(judge, Solution):
        return Alone(judge)
    from yatzy.matches.search import MatchSearch

    payoff = _payoff(judge, record.players)
    if len(record.players) == 2 and payoff.total is not None and isinstance(judge, MatchSearch | Optimum):
        return Pair(judge, payoff)
    return Mover(judge, payoff)


def _payoff(judge: Evaluator, players: Sequence[object]) -> Payoff:
    payoff = getattr(judge, "payoff", "match-points")
    found = parse_payoff(payoff, len(players)) if isinstance(payoff, str) else payoff
    assert isinstance(found, Payoff)
    if found.players != len(players):
        raise InputError(f"the payoff is for {found.players} players, but the record has {len(players)}")
    return found
