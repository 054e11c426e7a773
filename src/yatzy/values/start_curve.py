"""The best chance of every score from the start of a game whose table of curves is too large to keep.

The layers are those of `values.curves`, but only the last one stays in memory, so that no more than the windows of two
layers are needed. A layer is written to disk when computing has taken much longer than writing it takes; an interrupted
computation goes on from there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message, SizeError, TableMissing
from yatzy.games import Game
from yatzy.model import CompiledGame, compile_game, most_points
from yatzy.store import KeptResults, tables_folder
from yatzy.store.blocks import hash_rows, read_block, write_block
from yatzy.store.files import locked
from yatzy.store.kept import decode_arrays, encode_arrays
from yatzy.store.pace import WritePace
from yatzy.store.revisions import Computation
from yatzy.values.backends import chance_filler
from yatzy.values.curves import Curve, build_chances, chance_columns, estimated_bytes
from yatzy.values.kinds import CURVES
from yatzy.values.resources import DEFAULTS, Resources
from yatzy.values.threads import available_memory

START = Computation("start-curve", uses=(CURVES,))
LAYER = Computation("curve-layer", uses=(CURVES,))
ROW = 2**22
"""Values that have a hash of their own in the file of a layer."""
MOST_INDEX_BYTES = 2**34
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
        layers = _Layers(compiled, folder, resources)
        watch = resources.watch(Message("{game} for every score", game=game))
        filler = chance_filler(resources.backend, compiled)
        build_chances(compiled, layers, resources.threads, watch, filler=filler)
        low, chance = layers.array(0, "low"), layers.array(0, "chance")
        kept.write(key, encode_arrays({"low": low, "chance": chance}))
        layers.remove_all()
    return Curve(int(low[0]), chance)


class _Layers:
    """The last layer in memory, and sometimes one on disk."""

    def __init__(self, compiled: CompiledGame, folder: Path, resources: Resources) -> None:
        self._game, self._folder, self._report = compiled.game, folder, resources.report
        self._columns = chance_columns(compiled)
        self._index = KeptResults(folder, LAYER, resources.report, MOST_INDEX_BYTES)
        self._pace = WritePace(folder)
        self._layer: int | None = None
        self._arrays: Mapping[str, npt.NDArray[Any]] = {}
        self._all = range(compiled.states.layers)
        self.missing = tuple(range(compiled.states.layers))
        for layer in self.missing:
            if self._read(layer):
                self.missing = tuple(range(layer))
                break

    def array(self, layer: int, name: str) -> npt.NDArray[Any]:
        """An array of the last layer."""
        assert layer == self._layer
        return self._arrays[name]

    def append(self, layer: int, arrays: Mapping[str, npt.ArrayLike]) -> None:
        """Replace the layer."""
        self._layer, self._arrays = layer, {name: np.asarray(array) for name, array in arrays.items()}
        chance = self._arrays["chance"]
        if layer and self._pace.due(chance.nbytes):
            try:
                self._index.write(self._key(layer), encode_arrays({n: self._arrays[n] for n in ("low", "offset")}))
                write_block(self._path(layer), self._key(layer), chance, hash_rows(chance, _rows(len(chance))))
            except InputError as problem:
                self._remove(layer)
                self._pace.failed(problem, self._report)
            else:
                self.remove_all(but=layer)
                self._pace.written()

    def remove_all(self, but: int | None = None) -> None:
        """Remove the files of all layers, or of all but one."""
        for layer in self._all:
            if layer != but:
                self._remove(layer)

    def _remove(self, layer: int) -> None:
        """Remove the files of a layer. Some systems do not allow that while they are mapped: no matter."""
        for path in (self._path(layer), self._index.path(self._key(layer))):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def _read(self, layer: int) -> bool:
        """Read a layer from disk, if it is there and sound."""
        if not self._path(layer).exists():
            return False
        index = self._index.read(self._key(layer), lambda data: self._decode(layer, data))
        if index is None:
            return False
        found = read_block(self._path(layer), self._key(layer), _rows(int(index["offset"][-1])))
        if found is None or not self._columns(layer)["chance"].accepts(found[0]):
            return False
        self._layer, self._arrays = layer, {**index, "chance": found[0]}
        return True

    def _decode(self, layer: int, data: bytes) -> dict[str, npt.NDArray[Any]]:
        """The windows of a layer, which say how long its block is."""
        arrays, columns = decode_arrays(data), self._columns(layer)
        if not all(columns[name].accepts(arrays[name]) for name in ("low", "offset")) or arrays["offset"][0] != 0:
            raise ValueError
        return arrays

    def _key(self, layer: int) -> dict[str, Any]:
        return {"game": self._game.hash, "revision": CURVES.total, "layer": layer}

    def _path(self, layer: int) -> Path:
        return self._folder / f"layer-{layer:02d}.block"


def _rows(values: int) -> npt.NDArray[np.int64]:
    return np.append(np.arange(0, values, ROW), values)


def _refuse_if_memory_too_small(compiled: CompiledGame) -> None:
    """Refuse before the first layer: two of them must fit into memory."""
    states = compiled.states
    open_share = 1 - np.arange(states.layers) / (states.layers - 1)
    layers = np.diff(states.layer_start) * (4 * open_share * most_points(compiled.game))
    needed, free = 2 * float(layers.max()), available_memory()
    if needed > free:
        raise SizeError(
            "the best chances of all scores of {game} take about {needed:,.1f} GiB of memory, but {free:,.1f} GiB are"
            " free",
            game=compiled.game.id,
            needed=needed / 2**30,
            free=free / 2**30,
        )
