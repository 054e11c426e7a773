"""Expected scores on a device, in double precision; kernels/values.py defines them.

A chunk is up to 16 consecutive states of one block of the game. They share the upper class, the box and the number of
filled rest categories, so they reach the same blocks of the next layer, each at its own rank. Only two layers are on
the device at a time.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from yatzy.gpu.solver import GameOnDevice, slices


class ExpectedSolver(GameOnDevice):
    """Solves layers of expected scores."""

    number: ClassVar[type[np.floating[Any]]] = np.float64

    def solve_layer(self, layer: int, after: Any) -> Any:
        """The expected points to come of the states of a layer, on the device; after: those of the next layer."""
        states, xp = self.compiled.states, self.xp
        first, end, after_end = states.layer_start[layer : layer + 3].tolist()
        low, high = np.searchsorted(states.block_start, [first, end]).tolist()  # the blocks of the layer
        after, out = xp.asarray(after), xp.empty(end - first, np.float64)
        assert after.dtype == np.float64
        assert len(after) == after_end - end
        for some in slices(np.diff(states.block_start[low : high + 1]), self.launch):
            begin = xp.asarray(states.block_start[low + some.start : low + some.stop + 1])
            chunk_start, chunk_block = self.chunks(begin)
            self.run(
                "solve_states",
                len(chunk_block),
                [
                    *self.model_arguments(),
                    after,
                    np.int64(end),
                    np.int64(low + some.start),
                    np.int64(len(chunk_block)),
                    chunk_block,
                    chunk_start,
                    np.int64(first),
                    out,
                ],
            )
        return out

    def fill(self, layer: int, after: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The same in the memory of the host."""
        return self.device.to_host(self.solve_layer(layer, after))
