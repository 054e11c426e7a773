"""A slice of a middle layer of a game that is too large to solve here, with made-up values in the layer below it.

    python -m benchmarks.gpu_slice --work FOLDER [--game yahtzee-pawlewicz] [--depth 13] [--opponents 64] [--tile 16]

The pairs of some opponents with all movers need only the rows of these opponents in the layer below (gpu/pairs.py). So
a layer is solved in slices, each a few opponents wide: their rows are read from files, copied to the device, solved
against all movers, copied back and written, with the hashes of all rows. Reading the next slice, solving this one and
writing the last one happen at the same time, as in a whole layer. The values below are made up, because nobody has the
real ones; the work does not depend on them. Some pairs are solved on the CPU too and must have the same bits.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError
from yatzy.games import load_game
from yatzy.gpu.device import Device, open_device
from yatzy.gpu.pairs import HostPairs, PairSolver
from yatzy.matches.counting import PointRanges, count_match, point_ranges
from yatzy.matches.endgames import lay_out_pairs
from yatzy.model import CompiledGame, compile_game
from yatzy.store.blocks import hash_rows, read_block, write_block
from yatzy.values.arrays import turn_arrays
from yatzy.values.tables import block_of
from yatzy.values.threads import core_count

Singles = npt.NDArray[np.float32]

CHECKED = 2
"""Movers whose pairs the CPU solves too."""
WAITING = 4
"""Pieces that wait to be written, each of up to 1 GiB."""


@dataclass(frozen=True)
class Slice:
    """What was measured."""

    game: str
    depth: int
    movers: int
    opponents: int
    layer_values: int
    """Of the whole layer."""
    values: int
    kernel: float
    """Seconds in kernels."""
    wall: float
    """Seconds from the first byte read to the last byte written."""
    read_bytes: int
    written_bytes: int
    reading: float
    """Seconds of all threads together; so is the next."""
    writing: float
    compared: int
    same_bits: bool


class _Work:
    """The files of a slice, and the time that threads spend on them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reading = self.writing = 0.0
        self.read_bytes = self.written_bytes = 0
        self._counting = Lock()

    def path(self, layer: str, name: str) -> Path:
        return self.folder / layer / f"{name}.block"

    def read(self, opponent: int, out: Singles) -> None:
        """Read the row of an opponent and check it."""
        begin, name = time.perf_counter(), str(opponent)
        found = read_block(self.path("below", name), {"row": name}, np.array([0, len(out)]))
        assert found is not None
        out[:] = found[0]
        with self._counting:
            self.reading += time.perf_counter() - begin
            self.read_bytes += out.nbytes

    def write(self, layer: str, name: str, values: Singles, start: npt.NDArray[np.int64]) -> None:
        """Write some rows."""
        begin = time.perf_counter()
        write_block(self.path(layer, name), {"row": name}, values, hash_rows(values, start))
        with self._counting:
            self.writing += time.perf_counter() - begin
            self.written_bytes += values.nbytes


class _Rows:
    """The pairs of some opponents in the layer below, where they move: one row of values in one file for each."""

    def __init__(self, ranges: PointRanges, opponents: range, after: range, work: _Work) -> None:
        self.opponents, self.after, self.work = opponents, after, work
        self.pairs, self.start = lay_out_pairs(ranges, opponents, after)

    def make_up(self, row: int) -> None:
        """Write a row in which every window falls from nearly 1 to nearly 0, in steps of random size."""
        size, opponents = int(self.start[row + 1] - self.start[row]), len(self.after)
        within = self.pairs.within[row * opponents : (row + 1) * opponents].astype(np.int64)
        length = np.diff(within, append=size)
        values = np.random.default_rng(row).random(size, np.float32)
        values += (np.arange(size) - np.repeat(within, length)).astype(np.float32)
        values = np.subtract(1, values / np.repeat(length + 1, length).astype(np.float32), dtype=np.float32)
        self.work.write("below", str(self.opponents[row]), values, np.array([0, size]))

    def read(self, rows: range) -> HostPairs:
        """Some rows, read by several threads."""
        start = self.start[rows.start : rows.stop + 1] - self.start[rows.start]
        values = np.empty(int(start[-1]), np.float32)

        def read(row: int) -> None:
            self.work.read(self.opponents[rows[row]], values[start[row] : start[row + 1]])

        with ThreadPoolExecutor(core_count()) as pool:
            list(pool.map(read, range(len(rows))))
        opponents = self.opponents[rows.start : rows.stop]
        return HostPairs(opponents, self.after, start, lambda low, high: values[start[low] : start[high]])

    def on_cpu(self, compiled: CompiledGame, ranges: PointRanges, movers: range, rows: range) -> Singles:
        """All pairs of some movers with some opponents, by the Numba kernel."""
        read = self.read(rows)
        below, start = lay_out_pairs(ranges, read.movers, self.after)
        values = read.rows(0, len(rows))
        below = below._replace(address=values.ctypes.data + 4 * start[:-1])
        here, start = lay_out_pairs(ranges, movers, read.movers)
        model, out = turn_arrays(compiled, kernels.SINGLE_LANES), np.empty(int(start[-1]), np.float32)
        block = block_of(model.block_start, movers.start)
        kernels.solve_pairs(model, below, here, 0, len(here.within), block, start, out)
        return out


