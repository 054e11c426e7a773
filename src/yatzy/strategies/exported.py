"""Strategy files: one byte for every decision. docs/strategies.md describes the format for other programs.

The file is a table (docs/tables.md) with the objective `strategy:NAME` and one layer for each number of filled
categories. A row is a sheet between turns, identified by its filled categories and, if the strategy depends on them,
the upper points still needed for the bonus and the Joker box.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import (
    InputError,
    Message,
    TableDamaged,
    TableForeign,
    TableMissing,
    TableUnwritable,
    cause_of,
)
from yatzy.games import Game
from yatzy.model import compile_game
from yatzy.names import Exported, Origin
from yatzy.store import Report, Table, TableWriter
from yatzy.store.files import check_target, locked, parts_folder, private_folder, remove_locked, replace_plain
from yatzy.store.table import without_remedy
from yatzy.strategies.base import DependsOn, PlannedStrategy, Plans, Strategy
from yatzy.strategies.choices import STRUCK, Sheets, choice_code, filled_sets, mask_type, sheets_of_states
from yatzy.strategies.outcomes import NO_OUTCOME
from yatzy.values.kinds import EXPORTED, table_key
from yatzy.values.resources import Progress

if TYPE_CHECKING:
    from yatzy.values.opening import Opening

PREFIX = f"{EXPORTED.name}:"
LOCK = "export"
STEP = 8192
"""Rows planned or checked at a time: some tens of megabytes."""
CHECKED_AT_ONCE = 2**24
"""Files up to this size in bytes are checked completely when opened; that takes a tenth of a second."""
MOST_AIMS = 256


def export_size(strategy: PlannedStrategy) -> int:
    """The size in bytes of the file of a strategy, without headers."""
    layers = compile_game(strategy.game).states.layers - 1
    return sum(len(_keys(strategy, layer)) for layer in range(layers)) * _row_size(strategy)


def _row_size(strategy: PlannedStrategy) -> int:
    game, rolls = strategy.game, len(compile_game(strategy.game).lattice.rolls)
    named = 4 if strategy.depends_on is DependsOn.FILLED else 7
    aim = rolls if strategy.aims > 1 else 0
    return named + aim + rolls * strategy.aims * ((game.rolls - 1) * mask_type(game).itemsize + 1)


def check_exportable(strategy: Strategy) -> PlannedStrategy:
    """Refuse a strategy that does not depend on the sheet between turns alone."""
    planned = strategy.planned
    if planned is None:
        raise InputError(
            "{strategy} cannot be exported: its moves depend on more than the state between turns; expected,"
            " exp, greedy and the hand-written strategies can be",
            strategy=strategy.name,
        )
    return planned


def export_strategy(
    strategy: Strategy, path: Path, progress: Progress | None = None, report: Report | None = None
) -> None:
    """Write a strategy to a file, which must be a regular file.

    Until it is complete, the data is kept in a folder next to it; an interrupted export resumes after its finished
    layers.
    """
    planned = check_exportable(strategy)
    target = check_target(path, seekable=True)
    game = strategy.game
    states = compile_game(game).states
    key = table_key(game, f"{PREFIX}{strategy.name}", states.layers - 1)
    parts = parts_folder(target)
    with locked(private_folder(parts), LOCK, report):
        try:
            with TableWriter(parts, key, report) as writer:
                for layer in range(states.layers - 1):
                    if progress is not None:
                        progress(int(states.layer_start[layer]), len(states))
                    if layer in writer.missing:
                        writer.append(layer, _layer(planned, layer))
                finished = writer.finish()
            if target.mode is not None:
                finished.chmod(target.mode)
            replace_plain(finished, target)
        except TableUnwritable as error:  # its advice applies to the folder of tables only
            raise InputError(without_remedy(error)) from None
        except OSError as error:
            raise InputError("{path}: cannot be written: {reason}", path=path, reason=cause_of(error)) from None
        remove_locked(parts, LOCK)


def _keys(strategy: PlannedStrategy, layer: int) -> npt.NDArray[np.int64]:
    states = compile_game(strategy.game).states
    first, end = states.layer_start[layer : layer + 2].tolist()
    if strategy.depends_on is DependsOn.FILLED:
        return filled_sets(states, layer)
    return np.arange(end - first)


def _layer(strategy: PlannedStrategy, layer: int) -> dict[str, npt.NDArray[Any]]:
    game, keys = strategy.game, _keys(strategy, layer)
    rolls = len(compile_game(game).lattice.rolls)
    arrays: dict[str, npt.NDArray[Any]] = {"filled": keys.astype(np.uint32)}
    if strategy.depends_on is DependsOn.STATE:
        arrays = _columns(sheets_of_states(game, layer, keys))
    aim = np.empty((len(keys), rolls), np.uint8)
    keep = np.empty((len(keys), game.rolls - 1, strategy.aims, rolls), mask_type(game))
    category = np.empty((len(keys), strategy.aims, rolls), np.uint8)
    code = choice_code(game)
    for begin in range(0, len(keys), STEP):
        piece = slice(begin, begin + STEP)
        plans = strategy.plans(layer, keys[piece])
        if (plans.keep < 0).any():
            raise InputError(
                "{strategy} cannot be exported: it scores with rolls left, which files do not hold",
                strategy=strategy.name,
            )
        aim[piece], keep[piece], category[piece] = plans.aim, code.masks(plans.keep), code.categories(plans.place)
    if strategy.aims > 1:
        arrays["aim"] = aim
    return {**arrays, "keep": keep, "category": category}


def _columns(sheets: Sheets) -> dict[str, npt.NDArray[Any]]:
    return {"filled": sheets.filled, "missing": sheets.missing, "box": sheets.box}


class FileStrategy(PlannedStrategy):
    """An exported strategy. Every choice in the file is checked against the rules before it is used."""

    def __init__(self, path: str | Path, game: Game) -> None:
        """Open a file. Up to `CHECKED_AT_ONCE` bytes it is checked completely, above that layer by layer when used.

        So the 632 MB of Yatzy open in milliseconds, and each layer is still checked before any of its choices reaches a
        kernel.
        """
        self.game, self.name, self._path = game, f"file:{path}", Path(path)
        try:
            self._table = Table(self._path)
        except TableMissing:
            raise InputError("{name}: there is no such file", name=self.name) from None
        except (TableDamaged, TableForeign) as problem:
            raise type(problem)("{problem}; export the strategy again", problem=without_remedy(problem)) from None
        key, states = self._table.key, compile_game(game).states
        if not key.objective.startswith(PREFIX):
            raise InputError(
                "{name}: is a table for {objective}, not an exported strategy", name=self.name, objective=key.objective
            )
        if key.revision != EXPORTED.total:
            raise TableForeign(
                "{name}: was exported by another version of the program; export the strategy again", name=self.name
            )
        if key.game_hash != game.hash:
            raise TableForeign(
                "{name}: was exported for {game}, whose rules are not those of {other}",
                name=self.name,
                game=key.game,
                other=game.id,
            )
        if key.layers != states.layers - 1:
            raise self._damaged(
                Message(
                    "has {layers} layers, but {game} has {turns} turns",
                    layers=key.layers,
                    game=game.id,
                    turns=states.layers - 1,
                )
            )
        self._code = choice_code(game)
        self._sound: set[int] = set()
        names = self._table.names(0)
        self.depends_on = DependsOn.STATE if "missing" in names else DependsOn.FILLED
        self.remembers = "aim" in names
        self.aims = self._check_shapes()
        if self._table.size <= CHECKED_AT_ONCE:
            for layer in range(key.layers):
                self._check(layer)

    def plans(self, layer: int, keys: npt.NDArray[np.int64]) -> Plans:
        """The plans in the file for some sheets."""
        self._check(layer)
        rows = keys
        if self.depends_on is DependsOn.FILLED:
            rows = np.searchsorted(self._array(layer, "filled"), keys)
        code = self._array(layer, "category")[rows]
        place = self._code.places(layer, rows, code)
        keep = self._code.keeps(self._array(layer, "keep")[rows])
        rolls = keep.shape[-1]
        aim = self._array(layer, "aim")[rows] if self.remembers else np.zeros((len(keys), rolls), np.uint8)
        return Plans(aim, keep, place)

    def _array(self, layer: int, name: str) -> npt.NDArray[Any]:
        try:
            return self._table.array(layer, name)
        except TableDamaged as problem:
            raise TableDamaged("{problem}; export the strategy again", problem=without_remedy(problem)) from None

    def _damaged(self, what: Message) -> TableDamaged:
        return TableDamaged("{name}: {problem}; export the strategy again", name=self.name, problem=what)

    def _check_shapes(self) -> int:
        """Compare names, types and shapes of all arrays with those of the game; returns the number of aims."""
        game, table, rolls = self.game, self._table, len(self._code.compiled.lattice.rolls)
        if self.depends_on is DependsOn.FILLED and game.joker is not None:
            raise self._damaged(
                Message("sees only the filled categories of a sheet, which is not enough with a Joker rule")
            )
        first = table.describe(0, "keep")[1] if "keep" in table.names(0) else ()
        aims = first[2] if len(first) == 4 else 1
        if not 1 <= aims <= MOST_AIMS or self.remembers != (aims > 1):
            raise self._damaged(
                Message("layer 0: array 'keep' has shape {first}, which does not fit the array 'aim'", first=first)
            )
        for layer in range(table.layers):
            count = self._rows(layer)
            right: dict[str, tuple[str, tuple[int, ...]]] = {"filled": ("<u4", (count,))}
            if self.depends_on is DependsOn.STATE:
                right |= {"missing": ("<u2", (count,)), "box": ("|u1", (count,))}
            if self.remembers:
                right["aim"] = ("|u1", (count, rolls))
            right["keep"] = (mask_type(game).newbyteorder("<").str, (count, game.rolls - 1, aims, rolls))
            right["category"] = ("|u1", (count, aims, rolls))
            if set(table.names(layer)) != set(right):
                raise self._damaged(
                    Message(
                        "layer {layer}: must have the arrays {right} and no others", layer=layer, right=", ".join(right)
                    )
                )
            for name, wanted in right.items():
                if (there := table.describe(layer, name)) != wanted:
                    raise self._damaged(
                        Message(
                            "layer {layer}: array {name!r} is {dtype} {shape}, but must be {right} {lengths}",
                            layer=layer,
                            name=name,
                            dtype=there[0],
                            shape=there[1],
                            right=wanted[0],
                            lengths=wanted[1],
                        )
                    )
        return int(aims)

    def _rows(self, layer: int) -> int:
        states = self._code.compiled.states
        if self.depends_on is DependsOn.STATE:
            return int(states.layer_start[layer + 1] - states.layer_start[layer])
        return len(filled_sets(states, layer))

    def _check(self, layer: int) -> None:
        """Refuse a layer with an illegal choice. Several threads may check the same layer at the same time."""
        if layer in self._sound:
            return
        game, states = self.game, self._code.compiled.states
        if self.depends_on is DependsOn.STATE:
            columns = _columns(sheets_of_states(game, layer, np.arange(self._rows(layer))))
        else:
            columns = {"filled": filled_sets(states, layer).astype(np.uint32)}
        for name, column in columns.items():
            self._refuse(
                layer,
                0,
                self._array(layer, name) != column,
                Message("array {name!r} is not that of the sheet", name=name),
            )
        keep, category = self._array(layer, "keep"), self._array(layer, "category")
        for begin in range(0, len(category), STEP):
            piece = slice(begin, begin + STEP)
            self._check_categories(layer, begin, columns["filled"][piece], category[piece])
            if 2**game.dice <= np.iinfo(keep.dtype).max:
                self._refuse(
                    layer, begin, keep[piece] >= 2**game.dice, Message("keeps more than {dice} dice", dice=game.dice)
                )
            if self.remembers:
                wrong = self._array(layer, "aim")[piece] >= self.aims
                self._refuse(
                    layer, begin, wrong, Message("has an aim that is not from 0 to {aims}", aims=self.aims - 1)
                )
        self._sound.add(layer)

    def _check_categories(
        self, layer: int, begin: int, filled: npt.NDArray[np.uint32], code: npt.NDArray[np.uint8]
    ) -> None:
        count = len(self.game.categories)
        category = code & ~np.uint8(STRUCK)
        self._refuse(
            layer, begin, category >= count, Message("fills a category that is not from 0 to {count}", count=count - 1)
        )
        wrong = self._code.unavailable(filled, category)
        self._refuse(layer, begin, wrong, Message("fills a category that may not be filled there"))
        rows = np.arange(begin, begin + len(code))
        for _, found in self._code.joker_places(layer, rows, code):
            self._refuse(
                layer, begin, found == NO_OUTCOME, Message("gives equal dice to a category against the Joker rule")
            )

    def _refuse(self, layer: int, begin: int, wrong: npt.NDArray[np.bool_], what: Message) -> None:
        """Raise if any entry is wrong, naming its row; row 0 of `wrong` is row `begin` of the layer."""
        if wrong.any():
            raise self._damaged(
                Message(
                    "layer {layer}, row {begin}: {what}",
                    layer=layer,
                    begin=begin + int(np.argwhere(wrong)[0, 0]),
                    what=what,
                )
            )


def open_exported(solver: Opening, game: Game, name: Exported, origin: Origin) -> FileStrategy:
    """`file:PATH`."""
    return FileStrategy(name.path, game)


def check_exported(name: Exported, game: Game) -> None:
    """Refuse a file that is damaged, or of another game."""
    FileStrategy(name.path, game)
