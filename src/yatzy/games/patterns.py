"""Scoring patterns of categories: which dice a category requires and what it pays. Four patterns cover all games.

A pattern scores one roll, given as a tuple of faces in any order. The scoring code favours readability over speed;
`model` turns it into a matrix once per game.

A pattern is a frozen dataclass whose fields are its keys in a game file. To add one, define the class with its `kind`:
game files, checks, the solver, the command line and the API find it in `PATTERNS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, asdict, dataclass, field, fields
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias, get_type_hints

from yatzy.errors import GameError, Message
from yatzy.games.keys import Table, check_range, get, get_choice, get_integers

PATTERNS: dict[str, type[Pattern]] = {}
"""Every pattern by its name in game files."""
Value: TypeAlias = int | bool | str | list[int]
"""The type of a pattern's keys in a game file."""


@dataclass(frozen=True)
class Pattern(ABC):
    """Base class of patterns; a subclass that defines `kind` is registered in `PATTERNS`."""

    kind: ClassVar[str]
    """The value of `pattern` in a game file."""
    excludes: ClassVar[Mapping[str, str]] = {}
    """Key -> the key that it replaces when a game file changes a category of its base."""
    hashed_defaults: ClassVar[tuple[str, ...]] = ()
    """Fields that are part of the game's hash even if they have their default; see `hashed`."""

    def __init_subclass__(cls) -> None:
        PATTERNS[cls.kind] = cls

    @abstractmethod
    def score(self, dice: Sequence[int]) -> int:
        """Points for a roll; 0 if the dice do not meet the pattern."""

    @abstractmethod
    def describe(self) -> str:
        """A short description of what it pays."""

    @property
    def fixed_points(self) -> int | None:
        """The points it pays for every roll that meets it; None if they depend on the dice."""
        return None

    def check(self, dice: int, faces: int, where: str) -> None:  # noqa: B027  (optional)
        """Raise GameError, starting with `where` and the key, if the pattern is invalid for these dice."""

    @classmethod
    def key_names(cls) -> tuple[str, ...]:
        """Its keys in a game file: the names of its fields, or the `key` in their metadata."""
        return tuple(one.metadata.get("key", one.name) for one in fields(cls))

    @classmethod
    def read(cls, table: Table, where: str) -> Pattern:
        """Make a pattern from the keys of a category; missing keys have their default."""
        kinds = _field_types(cls)
        given: dict[str, Any] = {}
        for one, key in zip(fields(cls), cls.key_names(), strict=True):
            if key in table or one.default is MISSING:
                given[one.name] = _read(key, table, kinds[one.name], where)
        return cls(**given)

    def write(self) -> dict[str, Value]:
        """The keys of this pattern, without those that have their default; the inverse of `read`."""
        changed = ((key, getattr(self, one.name)) for one, key in self._fields() if not self._has_default(one))
        return {"pattern": self.kind} | {key: _plain(value) for key, value in changed}

    def hashed(self) -> dict[str, Any]:
        """The fields that are part of a game's hash: those that differ from their default or are in `hashed_defaults`.

        So a new optional field does not change the hash of games that do not use it.
        """
        kept = {one.name for one, _ in self._fields() if one.name in self.hashed_defaults or not self._has_default(one)}
        return {name: value for name, value in asdict(self).items() if name in kept}

    def _fields(self) -> list[tuple[Field[Any], str]]:
        return list(zip(fields(self), self.key_names(), strict=True))

    def _has_default(self, one: Field[Any]) -> bool:
        return bool(getattr(self, one.name) == one.default)  # MISSING if it has no default


@lru_cache(maxsize=64)  # get_type_hints evaluates the annotations each time
def _field_types(pattern: type[Pattern]) -> Mapping[str, Any]:
    return get_type_hints(pattern)


