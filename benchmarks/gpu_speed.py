"""A GPU beside the CPU: the rate of the kernels, and the largest difference on whole layers.

`python -m benchmarks.gpu_speed` needs NumPy, Numba, CuPy and Rich only, and writes no tables: everything stays in
memory. `python -m benchmarks gpu` measures the same. `--complete GAME` solves a two-player game from the first roll,
with two layers on the device at a time.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console

from benchmarks.report import Grid, Result, Settings, Value, seconds, show
from yatzy import kernels
from yatzy.errors import InputError
from yatzy.games import Game, load_game
from yatzy.gpu.curves import CurveSolver
from yatzy.gpu.device import Device, open_device
from yatzy.gpu.expected import ExpectedSolver
from yatzy.gpu.game import LANES, game_arrays
from yatzy.gpu.pairs import PairSolver
from yatzy.matches.counting import PointRanges, point_ranges
from yatzy.model import CompiledGame, compile_game
from yatzy.values.arrays import turn_arrays
from yatzy.values.backends import Filler, LayerFiller
from yatzy.values.curve_layers import build_chances
from yatzy.values.layers import solve_layers
from yatzy.values.tables import block_of
from yatzy.values.threads import core_count, run_ranges

CLOSE = 1e-6
"""The largest difference to the CPU that is allowed."""
EXPECTED, QUICK_EXPECTED = ("yatzy", "maxi-yatzy"), ("two-yatzy",)
CURVES, QUICK_CURVES = ("yatzy", "yahtzee-pawlewicz", "yacht"), ("two-yatzy",)
PAIRS, QUICK_PAIRS = (("yahtzee-pawlewicz", 5, 4), ("yacht", 24, 6)), (("two-yatzy", 2, 2),)
"""A game, the depth to solve on the GPU, and the depth to compare with the CPU."""

Singles = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Measured:
    """What one run on the device gave."""

    what: str
    values: int
    kernel: float
    """Seconds in kernels."""
    wall: float
    compared: int
    """Values that the CPU computed too."""
    difference: float
    identical: bool
    shared: float
    """Accesses to shared memory for as many values as a row has lanes."""
    lanes: int = LANES
    cpu: float = 0.0
    """Seconds that the CPU took for the same; 0 if it was not measured."""

    @property
    def rate(self) -> float:
        """Values a second of kernel time; 0 if it was not measured."""
        return self.values / self.kernel if self.kernel else 0.0


def run(settings: Settings) -> Result:
    """Measure the GPU of this machine; without one, say so."""
    try:
        device = open_device()
    except InputError as error:
        return Result([Grid("A GPU beside the CPU", ("",), [[str(error)]])], {"missing": str(error)})
    return measure(device, settings)


def measure(device: Device, settings: Settings, complete: str | None = None) -> Result:
    """Measure a device; complete: only this game, whole, for two players."""
    found: list[Measured] = []
    if complete is not None:
        game = load_game(complete)
        found += _pairs(device, game, 2 * len(game.categories), 4)
    else:
        for id in QUICK_EXPECTED if settings.quick else EXPECTED:
            found.append(_expected(device, load_game(id)))
        for id in QUICK_CURVES if settings.quick else CURVES:
            found.append(_curves(device, load_game(id)))
        for id, depth, compare in QUICK_PAIRS if settings.quick else PAIRS:
            found += _pairs(device, load_game(id), depth, compare)
    failures = [
        f"gpu: {one.what}: differs by {one.difference:.2g} from the CPU" for one in found if not one.difference <= CLOSE
    ]
    columns = ("", "values", "kernels", "in all", "values/s", "10⁹ accesses/s", "CPU", "compared", "largest difference")
    caption = (
        "kernels: time on the device, without copies. accesses: of shared memory, 128 bytes each; a multiprocessor"
        " does one a cycle. CPU: the same on all cores. compared: values that the CPU computed too."
    )
    grid = Grid(f"{device.name} beside the CPU", columns, [_row(one) for one in found], caption)
    return Result([grid], {one.what: _data(one) for one in found}, failures)


def _row(one: Measured) -> list[str]:
    return [
        one.what,
        f"{one.values:,}",
        seconds(one.kernel),
        seconds(one.wall),
        f"{one.rate:,.0f}",
        f"{one.rate * one.shared / one.lanes / 1e9:,.0f}",
        seconds(one.cpu) if one.cpu else "",
        f"{one.compared:,}",
        ("the same bits" if one.identical else f"{one.difference:.1e}") if one.compared else "",
    ]


def _data(one: Measured) -> Mapping[str, Value]:
    return {
        "values": one.values,
        "kernel_seconds": one.kernel,
        "seconds": one.wall,
        "values_per_s": one.rate,
        "shared_accesses": one.shared,
        "lanes": one.lanes,
        "cpu_seconds": one.cpu,
        "compared": one.compared,
        "largest_difference": one.difference,
        "same_bits": one.identical,
    }


def shared_accesses(compiled: CompiledGame, open_categories: float) -> float:
    """Rows that the sweeps of a turn load and store, with the placements of so many open categories."""
    lattice, rerolls = compiled.lattice, compiled.game.rolls - 1
    keeps, first_roll = len(lattice.keeps), lattice.first_roll
    rolls = keeps - first_roll
    down = lattice.child.size + first_roll
    up = len(lattice.parent) + 2 * keeps
    categories = len(compiled.game.categories)
    paying = (len(compiled.placing.roll_row) - rolls) * open_categories / categories
    placed = rolls * 2 + paying
    filled = game_arrays(compiled).sizes["FILLED"] * open_categories / categories
    return float(filled + placed + rerolls * (down + up) - (rolls if rerolls else 0))


class _Layers:
    """Curves in memory; compared with those of the CPU as they come."""

    def __init__(self, layers: int) -> None:
        self.layers: dict[int, Mapping[str, Any]] = {}
        self.missing = tuple(range(layers))

    def array(self, layer: int, name: str) -> npt.NDArray[Any]:
        """An array of a layer."""
        found: npt.NDArray[Any] = self.layers[layer][name]
        return found

    def append(self, layer: int, arrays: Mapping[str, Any]) -> None:
        """Keep a layer."""
        self.layers[layer] = arrays


def _expected(device: Device, game: Game) -> Measured:
    """Solve a game for one player. The time in all includes copying every layer to the host and back."""
    compiled = compile_game(game)
    solver = ExpectedSolver(device, compiled)

    def build(filler: LayerFiller | None) -> npt.NDArray[np.float64]:
        return solve_layers(compiled, lambda layer, values: None, threads=core_count(), filler=filler)

    build(solver.fill)  # loads the kernels
    before, begin = solver.program.seconds, time.perf_counter()
    found = build(solver.fill)
    wall, kernel = time.perf_counter() - begin, solver.program.seconds - before
    solve_layers(compile_game(load_game(QUICK_EXPECTED[0])), lambda layer, values: None)  # compiles those of the CPU
    begin = time.perf_counter()
    judge = build(None)
    cpu = time.perf_counter() - begin
    worst = float(np.abs(found - judge).max())
    shared, states = shared_accesses(compiled, len(game.categories)), len(judge)
    return Measured(
        f"expected score of {game.id}", states, kernel, wall, states, worst if np.isfinite(worst) else np.inf,
        np.array_equal(found, judge), shared, solver.lanes, cpu,
    )  # fmt: skip


def _curves(device: Device, game: Game) -> Measured:
    compiled = compile_game(game)
    solver = CurveSolver(device, compiled)

    def build(filler: Filler | None) -> _Layers:
        layers = _Layers(compiled.states.layers)
        build_chances(compiled, layers, core_count(), filler=filler)
        return layers

    build(solver.fill)  # loads the kernels of CPU and device
    before, begin = solver.program.seconds, time.perf_counter()
    found = build(solver.fill)
    wall, kernel = time.perf_counter() - begin, solver.program.seconds - before
    judge = build(None)
    difference, identical, values = 0.0, True, 0
    for layer in found.layers:
        same = all(np.array_equal(found.array(layer, name), judge.array(layer, name)) for name in ("low", "offset"))
        ours, theirs = found.array(layer, "chance"), judge.array(layer, "chance")
        values += len(ours)
        # Windows begin after the last certain score, so a rounding there moves them: compare them at full length.
        more = _difference(ours, theirs) if same else _difference(_full(found, layer), _full(judge, layer))
        difference = max(difference, more)
        identical &= same and np.array_equal(ours, theirs)
    shared = shared_accesses(compiled, len(game.categories) / 2)
    return Measured(f"curves of {game.id}", values, kernel, wall, values, difference, identical, shared)


def _full(layers: _Layers, layer: int) -> Singles:
    """The curves of a layer from score 1 on, all of one length."""
    low, offset, chance = (layers.array(layer, name) for name in ("low", "offset", "chance"))
    length = np.diff(offset)
    out = np.zeros((len(low), 1 + int((low + length).max(initial=0))), np.float32)
    out[np.arange(out.shape[1]) < low[:, None]] = 1.0
    row = np.repeat(np.arange(len(low)), length)
    out[row, np.arange(len(chance)) - np.repeat(offset[:-1], length) + low[row]] = chance
    return out


def _difference(one: Singles, other: Singles) -> float:
    if one.shape != other.shape:
        width = max(one.shape[1], other.shape[1])
        one, other = (np.pad(a, ((0, 0), (0, width - a.shape[1]))) for a in (one, other))
    if not one.size:
        return 0.0
    worst = float(np.abs(one - other).max())
    return worst if np.isfinite(worst) else np.inf


def _pairs(device: Device, game: Game, depth: int, compare: int) -> list[Measured]:
    """Solve pairs depth by depth, each layer whole and on the device. A line for each depth of 1 ms or more."""
    compiled = compile_game(game)
    ranges = point_ranges(compiled)
    solver = PairSolver(device, compiled, ranges.arrays)
    found: list[Measured] = []
    after = solver.full_sheets()
    total, kernel, wall = len(after.value), 0.0, 0.0
    compared, worst, all_identical = 0, 0.0, True
    judge = device.to_host(after.value)
    for d in range(1, depth + 1):
        before, begin = solver.program.seconds, time.perf_counter()
        after = solver.solve_layer(after, _states(compiled, d)[0])
        layer_kernel = solver.program.seconds - before
        layer_wall = time.perf_counter() - begin
        number, difference, identical = 0, 0.0, True
        if d <= compare:
            ours, judge = device.to_host(after.value), _on_cpu(compiled, ranges, d, judge)
            number, difference, identical = len(ours), _difference(ours, judge), np.array_equal(ours, judge)
        shared = shared_accesses(compiled, (d + 1) // 2)
        if layer_kernel >= 1e-3 or difference > CLOSE:
            layer = f"pairs of {game.id}, depth {d}"
            one = Measured(layer, len(after.value), layer_kernel, layer_wall, number, difference, identical, shared)
            found.append(one)
        total, kernel, wall = total + len(after.value), kernel + layer_kernel, wall + layer_wall
        compared, worst, all_identical = compared + number, max(worst, difference), all_identical and identical
    what = f"pairs of {game.id} to depth {depth}"
    if depth == 2 * len(game.categories):
        what = f"{game.id}, complete: the first player gets {1 - float(device.to_host(after.value)[0]):.7f}"
    shared = shared_accesses(compiled, (depth + 1) // 2)
    return [*found, Measured(what, total, kernel, wall, compared, worst, all_identical, shared)]


def _states(compiled: CompiledGame, depth: int) -> tuple[range, range]:
    """The states of movers and opponents with so many open categories together."""
    starts, categories = compiled.states.layer_start, len(compiled.game.categories)
    mover, opponent = categories - (depth + 1) // 2, categories - depth // 2
    found = [range(int(starts[layer]), int(starts[layer + 1])) for layer in (mover, opponent)]
    return found[0], found[1]


def _on_cpu(compiled: CompiledGame, ranges: PointRanges, depth: int, below: Singles) -> Singles:
    """All values of a depth by the Numba kernel, from those of the depth below."""
    after, after_start = _host_layout(compiled, ranges, depth - 1)
    after = after._replace(address=below.ctypes.data + 4 * after_start[:-1])
    here, start = _host_layout(compiled, ranges, depth)
    values = np.empty(int(start[-1]), np.float32)
    model = turn_arrays(compiled, kernels.SINGLE_LANES)

    def fill(low: int, high: int) -> None:
        block = block_of(model.block_start, here.mover + low // here.opponents)
        kernels.solve_pairs(model, after, here, low, high, block, start, values)

    with ThreadPoolExecutor(core_count()) as pool:
        run_ranges(pool, fill, 0, len(here.within), 64)
    return values


def _host_layout(
    compiled: CompiledGame, ranges: PointRanges, depth: int
) -> tuple[kernels.Pairs, npt.NDArray[np.int64]]:
    movers, opponents = _states(compiled, depth)
    within, length = np.empty(len(movers) * len(opponents), np.uint32), np.empty(len(movers), np.int64)
    address = np.zeros(len(movers), np.int64)
    o_least, o_most, p_least, p_most = ranges.arrays
    pairs = kernels.Pairs(
        movers.start, opponents.start, len(opponents), o_least, o_most, p_least, p_most, within, address
    )
    kernels.fill_within(pairs, length)
    return pairs, np.concatenate([[0], np.cumsum(length)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the result; 1 if it failed, 2 if there is no GPU or no such game."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_speed", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tiny game only")
    parser.add_argument("--complete", metavar="GAME", help="solve a whole two-player game instead")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    options = parser.parse_args(arguments)
    try:
        result = measure(open_device(), Settings(quick=options.quick), options.complete)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"benchmarks": {"gpu": result.data}, "failures": list(result.failures)}, indent=2))
    else:
        console = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
        for grid in result.grids:
            show(console, grid)
    for failure in result.failures:
        print(f"FAILED {failure}", file=sys.stderr)
    return 1 if result.failures else 0


if __name__ == "__main__":
    sys.exit(main())
