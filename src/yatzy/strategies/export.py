"""A strategy as a file: one byte for every decision. docs/strategies.md describes it for other programs.

The file is a table (docs/tables.md) with the objective `strategy:NAME` and one layer for each number of filled
categories. A row is a sheet between turns, told by its filled categories and, unless the strategy looks at nothing
else, the upper points that the bonus still needs and the Joker box.
"""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, TableForeign, TableMissing
from yatzy.games import Game
from yatzy.model import compile_game
from yatzy.solve.outcomes import NO_OUTCOME, joker_contexts, joker_table, outcome_table, strike_outcomes
from yatzy.solve.strategy import Looks, PlannedStrategy, Plans, Strategy
from yatzy.solve.tables import Progress
from yatzy.store import Report, Table, TableKey, TableWriter
from yatzy.store.locking import held

PREFIX = "strategy:"
STRUCK = 0x80
"""Set in a category that is given 0 although the dice pay there."""
STEP = 8192
"""Rows planned at a time: some tens of megabytes."""


def export_size(strategy: PlannedStrategy) -> int:
    """How many bytes the file of a strategy will have, headers aside."""
    layers = compile_game(strategy.game).states.layers - 1
    return sum(len(_keys(strategy, layer)) for layer in range(layers)) * _row_size(strategy)


def _row_size(strategy: PlannedStrategy) -> int:
    game, rolls = strategy.game, len(compile_game(strategy.game).lattice.rolls)
    named = 4 if strategy.looks_at is Looks.FILLED else 7
    aim = rolls if strategy.aims > 1 else 0
    return named + aim + rolls * strategy.aims * ((game.rolls - 1) * _mask_type(game).itemsize + 1)


def _mask_type(game: Game) -> np.dtype[Any]:
    return np.dtype(np.uint8 if game.dice <= 8 else np.uint16)


def check_exportable(strategy: Strategy) -> PlannedStrategy:
    """Refuse a strategy that cannot be written down by sheets between turns."""
    if not isinstance(strategy, PlannedStrategy):
        raise InputError(
            f"{strategy.name} cannot be exported: its moves depend on more than the state between turns;"
            " expected, exp, greedy and the hand-written strategies can be"
        )
    return strategy


def export_strategy(
    strategy: Strategy, path: Path, progress: Progress | None = None, report: Report | None = None
) -> None:
    """Write a strategy to a file; an interrupted export goes on from its finished layers."""
    planned = check_exportable(strategy)
    game = strategy.game
    states = compile_game(game).states
    key = TableKey(game.id, game.hash, f"{PREFIX}{strategy.name}", states.layers - 1)
    with held(path.parent, key.name, report), TableWriter(path.parent, key, report) as writer:
        for layer in range(states.layers - 1):
            if progress is not None:
                progress(int(states.layer_start[layer]), len(states))
            if layer in writer.missing:
                writer.append(layer, _layer(planned, layer))
        os.replace(writer.finish(), path)


def _keys(strategy: PlannedStrategy, layer: int) -> npt.NDArray[np.int64]:
    states = compile_game(strategy.game).states
    first, end = states.layer_start[layer : layer + 2].tolist()
    if strategy.looks_at is Looks.FILLED:
        return np.unique(states.filled(np.arange(first, end)))
    return np.arange(end - first)


def _layer(strategy: PlannedStrategy, layer: int) -> dict[str, npt.NDArray[Any]]:
    game, keys = strategy.game, _keys(strategy, layer)
    rolls = len(compile_game(game).lattice.rolls)
    arrays: dict[str, npt.NDArray[Any]] = {"filled": keys.astype(np.uint32)}
    if strategy.looks_at is Looks.STATE:
        arrays = _state_columns(game, layer, keys)
    aim = np.empty((len(keys), rolls), np.uint8)
    keep = np.empty((len(keys), game.rolls - 1, strategy.aims, rolls), _mask_type(game))
    category = np.empty((len(keys), strategy.aims, rolls), np.uint8)
    code = _code_of(game)
    for begin in range(0, len(keys), STEP):
        piece = slice(begin, begin + STEP)
        plans = strategy.plans(layer, keys[piece])
        aim[piece], keep[piece], category[piece] = plans.aim, code.masks(plans.keep), code.categories(plans.place)
    if strategy.aims > 1:
        arrays["aim"] = aim
    return {**arrays, "keep": keep, "category": category}


def _state_columns(game: Game, layer: int, keys: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[Any]]:
    states = compile_game(game).states
    places = keys + int(states.layer_start[layer])
    block = np.searchsorted(states.block_start, places, side="right") - 1
    return {
        "filled": states.filled(places).astype(np.uint32),
        "missing": states.upper.least_missing[states.block[block, 0]].astype(np.uint16),
        "box": states.block[block, 1].astype(np.uint8),
    }