def _read(key: str, table: Table, kind: Any, where: str) -> Any:
    """Read the value of a key according to the type of its field."""
    if kind == tuple[int, ...]:
        return get_integers(key, table, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return get_choice(key, table, kind, where)
    return get(key, table, kind if kind in (bool, str) else int, where=where)


def _plain(value: Any) -> Value:
    """The value of a field as a TOML value."""
    if isinstance(value, Enum):
        return str(value.value)
    return list(value) if isinstance(value, tuple) else value


class Pays(Enum):
    """Which dice are summed in a category without fixed points."""

    GROUPS = "groups"
    """The dice of the groups only."""
    ALL = "all"
    """All dice of the roll."""


@dataclass(frozen=True)
class Face(Pattern):
    """An upper category: the sum of all dice that show one face."""

    kind = "face"

    face: int

    def score(self, dice: Sequence[int]) -> int:
        return self.face * sum(die == self.face for die in dice)

    def describe(self) -> str:
        return f"{self.face} for every {self.face}"

    def check(self, dice: int, faces: int, where: str) -> None:
        check_range(f"{where}face", self.face, 1, faces)


@dataclass(frozen=True)
class Groups(Pattern):
    """Groups of equal dice: `(2,)` is a pair, `(3, 2)` a full house, `(5,)` a yatzy of five dice.

    The groups must show different faces unless `same_face` is set. With `partial`, when not all groups
    can be made, the category pays for the leading ones that can.
    """

    kind = "groups"
    excludes: ClassVar[Mapping[str, str]] = {"points": "pays", "pays": "points"}
    hashed_defaults = ("points", "pays", "same_face", "partial")

    sizes: tuple[int, ...] = field(metadata={"key": "groups"})
    points: int | None = None
    pays: Pays = Pays.GROUPS
    same_face: bool = False
    partial: bool = False

    @property
    def fixed_points(self) -> int | None:
        return self.points

    def score(self, dice: Sequence[int]) -> int:
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
        sizes = " + ".join(map(str, self.sizes)) + " equal"
        if len(self.sizes) > 1:
            sizes += ", of one face or more" if self.same_face else " of different faces"
        pay = "sum of these" if self.pays is Pays.GROUPS else "sum of all dice"
        return f"{pay if self.points is None else self.points} for {sizes}" + (
            ", or for the first of them alone" if self.partial else ""
        )

    def check(self, dice: int, faces: int, where: str) -> None:
        if not self.sizes or min(self.sizes) < 1:
            raise GameError("{where}groups must be a list of sizes from 1, for example [3, 2]", where=where)
        if sum(self.sizes) > dice:
            raise GameError(
                "{where}groups {sizes} need more than {dice} dice", where=where, sizes=list(self.sizes), dice=dice
            )

    @classmethod
    def read(cls, table: Table, where: str) -> Pattern:
        if "points" in table and "pays" in table:
            raise GameError("{where}points: fixed points and pays exclude each other", where=where)
        return super().read(table, where)

    def write(self) -> dict[str, Value]:
        if self.points is not None and self.pays is not Pays.GROUPS:
            raise GameError("fixed points and pays exclude each other, so no file can say both")
        return super().write()


@lru_cache(maxsize=1 << 14)  # without the cache, many small groups take very long
def _best_sum(counts: tuple[tuple[int, int], ...], sizes: tuple[int, ...], same_face: bool) -> int | None:
    """The highest sum of dice that form groups of these sizes; None if the groups cannot be made."""
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


@dataclass(frozen=True)
class Straight(Pattern):
    """Consecutive faces: either exactly the given faces, or any run of a given length."""

    kind = "straight"
    excludes: ClassVar[Mapping[str, str]] = {"faces": "length", "length": "faces"}
    hashed_defaults = ("faces", "length", "points")

    faces: tuple[int, ...] = ()
    length: int = 0
    points: int | None = None

    @property
    def fixed_points(self) -> int | None:
        return self.points

    def score(self, dice: Sequence[int]) -> int:
        """The fixed points, or else the sum of all dice; 0 if the dice are not a straight."""
        there = set(dice)
        if self.faces:
            hit = there.issuperset(self.faces)
        else:
            hit = any(there.issuperset(range(low, low + self.length)) for low in there)
        if not hit:
            return 0
        return sum(dice) if self.points is None else self.points

    def describe(self) -> str:
        pay = "sum of all dice" if self.points is None else self.points
        return f"{pay} for {'-'.join(map(str, self.faces)) or f'{self.length} consecutive faces'}"

    def check(self, dice: int, faces: int, where: str) -> None:
        if bool(self.faces) == bool(self.length):
            raise GameError("{where}a straight has either faces or length", where=where)
        if len(set(self.faces)) != len(self.faces):
            raise GameError("{where}faces {faces} names a face twice", where=where, faces=list(self.faces))
        for face in self.faces:
            check_range(f"{where}faces", face, 1, faces)
        length = self.length or len(self.faces)
        key = f"{where}length" if self.length else Message("{where}number of faces", where=where)
        check_range(key, length, 2, min(dice, faces))


@dataclass(frozen=True)
class Chance(Pattern):
    """The sum of all dice, or of those that show the given faces; 0 if it is below the minimum."""

    kind = "chance"

    faces: tuple[int, ...] = ()
    """Empty for all faces."""
    minimum: int = 0

    def score(self, dice: Sequence[int]) -> int:
        total = sum(die for die in dice if not self.faces or die in self.faces)
        return total if total >= self.minimum else 0

    def describe(self) -> str:
        dice = f"the dice that show {', '.join(map(str, self.faces))}" if self.faces else "all dice"
        return f"sum of {dice}" + (f", if it is {self.minimum} or more" if self.minimum else "")

    def check(self, dice: int, faces: int, where: str) -> None:
        if len(set(self.faces)) != len(self.faces):
            raise GameError("{where}faces {faces} names a face twice", where=where, faces=list(self.faces))
        for face in self.faces:
            check_range(f"{where}faces", face, 1, faces)
        check_range(f"{where}minimum", self.minimum, 0, dice * max(self.faces or (faces,)))
