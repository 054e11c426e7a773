"""Moves: keep some dice, or fill a category. `str` formats a move, `Game.parse_move` parses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from yatzy.games.dice import Dice, show_dice, sorted_dice

KEEP = "keep "
"""May precede the dice to keep."""
STRUCK = "=0"
"""Follows the id of a category that is struck."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice and roll the others. `str(Keep((3, 3)))` is `33`, and `-` for none."""

    dice: Dice
    """In ascending order."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", sorted_dice(self.dice))

    def __str__(self) -> str:
        return show_dice(self.dice)


@dataclass(frozen=True, slots=True)
class Score:
    """End the turn by filling the category with this id. `str(Score("ones", True))` is `ones=0`."""

    category: str
    """The id of the category."""
    strike: bool = False
    """Write 0 even if the dice would pay; allowed, but never better."""

    def __str__(self) -> str:
        return self.category + (STRUCK if self.strike else "")


Move: TypeAlias = Keep | Score
"""A union, so that type checkers know all kinds of moves."""
