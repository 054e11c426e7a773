"""Curves solved by workers elsewhere, who share a folder: every layer in pieces, each a file.

A piece is some consecutive states of a layer. It needs the whole layer after it, which is written to the folder once
and mapped by every worker. A piece can be solved twice, anywhere, with the same bytes; so a worker that is killed costs
its piece and nothing else, and an interrupted command goes on with the pieces that are missing. The pieces of a layer
are put together by whoever gave them out, and have the bits of a layer that was solved in one process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from yatzy import kernels
from yatzy.errors import SizeError
from yatzy.games import Game
from yatzy.model import CompiledGame, compile_game, most_points
from yatzy.store import KeptResults
from yatzy.store.blocks import not_shared
from yatzy.store.disk import free_space
from yatzy.store.kept import decode_arrays, encode_arrays
from yatzy.store.revisions import Computation
from yatzy.values.curve_files import Arrays, CurveFiles, piece_folder
from yatzy.values.curve_layers import CHANCES, STEP, estimated_layers, solve_range
from yatzy.values.kinds import CURVES
from yatzy.values.resources import Resources
from yatzy.values.tables import curve_columns
from yatzy.workers.running import run_tasks

PIECE = Computation("curve-piece", uses=(CURVES,))
VALUES = 2**22
"""Approximate number of values of a piece: 16 MiB, about a second of work for a core."""
MOST_BYTES = 2**32


@dataclass(frozen=True, slots=True)
class CurveTask:
    """A piece to solve. Small, because it is sent to a worker."""

    game: Game
    folder: str
    layer: int
    first: int
    end: int
    """The states of the piece."""


class CurveWorkers:
    """Gives the layers of curves of a game to the workers of the resources."""

    def __init__(self, compiled: CompiledGame, folder: Path, resources: Resources, beside: int = 0) -> None:
        """folder: what the workers share. beside: bytes that are written to its disk besides."""
        assert resources.executor is not None
        self._compiled, self._folder, self._executor = compiled, folder.absolute(), resources.executor
        self._files = CurveFiles(compiled, self._folder, resources.report)
        self._refuse_if_disk_too_small(beside)

    def solve(self, layer: int, after: kernels.Curves, advance: Callable[[int], None]) -> kernels.Curves:
        """The curves of a layer from those of the next one; `advance` is called with each number of states done."""
        first, end = self._compiled.states.layer_start[layer : layer + 2].tolist()
        if self._files.read(layer + 1) is None:
            self._files.write(layer + 1, {"low": after.low, "offset": after.offset, "chance": after.chance})
        self._files.remove_pieces(layer + 1)
        self._files.remove(range(layer + 2, self._compiled.states.layers))
        step = max(VALUES * len(after.low) // max(len(after.chance), 1), STEP)
        tasks = [
            CurveTask(self._compiled.game, str(self._folder), layer, low, min(low + step, end))
            for low in range(first, end, step)
        ]
        run_tasks(self._executor, solve_piece, tasks, lambda task, _: advance(task.end - task.first))
        return _join(tasks)

    def _refuse_if_disk_too_small(self, beside: int) -> None:
        """Refuse before the first layer: a layer in pieces is written as a whole before the one after it is removed."""
        sizes = estimated_layers(self._compiled)
        most, free = float((2 * sizes[:-1] + sizes[1:]).max()), free_space(self._folder)
        needed = max(most - self._files.size(), 0) + beside
        if needed > free:
            raise SizeError(
                "the curves of {game} take about {needed:,.2f} GiB more in the folder that workers share, but"
                " {free:,.2f} GiB are free in {folder}",
                game=self._compiled.game.id,
                needed=needed / 2**30,
                free=free / 2**30,
                folder=self._folder,
            )


def solve_piece(task: CurveTask) -> None:
    """Solve a piece and write its file, unless it is there and sound."""
    if _read_piece(task) is None:
        piece = solve_range(compile_game(task.game), _source(task), task.first, task.end)
        arrays = {"low": piece.low, "offset": piece.offset, "chance": piece.chance}
        _pieces(task).write(_key(task), encode_arrays(arrays))


def _join(tasks: list[CurveTask]) -> kernels.Curves:
    """The curves of a layer from its pieces, of which one is in memory at a time."""
    first, states = tasks[0].first, tasks[-1].end - tasks[0].first
    low, length = np.empty(states, np.int32), np.empty(states, np.int64)
    room = sum(_path(task).stat().st_size for task in tasks if _path(task).exists()) // 4
    chance, filled = np.empty(room, np.float32), 0
    for task in tasks:
        piece, at = _sound_piece(task), slice(task.first - first, task.end - first)
        low[at], length[at] = piece["low"], np.diff(piece["offset"])
        chance[filled : filled + len(piece["chance"])] = piece["chance"]
        filled += len(piece["chance"])
    return kernels.Curves(first, low, np.concatenate([[0], np.cumsum(length)]), chance[:filled])


def _sound_piece(task: CurveTask) -> Arrays:
    """The arrays of a piece that must be there."""
    found = _read_piece(task)
    if found is None:
        raise not_shared(_path(task))
    return found


def _read_piece(task: CurveTask) -> Arrays | None:
    def decode(data: bytes) -> Arrays:
        arrays = decode_arrays(data)
        columns = curve_columns(
            task.end - task.first, "chance", most_points(task.game), shortest=0, least_low=1, range_=CHANCES
        )
        if not all(column.accepts(arrays[name]) for name, column in columns.items()):
            raise ValueError
        if arrays["offset"][0] != 0 or arrays["offset"][-1] != len(arrays["chance"]):
            raise ValueError
        return arrays

    return _pieces(task).read(_key(task), decode)


def _pieces(task: CurveTask) -> KeptResults:
    return KeptResults(piece_folder(Path(task.folder), task.layer), PIECE, most_bytes=MOST_BYTES)


def _path(task: CurveTask) -> Path:
    return _pieces(task).path(_key(task))


def _key(task: CurveTask) -> dict[str, Any]:
    return {"game": task.game.hash, "layer": task.layer, "first": task.first, "end": task.end}


_sources = dict[tuple[str, str, int], kernels.Curves]()
_opening = Lock()


def _source(task: CurveTask) -> kernels.Curves:
    """The layer after that of a piece. A worker keeps one open, since the next layer needs another."""
    key, layer = (task.game.hash, task.folder, task.layer), task.layer + 1
    with _opening:
        if key not in _sources:
            _sources.clear()
            compiled = compile_game(task.game)
            arrays = CurveFiles(compiled, Path(task.folder)).read(layer)
            if arrays is None:
                raise not_shared(Path(task.folder))
            first = int(compiled.states.layer_start[layer])
            _sources[key] = kernels.Curves(first, arrays["low"], arrays["offset"], arrays["chance"])
        return _sources[key]
