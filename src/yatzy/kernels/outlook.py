"""The outlook of the states of a layer: expected features and the distribution of the points to come.

A strategy fixes the chance p(o) of every outcome o of a turn (`evaluate.value_chances`). An outcome leads to a state
and scores points. Then, for every state,

    feature(s) = Σ p(o) · (feature of o itself + feature(s after o))
    mass(s, x) = Σ p(o) · mass(s after o, x − points of o)

For a sheet of C categories the features are C chances of scoring points in the category, C expected points in the
category, the chance of winning the upper bonus, and the expected Joker bonuses in points, all counted from the state
on. Features and masses are stored in single precision and summed in double. No term is negative, so the relative error
of small numbers is no larger than that of large ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from yatzy.kernels.cache import njit


class Futures(NamedTuple):
    """Features and distribution of the points to come, for the states of one layer."""

    features: Any
    """float32[state of the layer, feature]"""
    low: Any
    """int32[state of the layer]: the fewest points to come"""
    offset: Any
    """int64[state of the layer + 1]: where its masses begin in `mass`"""
    mass: Any
    """float32[value]: the chance of exactly low, low + 1, … points to come"""


class Turns(NamedTuple):
    """The outcomes of the turns of some states, as filled by `value_chances`."""

    chance: Any
    """float64[state, outcome]"""
    to: Any
    """int64[state, outcome]: state of the next layer"""
    points: Any
    """int32[state, outcome]: all its points, bonuses included"""
    bonus: Any
    """bool[state, outcome]: whether the points include the upper bonus"""


@njit(cache=True, nogil=True, error_model="numpy")
def find_features(turns: Turns, after: Any, category: Any, written: Any, upper_bonus: int, features: Any) -> None:
    """The features of some states.

    after: float32[state of the next layer, feature]; category, written: int32[outcome], the category filled and the
    points written there; features: float32[state, feature].
    """
    categories = (features.shape[1] - 2) // 2
    total = np.empty(features.shape[1])
    for at in range(len(features)):
        total[:] = 0.0
        for outcome in range(len(category)):
            p = turns.chance[at, outcome]
            if p > 0.0:
                filled, extra = category[outcome], turns.points[at, outcome] - written[outcome]
                if written[outcome] > 0:
                    total[filled] += p
                    total[categories + filled] += p * written[outcome]
                if turns.bonus[at, outcome]:
                    total[-2] += p
                    extra -= upper_bonus
                total[-1] += p * extra
                following = after[turns.to[at, outcome]]
                for i in range(len(total)):
                    total[i] += p * following[i]
        features[at] = total


@njit(cache=True, nogil=True, error_model="numpy")
def find_ranges(turns: Turns, low: Any, offset: Any, least: Any, most: Any) -> None:
    """The fewest and the most points to come from some states.

    low, offset: as in `Futures`, of the next layer; least, most: int32[state].
    """
    for at in range(len(least)):
        bottom, top = np.iinfo(np.int32).max, 0
        for outcome in range(turns.chance.shape[1]):
            if turns.chance[at, outcome] > 0.0:
                to, points = turns.to[at, outcome], turns.points[at, outcome]
                bottom = min(bottom, points + low[to])
                top = max(top, points + low[to] + offset[to + 1] - offset[to] - 1)
        least[at], most[at] = bottom, top


@njit(cache=True, nogil=True, error_model="numpy")
def find_masses(turns: Turns, after: Futures, nothing: float, least: Any, most: Any, length: Any, mass: Any) -> int:
    """Write the masses of the points to come of some states contiguously; return the number of values written.

    Leading and trailing masses up to `nothing` are dropped. least, most: int32[state], from `find_ranges`; `least` is
    updated to the first score that is kept. length: int64[state], the number of masses of each state;
    mass: float32[value], large enough for all.
    """
    total = np.empty(np.max(most - least) + 1)
    low, offset, source = after.low, after.offset, after.mass
    filled = 0
    for at in range(len(least)):
        width = most[at] - least[at] + 1
        total[:width] = 0.0
        for outcome in range(turns.chance.shape[1]):
            p = turns.chance[at, outcome]
            if p > 0.0:
                to = turns.to[at, outcome]
                piece = source[offset[to] : offset[to + 1]]
                begin = turns.points[at, outcome] + low[to] - least[at]
                into = total[begin : begin + len(piece)]
                for i in range(len(piece)):
                    into[i] += p * piece[i]
        first, end = 0, width
        while first < end and total[first] <= nothing:
            first += 1
        while end > first and total[end - 1] <= nothing:
            end -= 1
        for i in range(first, end):
            mass[filled + i - first] = total[i]
        least[at] += first
        length[at] = end - first
        filled += end - first
    return filled
