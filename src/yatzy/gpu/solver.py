"""What solving on a device has in common: the compiled game there, chunks, and slices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from yatzy.gpu.device import Device
from yatzy.gpu.game import game_arrays
from yatzy.model import CompiledGame

LAUNCH = 2**28
"""Most values of one launch: 1 GiB of results, and seconds of work between two checks for an interruption."""
CHUNK_BYTES = 48
"""Memory for the arrays of a chunk, those in between included."""


class GameOnDevice:
    """A compiled game on a device, with the kernels compiled for it."""

    number: ClassVar[type[np.floating[Any]]] = np.float32
    """The precision of its values."""

    def __init__(self, device: Device, compiled: CompiledGame, memory: int | None = None, launch: int = LAUNCH) -> None:
        """memory: bytes to use at most, by default nearly all that are free; launch: most values at a time."""
        self.device, self.compiled, self.xp = device, compiled, device.arrays
        found = game_arrays(compiled, self.number)
        self.lanes, self._chunks_of_a_block = found.sizes["LANES"], found.sizes["RUN"]
        self.program = device.compile(found.sizes)
        self.arrays = {name: self.xp.asarray(array) for name, array in found.arrays.items()}
        self.memory = memory or int(device.free_memory() * 0.9)
        self.launch = min(launch, max(self.memory // 4 // (4 + 2 * CHUNK_BYTES // self.lanes), 1))

    def model_arguments(self, **other: Any) -> list[Any]:
        """The first arguments of every kernel; other: arrays in place of those of the game."""
        return [*(self.arrays | other).values(), np.int64(self.compiled.states.rest.next.shape[1])]

    def run(self, kernel: str, chunks: int, arguments: list[Any]) -> None:
        """Launch a kernel over chunks."""
        if chunks:
            self.program.launch(kernel, -(-chunks // self._chunks_of_a_block), arguments)

    def chunks(self, begin: Any) -> tuple[Any, Any]:
        """Cut runs of values into chunks: [run] its first chunk, with one more entry, and [chunk] its run.

        begin: int64[run + 1], where the values of each run begin.
        """
        xp = self.xp
        start = xp.zeros(len(begin), np.int64)
        start[1:] = xp.cumsum(-(-xp.diff(begin) // self.lanes))
        number = xp.arange(int(start[-1]))
        return start, (xp.searchsorted(start, number, side="right") - 1).astype(np.int32)

    def blocks_of(self, states: Any) -> Any:
        """The blocks that contain these states."""
        return (self.xp.searchsorted(self.arrays["block_start"], states, side="right") - 1).astype(np.int32)


def slices(size: npt.NDArray[np.int64], most: int) -> Iterator[range]:
    """Cut rows of these sizes into consecutive ranges of at most `most` in all, of at least one row each."""
    end = np.concatenate([[0], np.cumsum(size)])
    low = 0
    while low < len(size):
        high = max(int(np.searchsorted(end, end[low] + most, side="right")) - 1, low + 1)
        yield range(low, high)
        low = high
