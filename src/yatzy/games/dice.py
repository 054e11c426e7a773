"""Dice as sorted tuples of faces, and as text: `13356`, or `3-10-12` when a face has two digits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from yatzy.errors import NotationError

Dice: TypeAlias = tuple[int, ...]
"""The faces of some dice, in ascending order."""

_SEPARATORS = re.compile(r"[-., ]+")


def sorted_dice(dice: Iterable[int]) -> Dice:
    """Dice in ascending order, the order in which they are compared and stored."""
    return tuple(sorted(dice))


@lru_cache(maxsize=1 << 12)
def show_dice(dice: Dice) -> str:
    """Dice as text: `13356`; `3-10-12` if a face has two digits, `12-` for one such die; `-` for no dice."""
    if all(die < 10 for die in dice):
        return "".join(map(str, dice)) or "-"
    return "-".join(map(str, dice)) + ("-" if len(dice) == 1 else "")


def parse_faces(text: str, dice: int, faces: int) -> Dice:
    """Parse some of the dice of a game with `dice` dice of `faces` faces; `Game.parse_dice` parses a whole roll."""
    separated = _SEPARATORS.search(text) is not None or dice == 1
    parts = [part for part in _SEPARATORS.split(text) if part] if separated else list(text)
    for part in parts:
        if not (part.isascii() and part.isdigit()) or len(part) > 2:
            raise NotationError(
                "dice: {part!r} in {text!r} is not a face from 1 to {faces}", part=part, text=text, faces=faces
            )
    return sorted_dice(map(int, parts))


@lru_cache(maxsize=1 << 14)
def is_part(kept: Dice, dice: Dice) -> bool:
    """Whether `kept` is a subset of `dice`."""
    return not Counter(kept) - Counter(dice)


@lru_cache(maxsize=1 << 12)
def keeps_of(dice: Dice) -> tuple[Dice, ...]:
    """All distinct keeps of the dice, from none to all."""
    counts = Counter(dice)
    choices = product(*(range(count + 1) for count in counts.values()))
    kept = (tuple(f for f, n in zip(counts, numbers, strict=True) for _ in range(n)) for numbers in choices)
    return tuple(sorted(kept, key=lambda keep: (len(keep), keep)))