class _Code:
    """Keeps as masks over the sorted dice, outcomes as categories, and back."""

    def __init__(self, game: Game) -> None:
        self.compiled = compile_game(game)
        lattice = self.compiled.lattice
        self._mask = np.zeros((len(lattice.rolls), len(lattice.keeps)), _mask_type(game))
        self._keep = np.zeros((len(lattice.rolls), 2**game.dice), np.int16)
        for r, roll in enumerate(lattice.rolls):
            for mask in range(2**game.dice - 1, -1, -1):
                kept = lattice.index[tuple(die for i, die in enumerate(roll) if mask >> i & 1)]
                self._keep[r, mask], self._mask[r, kept] = kept, mask  # of equal dice the first ones
        self._outcome, self._strike = outcome_table(self.compiled), strike_outcomes(self.compiled)

    @property
    def _rolls(self) -> npt.NDArray[np.int64]:
        return np.arange(len(self._mask))

    def masks(self, keep: npt.NDArray[np.int16]) -> npt.NDArray[Any]:
        """Which dice are kept, [..., roll]."""
        return np.asarray(self._mask[self._rolls, keep])

    def categories(self, place: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
        """Which category is filled, [..., roll], with STRUCK where it is given 0 for nothing."""
        placing = self.compiled.placing
        category = placing.outcome_category[place]
        struck = (self._outcome[self._rolls, category] != place) & (place < placing.rows.total)
        return np.asarray(category + STRUCK * struck, np.uint8)

    def keeps(self, mask: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
        """What is kept, from [..., roll] masks."""
        return np.asarray(self._keep[self._rolls, mask], np.int16)

    def outcomes(self, code: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]:
        """The outcomes of [..., roll] categories; NO_OUTCOME for equal dice under a Joker rule."""
        category = code & ~np.uint8(STRUCK)
        natural = self._outcome[self._rolls, category]
        return np.asarray(np.where(code >= STRUCK, self._strike[category], natural), np.int16)


@lru_cache(maxsize=4)
def _code_of(game: Game) -> _Code:
    return _Code(game)


class FileStrategy(PlannedStrategy):
    """A strategy that was exported."""

    def __init__(self, path: str | Path, game: Game) -> None:
        self.game, self.name, self._path = game, f"file:{path}", Path(path)
        try:
            self._table = Table(self._path)
        except TableMissing:
            raise InputError(f"{self.name}: there is no such file") from None
        key = self._table.key
        if not key.objective.startswith(PREFIX):
            raise InputError(f"{self.name}: is a table for {key.objective}, not an exported strategy")
        if key.game_hash != game.hash:
            raise TableForeign(f"{self.name}: was exported for {key.game}, whose rules are not those of {game.id}")
        self._code = _code_of(game)
        names = self._table.names(0)
        self.looks_at = Looks.STATE if "missing" in names else Looks.FILLED
        self.remembers = "aim" in names
        self.aims = self._table.array(0, "keep").shape[2]

    @cached_property
    def _jokers(self) -> npt.NDArray[np.int16]:
        return joker_table(self._code.compiled)

    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The turns that the file has for some sheets."""
        table = self._table
        rows = keys
        if self.looks_at is Looks.FILLED:
            filled = table.array(layer, "filled")
            rows = np.searchsorted(filled, keys)
        place = self._code.outcomes(table.array(layer, "category")[rows])
        if self.game.joker is not None:
            self._place_jokers(layer, keys, table.array(layer, "category")[rows], place)
        keep = self._code.keeps(table.array(layer, "keep")[rows])
        rolls = keep.shape[-1]
        aim = table.array(layer, "aim")[rows] if self.remembers else np.zeros((len(keys), rolls), np.uint8)
        return Plans(aim, keep, place.astype(np.int16))

    def _place_jokers(
        self, layer: int, keys: npt.NDArray[np.int64], code: npt.NDArray[np.uint8], place: npt.NDArray[np.int16]
    ) -> None:
        compiled = self._code.compiled
        contexts = joker_contexts(compiled, keys + int(compiled.states.layer_start[layer]))
        for face in range(1, self.game.faces + 1):
            roll = compiled.lattice.index[(face,) * self.game.dice] - compiled.lattice.first_roll
            found = self._jokers[contexts[:, face - 1, None], face - 1, code[:, :, roll]]
            assert (found != NO_OUTCOME).all(), "an exported choice is allowed"
            place[:, :, roll] = found