def measure(device: Device, id: str, depth: int, opponents: int, tile: int, folder: Path) -> Slice:
    """Make the layer below up, solve a slice, and compare some of it with the CPU."""
    game = load_game(id)
    compiled, work, counts = compile_game(game), _Work(folder), count_match(game)
    layer = next((row for row in counts.rows if counts.depth(row) == depth and depth), None)
    if layer is None:
        raise InputError("--depth {depth}: there is no such layer of {game}", depth=depth, game=id)
    ranges, starts = point_ranges(compiled), compiled.states.layer_start.tolist()
    movers, after = (range(*starts[filled : filled + 2]) for filled in (layer.mover, layer.mover + 1))
    all_opponents = range(*starts[layer.opponent : layer.opponent + 2])
    middle = max(len(all_opponents) - opponents, 0) // 2
    chosen = all_opponents[middle : middle + opponents]
    below, solver = _Rows(ranges, chosen, after, work), PairSolver(device, compiled, ranges.arrays)
    _tell(f"making up {int(below.start[-1]):,} values in {len(chosen)} rows")
    with ThreadPoolExecutor(core_count()) as pool:
        list(pool.map(below.make_up, range(len(chosen))))
    for _ in solver.solve(solver.load(below.read(range(1)), 0, 1), movers[:1]):
        pass  # loads the kernels
    work.reading = work.writing = 0.0
    work.read_bytes = work.written_bytes = 0

    _tell(f"solving {len(movers):,} movers against them")
    tiles = [range(low, min(low + tile, len(chosen))) for low in range(0, len(chosen), tile)]
    buffers = deque(device.host_buffer(solver.launch) for _ in range(WAITING))
    kernel, begin, values = solver.program.seconds, time.perf_counter(), 0
    checked: Singles = np.empty(0, np.float32)
    with ThreadPoolExecutor(1) as reader, ThreadPoolExecutor(core_count()) as writers:
        coming, writes = reader.submit(below.read, tiles[0]), deque[Future[None]]()
        for number, rows in enumerate(tiles):
            read = coming.result()
            if number + 1 < len(tiles):
                coming = reader.submit(below.read, tiles[number + 1])
            for piece in solver.solve(solver.load(read, 0, len(rows)), movers):
                start = device.to_host(piece.begin[:: len(rows)])
                if len(writes) == WAITING:
                    writes.popleft().result()  # its buffer is the next
                buffers.rotate(-1)
                found = device.to_host(piece.value, buffers[0][: len(piece.value)])
                if not len(checked):
                    checked = found[: int(start[CHECKED])].copy()
                values += len(found)
                name = f"{number:04d}-{piece.movers.start}"
                writes.append(writers.submit(work.write, "here", name, found, start))
        for write in writes:
            write.result()
    wall, kernel = time.perf_counter() - begin, solver.program.seconds - kernel
    measured = Slice(
        id, depth, len(movers), len(chosen), layer.values, values, kernel, wall, work.read_bytes, work.written_bytes,
        work.reading, work.writing, 0, False,
    )  # fmt: skip
    _tell("comparing with the CPU")
    judge = below.on_cpu(compiled, ranges, movers[:CHECKED], tiles[0])
    return replace(measured, compared=len(judge), same_bits=np.array_equal(judge, checked))


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the result as JSON; 1 if values differ from those of the CPU, 2 if it cannot run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_slice", description=__doc__)
    parser.add_argument(
        "--work", type=Path, required=True, help="a folder; its subfolder gpu-slice is removed at the end"
    )
    parser.add_argument("--game", default="yahtzee-pawlewicz")
    parser.add_argument("--depth", type=int, default=13, help="open categories of both players together")
    parser.add_argument("--opponents", type=int, default=64, help="width of the slice")
    parser.add_argument("--tile", type=int, default=16, help="opponents that are on the device at a time")
    options = parser.parse_args(arguments)
    folder = options.work / "gpu-slice"
    try:
        result = measure(open_device(), options.game, options.depth, options.opponents, options.tile, folder)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(asdict(result), indent=2))
    return 0 if result.same_bits else 1


if __name__ == "__main__":
    sys.exit(main())
