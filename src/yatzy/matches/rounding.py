"""A bound on the rounding errors of two-player values in single precision.

One turn (kernels/turn.py) maps the values after it to the value before it by sums with positive weights, maxima, and
1 − x. If the values after it are wrong by at most e, the exact turn of these values is wrong by at most e too, because
weights add up to 1 and maxima are exact. So the error of depth d is at most that of depth d − 1 plus the rounding of
one turn, and depth 0 (½) is exact. The rounding of one turn is bounded step by step. All numbers are at least 0, and
half a unit in the last place grows with the number, so every step errs most when all values are 1:

    a level of a sweep    sums of 2, 3, … f numbers, each the sum of f^(level − 1) values
    a mean                the rounded factor 1 / ways, and the product
    the first roll        the rounded weights, the products, and their sums in groups of 16
    1 − x                 half a unit in the last place of numbers below 1

Terms of second order (a rounding of a rounding) are covered by a factor of 1.001. The hardware rounds to nearest, and
the kernels are compiled without leave to reorder or fuse operations.
"""

from __future__ import annotations

import math

from yatzy.model import CompiledGame

GROUP = 16
"""Rolls per partial sum in kernels/turn.py."""
UNIT = 2.0**-24
"""The largest relative error of rounding to single precision."""
SECOND_ORDER = 1.001


def _half_unit(number: float) -> float:
    """Half a unit in the last place of a positive number."""
    return math.ldexp(UNIT, math.frexp(number)[1] - 1)


def turn_rounding(compiled: CompiledGame) -> float:
    """The largest error that rounding adds to a value between 0 and 1 in one turn."""
    game = compiled.game
    sweep = 2 * UNIT
    for level in range(1, game.dice + 1):
        ways = game.faces ** (level - 1)
        sweep += sum(_half_unit(i * ways) for i in range(2, game.faces + 1)) / (ways * game.faces)
    weights, total, first_roll = compiled.lattice.weight.tolist(), 0.0, 2 * UNIT
    for first in range(0, len(weights), GROUP):
        group = 0.0
        for weight in weights[first : first + GROUP]:
            group += weight
            first_roll += _half_unit(group)
        total += group
        first_roll += _half_unit(total)
    return SECOND_ORDER * ((game.rolls - 1) * sweep + first_roll + UNIT / 2)


def error_bound(compiled: CompiledGame, depth: int) -> float:
    """The largest rounding error of a value with this many open categories of both players together."""
    return depth * turn_rounding(compiled)
