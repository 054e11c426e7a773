"""Moves: keeping some dice, or writing points into a category."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from yatzy.games.patterns import Dice


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice and roll the others."""

    dice: Dice

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))


@dataclass(frozen=True, slots=True)
class Score:
    """End the turn by filling the category with this id."""

    category: str
    strike: bool = False
    """Write 0 there although the dice may pay: allowed, never better."""


Move: TypeAlias = Keep | Score
