"""The best chance of every score from the start of a game whose table of curves is too large to keep.

The layers are those of `values.curve_layers`, but only the last one stays in memory, so that no more than the windows
of two layers are needed. A layer is written to disk when computing has taken much longer than writing it takes; an
interrupted computation goes on from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, SizeError, TableMissing
from yatzy.games import Game
from yatzy.model import CompiledGame, compile_game
from yatzy.store import KeptResults, tables_folder
from yatzy.store.files import locked
from yatzy.store.kept import decode_arrays, encode_arrays
from yatzy.store.locking import Report
from yatzy.store.pace import WritePace
from yatzy.store.revisions import Computation
from yatzy.values.curve_files import Arrays, CurveFiles
from yatzy.values.curve_layers import build_where, chance_columns, estimated_bytes, estimated_layers, has_workers
from yatzy.values.curves import Curve
from yatzy.values.kinds import CURVES
from yatzy.values.resources import DEFAULTS, Resources
from yatzy.values.threads import available_memory

START = Computation("start-curve", uses=(CURVES,))
LARGE = 2**32
"""Bytes of a table that is not built for a question about the start of the game alone."""


def is_large(game: Game) -> bool:
    """Whether the table of curves would be large."""
    return estimated_bytes(game) > LARGE


def start_curve(game: Game, resources: Resources = DEFAULTS) -> Curve:
    """The best chances of final scores at the start of a game; computed once and kept."""
    folder = tables_folder(resources.folder) / "starts" / f"{game.id}-{game.hash[:12]}"
    kept, key = KeptResults(folder, START, resources.report), {"game": game.id, "hash": game.hash}
    compiled = compile_game(game)

    def decode(data: bytes) -> Curve:
        arrays, columns = decode_arrays(data), chance_columns(compiled)(0)
        if not all(columns[name].accepts(arrays[name]) for name in ("low", "chance")):
            raise ValueError
        return Curve(int(arrays["low"][0]), arrays["chance"])

    found = kept.read(key, decode)
    if found is not None:
        return found
    _refuse_if_memory_too_small(compiled)
    if resources.read_only:
        raise TableMissing(
            "{game}: the best chances from the start are not on disk; 'yatzy distribution --game {game} --best'"
            " computes them",
            game=game.id,
        )
    with locked(folder, "solving", resources.report):
        found = kept.read(key, decode)  # another process may have computed it meanwhile
        if found is not None:
            return found
        files = CurveFiles(compiled, folder, resources.report)
        pace = None if has_workers(resources) else WritePace(folder)
        layers = _Layers(files, compiled.states.layers, pace, resources.report)
        build_where(compiled, layers, resources, folder)
        low, chance = layers.array(0, "low"), layers.array(0, "chance")
        kept.write(key, encode_arrays({"low": low, "chance": chance}))
        files.remove(range(compiled.states.layers))
    return Curve(int(low[0]), chance)


class _Layers:
    """The last layer in memory, and sometimes one on disk."""

    def __init__(self, files: CurveFiles, layers: int, pace: WritePace | None, report: Report | None) -> None:
        """pace: when to write a layer; None if workers write all of them."""
        self._files, self._all, self._pace, self._report = files, range(layers), pace, report
        self._layer: int | None = None
        self._arrays: Arrays = {}
        self.missing = tuple(self._all)
        for layer in self._all:
            found = files.read(layer)
            if found is not None:
                self._layer, self._arrays, self.missing = layer, found, tuple(range(layer))
                break

    def array(self, layer: int, name: str) -> npt.NDArray[Any]:
        """An array of the last layer."""
        assert layer == self._layer
        return self._arrays[name]

    def append(self, layer: int, arrays: Mapping[str, npt.ArrayLike]) -> None:
        """Replace the layer."""
        self._layer, self._arrays = layer, {name: np.asarray(array) for name, array in arrays.items()}
        if layer and self._pace is not None and self._pace.due(self._arrays["chance"].nbytes):
            try:
                self._files.write(layer, self._arrays)
            except InputError as problem:
                self._files.remove([layer])
                self._pace.failed(problem, self._report)
            else:
                self._files.remove(other for other in self._all if other != layer)
                self._pace.written()


def _refuse_if_memory_too_small(compiled: CompiledGame) -> None:
    """Refuse before the first layer: two of them must fit into memory."""
    needed, free = 2 * float(estimated_layers(compiled).max()), available_memory()
    if needed > free:
        raise SizeError(
            "the best chances of all scores of {game} take about {needed:,.1f} GiB of memory, but {free:,.1f} GiB are"
            " free",
            game=compiled.game.id,
            needed=needed / 2**30,
            free=free / 2**30,
        )
