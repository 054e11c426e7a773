"""Layers of curves as files: a computation goes on from them after an interruption, and workers map them."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.model import CompiledGame
from yatzy.store import KeptResults
from yatzy.store.blocks import hash_rows, read_block, write_block
from yatzy.store.kept import decode_arrays, encode_arrays
from yatzy.store.locking import Report
from yatzy.store.revisions import Computation
from yatzy.values.curve_layers import chance_columns
from yatzy.values.kinds import CURVES

LAYER = Computation("curve-layer", uses=(CURVES,))
ROW = 2**22
"""Values that have a hash of their own in the file of a layer."""
MOST_INDEX_BYTES = 2**34

Arrays = Mapping[str, npt.NDArray[Any]]
"""`low`, `offset` and `chance`, as in a table of curves."""


def piece_folder(folder: Path, layer: int) -> Path:
    """The folder of the pieces of a layer (values/curve_workers.py)."""
    return folder / f"pieces-{layer:02d}"


class CurveFiles:
    """The files of the layers of a game in one folder, two for each: the chances, and where each curve begins."""

    def __init__(self, compiled: CompiledGame, folder: Path, report: Report | None = None) -> None:
        self._game, self._folder = compiled.game, folder
        self._columns = chance_columns(compiled)
        self._index = KeptResults(folder, LAYER, report, MOST_INDEX_BYTES)

    def write(self, layer: int, arrays: Arrays) -> None:
        """Write a layer; it is there when its chances are, which are written last."""
        chance = arrays["chance"]
        self._index.write(self._key(layer), encode_arrays({name: arrays[name] for name in ("low", "offset")}))
        write_block(self._path(layer), self._key(layer), chance, hash_rows(chance, _rows(len(chance))))

    def read(self, layer: int) -> Arrays | None:
        """A layer, its chances mapped; None if it is missing or damaged."""
        if not self._path(layer).exists():
            return None
        index = self._index.read(self._key(layer), lambda data: self._decode(layer, data))
        if index is None:
            return None
        found = read_block(self._path(layer), self._key(layer), _rows(int(index["offset"][-1])))
        if found is None or not self._columns(layer)["chance"].accepts(found[0]):
            return None
        return {**index, "chance": found[0]}

    def size(self) -> int:
        """Bytes of all layers, whole and in pieces."""
        paths = [path for form in ("layer-*.block", "pieces-*/*.kept") for path in self._folder.glob(form)]
        return sum(path.stat().st_size for path in paths)

    def remove_pieces(self, layer: int) -> None:
        """Remove the pieces of a layer."""
        shutil.rmtree(piece_folder(self._folder, layer), ignore_errors=True)

    def remove(self, layers: Iterable[int]) -> None:
        """Remove some layers and their pieces. Some systems do not allow that while files are mapped: no matter."""
        for layer in layers:
            self.remove_pieces(layer)
            for path in (self._path(layer), self._index.path(self._key(layer))):
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)

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
