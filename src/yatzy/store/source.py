"""A table file open for reading: its parts by offset, checked."""

import mmap
import os
import stat
import sys
import threading
import weakref
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from yatzy.errors import Message, TableError, TableMissing, cause_of
from yatzy.store.format import (
    ALIGN,
    BLOCK,
    HEADER,
    RECORD,
    RECORD_MAGIC,
    TAIL,
    Array,
    ArrayEntry,
    Header,
    LayerEntry,
    Unsound,
    decode_header,
    decode_index,
    decode_record,
    header_length,
    index_offset,
    most_json,
    record_length,
)


class Source:
    """An open file. Every method may be called from several threads, and after a fork."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            self._file = open(path, "rb", buffering=0, opener=_open)  # noqa: SIM115  (closed by close)
        except (FileNotFoundError, NotADirectoryError):
            raise TableMissing("there is no table {path}; it is built when it is first needed", path=path) from None
        except OSError as error:
            raise TableError("{path} cannot be read: {reason}", path=path, reason=cause_of(error)) from error
        except ValueError as error:  # a name with a null character
            raise TableError("{path!r} cannot be read: {error}", path=str(path), error=error) from None
        # Tables may stay open until the program ends; nobody has to close them.
        weakref.finalize(self, self._file.close)
        about = os.fstat(self._file.fileno())
        if not stat.S_ISREG(about.st_mode):
            self._file.close()
            raise TableError("{path} cannot be read: it is not a plain file", path=path)
        self.size = about.st_size

    def close(self) -> None:
        """Close the file; maps of it stay valid."""
        self._file.close()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._file.closed

    def read(self, offset: int, length: int) -> bytes:
        """Exactly these bytes. Reads instead of mapping, because a bad disk would kill a process that uses a map."""
        if offset < 0 or offset + length > self.size:
            raise Unsound(Message("it ends too early"))
        pieces = []
        while length:
            try:
                piece = self._read_some(offset, length)
            except OSError as error:
                raise Unsound(
                    Message(
                        "bytes {start} to {end} cannot be read: {reason}",
                        start=offset,
                        end=offset + length,
                        reason=cause_of(error),
                    )
                ) from error
            if not piece:
                raise Unsound(Message("it ends too early"))
            pieces.append(piece)
            offset += len(piece)
            length -= len(piece)
        return b"".join(pieces)

    def _read_some(self, offset: int, length: int) -> bytes:
        if sys.platform != "win32":
            # Uses no file position, which a forked process would share.
            return os.pread(self._file.fileno(), length, offset)
        with self._lock:
            self._file.seek(offset)
            return self._file.read(length) or b""

    def header(self) -> Header:
        """Return the header, checked."""
        return decode_header(self._read_json(0, header_length(self.read(0, HEADER.size)), Message("its header")))

    def index(self, stamp: bytes, first: int) -> tuple[LayerEntry, ...]:
        """Return all records by the index at the end, checked; `first` is where they begin."""
        start = index_offset(self.read(self.size - TAIL.size, TAIL.size), self.size)
        return decode_index(self._read_json(start, self.size - start, Message("its index")), stamp, first)

    def record(self, offset: int, stamp: bytes) -> LayerEntry:
        """Return the record that begins at `offset`, its head checked and its end within the file."""
        length = record_length(self.read(offset, RECORD.size), stamp, offset)
        entry = decode_record(
            self._read_json(offset, length, Message("the description at byte {offset}", offset=offset))
        )
        if entry.end > self.size:
            raise Unsound(Message("layer {layer} is not whole", layer=entry.layer))
        return entry

    def _read_json(self, offset: int, length: int, what: Message) -> bytes:
        """Bytes that are mostly JSON; refused if there are more than a sound file of this size can have."""
        if length > most_json(self.size):
            raise Unsound(Message("{what} is longer than a file of {size} bytes can need", what=what, size=self.size))
        return self.read(offset, length)

    def records(self, offset: int, stamp: bytes) -> Iterator[LayerEntry]:
        """The records from `offset` on, up to the first that is damaged. Their data are not read."""
        while True:
            try:
                entry = self.record(offset, stamp)
            except Unsound:
                return
            yield entry
            offset = entry.end

    def scattered_records(self, stamp: bytes) -> Iterator[LayerEntry]:
        """Every record with an undamaged head, anywhere in the file."""
        offset = 0
        while (found := self._next_magic(offset)) is not None:
            try:
                entry = self.record(found, stamp)
            except Unsound:
                offset = found + ALIGN
                continue
            yield entry
            offset = entry.end

    def _next_magic(self, offset: int) -> int | None:
        """Return the next multiple of 64 where a record may begin."""
        while offset < self.size:
            try:
                chunk = self.read(offset, min(BLOCK, self.size - offset))
            except Unsound:
                chunk = b""
            at = chunk.find(RECORD_MAGIC)
            while at >= 0:
                if at % ALIGN == 0:
                    return offset + at
                at = chunk.find(RECORD_MAGIC, at + 1)
            offset += BLOCK
        return None

    def is_sound(self, array: ArrayEntry, block: int) -> bool:
        """Whether the checksum of a block of an array matches."""
        try:
            return zlib.crc32(self.read(*array.span(block))) == array.checksums[block]
        except Unsound:
            return False

    def is_whole(self, entry: LayerEntry) -> bool:
        """Whether all checksums of a layer match."""
        return all(self.is_sound(array, block) for array in entry.arrays for block in array.blocks(0, array.stored))

    def load(self, entry: LayerEntry) -> dict[str, Array] | None:
        """Return a layer read into memory and checked; None if it is damaged."""
        arrays = {}
        for array in entry.arrays:
            pieces = []
            for block in array.blocks(0, array.stored):
                try:
                    piece = self.read(*array.span(block))
                except Unsound:
                    return None
                if zlib.crc32(piece) != array.checksums[block]:
                    return None
                pieces.append(piece)
            arrays[array.name] = view(b"".join(pieces), array, 0)
        return arrays

    def map(self, start: int, stop: int) -> mmap.mmap:
        """Return a read-only map of these bytes; `start` a multiple of `mmap.ALLOCATIONGRANULARITY`."""
        try:
            return mmap.mmap(self._file.fileno(), stop - start, access=mmap.ACCESS_READ, offset=start)
        except (OSError, ValueError) as error:
            raise TableError("{path} cannot be mapped into memory: {error}", path=self.path, error=error) from error


def _open(path: str, flags: int) -> int:
    """Open without waiting for a writer, in case the name is that of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def view(buffer: bytes | mmap.mmap, array: ArrayEntry, offset: int) -> Array:
    """Return the array whose bytes begin at `offset` of a read-only buffer; it keeps the buffer alive."""
    dtype = np.dtype(array.dtype)
    if array.nbytes == 0:
        empty = np.empty(array.shape, dtype)
        empty.flags.writeable = False
        return empty
    flat = np.frombuffer(buffer, dtype, count=array.nbytes // dtype.itemsize, offset=offset)
    return flat.reshape(array.shape)
