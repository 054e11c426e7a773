"""Blocks: files with one run of single-precision numbers each, written by any number of workers in a shared folder.

    {"...": ..., "values": 4194304, "rows": "HASH", "check": "..."}      one line of JSON, padded to a multiple of 64
    the numbers, little-endian

A block is written aside and renamed, so a reader sees all of it or nothing. Two workers may write the same block: its
bytes are the same. The numbers are in rows, and every row has a hash of its own, so that the hash of all rows of
several blocks does not depend on where one block ends and the next begins.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import socket
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.errors import TableDamaged
from yatzy.store.files import write_atomic
from yatzy.store.format import ALIGN, aligned, as_bytes
from yatzy.store.kept import seal, unseal

Singles = npt.NDArray[np.float32]

DIGEST = 16
"""Bytes of the hash of a row."""
MOST_HEAD = 2**16


def hash_rows(values: Singles, start: npt.NDArray[np.int64]) -> bytes:
    """The hashes of all rows, one after another; row r is values[start[r] : start[r + 1]]."""
    data, ends = as_bytes(np.ascontiguousarray(values, "<f4")), (4 * start).tolist()
    hashes = [hashlib.blake2b(data[low:high], digest_size=DIGEST).digest() for low, high in pairwise(ends)]
    return b"".join(hashes)


def hash_of_hashes(hashes: bytes) -> str:
    """One hash for the rows of a block, or of all blocks together."""
    return hashlib.blake2b(hashes, digest_size=DIGEST).hexdigest()


def write_block(path: Path, about: Mapping[str, Any], values: Singles, hashes: bytes) -> None:
    """Write a block completely or not at all; `hashes` are those of its rows."""
    head = seal({**about, "values": len(values), "rows": hash_of_hashes(hashes)}).encode()
    head = head.ljust(aligned(len(head) + 1) - 1) + b"\n"
    write_atomic(path, [head, as_bytes(np.ascontiguousarray(values, "<f4"))])


def read_block(path: Path, about: Mapping[str, Any], start: npt.NDArray[np.int64]) -> tuple[Singles, bytes] | None:
    """The numbers of a block, read-only and mapped, and the hashes of its rows, which are checked.

    None if the file is missing, damaged or not the block that `about` describes.
    """
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            head = file.readline(MOST_HEAD)
            wanted = {**about, "values": int(start[-1])}
            if len(head) % ALIGN or size != len(head) + 4 * wanted["values"]:
                return None
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (FileNotFoundError, ValueError):  # an empty file cannot be mapped
        return None
    found = unseal(head.decode(errors="replace"))
    values = np.frombuffer(data, "<f4", offset=len(head)) if wanted["values"] else np.empty(0, np.float32)
    hashes = hash_rows(values, start)
    return (values, hashes) if found == {**wanted, "rows": hash_of_hashes(hashes)} else None


def not_shared(path: Path) -> TableDamaged:
    """The error of a worker that does not find, or cannot use, a file that must be there."""
    return TableDamaged(
        "{path}: is damaged or missing, or {host} does not share the folder; start the same command"
        " again: it checks what is there",
        path=path,
        host=socket.gethostname(),
    )
