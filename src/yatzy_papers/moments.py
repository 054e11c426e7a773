"""The mean and standard deviation of a strategy for Yahtzee, carried forward state by state (see `glenn`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

SETS, SUMS = 1 << 13, 64
FULL_HOUSE, SMALL, LARGE, BOX = 8, 9, 10, 11


@njit(cache=True)
def moments(
    points: Any, face: Any, keep_start: Any, keeps: Any, roll_start: Any, rolls: Any, chance: Any, sets: Any,
    estimate: Any, by_sum: bool, order: Any, rule: Any,
) -> Any:  # fmt: skip
    """The mean and standard deviation of a strategy.

    estimate: float64[set, box, sum]; by_sum: whether it depends on the sum. rule: int64[set, roll], the keeps, or empty
    if the keeps are the best for the estimate.
    """
    count, many = len(points), len(roll_start) - 1
    mass, first, second = np.zeros((SETS, 2, SUMS)), np.zeros((SETS, 2, SUMS)), np.zeros((SETS, 2, SUMS))
    mass[0, 0, 0] = 1.0
    value, worth = np.empty(count), np.empty(many)
    place, paid = np.empty(count, np.int64), np.empty(count)
    keep, dice, kept = np.empty((2, count), np.int64), np.empty(count), np.empty(many)
    for filled in sets[:-1]:
        for box in range(2):
            planned = False
            for upper in range(SUMS):
                if mass[filled, box, upper] == 0.0:
                    continue
                if by_sum or not planned:
                    planned = True
                    for roll in range(count):
                        best = -np.inf
                        for category in order:
                            if filled >> category & 1:
                                continue
                            p = points[roll, category]
                            if face[roll] and filled >> BOX & 1 and filled >> (face[roll] - 1) & 1:
                                p = 25.0 if category == FULL_HOUSE else p
                                p = 30.0 if category == SMALL else p
                                p = 40.0 if category == LARGE else p
                            pays = 1 if box or (category == BOX and p > 0) else 0
                            total = min(SUMS - 1, upper + int(p)) if category < 6 else upper
                            x = p + estimate[filled | 1 << category, pays, total]
                            if x > best + 1e-9:
                                best, place[roll], paid[roll] = x, category, p
                        value[roll] = best + (100.0 if face[roll] and box else 0.0)
                    for left in range(2):
                        if len(rule):
                            keep[left] = rule[filled]
                            continue
                        for k in range(many):
                            worth[k] = 0.0
                            for i in range(roll_start[k], roll_start[k + 1]):
                                worth[k] += chance[i] * value[rolls[i]]
                        for roll in range(count):
                            best = -np.inf
                            for i in range(keep_start[roll], keep_start[roll + 1]):
                                if worth[keeps[i]] > best + 1e-9:
                                    best, keep[left, roll] = worth[keeps[i]], keeps[i]
                            value[roll] = best
                    dice[:] = 0.0
                    for i in range(roll_start[0], roll_start[1]):
                        dice[rolls[i]] = chance[i]
                    for left in range(1, -1, -1):
                        kept[:] = 0.0
                        for roll in range(count):
                            kept[keep[left, roll]] += dice[roll]
                        dice[:] = 0.0
                        for k in range(many):
                            if kept[k] > 0.0:
                                for i in range(roll_start[k], roll_start[k + 1]):
                                    dice[rolls[i]] += kept[k] * chance[i]
                m, m1, m2 = mass[filled, box, upper], first[filled, box, upper], second[filled, box, upper]
                for roll in range(count):
                    p, category = dice[roll], place[roll]
                    if p == 0.0:
                        continue
                    pays = 1 if box or (category == BOX and paid[roll] > 0) else 0
                    total = min(SUMS - 1, upper + int(paid[roll])) if category < 6 else upper
                    x = paid[roll] + (100.0 if face[roll] and box else 0.0)
                    x += 35.0 if upper < SUMS - 1 == total else 0.0
                    after = filled | 1 << category
                    mass[after, pays, total] += p * m
                    first[after, pays, total] += p * (m1 + x * m)
                    second[after, pays, total] += p * (m2 + 2 * x * m1 + x * x * m)
    mean = first[-1].sum()
    return mean, np.sqrt(second[-1].sum() - mean * mean)
