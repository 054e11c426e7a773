"""The best expected score of every state.

State: filled categories, class of the upper sum, Joker box (model/states.py). Backward over the layers,

    E(s) = 0 when all categories are filled, else
    E(s) = mean over first rolls of the best of: keep and roll again, or score p in category c: p + E(s after c)

with the upper bonus counted in p where the threshold is crossed. States of one layer need only the next
layer, so a layer is the unit of parallel work, of progress and of what survives an interruption.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from yatzy.errors import TableDamaged
from yatzy.games import Game, Keep, Move, Position, Score, Sheet, legal_moves
from yatzy.model import CompiledGame, compile_game
from yatzy.solve.threads import core_count, run_ranges
from yatzy.solve.turn import TurnValues, turn_values
from yatzy.store import Table, TableKey, TableWriter, open_or_build, repair, tables_folder

OBJECTIVE = "expected"
STEP = 4096
"""States per piece of work: some milliseconds, so that both cores end a layer together."""

Progress = Callable[[int, int], None]
"""Told the states done and the states there are."""
Report = Callable[[str], None]
"""Told what a person should know, one line each."""


def solve_layers(
    compiled: CompiledGame,
    finish: Callable[[int, npt.NDArray[np.float64]], None],
    known: tuple[int, npt.NDArray[np.float64]] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.float64]:
    """Solve from the last layer, or from below the `known` one, to the first; `finish` gets each in turn."""
    if progress is not None:
        progress(0, len(compiled.states))  # the first run compiles the kernel, which is worth a sign of life
    from yatzy.kernels.layers import solve_states
    from yatzy.solve.arrays import points_worth, turn_arrays

    arrays, worth, starts = turn_arrays(compiled), points_worth(compiled), compiled.states.layer_start
    values = np.empty(len(compiled.states))
    top = compiled.states.layers - 1
    if known is None:
        values[starts[top] :] = 0.0
        finish(top, values[starts[top] :])
    else:
        top, last = known
        values[starts[top] : starts[top + 1]] = last
    done = len(values) - int(starts[top])

    counting = Lock()

    def work(low: int, high: int) -> None:
        nonlocal done
        block = int(np.searchsorted(arrays.block_start, low, side="right")) - 1
        solve_states(arrays, worth, values, low, high, block)
        with counting:
            done += high - low
            if progress is not None:
                progress(done, len(values))

    with ThreadPoolExecutor(threads or core_count()) as pool:
        for layer in range(top - 1, -1, -1):
            low, high = int(starts[layer]), int(starts[layer + 1])
            run_ranges(pool, work, low, high, STEP)
            finish(layer, values[low:high])
    return values


def solve_in_memory(game: Game, threads: int | None = None) -> npt.NDArray[np.float64]:
    """The expected points to come of all states, in the order of `model.StateIndex`, without touching the disk."""
    return solve_layers(compile_game(game), lambda layer, values: None, threads=threads)


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A move and the final score to expect after it."""

    move: Move
    value: float


class ExpectedScore:
    """A solved game: the expected final score of any position under the best strategy for it."""

    objective = OBJECTIVE

    def __init__(self, game: Game, table: Table, reopen: Callable[[], Table], seconds: float, cached: bool) -> None:
        self.game = game
        self.seconds = seconds
        """How long it took to have the table: reading it, or solving the game."""
        self.cached = cached
        """Whether the table was there before."""
        self._compiled = compile_game(game)
        self._table = table
        self._reopen = reopen
        self._turn = lru_cache(maxsize=64)(self._solve_turn)

    @property
    def states(self) -> int:
        """The number of states of the table."""
        return len(self._compiled.states)

    @property
    def path(self) -> Path:
        """Where the table lies."""
        return self._table.path

    def value(self, position: Position | Sheet) -> float:
        """The final score to expect from a position, or from a sheet between turns."""
        if isinstance(position, Sheet):
            return position.points + self._to_come(position)
        if position.over or (position.awaits_roll and not position.dice):
            return self.value(position.sheet)
        return self.turn(position.sheet).at(position)

    def move_values(self, position: Position) -> list[MoveValue]:
        """Every legal move with the final score to expect after it, in the order of `legal_moves`."""
        moves = legal_moves(position)
        if not moves:
            return []
        turn, lattice = self.turn(position.sheet), self._compiled.lattice
        roll = lattice.index[position.dice] - lattice.first_roll
        values = []
        for move in moves:
            match move:
                case Keep(dice):
                    value = turn.keep[position.rolls_left, lattice.index[dice]]
                case Score(category):
                    value = turn.place[roll, self.game.category_index[category]]
            values.append(MoveValue(move, float(value)))
        return values

    def turn(self, sheet: Sheet) -> TurnValues:
        """All values inside a turn from this sheet."""
        return self._turn(sheet)

    def _solve_turn(self, sheet: Sheet) -> TurnValues:
        return turn_values(self._compiled, sheet, self.value)

    def _to_come(self, sheet: Sheet) -> float:
        layer = sheet.filled.bit_count()
        state = self._compiled.states.find(sheet)
        offset = state - int(self._compiled.states.layer_start[layer])
        try:
            return float(self._table.read(layer, "value", offset, offset + 1)[0])
        except TableDamaged:
            self._table = self._reopen()
            return float(self._table.read(layer, "value", offset, offset + 1)[0])


def solve_game(
    game: Game,
    *,
    folder: str | Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> ExpectedScore:
    """The solved game, from its table on disk; the table is made, or finished, if it is not there.

    `folder` is where tables live (else the environment variable YATZY_TABLES, else the user's cache).
    """
    begun = time.perf_counter()
    compiled = compile_game(game)
    key = TableKey(game=game.id, game_hash=game.hash, objective=OBJECTIVE, layers=compiled.states.layers)
    where = tables_folder(folder)
    built = False

    def build(writer: TableWriter) -> None:
        nonlocal built
        built = True
        _build(compiled, writer, threads, progress)

    def reopen() -> Table:
        return repair(where, key, build, report)

    table = open_or_build(where, key, build, report)
    return ExpectedScore(game, table, reopen, time.perf_counter() - begun, cached=not built)


def _build(compiled: CompiledGame, writer: TableWriter, threads: int | None, progress: Progress | None) -> None:
    """Add the layers that the table does not have yet."""
    top = compiled.states.layers - 1
    missing = [layer for layer in range(top, -1, -1) if layer not in writer.done]
    if not missing:
        return
    first = missing[0]
    known = None if first == top else (first + 1, writer.array(first + 1, "value"))

    def finish(layer: int, values: npt.NDArray[np.float64]) -> None:
        if layer not in writer.done:  # salvaged from a table with a damaged layer
            writer.append(layer, {"value": values})

    solve_layers(compiled, finish, known, threads, progress)
