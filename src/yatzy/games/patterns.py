"""What a category asks of the dice and what it pays: four patterns cover the family.

A pattern scores one roll, given as a tuple of faces in any order. Scoring is written for reading;
`model` turns it into a matrix once per game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TypeAlias


class Pays(Enum):
    """Which dice a category without fixed points adds up."""

    GROUPS = "groups"
    """The dice of the groups only."""
    ALL = "all"
    """All dice of the roll."""


@dataclass(frozen=True, slots=True)
class Face:
    """An upper category: the sum of all dice that show one face."""

    face: int

    def score(self, dice: Sequence[int]) -> int:
        """Points for a roll, 0 when no die shows the face."""
        return self.face * sum(die == self.face for die in dice)

    def describe(self) -> str:
        """What it pays, in a few words."""
        return f"{self.face} for every {self.face}"


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of equal dice: `(2,)` is a pair, `(3, 2)` a full house, `(5,)` a yatzy of five dice.

    The groups show different faces unless `same_face` is set. With `partial` the category pays
    for the leading groups that can be made when not all of them can.
    """

    sizes: tuple[int, ...]
    points: int | None = None
    pays: Pays = Pays.GROUPS
    same_face: bool = False
    partial: bool = False

    def score(self, dice: Sequence[int]) -> int:
        """Points for a roll, 0 when the groups are not there."""
        counts = tuple(sorted(Counter(dice).items()))
        fewest = 1 if self.partial else len(self.sizes)
        for length in range(len(self.sizes), fewest - 1, -1):
            best = _best_sum(counts, self.sizes[:length], self.same_face)
            if best is not None:
                if self.points is not None:
                    return self.points
                return best if self.pays is Pays.GROUPS else sum(dice)
        return 0

    def describe(self) -> str:
        """What it pays, in a few words."""
        sizes = " + ".join(map(str, self.sizes)) + " equal"
        if len(self.sizes) > 1:
            sizes += ", of one face or more" if self.same_face else " of different faces"
        pay = "sum of these" if self.pays is Pays.GROUPS else "sum of all dice"
        return f"{pay if self.points is None else self.points} for {sizes}" + (
            ", or for the first of them alone" if self.partial else ""
        )


@lru_cache(maxsize=1 << 14)  # without it many small groups take for ever
def _best_sum(counts: tuple[tuple[int, int], ...], sizes: tuple[int, ...], same_face: bool) -> int | None:
    """Most points that the dice of groups of these sizes can show, None if they cannot be made."""
    if not sizes:
        return 0
    size, rest = sizes[0], sizes[1:]
    sums = []
    for i, (face, count) in enumerate(counts):
        if count >= size:
            left = ((face, count - size),) if same_face else ()
            others = _best_sum((*counts[:i], *left, *counts[i + 1 :]), rest, same_face)
            if others is not None:
                sums.append(size * face + others)
    return max(sums, default=None)


@dataclass(frozen=True, slots=True)
class Straight:
    """Consecutive faces: either exactly the faces named, or any run of a length."""

    faces: tuple[int, ...] = ()
    length: int = 0
    points: int | None = None

    def score(self, dice: Sequence[int]) -> int:
        """Points for a roll (without fixed points: the sum of all dice), 0 without the straight."""
        there = set(dice)
        if self.faces:
            hit = there.issuperset(self.faces)
        else:
            hit = any(there.issuperset(range(low, low + self.length)) for low in there)
        if not hit:
            return 0
        return sum(dice) if self.points is None else self.points

    def describe(self) -> str:
        """What it pays, in a few words."""
        pay = "sum of all dice" if self.points is None else self.points
        return f"{pay} for {'-'.join(map(str, self.faces)) or f'{self.length} consecutive faces'}"


@dataclass(frozen=True, slots=True)
class Chance:
    """The sum of all dice, whatever they show."""

    def score(self, dice: Sequence[int]) -> int:
        """Points for a roll."""
        return sum(dice)

    def describe(self) -> str:
        """What it pays, in a few words."""
        return "sum of all dice"


Pattern: TypeAlias = Face | Groups | Straight | Chance


def fixed_points(pattern: Pattern) -> int | None:
    """The points a pattern pays whatever the dice that meet it, None when they depend on the dice."""
    return pattern.points if isinstance(pattern, Groups | Straight) else None
