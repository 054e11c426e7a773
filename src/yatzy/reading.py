"""Safe reading of files named by a user or by data: bounded in size, and never from a device.

Otherwise `/dev/zero` or a huge file would fill the memory, and a named pipe without a writer would block forever.
Every error message is one line.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from yatzy.errors import InputError, cause_of, one_line

LONGEST_NAME, LONGEST_PATH = 255, 4000
"""Limits in bytes of a file name and of a path; most systems allow no more."""
MOST_KEPT = 2**28
"""Size limit in bytes of a result that the program caches."""
_CHUNK = 2**20


def read_bounded(path: Path, most: int, what: str, error: type[InputError] = InputError) -> bytes:
    """Read a file or a pipe of at most `most` bytes. `what` names the expected content for errors, e.g. "a record"."""
    name = one_line(str(path))
    try:
        # Without O_NONBLOCK, opening a pipe that has no writer would block.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            mode = os.fstat(descriptor).st_mode
            if stat.S_ISDIR(mode):
                raise error("{path}: cannot be read: it is a folder, not a file with {what}", path=name, what=what)
            if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
                raise error("{path}: cannot be read: it is a device, not a file with {what}", path=name, what=what)
            if hasattr(os, "set_blocking"):
                os.set_blocking(descriptor, True)
            data = bytearray()
            while len(data) <= most and (chunk := os.read(descriptor, min(_CHUNK, most + 1 - len(data)))):
                data += chunk
        finally:
            os.close(descriptor)
    except OSError as problem:
        raise error("{path}: cannot be read: {reason}", path=name, reason=cause_of(problem)) from problem
    except ValueError as problem:  # a NUL byte in the name
        raise error("{path}: cannot be read: {reason}", path=name, reason=cause_of(problem)) from problem
    if len(data) > most:
        raise error("{path}: has more than {most:,} bytes, too many for {what}", path=name, most=most, what=what)
    return bytes(data)


def read_text_bounded(path: Path, most: int, what: str, error: type[InputError] = InputError) -> str:
    """Like `read_bounded`, decoded as UTF-8 without a byte order mark."""
    return decode_text(read_bounded(path, most, what, error), path, what, error)


def decode_text(data: bytes, path: Path, what: str, error: type[InputError] = InputError) -> str:
    """The bytes of a file decoded as UTF-8 without a byte order mark. `what` names the expected content."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise error("{path}: is not UTF-8 text, so it is not {what}", path=one_line(str(path)), what=what) from None


def named_path(text: str | Path) -> Path:
    """The path that a user typed, with `~` expanded. Raises InputError if it cannot be a path."""
    if not str(text).strip() or "\0" in str(text):
        raise InputError("{text!r} cannot be the name of a file or folder", text=one_line(str(text)))
    try:
        path = Path(text).expanduser()
    except RuntimeError:
        raise InputError("{text}: there is no such user; write out the folder", text=one_line(str(text))) from None
    longest = max(len(os.fsencode(part)) for part in (*path.parts, ""))
    if longest > LONGEST_NAME or len(os.fsencode(path)) > LONGEST_PATH:
        raise InputError("{text}…: is too long for the name of a file or folder", text=one_line(str(text))[:60])
    return path
