"""Whole turns as arrays: `from_arrays(game, turns)`, where `turns` maps sheets to the choices of their turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message, StrategyError
from yatzy.games import Game
from yatzy.strategies.base import DependsOn, PlannedStrategy, Plans
from yatzy.strategies.choices import STRUCK, Sheets, choice_code, not_allowed, sheets_of_filled, sheets_of_states
from yatzy.strategies.outcomes import NO_OUTCOME
from yatzy.strategies.output import printing_to_stderr
from yatzy.strategies.user_code import code_digest, error_text

Turns = Callable[[Sheets], Any]
MOST_AIMS = 256
_SAMPLE = 256
"""Sheets for which the time of the user's code is measured; an evaluation asks for about as many at a time."""


def from_arrays(
    game: Game, turns: Turns, *, depends_on: str = "state", aims: int = 1, name: str | None = None
) -> PlannedStrategy:
    """A strategy whose turns are given as arrays; it plays and is evaluated exactly like any other.

    turns: a function of some sheets (`Sheets`) that returns two arrays of integers, to be broadcast to these shapes:

        keep      [row, rolls left - 1, roll]: the dice kept, bit i for the i-th of the dice in ascending order
        category  [row, roll]: the number of the category filled with no rolls left, plus 128 to score 0 there

    With `aims`, it returns three: keep [row, rolls left - 1, aim, roll], category [row, aim, roll], and the aim chosen
    after the first roll, [row, roll]. `depends_on="filled"` says that the turns depend on the filled categories only,
    which takes much less time. Every choice is checked against the rules before it is used.
    """
    return ArrayStrategy(game, turns, depends_on, aims, name)


class ArrayStrategy(PlannedStrategy):
    """A strategy whose turns are given as arrays."""

    def __init__(self, game: Game, turns: Turns, depends_on: str, aims: int, name: str | None) -> None:
        if depends_on not in (DependsOn.FILLED.value, DependsOn.STATE.value):
            raise InputError("depends_on: {depends_on!r} is neither 'filled' nor 'state'", depends_on=depends_on)
        if depends_on == DependsOn.FILLED.value and game.joker is not None:
            raise InputError("depends_on: 'filled' is not enough for {game}, which has a Joker rule", game=game.id)
        if not 1 <= aims <= MOST_AIMS:
            raise InputError("aims: {aims} is not from 1 to {most}", aims=aims, most=MOST_AIMS)
        self.game, self.aims, self.remembers, self._turns = game, aims, aims > 1, turns
        self.name = name or str(getattr(turns, "__name__", type(turns).__name__))
        self.depends_on, self.code = DependsOn(depends_on), code_digest(turns)

    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The turns from some sheets, checked."""
        by_filled = self.depends_on is DependsOn.FILLED
        sheets = sheets_of_filled(self.game, keys) if by_filled else sheets_of_states(self.game, layer, keys)
        keep, category, aim = self._answer(sheets)
        rows, rolls, rerolls = len(sheets), len(sheets.rolls), self.game.rolls - 1
        keep = self._shaped("keep", keep, (rows, rerolls, self.aims, rolls), 2**self.game.dice)
        category = self._shaped("category", category, (rows, self.aims, rolls), 2 * STRUCK)
        aim = self._shaped("aim", aim, (rows, rolls), self.aims)
        code = choice_code(self.game)
        return Plans(aim.astype(np.uint8), code.keeps(keep), self._places(layer, keys, sheets, category))

    def user_seconds(self, states: int, sets: int) -> float:
        """Measured on the first turn of a game, many times at once."""
        sheets = sheets_of_filled(self.game, np.zeros(_SAMPLE, np.int64))
        begin = time.perf_counter()
        self._answer(sheets)
        return (time.perf_counter() - begin) / _SAMPLE * (sets if self.depends_on is DependsOn.FILLED else states)

    def _answer(self, sheets: Sheets) -> tuple[Any, Any, Any]:
        try:
            with printing_to_stderr():
                answer = self._turns(sheets)
        except Exception as error:
            raise StrategyError("{name}: {error}", name=self.name, error=error_text(error)) from None
        wanted = ("keep", "category") if self.aims == 1 else ("keep", "category", "aim")
        if not isinstance(answer, tuple | list) or len(answer) != len(wanted):
            raise StrategyError(
                "{name}: must return {count} arrays: {names}",
                name=self.name,
                count=len(wanted),
                names=", ".join(wanted),
            )
        keep, category, *aim = map(np.asarray, answer)
        if self.aims > 1:
            return keep, category, aim[0]
        # The axis of aims comes before the rolls; an array without axes fits as it is.
        keep, category = (one if one.ndim == 0 else np.expand_dims(one, -2) for one in (keep, category))
        return keep, category, np.uint8(0)

    def _shaped(self, what: str, array: Any, shape: tuple[int, ...], end: int) -> npt.NDArray[Any]:
        """An array of integers from 0, broadcast to a shape."""
        found = np.asarray(array)
        if found.dtype.kind not in "iu":
            raise StrategyError(
                "{name}: {what} must be an array of integers, not of {dtype}",
                name=self.name,
                what=what,
                dtype=found.dtype,
            )
        try:
            found = np.broadcast_to(found, shape)
        except ValueError:
            axes = shape if self.aims > 1 or what == "aim" else (*shape[:-2], shape[-1])
            raise StrategyError(
                "{name}: {what} does not fit the shape {axes}", name=self.name, what=what, axes=axes
            ) from None
        if found.size and not 0 <= found.min() <= found.max() < end:
            wrong = found[(found < 0) | (found >= end)][0]
            raise StrategyError(
                "{name}: {what}: {wrong} is not from 0 to {end}", name=self.name, what=what, wrong=wrong, end=end - 1
            )
        return found

    def _places(
        self, layer: int, keys: npt.NDArray[np.int64], sheets: Sheets, category: npt.NDArray[Any]
    ) -> npt.NDArray[np.int16]:
        """[row, aim, roll]: the outcomes of the categories; an illegal one is refused."""
        code = category.astype(np.uint8)
        number, count = code & ~np.uint8(STRUCK), len(self.game.categories)
        # A category that does not exist is found to be unavailable, as is one that is filled.
        allowed = np.zeros((len(sheets), STRUCK), np.bool_)
        allowed[:, :count] = sheets.available
        wrong = ~allowed[np.arange(len(sheets))[:, None, None], number]
        place = choice_code(self.game).places(layer, keys, np.where(wrong, 0, code).astype(np.uint8))
        wrong |= place == NO_OUTCOME
        if wrong.any():
            row, aim, roll = np.argwhere(wrong)[0].tolist()
            raise not_allowed(self.name, sheets, row, roll, 0, Message("category {code}", code=code[row, aim, roll]))
        return place
