"""The values of all states of a game as columns that people can read, for Parquet and NumPy files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message
from yatzy.games import Game
from yatzy.model import CompiledGame, compile_game
from yatzy.model.states import NO_STATE
from yatzy.names import Expected
from yatzy.sharing.output import BOXES, NUMPY, about, check_output, check_rows, text_column, write_numpy, write_parquet
from yatzy.values.evaluator import Solution
from yatzy.values.goals import read_values


@dataclass(frozen=True, eq=False)
class StateValues:
    """One row for every state between turns that can occur, by filled categories, upper sum and Joker box."""

    game: Game
    """The rules."""
    objective: str
    """The name of the objective."""
    filled: npt.NDArray[np.int64]
    """[row]: the filled categories, as bits in the order of the sheet."""
    upper: npt.NDArray[np.int16]
    """[row]: the sum of the upper categories, where all sums from the bonus threshold on are one."""
    box: npt.NDArray[np.int8]
    """[row]: the Joker box, an index into `BOXES`; 0 in a game without Joker."""
    value: npt.NDArray[np.float64]
    """[row]: the expected points still to come."""

    def __len__(self) -> int:
        return len(self.value)


def check_file(path: str | Path) -> str:
    """The format of a file of values; refuses one that cannot be written."""
    return check_output(path, Message("values are"))


def state_values(solution: Solution) -> StateValues:
    """The values of a game solved for the expected score."""
    if solution.name != Expected():
        raise InputError(
            "{objective}: values of all states are exported for expected only", objective=solution.objective
        )
    compiled = compile_game(solution.game)
    layers = range(compiled.states.layers)
    check_rows(solution.game, count_rows(compiled, layers))
    state, upper, box = state_rows(compiled, layers)
    values = np.concatenate([read_values(compiled, solution.table, layer) for layer in layers])
    return StateValues(solution.game, solution.objective, compiled.states.filled(state), upper, box, values[state])


def count_rows(compiled: CompiledGame, layers: range) -> int:
    """The number of rows that `state_rows` has."""
    return int(_blocks(compiled, layers)[-1].sum())


def state_rows(
    compiled: CompiledGame, layers: range
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int16], npt.NDArray[np.int8]]:
    """[row]: the state, the upper sum and the Joker box; a state has a row for each upper sum in its class.

    Rows are ordered by the number of filled categories, the categories, the upper sum and the box. layers: the numbers
    of filled categories.
    """
    start, sums, boxes, count = _blocks(compiled, layers)
    inside = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    state, upper, box = np.repeat(start, count) + inside, np.repeat(sums, count), np.repeat(boxes, count)
    filled = compiled.states.filled(state)
    order = np.lexsort((box, upper, filled, np.bitwise_count(filled)))
    return state[order], upper[order].astype(np.int16), box[order].astype(np.int8)


def _blocks(compiled: CompiledGame, layers: range) -> tuple[npt.NDArray[Any], ...]:
    """[block and upper sum]: the first state, the upper sum, the Joker box and the number of states."""
    states = compiled.states
    sums = np.array([total for _, total in compiled.upper.index])
    start = states.start[list(compiled.upper.index.values())]  # [upper sum, box, size of rest]
    first, end = states.layer_start[[layers.start, layers.stop]]
    which, box, size = np.nonzero((start != NO_STATE) & (start >= first) & (start < end))
    return start[which, box, size], sums[which], box, np.diff(states.rest.first)[size]


def sheet_columns(
    game: Game, filled: npt.NDArray[Any], upper: npt.NDArray[Any] | None, box: npt.NDArray[Any] | None
) -> dict[str, Any]:
    """The columns of a Parquet file that describe a sheet, with one for every category."""
    columns: dict[str, Any] = {"filled": filled}
    for index, id in enumerate(game.category_index):
        columns[f"{id}_filled"] = filled >> index & 1 == 1
    if upper is not None:
        columns["upper"] = upper
    if box is not None and game.joker is not None:
        columns["joker_box"] = text_column(BOXES, box)
    return columns


def write_values(found: StateValues, path: str | Path) -> None:
    """Write a Parquet file with a column for every category, or a NumPy file with the arrays of `StateValues`."""
    game, suffix = found.game, check_file(path)
    said = about("values", game, len(found), objective=found.objective, categories=list(game.category_index))
    if suffix == NUMPY:
        arrays = {"filled": found.filled, "upper": found.upper, "box": found.box, "value": found.value}
        write_numpy(path, arrays, said)
    else:
        columns = sheet_columns(game, found.filled, found.upper, found.box)
        write_parquet(path, columns | {"value": found.value}, said)
