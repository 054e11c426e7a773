"""Payoffs of a match: a number for every place, and the rule for ties.

Suppose `above` players finish ahead of a player and `level` others have the same score. The player then occupies the
places `above`, …, `above + level` and gets the mean of their payoffs or, if ties are not shared, the payoff of the last
of them. Match points (1 for every opponent beaten, ½ for every tie) pay n − 1, n − 2, …, 0 for the places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import isfinite
from typing import Self

from yatzy.errors import InputError, Message
from yatzy.names.base import Name, number_text
from yatzy.names.grammar import parse, register
from yatzy.units import Unit

MOST = 1e9
"""The highest payoff of a place; limited so that sums and differences of payoffs stay accurate."""
MOST_PLACES = 1000
"""The most places of a payoff; more than any match has players."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """The payoff of every place, first place first; a better place never pays less."""

    values: tuple[float, ...]
    share_ties: bool = True
    """Whether tied players get the mean payoff of their places; otherwise each gets the payoff of the last one."""

    def __post_init__(self) -> None:
        if not 2 <= len(self.values) <= MOST_PLACES:
            raise InputError("a payoff needs a number for each of 2 to {most} places", most=MOST_PLACES)
        if not all(isfinite(value) and abs(value) <= MOST for value in self.values):
            raise InputError(
                "payoff {values}: every place pays a finite number, at most {most:g}",
                values=_show(self.values),
                most=MOST,
            )
        if any(a < b for a, b in pairwise(self.values)):
            raise InputError(
                "payoff {values}: a better place cannot pay less than a worse one", values=_show(self.values)
            )
        if self.values[0] == self.values[-1]:
            raise InputError("payoff {values}: the first place must pay more than the last", values=_show(self.values))

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.values)

    @property
    def total(self) -> float | None:
        """The sum of all players' payoffs if it is constant, else None."""
        return sum(self.values) if self.share_ties else None

    @property
    def step(self) -> float | None:
        """The gain from beating one more opponent (a tie gains half) if it is the same at every place, else None."""
        steps = {a - b for a, b in pairwise(self.values)}
        return steps.pop() if self.share_ties and len(steps) == 1 else None

    @property
    def unit(self) -> Unit:
        """The unit of match values: a chance if only winning outright pays."""
        return Unit.CHANCE if self == win_outright(self.players) else Unit.WORTH

    def of_place(self, above: int, level: int) -> float:
        """The payoff of a player with `above` opponents ahead and `level` others on the same score."""
        if not self.share_ties:
            return self.values[above + level]
        return sum(self.values[above : above + level + 1]) / (level + 1)

    def of_scores(self, scores: Sequence[int]) -> tuple[float, ...]:
        """The payoff of every player for these final scores."""
        if len(scores) != self.players:
            raise InputError(
                "{count} scores given, but this payoff is for {players} players",
                count=len(scores),
                players=self.players,
            )
        return tuple(self.of_place(sum(s > mine for s in scores), list(scores).count(mine) - 1) for mine in scores)


@lru_cache(maxsize=32)
def match_points(players: int) -> Payoff:
    """1 for every opponent beaten, ½ for every tie."""
    return Payoff(tuple(float(players - 1 - place) for place in range(players)))


def win_outright(players: int) -> Payoff:
    """1 for a sole winner, 0 for everyone else."""
    return Payoff((1.0, *(0.0,) * (players - 1)), share_ties=False)


class PayoffName(Name):
    """The name of a payoff, for any number of players or for a fixed number."""

    __slots__ = ()
    noun = "payoff"

    @classmethod
    def unknown(cls, name: str, forms: str) -> Message:
        """The error for a text that is not one."""
        return Message("there is no payoff {name}; payoffs are {forms}", name=name, forms=forms)

    def for_players(self, players: int) -> Payoff:
        """The payoff for a number of players."""
        raise NotImplementedError

    @property
    def unit(self) -> Unit:
        """The unit of match values with it."""
        return Unit.WORTH

    @property
    def several(self) -> bool:
        """Always true."""
        return True


@register
@dataclass(frozen=True, slots=True)
class MatchPoints(PayoffName):
    """1 for every opponent beaten, ½ for every tie."""

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
    """1 for a sole winner, 0 for everyone else."""

    form = "win"
    help = "1 for winning outright, otherwise 0"

    def __str__(self) -> str:
        return self.form

    @property
    def unit(self) -> Unit:
        """The chance of winning outright."""
        return Unit.CHANCE

    def for_players(self, players: int) -> Payoff:
        """1 for the first place, ties not shared."""
        return win_outright(_several(players))


@register
@dataclass(frozen=True, slots=True)
class ByPlace(PayoffName):
    """A number for every place, first place first; tied players share."""

    values: tuple[float, ...]
    form = "PLACE,PLACE,…"
    help = "a number for each place, from first to last, such as 6,3,1,0; tied players share"

    def __post_init__(self) -> None:
        Payoff(self.values)

    def __str__(self) -> str:
        return ",".join(map(number_text, self.values))

    def for_players(self, players: int) -> Payoff:
        """The payoff; the number of players must equal the number of places."""
        if len(self.values) != _several(players):
            raise InputError(
                "payoff {name}: {count} places, but there are {players} players",
                name=self,
                count=len(self.values),
                players=players,
            )
        return Payoff(self.values)

    @classmethod
    def forms(cls, players: int = 2) -> tuple[str, ...]:
        """An example, because it is clearer than the form."""
        return ("a number for each place such as 6,3,1,0",)

    @classmethod
    def rest_of(cls, text: str) -> str | None:
        """The whole text, if it is a list of numbers."""
        return text if all(_is_number(part) for part in text.split(",", MOST_PLACES)) else None

    @classmethod
    def read(cls, rest: str) -> Self:
        """Parse the numbers."""
        return cls(tuple(float(part) for part in rest.split(",")))


def parse_payoff(text: str) -> PayoffName:
    """Parse the name of a payoff."""
    return parse(PayoffName, text)


def payoff_for(payoff: Payoff | PayoffName | str, players: int) -> Payoff:
    """The payoff for a number of players, from a payoff, a name or a text."""
    if isinstance(payoff, str):
        payoff = parse_payoff(payoff)
    if isinstance(payoff, PayoffName):
        return payoff.for_players(players)
    if payoff.players != players:
        raise InputError(
            "the payoff is for {players} players, but there are {count}", players=payoff.players, count=players
        )
    return payoff


def _several(players: int) -> int:
    if players < 2:
        raise InputError("a match needs at least two players, not {players}", players=players)
    return players


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _show(values: tuple[float, ...]) -> str:
    return ",".join(f"{value:g}" for value in values)
