"""Classes of upper sums: sums of the filled upper categories that have the same future.

Let R be the set of sums that the open upper categories can still add, and T the bonus threshold. Two sums c1 < c2
differ iff some s in R has c1 + s < T <= c2 + s. So a class is identified by the least s in R with c + s >= T. That s is
0 when the bonus has been paid and does not exist when it is out of reach. Both have the same future and form one class,
called settled. Only sums that can occur get a class.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from yatzy.games import Face, Game, reachable_sums

CLOSED = -1


@dataclass(frozen=True, eq=False)
class UpperClasses:
    """The classes, ordered by how many upper categories are filled."""

    filled: npt.NDArray[np.int64]
    """[class]: the filled upper categories, as bits of the sheet."""
    count: npt.NDArray[np.int32]
    """[class]: the number of filled upper categories."""
    next: npt.NDArray[np.int32]
    """[class, upper category, dice that show its face]: the class after filling it, CLOSED if filled."""
    points: npt.NDArray[np.int32]
    """[class, upper category, dice that show its face]: the points of filling it, including the bonus if it is won."""
    least_missing: npt.NDArray[np.int32]
    """[class]: the least sum in R that wins the bonus, 0 if settled."""
    pairs: int
    """Number of pairs (set of filled upper categories, sum capped at the threshold), reachable or not."""
    reachable_pairs: int
    classes_unsettled: int
    """Number of classes if "bonus paid" and "out of reach" are separate."""
    index: dict[tuple[int, int], int]
    """(filled upper categories, capped sum) -> class."""
    cap: int

    def __len__(self) -> int:
        return len(self.filled)

    def find(self, filled_upper: int, upper: int) -> int:
        """The class of a sheet."""
        return self.index[filled_upper, min(upper, self.cap)]


def most_upper_pairs(game: Game) -> int:
    """An upper bound on the pairs of a set of upper categories and a capped sum, computed without listing the sets."""
    threshold = game.bonus.threshold if game.bonus else 0
    sets = {0: 1}  # number of sets by the highest sum of their categories
    last = 0
    for i in game.upper_categories:
        more = game.dice * _face(game, i)
        if game.forced_order:
            last += more
            sets[last] = 1
            continue
        for most, count in list(sets.items()):
            sets[most + more] = sets.get(most + more, 0) + count
    return sum(count * (min(most, threshold) + 1) for most, count in sets.items())


def upper_classes(game: Game) -> UpperClasses:
    """Enumerate and merge the upper sums of a game."""
    sets = _upper_sets(game)
    threshold = game.bonus.threshold if game.bonus else 0
    everything = sum(1 << i for i in game.upper_categories)
    members: dict[tuple[int, int], list[int]] = {}
    reachable = unsettled = 0
    for filled in sets:
        sums = _capped(reachable_sums(game, filled), threshold)
        futures = reachable_sums(game, everything & ~filled)
        missing = {c: _least_from(futures, threshold - c) for c in sums}
        reachable += len(sums)
        unsettled += len(set(missing.values()))
        for c in sums:
            members.setdefault((filled, max(missing[c], 0)), []).append(c)
    index = {(filled, c): i for i, ((filled, _), sums) in enumerate(members.items()) for c in sums}
    next_, points = _transitions(game, members, index, threshold)
    return UpperClasses(
        filled=np.array([filled for filled, _ in members], np.int64),
        count=np.array([filled.bit_count() for filled, _ in members], np.int32),
        next=next_,
        points=points,
        least_missing=np.array([missing for _, missing in members], np.int32),
        pairs=len(sets) * (threshold + 1),
        reachable_pairs=reachable,
        classes_unsettled=unsettled,
        index=index,
        cap=threshold,
    )


def _upper_sets(game: Game) -> list[int]:
    """The sets of upper categories that can be filled: all sets, or only the first categories in a forced order."""
    sets = [0]
    for i in game.upper_categories:
        sets += [sets[-1] | 1 << i] if game.forced_order else [filled | 1 << i for filled in sets]
    return sorted(sets, key=lambda filled: (filled.bit_count(), filled))


def _capped(sums: int, threshold: int) -> list[int]:
    below = [c for c in range(threshold) if sums >> c & 1]
    return [*below, threshold] if sums >> threshold else below


def _least_from(sums: int, low: int) -> int:
    """The least sum that is at least `low`, or -1. sums: a bit set."""
    above = sums >> max(low, 0)
    return (above & -above).bit_length() - 1 + max(low, 0) if above else -1


def _transitions(
    game: Game, members: dict[tuple[int, int], list[int]], index: dict[tuple[int, int], int], threshold: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    faces = np.array([_face(game, i) for i in game.upper_categories], np.int32)
    points = np.outer(faces, np.arange(game.dice + 1, dtype=np.int32))  # [upper category, dice that show its face]
    before = np.array([sums[0] for sums in members.values()], np.int32)  # any member: they have the same future
    after = before[:, None, None] + points
    class_of = _class_rows(index)
    next_ = np.full(after.shape, CLOSED, np.int32)
    end = 0
    for filled, group in groupby(filled for filled, _ in members):
        start, end = end, end + len(list(group))
        classes = slice(start, end)
        for slot, i in enumerate(game.upper_categories):
            row = class_of.get(filled | 1 << i)
            if not filled >> i & 1 and row is not None:  # a forced order does not have every set
                next_[classes, slot] = row[np.minimum(after[classes, slot], threshold)]
    bonus = game.bonus.points if game.bonus else 0
    gain = points + bonus * ((before[:, None, None] < threshold) & (after >= threshold))
    return next_, np.where(next_ == CLOSED, 0, gain).astype(np.int32)


def _class_rows(index: dict[tuple[int, int], int]) -> dict[int, npt.NDArray[np.int32]]:
    """By set of filled upper categories: [capped sum] the class."""
    rows = dict[int, npt.NDArray[np.int32]]()
    for filled, group in groupby(sorted(index), key=itemgetter(0)):
        sums = [c for _, c in group]
        rows[filled] = np.full(sums[-1] + 1, CLOSED, np.int32)
        rows[filled][sums] = [index[filled, c] for c in sums]
    return rows


def _face(game: Game, category: int) -> int:
    pattern = game.categories[category].pattern
    assert isinstance(pattern, Face)
    return pattern.face
