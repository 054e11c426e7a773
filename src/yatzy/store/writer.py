"""A table being built: a log of finished layers, which may be cut off at any byte."""

import contextlib
import mmap
import os
import shutil
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy.typing as npt

from yatzy.errors import InputError, Message, cause_of
from yatzy.store.disk import sync_folder, unwritable, write_at
from yatzy.store.folder import work_folder
from yatzy.store.format import (
    Array,
    LayerEntry,
    Unsound,
    as_bytes,
    encode_header,
    encode_index,
    encode_record,
    little_endian,
    no_array,
    padding,
    stamp_of,
)
from yatzy.store.key import TableKey
from yatzy.store.locking import Report, tell
from yatzy.store.source import Source, view


class TableWriter:
    """The part file of a table. Opening it keeps the complete layers of an earlier attempt.

    Use it through `open_or_build`, or hold a lock: only one process may write a part file.
    """

    def __init__(self, folder: Path, key: TableKey, report: Report | None = None) -> None:
        self.key = key
        self.path = folder / f"{key.name}.part"
        self.work = work_folder(folder, key.name)
        self._header = encode_header(key)
        self._stamp = stamp_of(self._header)
        self._layers: dict[int, LayerEntry] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = FileIO(self.path, "r+", opener=_create)
        except OSError as error:
            raise unwritable(self.path, Message("the table"), error) from error
        try:
            self._source = Source(self.path)
        except BaseException:
            self._file.close()
            raise
        try:
            self._resume(report)
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise unwritable(self.path, Message("the header"), error, len(self._header)) from error
            raise

    @property
    def done(self) -> frozenset[int]:
        """The layers that are on the disk."""
        return frozenset(self._layers)

    @property
    def size(self) -> int:
        """Bytes of the layers that are on the disk."""
        return self._end - len(self._header)

    @property
    def missing(self) -> tuple[int, ...]:
        """The layers still to be appended, ascending."""
        return tuple(layer for layer in range(self.key.layers) if layer not in self._layers)

    def names(self, layer: int) -> tuple[str, ...]:
        """Names of the arrays of a finished layer."""
        return tuple(array.name for array in self._layers[layer].arrays)

    def array(self, layer: int, name: str) -> Array:
        """Return an array of a finished layer, read-only and mapped."""
        if layer not in self._layers:
            raise InputError(
                "layer {layer} of {path} is not done; done are {layers}",
                layer=layer,
                path=self.path,
                layers=sorted(self._layers),
            )
        for entry in self._layers[layer].arrays:
            if entry.name == name:
                break
        else:
            raise no_array(layer, self.path, name, [array.name for array in self._layers[layer].arrays])
        if entry.nbytes == 0:
            return view(b"", entry, 0)
        start = entry.offset - entry.offset % mmap.ALLOCATIONGRANULARITY
        return view(self._source.map(start, entry.offset + entry.nbytes), entry, entry.offset - start)

    def append(self, layer: int, arrays: Mapping[str, npt.ArrayLike]) -> None:
        """Write a layer to the disk. When this returns, the layer survives a kill and a power cut."""
        if not 0 <= layer < self.key.layers:
            raise InputError(
                "{key} has layers 0 to {layers}, not {layer}",
                key=self.key.name,
                layers=self.key.layers - 1,
                layer=layer,
            )
        if layer in self._layers:
            raise InputError("layer {layer} of {key} is already done", layer=layer, key=self.key.name)
        stored = {name: little_endian(name, array) for name, array in arrays.items()}
        offset = self._end
        head, entry = encode_record(self._stamp, offset, layer, stored)
        pieces: list[bytes | memoryview] = [head]
        for array in stored.values():
            pieces += [as_bytes(array), padding(array.nbytes)]
        try:
            write_at(self._file, offset, pieces)
            self._layers[layer] = entry
        except BaseException as error:
            self._drop_tail()
            if isinstance(error, OSError):
                raise unwritable(self.path, Message("layer {layer}", layer=layer), error, entry.end - offset) from error
            raise

    def finish(self) -> Path:
        """Write the index, close the writer, remove its folder of work, and rename the file to its final name.

        That name is returned.
        """
        if self.missing:
            listed = ", ".join(map(str, self.missing[:8])) + (", ..." if len(self.missing) > 8 else "")
            raise InputError(
                "{key} cannot be finished: layers {listed} were not appended", key=self.key.name, listed=listed
            )
        offset = self._end
        index = encode_index(self._stamp, offset, sorted(self._layers.values(), key=lambda one: one.offset))
        target = self.path.with_name(f"{self.key.name}.table")
        try:
            write_at(self._file, offset, [index])
            self.close()
            shutil.rmtree(self.work, ignore_errors=True)  # before the table is there: then nobody would do it
            os.replace(self.path, target)
        except BaseException as error:
            self._drop_tail()
            if isinstance(error, OSError):
                raise unwritable(target, Message("the index"), error, len(index)) from error
            raise
        sync_folder(target.parent)
        return target

    def close(self) -> None:
        """Close the part file. A later writer continues it."""
        self._source.close()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _end(self) -> int:
        """Where the next record goes. Computed from `done`, so that an interrupt cannot make them disagree."""
        return max((entry.end for entry in self._layers.values()), default=len(self._header))

    def _drop_tail(self) -> None:
        """Cut off an incomplete record; if that fails, the next writer does it."""
        with contextlib.suppress(OSError, ValueError):
            self._file.truncate(self._end)

    def _resume(self, report: Report | None) -> None:
        name, size = self.path.name, self._source.size
        try:
            found = self._source.header()
        except Unsound as problem:
            if size:
                tell(report, Message("{name} {problem}; starting over", name=name, problem=cause_of(problem)))
            return self._start()
        if found.key != self.key:
            tell(report, Message("{name} is for {key}; starting over", name=name, key=found.key))
            return self._start()
        for entry in self._source.records(found.end, self._stamp):
            if entry.layer in self._layers or entry.layer >= self.key.layers:
                break
            if not self._source.is_whole(entry):
                tell(
                    report,
                    Message("{name}: layer {layer} is damaged; resuming before it", name=name, layer=entry.layer),
                )
                break
            self._layers[entry.layer] = entry
        if self._layers:
            tell(
                report,
                Message(
                    "resuming {name}: {done} of {layers} layers are done",
                    name=self.key.name,
                    done=len(self._layers),
                    layers=self.key.layers,
                ),
            )
        if size > self._end:
            self._file.truncate(self._end)
        return None

    def _start(self) -> None:
        self._file.truncate(0)
        write_at(self._file, 0, [self._header])
        sync_folder(self.path.parent)


def _create(path: str, flags: int) -> int:
    """Open or create, but follow no link: in a folder that others can write to, it could lead to any file."""
    return os.open(path, flags | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
