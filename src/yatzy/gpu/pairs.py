"""Pairs of states of two players on a device; kernels/endgames.py describes what a pair is and what is stored.

The pairs of one mover with all opponents lie one after another, so 32 consecutive values of a mover are 32 lanes of a
turn, whatever pairs they belong to, and no lane is idle except at the end of a mover.

A mover a with opponent b reads the pairs (b, a') with one open category less. So the pairs of some opponents with any
movers need only the rows of these opponents in the layer after the turn. A layer that is too large for the device is
cut there: some rows of the layer after the turn are loaded, and all asked movers are solved against these opponents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy.gpu.device import Device
from yatzy.gpu.game import LANES
from yatzy.gpu.solver import LAUNCH, GameOnDevice, slices
from yatzy.model import CompiledGame

FAR = 2**28
"""More points than any game pays. States that no play reaches have larger ranges, which would overflow."""
INDEX_BYTES = 24
"""Memory for the index of a pair, the arrays in between included."""

STEP = 4096
"""Movers whose values are counted at a time."""
INDEX_STEP = 2**26
"""Pairs whose windows are laid out at a time."""

Singles = npt.NDArray[np.float32]
Rows = Callable[[int, int], Singles]
"""The values of the movers low … high, counted from the first of their layer."""


@dataclass(frozen=True, eq=False)
class HostPairs:
    """The pairs of one depth in the memory of the host."""

    movers: range
    """The states of the mover's layer."""
    opponents: range
    start: npt.NDArray[np.int64]
    """[mover + 1]: the offset of its values over the whole depth"""
    rows: Rows


@dataclass(frozen=True, eq=False)
class LoadedPairs:
    """Pairs of consecutive movers and opponents, with their values on the device."""

    movers: range
    opponents: range
    begin: Any
    """int64[pair + 1]: where the window of a pair begins in `value`; the opponents of a mover are consecutive"""
    value: Any
    """float32"""


