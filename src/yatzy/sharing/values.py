"""The values of all states of a game as columns that people can read, for Parquet and NumPy files."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import __version__
from yatzy.errors import InputError, SizeError
from yatzy.games import Game
from yatzy.lab.results import METADATA, require_polars
from yatzy.model import CompiledGame, compile_game
from yatzy.model.states import BOX_PAYS, NO_STATE
from yatzy.names import Expected
from yatzy.store.files import check_target, write_atomic
from yatzy.values.evaluator import Solution
from yatzy.values.goals import read_values

MOST_ROWS = 2**25
"""The most rows of a file; they are put together in memory."""
PARQUET, NUMPY = ".parquet", ".npz"
FORMATS = (PARQUET, NUMPY)
BOXES = ("open", "empty", "paid")
"""The Joker box: open, filled with 0, or filled with its points."""


@dataclass(frozen=True, eq=False)
class StateValues:
    """One row for every state between turns that can occur, by filled categories, upper sum and Joker box."""

    game: Game
    objective: str
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


def check_file(path: str | Path) -> None:
    """Refuse a file that cannot be written, before anything is computed."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise InputError(f"{path}: values are written as {' or '.join(FORMATS)}")
    check_target(path)
    if suffix == PARQUET:
        require_polars()


def state_values(solution: Solution) -> StateValues:
    """The values of a game solved for the expected score."""
    if solution.name != Expected():
        raise InputError(f"{solution.objective}: values of all states are exported for expected only")
    compiled = compile_game(solution.game)
    state, upper, box = _rows(compiled)
    values = np.concatenate([read_values(compiled, solution.table, layer) for layer in range(compiled.states.layers)])
    filled = compiled.states.filled(state)
    order = np.lexsort((box, upper, filled, np.bitwise_count(filled)))
    return StateValues(
        solution.game,
        solution.objective,
        filled[order],
        upper[order].astype(np.int16),
        box[order].astype(np.int8),
        values[state[order]],
    )


def _rows(compiled: CompiledGame) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """[row]: the state, the upper sum and the Joker box; a state has a row for each upper sum in its class."""
    states = compiled.states
    sizes = np.diff(states.rest.first)
    sums = np.array([total for _, total in compiled.upper.index])
    classes = np.array(list(compiled.upper.index.values()))
    start = states.start[classes]  # [pair, box, size of rest]
    pair, box, size = np.nonzero(start != NO_STATE)
    count = sizes[size]
    if count.sum() > MOST_ROWS:
        raise SizeError(f"{compiled.game.id}: {count.sum():,} rows are more than {MOST_ROWS:,}")
    inside = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    state = np.repeat(start[pair, box, size], count) + inside
    return state, np.repeat(sums[pair], count), np.repeat(box, count)


def write_values(found: StateValues, path: str | Path) -> None:
    """Write a Parquet file with a column for every category, or a NumPy file with the arrays of `StateValues`."""
    check_file(path)
    buffer = io.BytesIO()
    if Path(path).suffix.lower() == NUMPY:
        about = np.array(json.dumps(_about(found)))
        np.savez(buffer, filled=found.filled, upper=found.upper, box=found.box, value=found.value, about=about)
    else:
        import polars as pl  # optional, and slow to import

        columns: dict[str, Any] = {"filled": found.filled}
        for index, id in enumerate(found.game.category_index):
            columns[f"{id}_filled"] = found.filled >> index & 1 == 1
        columns["upper"] = found.upper
        if found.game.joker is not None:
            columns["joker_box"] = pl.Series(BOXES[: BOX_PAYS + 1]).gather(found.box).cast(pl.Categorical)
        columns["value"] = found.value
        pl.DataFrame(columns).write_parquet(buffer, metadata={METADATA: json.dumps(_about(found))})
    write_atomic(path, buffer.getvalue())


def _about(found: StateValues) -> dict[str, Any]:
    game = found.game
    return {
        "kind": "values", "game": game.id, "hash": game.hash, "objective": found.objective,
        "categories": list(game.category_index), "rows": len(found), "program": f"yatzy {__version__}",
    }  # fmt: skip
