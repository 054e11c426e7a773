"""Curves of chances on a device: fills the windows of a layer that `kernels.find_windows` has bounded.

A layer whose next layer fits into the memory of the device is filled in one piece. Otherwise it is cut into runs of
blocks, and each run gets the curves of only those blocks of the next layer that it reads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.gpu.solver import GameOnDevice, slices
from yatzy.kernels import Curves
from yatzy.model.states import BOX_OPEN, NO_STATE

STATE_BYTES = 40
"""Memory for the index of a state, here and after the turn."""


class CurveSolver(GameOnDevice):
    """Solves layers of curves."""

    def fill(
        self,
        after: Curves,
        first: int,
        end: int,
        least: npt.NDArray[np.int32],
        offset: npt.NDArray[np.int64],
        chance: npt.NDArray[np.float32],
    ) -> None:
        """Fill the windows of states first … end, a whole layer, as `kernels.solve_curves` does.

        least: [state], the first score of its window; offset: [state + 1], where the window begins in `chance`.
        """
        states = self.compiled.states
        low, high = np.searchsorted(states.block_start, [first, end]).tolist()  # the blocks of the layer
        for blocks in self._slices(after, low, high):
            begin, stop = (int(states.block_start[block]) for block in (blocks.start, blocks.stop))
            loaded = self._load(after, self._next_blocks(blocks))
            piece = slice(begin - first, stop - first)
            self._fill(loaded, begin, least[piece], offset[begin - first : stop - first + 1], chance)

    def _slices(self, after: Curves, low: int, high: int) -> list[range]:
        """Runs of blocks for which the curves that they read fit into half of the memory."""
        if 4 * len(after.chance) + STATE_BYTES * len(after.low) <= self.memory // 2:
            return [range(low, high)]
        found, start, read, size = [], low, set[int](), 0
        for block in range(low, high):
            needed = set(self._next_blocks(range(block, block + 1)).tolist())
            more = sum(self._bytes(after, b) for b in needed - read)
            if block > start and size + more > self.memory // 2:
                found.append(range(start, block))
                start, read, size = block, set(), 0
                more = sum(self._bytes(after, b) for b in needed)
            read |= needed
            size += more
        return [*found, range(start, high)]

    def _bytes(self, after: Curves, block: int) -> int:
        """The memory for the curves of a block of the next layer."""
        first, end = (self.compiled.states.block_start[[block, block + 1]] - after.first).tolist()
        return int(4 * (after.offset[end] - after.offset[first]) + STATE_BYTES * (end - first))

    def _next_blocks(self, blocks: range) -> npt.NDArray[np.int64]:
        """The blocks of the next layer that the states of these blocks can reach, ascending."""
        states, upper = self.compiled.states, self.compiled.upper
        u, box, size = states.block[blocks.start : blocks.stop].T
        starts = []
        to = upper.next[u]  # [block, slot, count]
        reached = states.start[to, box[:, None, None], size[:, None, None]]
        starts.append(reached[to >= 0])
        larger = size + 1 < states.start.shape[2]
        starts.append(states.start[u[larger], box[larger], size[larger] + 1])
        if states.start.shape[1] > 1:
            is_open = box == BOX_OPEN
            starts.append(states.start[u[is_open], 1:, size[is_open]].ravel())
        found = np.unique(np.concatenate([array.ravel() for array in starts]))
        next_blocks: npt.NDArray[np.int64] = np.searchsorted(states.block_start, found[found != NO_STATE])
        return next_blocks

    def _load(self, after: Curves, blocks: npt.NDArray[np.int64]) -> dict[str, Any]:
        """Copy the curves of some blocks to the device, one after another, and renumber their states."""
        states, xp = self.compiled.states, self.xp
        runs = np.split(blocks, np.flatnonzero(np.diff(blocks) != 1) + 1) if len(blocks) else []
        start = np.full(states.start.shape, NO_STATE, np.int64)
        low, offset, chance = [np.empty(0, np.int32)], [np.zeros(1, np.int64)], [np.empty(0, np.float32)]
        count = values = 0
        for run in runs:
            first, end = (int(states.block_start[block]) for block in (run[0], run[-1] + 1))
            begin, stop = first - after.first, end - after.first
            u, box, size = states.block[run[0] : run[-1] + 1].T
            start[u, box, size] = states.block_start[run[0] : run[-1] + 1] - first + count
            ends = np.asarray(after.offset[begin : stop + 1])
            low.append(after.low[begin:stop])
            offset.append(ends[1:] - ends[0] + values)
            chance.append(after.chance[int(ends[0]) : int(ends[-1])])
            count, values = count + stop - begin, values + int(ends[-1] - ends[0])
        return {
            "state_start": xp.asarray(start),
            "low": xp.asarray(np.concatenate(low)),
            "offset": xp.asarray(np.concatenate(offset)),
            "chance": xp.asarray(np.concatenate(chance) if len(chance) > 2 else chance[-1]),
        }

    def _fill(
        self,
        after: dict[str, Any],
        first: int,
        least: npt.NDArray[np.int32],
        offset: npt.NDArray[np.int64],
        chance: npt.NDArray[np.float32],
    ) -> None:
        """Fill the windows of consecutive states from `first` on."""
        xp = self.xp
        model = self.model_arguments(state_start=after["state_start"])
        for states in slices(np.diff(offset), self.launch):
            begin = xp.asarray(offset[states.start : states.stop + 1] - offset[states.start])
            chunk_start, chunk_state = self.chunks(begin)
            out = xp.empty(int(begin[-1]), np.float32)
            self.run(
                "solve_curves",
                len(chunk_state),
                [
                    *model,
                    after["low"],
                    after["offset"],
                    after["chance"],
                    np.int64(first + states.start),
                    np.int64(len(chunk_state)),
                    chunk_state,
                    self.blocks_of(first + states.start + chunk_state.astype(np.int64)),
                    chunk_start,
                    xp.asarray(least[states.start : states.stop]),
                    begin,
                    out,
                ],
            )
            self.device.to_host(out, chance[int(offset[states.start]) : int(offset[states.stop])])