class PairSolver(GameOnDevice):
    """Solves pairs of states."""

    def __init__(
        self,
        device: Device,
        compiled: CompiledGame,
        ranges: tuple[npt.NDArray[np.int32], ...],
        memory: int | None = None,
        launch: int = LAUNCH,
    ) -> None:
        """ranges: o⁻, o⁺, p⁻, p⁺ by state, as in matches/counting.py."""
        super().__init__(device, compiled, memory, launch)
        self._ranges = self.xp.asarray(np.clip(np.stack(ranges, axis=1), -FAR, FAR).astype(np.int32))
        self._loaded: tuple[HostPairs, LoadedPairs] | None = None

    def lengths(self, movers: range, opponents: range) -> Any:
        """int32[mover, opponent]: the number of values of each pair."""
        mover, opponent = (self._ranges[states.start : states.stop].T for states in (movers, opponents))
        xp = self.xp
        high = xp.minimum(opponent[1] - mover[0][:, None], mover[3][:, None] - opponent[2])
        low = xp.maximum(opponent[0] - mover[1][:, None], mover[2][:, None] - opponent[3])
        return xp.maximum(high - low + 1, 0)

    def lay_out(self, movers: range, opponents: range) -> Any:
        """int64[pair + 1]: where the windows begin if they lie one after another."""
        step = max(INDEX_STEP // max(len(opponents), 1), 1)
        begin = self.xp.zeros(len(movers) * len(opponents) + 1, np.int64)
        for low in range(0, len(movers), step):  # in steps, to save memory
            some = movers[low : low + step]
            first, last = low * len(opponents), (low + len(some)) * len(opponents)
            begin[first + 1 : last + 1] = begin[first] + self.xp.cumsum(self.lengths(some, opponents), dtype=np.int64)
        return begin

    def load(self, pairs: HostPairs, low: int, high: int) -> LoadedPairs:
        """Copy the rows of the movers low … high to the device."""
        movers = pairs.movers[low:high]
        value = self.xp.asarray(pairs.rows(low, high))
        return LoadedPairs(movers, pairs.opponents, self.lay_out(movers, pairs.opponents), value)

    def solve(self, after: LoadedPairs, movers: range, out: Any = None) -> Iterator[LoadedPairs]:
        """Solve some movers against the movers of `after`, which are the opponents here, in pieces of some movers.

        out: an array on the device for the values of all pieces, one after another.
        """
        sizes = [self._sizes(movers[low : low + STEP], after.movers) for low in range(0, len(movers), STEP)]
        done = 0
        for some in slices(np.concatenate([np.zeros(0, np.int64), *sizes]), self.launch):
            piece = self._launch(after, movers[some.start : some.stop], None if out is None else out[done:])
            done += len(piece.value)
            yield piece

    def solve_layer(self, after: LoadedPairs, movers: range, done: Callable[[int], None] | None = None) -> LoadedPairs:
        """Solve all pairs of some movers, which stay on the device; `done` is told the number of values of a piece."""
        begin = self.lay_out(movers, after.movers)
        value = self.xp.empty(int(begin[-1]), np.float32)
        for piece in self.solve(after, movers, value):
            if done is not None:
                self.program.wait()
                done(len(piece.value))
        return LoadedPairs(movers, after.movers, begin, value)

    def full_sheets(self) -> LoadedPairs:
        """The pairs of full sheets: ties are worth half, and everything else is outside of the windows."""
        first, end = self.compiled.states.layer_start[-2:].tolist()
        begin = self.lay_out(range(first, end), range(first, end))
        value = self.xp.full(int(begin[-1]), 0.5, np.float32)
        return LoadedPairs(range(first, end), range(first, end), begin, value)

    def solve_rows(self, after: HostPairs, movers: range, out: Singles) -> None:
        """Solve some movers against all opponents, and write their values one after another."""
        whole = self._whole(after)
        if whole is not None:
            done = 0
            for piece in self.solve(whole, movers):
                out[done : done + len(piece.value)] = self.device.to_host(piece.value)
                done += len(piece.value)
            return
        here = self._here(movers, after.movers)
        for rows in slices(self._bytes(after), self.memory // 2):
            loaded = self.load(after, rows.start, rows.stop)
            for piece in self.solve(loaded, movers):
                _scatter(self.device.to_host(piece.value), piece.movers, movers, here, rows, out)

    def _whole(self, after: HostPairs) -> LoadedPairs | None:
        """The whole layer on the device, if it fits into half of the memory; kept until another is asked for."""
        if self._loaded is None or self._loaded[0] is not after:
            self._loaded = None
            if int(self._bytes(after).sum()) > self.memory // 2:
                return None
            self._loaded = (after, self.load(after, 0, len(after.movers)))
        return self._loaded[1]

    @staticmethod
    def _bytes(pairs: HostPairs) -> npt.NDArray[np.int64]:
        """[mover]: the memory that its row takes on the device."""
        found: npt.NDArray[np.int64] = 4 * np.diff(pairs.start) + INDEX_BYTES * len(pairs.opponents)
        return found

    def _sizes(self, movers: range, opponents: range) -> npt.NDArray[np.int64]:
        """[mover]: the number of its values, or enough to limit the index of its pairs."""
        values = self.device.to_host(self.lengths(movers, opponents).sum(axis=1, dtype=np.int64))
        found: npt.NDArray[np.int64] = np.maximum(values, len(opponents) * INDEX_BYTES // 4)
        return found

    def _here(self, movers: range, opponents: range) -> npt.NDArray[np.int64]:
        """[mover, opponent + 1]: where the windows begin in the rows of all opponents."""
        begin: npt.NDArray[np.int64] = self.device.to_host(self.lay_out(movers, opponents))
        ends = begin[1:].reshape(len(movers), len(opponents))
        return np.concatenate([begin[: -1 : len(opponents)][:, None], ends], axis=1)

    def _launch(self, after: LoadedPairs, movers: range, out: Any) -> LoadedPairs:
        xp, opponents = self.xp, after.movers
        begin = self.lay_out(movers, opponents)
        row_begin = begin[:: len(opponents)]
        chunk_start, chunk_mover = self.chunks(row_begin)
        chunks = len(chunk_mover)
        position = row_begin[chunk_mover] + (xp.arange(chunks) - chunk_start[chunk_mover]) * LANES
        chunk_pair = xp.full(chunks + 1, len(begin) - 2, np.int64)
        chunk_pair[:-1] = xp.searchsorted(begin, position, side="right") - 1
        value = xp.empty(int(begin[-1]), np.float32) if out is None else out[: int(begin[-1])]
        self.run(
            "solve_pairs",
            chunks,
            [
                *self.model_arguments(),
                self._ranges,
                np.int64(after.opponents.start),
                np.int64(len(after.opponents)),
                after.begin,
                after.value,
                np.int64(movers.start),
                np.int64(opponents.start),
                np.int64(len(opponents)),
                begin,
                np.int64(chunks),
                chunk_mover,
                self.blocks_of(movers.start + chunk_mover.astype(np.int64)),
                chunk_pair,
                chunk_start,
                value,
            ],
        )
        return LoadedPairs(movers, opponents, begin, value)


def _scatter(
    values: Singles, movers: range, all_movers: range, here: npt.NDArray[np.int64], opponents: range, out: Singles
) -> None:
    """Copy the values of some movers against some opponents to their places among those of all opponents."""
    done = 0
    for mover in movers:
        begin, end = here[mover - all_movers.start, [opponents.start, opponents.stop]].tolist()
        out[begin:end] = values[done : done + end - begin]
        done += end - begin
