"""The dice lattice: all keeps of up to n dice, ordered by inclusion; the keeps of n dice are the rolls.

With `value[roll]` known for the last roll, one reroll is two sweeps over the lattice:

    keep[K] = mean over faces d of keep[K + d]          for |K| < n, large keeps first
    best[K] = max(keep[K], best[K - d] for d in K)      small keeps first

and `best` on the rolls is their value one roll earlier. Each sweep visits every edge (K, K + d) once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np
import numpy.typing as npt

from yatzy.games import Dice


@dataclass(frozen=True, eq=False)
class Lattice:
    """All keeps, by size, then by number of different faces (so that the sweeps branch predictably)."""

    dice: int
    faces: int
    keeps: tuple[Dice, ...]
    child: npt.NDArray[np.int32]
    """[keep with fewer than n dice, face]: the keep with one more die, of that face."""
    parent: npt.NDArray[np.int32]
    """[edge]: the keeps with one die less; those of keep K are at `parent_start[K]` to `parent_start[K + 1]`."""
    parent_start: npt.NDArray[np.int32]
    weight: npt.NDArray[np.float64]
    """[roll]: its probability when all dice are rolled."""

    @property
    def first_roll(self) -> int:
        """The index of the first keep that is a roll; the rolls are the last keeps."""
        return len(self.child)

    @property
    def rolls(self) -> tuple[Dice, ...]:
        """All rolls in the order of the lattice."""
        return self.keeps[self.first_roll :]

    @cached_property
    def index(self) -> dict[Dice, int]:
        """The index of each keep."""
        return {keep: i for i, keep in enumerate(self.keeps)}

    @cached_property
    def levels(self) -> tuple[slice, ...]:
        """The slices of `keeps` with 0, 1, … n dice."""
        ends = [comb(self.faces + size, size) for size in range(self.dice + 1)]
        return tuple(slice(a, b) for a, b in zip([0, *ends], ends, strict=False))

    @cached_property
    def padded_parent(self) -> npt.NDArray[np.int32]:
        """[keep, slot]: its parents, padded with the keep itself, for sweeps over whole levels."""
        count = np.diff(self.parent_start)
        table = np.repeat(np.arange(len(self.keeps), dtype=np.int32)[:, None], count.max(), axis=1)
        slot = np.arange(len(self.parent)) - np.repeat(self.parent_start[:-1], count)
        table[np.repeat(np.arange(len(self.keeps)), count), slot] = self.parent
        return table

    def keep_roll_pairs(self) -> int:
        """The number of pairs (keep, roll that it can become)."""
        return sum(comb(self.faces + self.dice - len(keep) - 1, self.dice - len(keep)) for keep in self.keeps)


@lru_cache(maxsize=16)
def dice_lattice(dice: int, faces: int) -> Lattice:
    """The lattice for a number of dice and of faces; cached."""
    keeps = [
        keep
        for size in range(dice + 1)
        for keep in sorted(
            combinations_with_replacement(range(1, faces + 1), size), key=lambda keep: (len(set(keep)), keep)
        )
    ]
    index = {keep: i for i, keep in enumerate(keeps)}
    smaller = [keep for keep in keeps if len(keep) < dice]
    parents = [[index[_without(keep, face)] for face in sorted(set(keep))] for keep in keeps]
    return Lattice(
        dice=dice,
        faces=faces,
        keeps=tuple(keeps),
        child=np.array([[index[tuple(sorted((*keep, d)))] for d in range(1, faces + 1)] for keep in smaller], np.int32),
        parent=np.array([parent for row in parents for parent in row], np.int32),
        parent_start=np.cumsum([0, *map(len, parents)], dtype=np.int32),
        weight=np.array([_ways(keep) for keep in keeps[len(smaller) :]], np.float64) / float(faces**dice),
    )


def _without(keep: Dice, face: int) -> Dice:
    at = keep.index(face)
    return keep[:at] + keep[at + 1 :]


def _ways(dice: Dice) -> int:
    """The number of distinct orders of the dice."""
    return factorial(len(dice)) // prod(factorial(dice.count(face)) for face in set(dice))
