"""Error bounds of tables: the most by which a stored number differs from the exact one.

Choices are maxima and rolls are means, and neither makes an error larger. So the error of a table is at most the sum of
what the single turns add, and a turn adds its roundings. A turn computed again from the stored numbers after it differs
by the roundings of that one turn, which is what `yatzy.verification` compares.

The roundings of a turn (kernels/turn.py), on the longest way from a number after the turn to the one before it:

    a reroll        dice · (faces − 1) additions, then the share of a roll, itself rounded, as a factor
    the first roll  the weight of a roll, itself rounded, as a factor; a sum of groups of 16, then the sum of the groups

The plain turn (values/turn.py) has dice · faces for every roll: additions, and a division at every level. Each rounding
is at most u = 2^-53 of the result in double precision and 2^-24 in single precision. For sums of numbers that are not
negative, n roundings change the result by at most n u / (1 − n u) of itself.

The chances of a match lie between 0 and 1, so their errors are bounded more sharply, step by step and not relative to
the result. All numbers are at least 0, and half a unit in the last place grows with the number, so every step errs most
when all values are 1:

    a level of a sweep    sums of 2, 3, … f numbers, each the sum of f^(level − 1) values
    a mean                the rounded factor 1 / ways, and the product
    the first roll        the rounded weights, the products, and their sums in groups of 16
    1 − x                 half a unit in the last place of numbers below 1

Terms of second order (a rounding of a rounding) are covered by a factor of 1.001. The hardware rounds to nearest, and
the kernels are compiled without leave to reorder or fuse operations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from yatzy.games import Game
from yatzy.games.gamefile import preset_with
from yatzy.games.sheet import possible_points
from yatzy.model.lattice import dice_lattice
from yatzy.values.kinds import CURVES, ENDGAMES, EXPECTED, EXPONENTIAL, OUTLOOK, UTILITY, kind_of

DOUBLE, SINGLE = 2.0**-53, 2.0**-24
"""The largest relative rounding error."""
SMALLEST = {DOUBLE: 2.0**-1074, SINGLE: 2.0**-149}
"""The distance of the smallest numbers, which are no longer rounded relative to their size."""
GROUP = 16
"""Rolls of the first roll that the kernel adds before it adds their sums."""
SECOND_ORDER = 1.001


class Measure(Enum):
    """What the error of a number is compared with."""

    RELATIVE = "relative"
    """The number itself."""
    ABSOLUTE = "absolute"
    """1."""
    LARGEST = "of the largest worth"
    """The largest absolute worth of a final score."""


@dataclass(frozen=True, slots=True)
class ErrorBound:
    """The bound of the errors of a table."""

    measure: Measure
    turn: float
    """What one turn adds at most, in the measure."""
    turns: int
    """The most turns on the way to a number."""
    plain: float
    """What the plain turn, in double precision, adds at most."""
    source: str
    """Why, in a few words."""
    nothing: float = 0.0
    """An absolute difference that always remains possible, from numbers too small to be rounded relative to their size.
    """
    scale: float | None = None
    """What an error in the measure is at most in the unit that people see; None if that is not known from the game."""

    @property
    def whole(self) -> float:
        """The most by which a number of the table differs from the exact one, in the measure."""
        if self.measure is Measure.RELATIVE:
            return math.expm1(self.turns * math.log1p(self.turn))
        return self.turn * self.turns

    @property
    def shown(self) -> float:
        """The same in the unit that people see, or in the measure if that is not known."""
        return self.whole if self.scale is None else self.whole * self.scale

    @property
    def again(self) -> float:
        """The most by which a stored number differs from the plain turn on the numbers after it, in the measure."""
        return (self.turn + self.plain) / (1 - self.plain)


def error_bound(game: Game, objective: str) -> ErrorBound | None:
    """The bound for a table of a game; None for strategies, which hold choices, and for kinds that are not known."""
    found = _BOUNDS.get(kind_of(objective))
    return None if found is None else found(game, objective)


def bound_of(game: str, game_hash: str, objective: str) -> ErrorBound | None:
    """The bound for a table as its header names it; None also if the game is no preset."""
    preset = preset_with(game, game_hash)
    return None if preset is None else error_bound(preset, objective)


def _accumulated(roundings: float, unit: float) -> float:
    return roundings * unit / (1 - roundings * unit)


def _kernel(game: Game) -> int:
    """The roundings of a turn in the kernels."""
    rolls = math.comb(game.dice + game.faces - 1, game.dice)
    reroll = game.dice * (game.faces - 1) + 2
    return (game.rolls - 1) * reroll + 2 + min(GROUP, rolls) + -(-rolls // GROUP)


def _plain(game: Game) -> int:
    """The roundings of the plain turn."""
    return game.rolls * game.dice * game.faces


def _most_points(game: Game) -> int:
    """As `model.most_points`, but without compiling the game: `yatzy tables` lists the bounds of many games."""
    most = sum(max(possible_points(game, category.id)) for category in game.categories)
    most += game.bonus.points if game.bonus else 0
    return most + (game.joker.points * (len(game.categories) - 1) if game.joker else 0)


def _most_in_a_turn(game: Game) -> int:
    most = max(max(possible_points(game, category.id)) for category in game.categories)
    return most + (game.bonus.points if game.bonus else 0) + (game.joker.points if game.joker else 0)


def _expected(game: Game, objective: str) -> ErrorBound:
    return ErrorBound(
        Measure.RELATIVE,
        _accumulated(_kernel(game) + 1, DOUBLE),  # one more: the points are added
        len(game.categories),
        _accumulated(_plain(game) + 1, DOUBLE),
        "the number of roundings, each at most 2^-53 of the value",
        scale=_most_points(game),
    )


def _chances(game: Game, objective: str) -> ErrorBound:
    roundings = _kernel(game)
    return ErrorBound(
        Measure.RELATIVE,
        _accumulated(roundings, SINGLE),
        len(game.categories),
        _accumulated(_plain(game), DOUBLE),
        "the number of roundings, each at most 2^-24 of the chance",
        nothing=roundings * SMALLEST[SINGLE],
        scale=1.0,
    )


def _exponential(game: Game, objective: str) -> ErrorBound | None:
    try:
        theta = float(objective.partition(":")[2])
    except ValueError:
        return None
    if not (theta and math.isfinite(theta)):
        return None
    # A factor e^(theta · points): the product is rounded, which changes e^x by x u, then the exponential (within two
    # roundings) and the product. The kernel has up to three factors: the upper category, the points, a Joker bonus.
    factors = abs(theta) * _most_in_a_turn(game) + 9
    return ErrorBound(
        Measure.RELATIVE,
        _accumulated(_kernel(game) + factors, DOUBLE),
        len(game.categories),
        _accumulated(_plain(game) + factors, DOUBLE),
        "the number of roundings, each at most 2^-53 of the utility; in points of the certainty equivalent",
        nothing=2.0**-1000,
        scale=1 / abs(theta),
    )


def _utility(game: Game, objective: str) -> ErrorBound:
    # Solved in double precision and stored in single, from the worths of the final scores on.
    return ErrorBound(
        Measure.LARGEST,
        SINGLE * (1 + SINGLE) + _accumulated(_kernel(game), DOUBLE),
        len(game.categories) + 1,
        _accumulated(_plain(game), DOUBLE),
        "one rounding a turn, at most 2^-24 of the largest worth",
        nothing=SMALLEST[SINGLE],
    )


def _outlook(game: Game, objective: str) -> ErrorBound:
    # Solved in double precision and stored in single. The chance of an outcome is a sum over ways through the turn; no
    # sum has more terms than the dice lattice has edges.
    keeps = math.comb(game.dice + game.faces, game.dice)
    doubles = _accumulated(game.rolls * keeps * (game.faces + 1), DOUBLE)
    return ErrorBound(
        Measure.RELATIVE,
        SINGLE + doubles,
        len(game.categories),
        doubles,
        "one rounding a turn, at most 2^-24 of the number; chances of 1e-30 or less are left out",
        nothing=2e-30,
    )


def _endgames(game: Game, objective: str) -> ErrorBound | None:
    depth = objective.partition(":")[2]
    if not (depth.isascii() and depth.isdigit()):
        return None
    return ErrorBound(
        Measure.ABSOLUTE,
        _turn_of_chances(game),
        int(depth[:4]),
        _accumulated(_plain(game) + 1, DOUBLE),
        "the roundings of every step of a turn in single precision, for values between 0 and 1",
        scale=1.0,
    )


def _turn_of_chances(game: Game) -> float:
    """The largest error that rounding to single precision adds to a value between 0 and 1 in one turn."""
    sweep = 2 * SINGLE
    for level in range(1, game.dice + 1):
        ways = game.faces ** (level - 1)
        sweep += sum(_half_unit(i * ways) for i in range(2, game.faces + 1)) / (ways * game.faces)
    weights, total, first_roll = dice_lattice(game.dice, game.faces).weight.tolist(), 0.0, 2 * SINGLE
    for first in range(0, len(weights), GROUP):
        group = 0.0
        for weight in weights[first : first + GROUP]:
            group += weight
            first_roll += _half_unit(group)
        total += group
        first_roll += _half_unit(total)
    return SECOND_ORDER * ((game.rolls - 1) * sweep + first_roll + SINGLE / 2)


def _half_unit(number: float) -> float:
    """Half a unit in the last place of a positive number in single precision."""
    return math.ldexp(SINGLE, math.frexp(number)[1] - 1)


_BOUNDS: dict[str, Callable[[Game, str], ErrorBound | None]] = {
    EXPECTED.name: _expected,
    CURVES.name: _chances,
    EXPONENTIAL.name: _exponential,
    UTILITY.name: _utility,
    OUTLOOK.name: _outlook,
    ENDGAMES.name: _endgames,
}
