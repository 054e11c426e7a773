"""A finished table: opened in constant time, and checked when it is read."""

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message, TableDamaged, TableError, TableForeign, cause_of
from yatzy.store.format import BLOCK, Array, ArrayEntry, Foreign, LayerEntry, Unsound, no_array
from yatzy.store.key import TableKey
from yatzy.store.source import Source, view


class Table:
    """A finished table file, mapped into memory; threads may read it at the same time.

    Opening reads the header and the index only. Data are checked the first time they are read; data with a wrong
    checksum are never returned. Arrays stay valid after `close`.
    """

    def __init__(self, path: Path, key: TableKey | None = None) -> None:
        """Open `path`. With a `key`, raise `TableForeign` unless the table has this key."""
        self.path = path
        self._source = Source(path)
        try:
            header = self._source.header()
            if key is not None and header.key != key:
                raise Foreign(Message("is for {key}, not for {wanted}", key=header.key, wanted=key))
            self._stamp = header.stamp
            layers = self._source.index(header.stamp, header.end)
            # The count first: a wrong count in the header could ask for a range of any size.
            if len(layers) != header.key.layers or {one.layer for one in layers} != set(range(len(layers))):
                raise Unsound(Message("its index does not fit its header"))
            self._map = self._source.map(0, self._source.size)
        except Foreign as problem:
            self._source.close()
            raise _unusable(
                Message("{path} {problem}", path=path, problem=cause_of(problem)), path, TableForeign
            ) from None
        except Unsound as problem:
            self._source.close()
            damage = Message("{path} is damaged: {problem}", path=path, problem=cause_of(problem))
            raise _unusable(damage, path) from None
        except BaseException:
            self._source.close()
            raise
        self.key = header.key
        self._layers: dict[int, LayerEntry] = {one.layer: one for one in layers}
        self._arrays = {(one.layer, array.name): array for one in layers for array in one.arrays}
        # verified: bool[block] of each array. Threads may check a block twice; they set the same byte.
        self._verified = {at: bytearray(len(array.checksums)) for at, array in self._arrays.items()}
        self._views = dict[tuple[int, str], Array]()

    @property
    def size(self) -> int:
        """Size of the file in bytes."""
        return self._source.size

    @property
    def layers(self) -> int:
        """Number of layers; they are numbered from 0."""
        return self.key.layers

    def names(self, layer: int) -> tuple[str, ...]:
        """Names of the arrays of a layer."""
        if layer not in self._layers:
            raise InputError(
                "{path} has no layer {layer}; it has layers 0 to {layers}",
                path=self.path,
                layer=layer,
                layers=self.layers - 1,
            )
        return tuple(array.name for array in self._layers[layer].arrays)

    def describe(self, layer: int, name: str) -> tuple[str, tuple[int, ...]]:
        """The type (as `numpy.dtype.str`) and shape of an array; its data are not read."""
        entry = self._entry(layer, name)
        return entry.dtype, entry.shape

    def array(self, layer: int, name: str) -> Array:
        """Return a whole array, read-only; checked the first time."""
        entry = self._entry(layer, name)
        self._check(layer, entry, entry.blocks(0, entry.stored))
        return self._view(layer, entry)

    def read(self, layer: int, name: str, start: int, stop: int) -> Array:
        """`array(layer, name)[start:stop]`, checking only the blocks these rows lie in."""
        entry = self._entry(layer, name)
        _check_rows(entry, start, stop)
        array = self._view(layer, entry)
        width = array.strides[0] if array.size else 0
        self._check(layer, entry, entry.blocks(start * width, stop * width))
        return array[start:stop]

    def read_at(self, layer: int, name: str, rows: npt.NDArray[np.int64]) -> Array:
        """`array(layer, name)[rows]` of an array with one axis, checking only the blocks these rows lie in."""
        entry = self._entry(layer, name)
        array = self._view(layer, entry)
        if rows.size:
            _check_rows(entry, int(rows.min()), int(rows.max()) + 1)
            # Numbers do not straddle blocks. Each block is named once, however many rows lie in it.
            self._check(layer, entry, np.flatnonzero(np.bincount(rows.ravel() * array.itemsize // BLOCK)).tolist())
        found: Array = array[rows]
        return found

    def verify(self, progress: Callable[[int], None] | None = None) -> list[Message]:
        """Read everything, even what was checked before; return a line for each damaged array.

        `progress` is called with the number of data bytes done so far.
        """
        self._require_open()
        problems, done = list[Message](), 0
        for layer, entry in sorted(self._layers.items()):
            try:
                if self._source.record(entry.offset, self._stamp) != entry:
                    raise Unsound(Message("the description of layer {layer} differs from the index", layer=layer))
            except Unsound as problem:
                problems.append(
                    Message("{path}: layer {layer}: {problem}", path=self.path, layer=layer, problem=cause_of(problem))
                )
            for array in entry.arrays:
                blocks = array.blocks(0, array.stored)
                bad = []
                for block in blocks:
                    if not self._source.is_sound(array, block):
                        self._verified[layer, array.name][block] = False
                        bad.append(block)
                    done += array.span(block)[1]
                    if progress is not None:
                        progress(done)
                if bad:
                    problems.append(_damage(self.path, layer, array, bad))
        return problems

    def close(self) -> None:
        """Close the file. Arrays that were returned keep their part of the map alive."""
        self._source.close()
        self._views.clear()
        # An array still uses the map, which is then closed with the array.
        with contextlib.suppress(BufferError):
            self._map.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Table({str(self.path)!r}: {self.key})"

    def _require_open(self) -> None:
        if self._source.closed:
            raise TableError("{path} was closed; open it again to read it", path=self.path)

    def _entry(self, layer: int, name: str) -> ArrayEntry:
        self._require_open()
        entry = self._arrays.get((layer, name))
        if entry is None:
            raise no_array(layer, self.path, name, self.names(layer))
        return entry

    def _view(self, layer: int, entry: ArrayEntry) -> Array:
        """A whole array, not checked."""
        found = self._views.get((layer, entry.name))
        if found is None:
            found = self._views[layer, entry.name] = view(self._map, entry, entry.offset)
        return found

    def _check(self, layer: int, array: ArrayEntry, blocks: Iterable[int]) -> None:
        verified = self._verified[layer, array.name]
        for block in blocks:
            if not verified[block]:
                if not self._source.is_sound(array, block):
                    raise _unusable(_damage(self.path, layer, array, [block]), self.path)
                verified[block] = True


def _check_rows(array: ArrayEntry, start: int, stop: int) -> None:
    rows = array.shape[0] if array.shape else 0
    if not 0 <= start <= stop <= rows:
        raise InputError(
            "rows {start} to {stop} are not in array {name!r}, which has {rows}",
            start=start,
            stop=stop,
            name=array.name,
            rows=rows,
        )


def remedy(path: Path) -> Message:
    """What a person can do about an unusable table."""
    return Message("'yatzy tables remove {name}' removes it, and it is rebuilt when needed", name=path.stem)


def without_remedy(error: TableError) -> Message:
    """What an error says is wrong, without what a person can do about it."""
    problem = error.message.values.get("problem") if "remedy" in error.message.values else None
    return problem if isinstance(problem, Message) else error.message


def _unusable(problem: Message, path: Path, kind: type[TableError] = TableDamaged) -> TableError:
    return kind("{problem}; {remedy}", problem=problem, remedy=remedy(path))


def _damage(path: Path, layer: int, array: ArrayEntry, bad: list[int]) -> Message:
    one = len(bad) == 1
    which = Message("block {number}", number=bad[0] + 1) if one else Message("{count} blocks", count=len(bad))
    return Message(
        "{path}: layer {layer}, array {name!r}, is damaged in {which} of {blocks}",
        path=path,
        layer=layer,
        name=array.name,
        which=which,
        blocks=len(array.checksums),
    )
