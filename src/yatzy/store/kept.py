"""Kept results: computed once, stored on disk, and used again only if they are certain to answer the same question.

A result is one file, written atomically:

    yatzy kept result 1 HASH                               blake2b of everything after this line
    {"computation": ..., "key": {...}, "revisions": {...}}
    the data, as JSON or as arrays

The key is everything that the result depends on besides the code, and decides the name of the file. The revisions stand
for the code (see `Computation`). A file that is damaged, outdated or in another format is reported and replaced.

`KeptLog` is for what people did and no program can compute again: one line for each entry, appended and never replaced.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from yatzy.errors import InputError, Message
from yatzy.reading import MOST_KEPT, read_bounded
from yatzy.store.files import write_atomic
from yatzy.store.format import array_bytes, as_bytes, little_endian
from yatzy.store.locking import Report, tell
from yatzy.store.revisions import Computation

T = TypeVar("T")
Key = Mapping[str, Any]
"""Values that JSON can hold; tuples are lists."""

SUFFIX = ".kept"
_MAGIC = b"yatzy kept result "
_FORMAT = b"1"
_NOT_AS_WRITTEN = (InputError, ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError)
"""What reading a damaged or crafted file may raise."""


def digest(value: object, size: int = 16) -> str:
    """A hash of a value that JSON can hold; `size` in bytes."""
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=size).hexdigest()


class KeptResults:
    """The results of one computation in one folder."""

    def __init__(
        self, folder: Path, computation: Computation, report: Report | None = None, most_bytes: int = MOST_KEPT
    ) -> None:
        """`report` is called with each file that is ignored, and the reason. Files of more than `most_bytes` are."""
        self._folder, self._computation, self._report, self._most = folder, computation, report, most_bytes

    def path(self, key: Key) -> Path:
        """The file of a result. It is the same for all revisions, so that a new result replaces an outdated one."""
        return self._folder / f"{self._computation.name}-{digest(key, 8)}{SUFFIX}"

    def read(self, key: Key, decode: Callable[[bytes], T]) -> T | None:
        """The result for a key; None if it is missing or cannot be used. `decode` raises on data that make no sense."""
        path = self.path(key)
        try:
            about, data = _split(read_bounded(path, self._most, Message("a kept result")))
            if about == self._about(key):
                return decode(data)
            stored = json.loads(about)
            sound = (stored["computation"], stored["key"]) == (self._computation.name, json.loads(json.dumps(key)))
            problem = Message("was computed by another version of the program") if sound else Message("is damaged")
        except _Old:
            problem = Message("is in the format of another version of the program")
        except _NOT_AS_WRITTEN as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return None
            problem = Message("is damaged")
        tell(self._report, Message("{path}: {problem}; it is computed again", path=path, problem=problem))
        return None

    def write(self, key: Key, data: bytes) -> None:
        """Store the result for a key."""
        body = self._about(key) + b"\n" + data
        write_atomic(self.path(key), _MAGIC + _FORMAT + b" " + _hash(body) + b"\n" + body)

    def get(self, key: Key, compute: Callable[[], Any]) -> Any:
        """A result that JSON can hold: read, or else computed and stored."""
        found = self.read(key, lambda data: (json.loads(data),))
        if found is None:
            found = (compute(),)
            self.write(key, encode_json(found[0]))
        return found[0]

    def _about(self, key: Key) -> bytes:
        about = {"computation": self._computation.name, "key": key, "revisions": self._computation.revisions}
        return json.dumps(about, sort_keys=True).encode()


class _Old(Exception):  # noqa: N818  (what the file is)
    """A kept result in another format."""


def _split(content: bytes) -> tuple[bytes, bytes]:
    """The description in a file and its data; ValueError if either has changed since it was written."""
    head, _, body = content.partition(b"\n")
    if not head.startswith(_MAGIC):
        raise ValueError
    form, _, stored = head.removeprefix(_MAGIC).partition(b" ")
    if form.isdigit() and form != _FORMAT:
        raise _Old
    if form != _FORMAT or stored != _hash(body):
        raise ValueError
    about, _, data = body.partition(b"\n")
    return about, data


def _hash(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).hexdigest().encode()


def encode_json(value: object) -> bytes:
    """Data for `KeptResults.write`, to be read by `json.loads`."""
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def encode_arrays(arrays: Mapping[str, npt.ArrayLike]) -> bytes:
    """Data for `KeptResults.write`, to be read by `decode_arrays`: one line of JSON, then the numbers."""
    stored = {name: little_endian(name, array) for name, array in arrays.items()}
    described = [[name, array.dtype.str, list(array.shape)] for name, array in stored.items()]
    return b"".join([json.dumps(described).encode(), b"\n", *map(as_bytes, stored.values())])


def decode_arrays(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """The arrays that `encode_arrays` was given, read-only; they take no more memory than the data."""
    line, _, rest = data.partition(b"\n")
    arrays, start = dict[str, npt.NDArray[Any]](), 0
    for name, dtype, lengths in json.loads(line):
        shape, size = array_bytes(dtype, lengths)
        if start + size > len(rest):
            raise ValueError
        arrays[name] = np.frombuffer(rest[start : start + size], dtype).reshape(shape)
        start += size
    if start != len(rest):
        raise ValueError
    return arrays


# Sealed entries, and a log of them

_SEAL = "check"


def seal(entry: Mapping[str, Any]) -> str:
    """A JSON object on one line, with a checksum among its fields."""
    return json.dumps({**entry, _SEAL: digest(dict(entry), 8)}, ensure_ascii=False)


def unseal(line: str) -> dict[str, Any] | None:
    """The fields of a sealed entry, None if it is damaged. Old ones without a checksum are accepted."""
    try:
        entry = json.loads(line)
        if isinstance(entry, dict) and (_SEAL not in entry or entry.pop(_SEAL) == digest(entry, 8)):
            return entry
    except (ValueError, RecursionError):
        pass
    return None


@dataclass(frozen=True, slots=True)
class LogContent:
    """What can be read of a log."""

    entries: tuple[dict[str, Any], ...]
    damaged: int
    """Lines that are not as they were written."""


class KeptLog:
    """A file of JSON objects, one a line, each with its own checksum.

    An entry is appended in one write, so that several programs may append at the same time, and a program that is
    killed loses at most the entry it was writing.
    """

    def __init__(self, path: Path, most_bytes: int) -> None:
        """A file of more than `most_bytes` is refused."""
        self.path, self._most = path, most_bytes

    @property
    def backup(self) -> KeptLog:
        """The copy that `back_up` makes."""
        return KeptLog(self.path.with_name(self.path.name + ".bak"), self._most)

    def append(self, entry: Mapping[str, Any]) -> None:
        """Add an entry; when this returns, it is on the disk."""
        line = seal(entry) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            if file.tell() and not _ends_a_line(file.fileno()):
                line = "\n" + line  # a line that was cut off stays on its own
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())

    def read(self, accept: Callable[[dict[str, Any]], bool]) -> LogContent:
        """All entries that `accept` knows; nothing where there is no file."""
        return _parse(self._content(), accept)

    def back_up(self, accept: Callable[[dict[str, Any]], bool]) -> None:
        """Copy the log, unless a line of it is damaged."""
        content = self._content()
        if content and not _parse(content, accept).damaged:
            write_atomic(self.backup.path, content)

    def _content(self) -> bytes:
        try:
            return read_bounded(self.path, self._most, Message("a log"))
        except InputError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                return b""
            raise


def _parse(content: bytes, accept: Callable[[dict[str, Any]], bool]) -> LogContent:
    lines = [line for line in content.decode(errors="replace").split("\n") if line.strip()]
    entries = [entry for line in lines if (entry := unseal(line)) is not None and accept(entry)]
    return LogContent(tuple(entries), len(lines) - len(entries))


def _ends_a_line(file: int) -> bool:
    size = os.fstat(file).st_size
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) == b"\n"
