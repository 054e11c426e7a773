"""What a match pays: a number for every place, and what a tie does with it.

Let `above` players finish ahead of one and `level` others finish with the same score. That one shares the places
`above`, …, `above + level` and gets the mean of what they pay, or, where ties are not shared, what the last of them
pays. Match points, one for every opponent beaten and a half for every tie, are the places n − 1, n − 2, …, 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Self

from yatzy.errors import InputError
from yatzy.names.base import Name, number_text
from yatzy.names.grammar import parse, register
from yatzy.units import Unit

MOST = 1e9
"""What a place may pay at most, so that sums and differences of payoffs stay exact enough."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """What every place pays, the first place first; a better place never pays less."""

    values: tuple[float, ...]
    share_ties: bool = True
    """Whether those who tie share the mean of the places they span; else each gets the last of them."""

    def __post_init__(self) -> None:
        if len(self.values) < 2:
            raise InputError("a payoff needs a number for each of at least two places")
        if not all(isfinite(value) and abs(value) <= MOST for value in self.values):
            raise InputError(f"payoff {_show(self.values)}: every place pays a finite number, at most {MOST:g}")
        if any(a < b for a, b in pairwise(self.values)):
            raise InputError(f"payoff {_show(self.values)}: a better place cannot pay less than a worse one")
        if self.values[0] == self.values[-1]:
            raise InputError(f"payoff {_show(self.values)}: the first place must pay more than the last")

    @property
    def players(self) -> int:
        """For how many players it is."""
        return len(self.values)

    @property
    def total(self) -> float | None:
        """What all players get together when that is always the same, else None."""
        return sum(self.values) if self.share_ties else None

    @property
    def step(self) -> float | None:
        """What beating one opponent more brings when that is the same at every place, half of it for a tie."""
        steps = {a - b for a, b in pairwise(self.values)}
        return steps.pop() if self.share_ties and len(steps) == 1 else None

    @property
    def unit(self) -> Unit:
        """What the values of a match are measured in: a chance where only winning alone pays."""
        return Unit.CHANCE if self == win_outright(self.players) else Unit.WORTH

    def of_place(self, above: int, level: int) -> float:
        """What a player gets with so many opponents ahead and so many others on the same score."""
        if not self.share_ties:
            return self.values[above + level]
        return sum(self.values[above : above + level + 1]) / (level + 1)

    def of_scores(self, scores: Sequence[int]) -> tuple[float, ...]:
        """What every player gets when the match ends with these scores."""
        if len(scores) != self.players:
            raise InputError(f"{len(scores)} scores given, but this payoff is for {self.players} players")
        return tuple(self.of_place(sum(s > mine for s in scores), list(scores).count(mine) - 1) for mine in scores)


def match_points(players: int) -> Payoff:
    """One for every opponent beaten, a half for every tie."""
    return Payoff(tuple(float(players - 1 - place) for place in range(players)))


def win_outright(players: int) -> Payoff:
    """1 for the one who is alone in front, else nothing."""
    return Payoff((1.0, *(0.0,) * (players - 1)), share_ties=False)


class PayoffName(Name):
    """What a match pays, for any number of players or for a certain number."""

    __slots__ = ()
    noun, nouns = "payoff", "payoffs"

    def for_players(self, players: int) -> Payoff:
        """What every place pays in a match of so many."""
        raise NotImplementedError

    @property
    def unit(self) -> Unit:
        """What the values of a match are measured in."""
        return Unit.WORTH

    @property
    def several(self) -> bool:
        """Always."""
        return True


@register
@dataclass(frozen=True, slots=True)
class MatchPoints(PayoffName):
    """One for every opponent beaten, a half for every tie."""

    form = "match-points"
    help = "one for every opponent beaten, a half for every tie"

    def __str__(self) -> str:
        return self.form

    def for_players(self, players: int) -> Payoff:
        """N − 1 for the first place, 0 for the last."""
        return match_points(_several(players))


@register
@dataclass(frozen=True, slots=True)
class Win(PayoffName):
    """1 for the one who is alone in front, else nothing."""

    form = "win"
    help = "1 for the one who is alone in front, else nothing"

    def __str__(self) -> str:
        return self.form

    @property
    def unit(self) -> Unit:
        """The chance to win alone."""
        return Unit.CHANCE

    def for_players(self, players: int) -> Payoff:
        """1 for the first place, ties not shared."""
        return win_outright(_several(players))


@register
@dataclass(frozen=True, slots=True)
class ByPlace(PayoffName):
    """A number for every place, the first place first; those who tie share."""

    values: tuple[float, ...]
    form = "PLACE,PLACE,…"
    help = "what every place pays, from the first to the last, such as 6,3,1,0; those who tie share"

    def __post_init__(self) -> None:
        Payoff(self.values)

    def __str__(self) -> str:
        return ",".join(map(number_text, self.values))

    def for_players(self, players: int) -> Payoff:
        """The same for as many players as there are places."""
        if len(self.values) != _several(players):
            raise InputError(f"payoff {self}: {len(self.values)} places, but there are {players} players")
        return Payoff(self.values)

    @classmethod
    def forms(cls) -> tuple[str, ...]:
        """An example, which says more."""
        return ("6,3,1,0 (from the first place to the last)",)

    @classmethod
    def rest_of(cls, text: str) -> str | None:
        """The whole text, if it is a list of numbers."""
        return text if all(_is_number(part) for part in text.split(",")) else None

    @classmethod
    def read(cls, rest: str) -> Self:
        """Read the numbers."""
        return cls(tuple(float(part) for part in rest.split(",")))


def parse_payoff(text: str) -> PayoffName:
    """Read a payoff."""
    return parse(PayoffName, text)


def payoff_for(payoff: Payoff | PayoffName | str, players: int) -> Payoff:
    """What every place pays in a match of so many players."""
    if isinstance(payoff, str):
        payoff = parse_payoff(payoff)
    if isinstance(payoff, PayoffName):
        return payoff.for_players(players)
    if payoff.players != players:
        raise InputError(f"the payoff is for {payoff.players} players, but there are {players}")
    return payoff


def _several(players: int) -> int:
    if players < 2:
        raise InputError(f"a match needs at least two players, not {players}")
    return players


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _show(values: tuple[float, ...]) -> str:
    return ",".join(f"{value:g}" for value in values)
