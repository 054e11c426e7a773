"""How close the solver comes to the limit of the machine for the operations that solving takes.

The limit is measured with the solver's own vector operations (`yatzy.kernels.vectors`) on all cores: load a row and add
it, load a row and take the maximum. Independent sums in twelve registers hide the latency of the operations, and the
rows fit the first-level cache, so only the throughput of loads, additions and comparisons counts. An operation is one
addition, maximum or multiply-add of one double.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from benchmarks.report import Grid, Result, Settings, Value, seconds, size
from benchmarks.timing import Times
from yatzy.games import load_game
from yatzy.kernels.vectors import LANES, add, broadcast, load, maximum, row_base, store
from yatzy.model import CompiledGame, compile_game
from yatzy.values.arrays import turn_arrays
from yatzy.values.expected import solve_in_memory
from yatzy.values.threads import core_count

GAMES = ("yahtzee-free-joker", "yatzy")
CHAINS = 3
"""Independent sums; with 16 lanes of 8 bytes, three of them fill twelve registers of 32 bytes."""
NEAR_ROWS = 42 * CHAINS
"""126 rows of 128 bytes: 15.75 KiB, half of a first-level cache of 32 KiB."""
SPIN_OPERATIONS = 2_000_000_000
"""Operations per core in one measurement: about a tenth of a second."""


def _spinner(operation: Any) -> Any:
    def spin(rows: Any, count: int, passes: int) -> None:
        base = row_base(rows)
        a = b = c = broadcast(base, 0.0)
        for _ in range(passes):
            for row in range(0, count * LANES, 3 * LANES):
                a = operation(a, load(base, row))
                b = operation(b, load(base, row + LANES))
                c = operation(c, load(base, row + 2 * LANES))
        store(base, 0, operation(operation(a, b), c))

    return njit(nogil=True, error_model="numpy")(spin)


spin_add, spin_maximum = _spinner(add), _spinner(maximum)


@dataclass(frozen=True, slots=True)
class Operations:
    """The number of operations per state, from the arrays of the compiled game."""

    means: int
    """Downward sweeps: one per edge of the lattice, times rerolls. For a keep with f edges the kernel does f - 1
    additions and one division by f.
    """
    bests: int
    """Upward sweeps: one maximum per edge, times rerolls."""
    places: int
    """Maxima for the best category of every roll, and for the best category to fill with 0."""
    options: int
    """Additions of the points of a category to the value after it."""
    rolls: int
    """Multiply-adds for the mean over first rolls."""

    @classmethod
    def of(cls, compiled: CompiledGame) -> Operations:
        """Count the operations. Filling the rows is left out: it varies by state and is a few per cent."""
        model = turn_arrays(compiled)
        rolls = model.keeps - model.first_roll
        zero = model.slots + model.rest + 1
        return cls(
            means=model.rerolls * len(model.child),
            bests=model.rerolls * len(model.parent),
            places=len(model.roll_row) - rolls + zero,
            options=len(model.option_source),
            rolls=rolls,
        )

    @property
    def additions(self) -> int:
        """The operations whose speed `spin_add` measures."""
        return self.means + self.options + self.rolls

    @property
    def maxima(self) -> int:
        """The operations whose speed `spin_maximum` measures."""
        return self.bests + self.places

    @property
    def total(self) -> int:
        return self.additions + self.maxima

    @property
    def data(self) -> Value:
        """As JSON."""
        return {
            "means": self.means,
            "bests": self.bests,
            "places": self.places,
            "options": self.options,
            "rolls": self.rolls,
            "total": self.total,
        }


@dataclass(slots=True)
class Yardstick:
    """The best rate of all cores together, in operations per second, with `rows` rows per core."""

    rows: int
    additions: float = 0.0
    maxima: float = 0.0

    def measure(self) -> None:
        """Measure once more, and keep the best rates."""
        self.additions = max(self.additions, _rate(spin_add, self.rows))
        self.maxima = max(self.maxima, _rate(spin_maximum, self.rows))

    def rate(self, operations: Operations) -> float:
        """The best rate for this mix of additions and maxima."""
        return operations.total / (operations.additions / self.additions + operations.maxima / self.maxima)


def _rate(spin: Callable[..., None], count: int) -> float:
    cores, passes = core_count(), max(SPIN_OPERATIONS // (count * LANES), 1)
    rows = [_aligned_rows(count) for _ in range(cores)]
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(lambda r: spin(r, count, 1), rows))  # compile, start the threads, fill the caches
        times = Times()
        times.add(lambda: list(pool.map(lambda r: spin(r, count, passes), rows)))
    return cores * passes * count * LANES / times.best


def _aligned_rows(count: int) -> Any:
    """Rows of zeros, aligned to cache lines as in the solver."""
    buffer = np.zeros(count * LANES + 8)
    skip = (-buffer.ctypes.data % 64) // 8
    return buffer[skip : skip + count * LANES]


@dataclass(frozen=True, slots=True)
class Subject:
    """A game and its measurements."""

    compiled: CompiledGame
    operations: Operations
    rows: int
    solving: Times
    far: Yardstick
    """Measured with the number of rows of the game."""

    @property
    def solved(self) -> int:
        """The number of states for which a turn is solved: all but the last layer."""
        return int(self.compiled.states.layer_start[-2])

    @property
    def achieved(self) -> float:
        """Operations per second over the whole solving time."""
        return self.solved * self.operations.total / self.solving.best


def run(settings: Settings) -> Result:
    near = Yardstick(NEAR_ROWS)
    subjects = {id: _subject(id) for id in GAMES}
    for subject in subjects.values():
        solve_in_memory(subject.compiled.game)  # compiles or loads the kernel
    for _ in range(settings.repeats(10, 3)):
        near.measure()
        for subject in subjects.values():
            subject.far.measure()
            subject.solving.add(lambda subject=subject: solve_in_memory(subject.compiled.game))  # type: ignore[misc]
    return Result(
        [_work(subjects), _speed(subjects, near)],
        {
            "cores": core_count(),
            "near_bytes": NEAR_ROWS * LANES * 8,
            "near_additions_per_s": near.additions,
            "near_maxima_per_s": near.maxima,
            "games": {id: _data(subject, near) for id, subject in subjects.items()},
        },
    )


def _subject(id: str) -> Subject:
    compiled = compile_game(load_game(id))
    rows = turn_arrays(compiled).rows
    return Subject(compiled, Operations.of(compiled), rows, Times(), Yardstick(-(-rows // CHAINS) * CHAINS))


def _work(subjects: dict[str, Subject]) -> Grid:
    return Grid(
        "The work of solving: operations per state, states, bytes",
        ("game", "means", "bests", "places", "options", "rolls", "total", "states", "rows of a core", "table"),
        [
            [
                id,
                *(f"{n:,}" for n in (s.operations.means, s.operations.bests, s.operations.places)),
                *(f"{n:,}" for n in (s.operations.options, s.operations.rolls, s.operations.total, s.solved)),
                size(s.rows * LANES * 8),
                size(len(s.compiled.states) * 8),
            ]
            for id, s in subjects.items()
        ],
    )


def _speed(subjects: dict[str, Subject], near: Yardstick) -> Grid:
    return Grid(
        f"Operations per second on {core_count()} cores, in units of 10⁹",
        ("game", "solving", "achieved", "best, near rows", "ratio", "best, as many rows", "ratio"),
        [
            [
                id,
                seconds(s.solving.best),
                f"{s.achieved / 1e9:.1f}",
                f"{near.rate(s.operations) / 1e9:.1f}",
                f"{s.achieved / near.rate(s.operations):.0%}",
                f"{s.far.rate(s.operations) / 1e9:.1f}",
                f"{s.achieved / s.far.rate(s.operations):.0%}",
            ]
            for id, s in subjects.items()
        ],
        f"Near rows: {size(NEAR_ROWS * LANES * 8)} a core, in the first-level cache"
        f" (additions {near.additions / 1e9:.1f}, maxima {near.maxima / 1e9:.1f}). As many rows: as the game has.",
    )


def _data(subject: Subject, near: Yardstick) -> Value:
    return {
        "operations_per_state": subject.operations.data,
        "states_solved": subject.solved,
        "working_set_bytes": subject.rows * LANES * 8,
        "table_bytes": len(subject.compiled.states) * 8,
        "solving": subject.solving.data,
        "operations_per_s": subject.achieved,
        "best_near_per_s": near.rate(subject.operations),
        "ratio_near": subject.achieved / near.rate(subject.operations),
        "best_as_many_rows_per_s": subject.far.rate(subject.operations),
        "ratio_as_many_rows": subject.achieved / subject.far.rate(subject.operations),
    }
