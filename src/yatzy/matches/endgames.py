"""Tables of optimal play for two players near the end of the game, one table per depth.

Depth is the number of open categories of both players together. For every pair of states (a of the mover, b of the
opponent) up to a given depth, and for every difference x = opponent's points − mover's points at which the result is
open, the tables hold the best expected match points of the mover:

    V_ab(x) = 1, ½, 0 for x < 0, = 0, > 0, when both sheets are full; else
    an ordinary turn of the mover, in which scoring p points and moving to state a' is worth 1 − V_ba'(p − x).

The opponent's match points are one minus the mover's, so one function serves both players. The same holds for every
payoff in which a tie is shared: for two players that is match points in another unit. Other payoffs ("win outright")
are not zero-sum and are refused.

Each depth is a separate table in single precision, built from the table with one open category less.
kernels/endgames.py describes what is stored and the cost. The layers of a table are pieces of several rows, where a row
is all pairs of one mover, so that an interruption loses only a second or two of work.

J. Pawlewicz, "Nearly optimal computer play in multi-player Yahtzee" (2010).
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import kernels
from yatzy.errors import InputError, Message, SizeError
from yatzy.games import Game, Sheet
from yatzy.matches.counting import PointRanges, check_depth, count_match
from yatzy.matches.values import MatchValues, ranges_of
from yatzy.model import CompiledGame, compile_game
from yatzy.names.payoffs import Payoff
from yatzy.store import TableWriter, table_path, tables_folder
from yatzy.store.disk import free_space
from yatzy.values.arrays import turn_arrays
from yatzy.values.curve_layers import CHANCES
from yatzy.values.curves import Curve
from yatzy.values.kinds import ENDGAMES, table_key
from yatzy.values.resources import DEFAULTS, Progress, Resources
from yatzy.values.tables import Column, SolvedTable, block_of
from yatzy.values.threads import core_count, physical_memory, run_ranges

OBJECTIVE = ENDGAMES.name
PIECE = 2**22
"""Approximate number of values per layer of a table: 16 MiB, about a second of work."""
STEP = 64
"""Pairs per unit of work of a thread."""
INDEX_LIMIT = 2**31
"""Memory limit in bytes for the index of the windows of a depth."""


class Endgames(MatchValues):
    """Optimal play of two for every position with at most `depth` open categories of both players together.

    Positions one level deeper are answered too, by computing their turn.
    """

    def __init__(
        self,
        game: Game,
        depth: int,
        resources: Resources = DEFAULTS,
        payoff: Payoff | None = None,
    ) -> None:
        """Open the tables and build the missing ones; progress counts values."""
        check_depth(game, depth)
        compiled = compile_game(game)
        super().__init__(compiled, depth + 1, payoff)
        self.depth = depth
        _refuse_if_too_many(game, depth, np.diff(compiled.states.layer_start).tolist())
        self.ranges = ranges_of(compiled)
        layouts = [lay_out(compiled, self.ranges, d) for d in range(depth + 1)]
        _refuse_if_disk_too_small(game, layouts, tables_folder(resources.folder))
        watch = resources.watch(Message("the endgames of {game} to depth {depth}", game=game, depth=depth))
        meter = _Meter([layout.values for layout in layouts], watch)
        self.tables: list[DepthTable] = []
        for layout in layouts:
            before = self.tables[-1] if self.tables else None
            self.tables.append(DepthTable(compiled, layout, before, meter, resources))

    @property
    def size(self) -> int:
        """The total size of the tables in bytes."""
        return sum(table.solved.size for table in self.tables)

    @property
    def seconds(self) -> float:
        """The time it took to open or build the tables."""
        return sum(table.solved.seconds for table in self.tables)

    def between(self, mover: Sheet, opponent: Sheet) -> float:
        """The mover's expected match points before its turn."""
        table = self.tables[len(mover.open) + len(opponent.open)]
        states = self.compiled.states
        return table.value(states.find(mover), states.find(opponent), opponent.points - mover.points)

    def knows(self, mover: Sheet, opponent: Sheet) -> bool:
        """Whether `between` can answer for these sheets."""
        return len(mover.open) + len(opponent.open) <= self.depth

    def can_occur(self, mover: Sheet, opponent: Sheet) -> bool:
        """Whether play can reach this difference of points, or the difference does not matter."""
        pair = [self.compiled.states.find(sheet) for sheet in (mover, opponent)]
        o_least, o_most, p_least, p_most = (array[pair].tolist() for array in self.ranges.arrays)
        x: int = opponent.points - mover.points
        still_open: bool = o_least[0] - o_most[1] <= x <= o_most[0] - o_least[1]
        return not still_open or p_least[1] - p_most[0] <= x <= p_most[1] - p_least[0]

    def lookup(
        self, movers: npt.NDArray[np.int64], opponents: npt.NDArray[np.int64], difference: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.float32]:
        """The value to the mover before its turn for every pair, [mover, opponent].

        movers, opponents: states, each of one layer. difference: the opponent's points minus the mover's,
        [mover, opponent]. Differences that play cannot reach are returned as won or lost.
        """
        movers, opponents = (np.ascontiguousarray(states, np.int64) for states in (movers, opponents))
        out = np.empty((len(movers), len(opponents)), np.float32)
        if not out.size:
            return out
        table = self._table_of(movers, opponents)
        table.make_ready(movers - table.layout.pairs.mover)
        x = np.ascontiguousarray(np.broadcast_to(difference, out.shape), np.int32)
        kernels.look_up(table.layout.pairs, movers, opponents, x, out)
        return self.paid(out)

    def curve(self, mover: int, opponent: int) -> tuple[int, npt.NDArray[np.float32]]:
        """V for a pair of states: the first stored difference and the values. V is 1 before them and 0 after."""
        return self._table_of(np.array([mover]), np.array([opponent])).curve(mover, opponent)

    def _table_of(self, movers: npt.NDArray[np.int64], opponents: npt.NDArray[np.int64]) -> DepthTable:
        """The table for these states, after checking that there is one."""
        ends = [movers.min(), movers.max(), opponents.min(), opponents.max()]
        layers = np.searchsorted(self.compiled.states.layer_start, ends, side="right") - 1
        depth = 2 * len(self.game.categories) - int(layers[0] + layers[2])
        if depth > self.depth or layers.tolist() != [layer for layer in _layers(self.game, depth) for _ in range(2)]:
            raise InputError(
                "movers have filled {least} to {most} categories and opponents {opponent_least} to {opponent_most};"
                " movers must have filled the same number, opponents the same or one more, depth {depth} at most",
                least=layers[0],
                most=layers[1],
                opponent_least=layers[2],
                opponent_most=layers[3],
                depth=self.depth,
            )
        return self.tables[depth]


def size_needed(game: Game, depth: int) -> int:
    """The approximate size in bytes of the tables up to a depth, without building them."""
    return count_match(game).size(np.float32, depth)


@dataclass(frozen=True, eq=False)
class Layout:
    """The storage layout of one depth."""

    depth: int
    ranges: PointRanges
    pairs: Any
    """The kernel's `Pairs`."""
    start: npt.NDArray[np.int64]
    """[mover]: the offset of its values over all pieces; one more entry at the end."""
    cut: npt.NDArray[np.int64]
    """[piece]: its first mover; one more entry at the end."""

    @property
    def objective(self) -> str:
        """The objective under which the table is stored."""
        return f"{OBJECTIVE}:{self.depth}"

    @property
    def values(self) -> int:
        """The number of values."""
        return int(self.start[-1])

    @property
    def pieces(self) -> int:
        """The number of layers of the table."""
        return len(self.cut) - 1

    @cached_property
    def piece(self) -> npt.NDArray[np.int64]:
        """[mover]: the piece that contains it."""
        return np.repeat(np.arange(self.pieces), np.diff(self.cut))


def _layers(game: Game, depth: int) -> tuple[int, int]:
    """The numbers of filled categories of mover and opponent."""
    return len(game.categories) - (depth + 1) // 2, len(game.categories) - depth // 2


def lay_out(compiled: CompiledGame, ranges: PointRanges, depth: int, piece: int | None = None) -> Layout:
    """The layout of a depth, in pieces of about this many values; by default in the layers of its table."""
    starts = compiled.states.layer_start.tolist()
    movers, opponents = (range(*starts[layer : layer + 2]) for layer in _layers(compiled.game, depth))
    pairs, start = lay_out_pairs(ranges, movers, opponents)
    cut = np.flatnonzero(np.diff(start[:-1] // (piece or PIECE), prepend=-1))
    return Layout(depth, ranges, pairs, start, np.append(cut, len(movers)))


def lay_out_pairs(ranges: PointRanges, movers: range, opponents: range) -> tuple[kernels.Pairs, npt.NDArray[np.int64]]:
    """The kernel's pairs of some movers with some opponents, without addresses, and the layout's `start` of them."""
    within, address = np.empty(len(movers) * len(opponents), np.uint32), np.zeros(len(movers), np.int64)
    o_least, o_most, p_least, p_most = ranges.arrays
    pairs = kernels.Pairs(
        movers.start, opponents.start, len(opponents), o_least, o_most, p_least, p_most, within, address
    )
    length = np.empty(len(movers), np.int64)
    kernels.fill_within(pairs, length)
    return pairs, np.concatenate([[0], np.cumsum(length)])


def solve_rows(
    compiled: CompiledGame, layout: Layout, before: Layout | None, low: int, high: int
) -> npt.NDArray[np.float32]:
    """The stored values of the movers low … high of a depth, in one thread.

    before: the layout with one open category less, whose pairs all have an address; None for depth 0.
    """
    values = np.empty(int(layout.start[high] - layout.start[low]), np.float32)
    if before is None:
        values[:] = 0.5  # both sheets are full: wins and losses lie outside the windows
    else:
        model, pairs = turn_arrays(compiled, kernels.SINGLE_LANES), layout.pairs
        block, opponents = block_of(model.block_start, pairs.mover + low), pairs.opponents
        start = layout.start - layout.start[low]
        kernels.solve_pairs(model, before.pairs, pairs, low * opponents, high * opponents, block, start, values)
    return values


def _refuse_if_too_many(game: Game, depth: int, sizes: list[int]) -> None:
    """Refuse before allocating anything proportional to the number of pairs; sizes: states by layer."""
    mover, opponent = _layers(game, depth)
    index = 4 * sizes[mover] * sizes[opponent]
    if index > min(INDEX_LIMIT, physical_memory() // 4):
        raise SizeError(
            "{endgames}, and the index of their pairs {size:,.1f} GiB of memory",
            endgames=_how_large(game, depth),
            size=index / 2**30,
        )


def _refuse_if_disk_too_small(game: Game, layouts: list[Layout], folder: Path) -> None:
    """Refuse before building the first of several tables if the disk cannot hold all of them."""
    needed = 0
    for layout in layouts:
        path = table_path(folder, table_key(game, layout.objective))
        if not path.exists():
            part = path.with_suffix(".part")
            needed += 4 * layout.values - (part.stat().st_size if part.exists() else 0)
    free = free_space(folder)
    if needed > free:
        raise SizeError(
            "{endgames}, of which {needed:,.1f} GiB are still to be written; {free:,.1f} GiB are free in {folder}",
            endgames=_how_large(game, layouts[-1].depth),
            needed=needed / 2**30,
            free=free / 2**30,
            folder=folder,
        )


def _how_large(game: Game, depth: int) -> Message:
    return Message(
        "the endgames of {game} to depth {depth} take {size:,.1f} GiB",
        game=game.id,
        depth=depth,
        size=size_needed(game, depth) / 2**30,
    )


class DepthTable:
    """The table of one depth."""

    def __init__(
        self,
        compiled: CompiledGame,
        layout: Layout,
        before: DepthTable | None,
        meter: _Meter,
        resources: Resources,
    ) -> None:
        self.layout = layout
        self._compiled, self._before, self._meter, self._threads = compiled, before, meter, resources.threads
        self._held: dict[int, npt.NDArray[np.float32]] = {}
        sizes = np.diff(layout.start[layout.cut]).tolist()
        self.solved = SolvedTable(
            compiled,
            layout.objective,
            self._build,
            resources,
            lambda piece: {"waiting": Column("<f4", (sizes[piece],), *CHANCES)},
            layout.pieces,
        )

    def value(self, mover: int, opponent: int, difference: int) -> float:
        """V at one difference."""
        stored = self.layout.ranges.open_differences(mover, opponent)
        if difference not in stored:
            return 1.0 if difference < stored.start else 0.0
        piece, begin = self._where(mover, opponent)
        at = begin + stored[-1] - difference
        return 1.0 - float(self.solved.read(piece, "waiting", at, at + 1)[0])

    def curve(self, mover: int, opponent: int) -> tuple[int, npt.NDArray[np.float32]]:
        """The first stored difference, and V at all stored differences."""
        stored = self.layout.ranges.open_differences(mover, opponent)
        return stored.start, np.float32(1) - self.waiting(mover, opponent).chance[::-1]

    def waiting(self, mover: int, opponent: int) -> Curve:
        """W of kernels/endgames.py as it is stored: the value to the opponent, by its deficit."""
        stored = self.layout.ranges.open_differences(mover, opponent)
        piece, begin = self._where(mover, opponent)
        return Curve(1 - stored.stop, self.solved.read(piece, "waiting", begin, begin + len(stored)))

    def _where(self, mover: int, opponent: int) -> tuple[int, int]:
        """The piece that contains a pair, and the offset of its window there."""
        layout, pairs = self.layout, self.layout.pairs
        row = mover - pairs.mover
        piece = int(layout.piece[row])
        begin = int(layout.start[row] - layout.start[layout.cut[piece]])
        return piece, begin + int(pairs.within[row * pairs.opponents + opponent - pairs.opponent])

    def make_ready(self, rows: npt.NDArray[np.int64]) -> None:
        """Check the values of these rows and look up their addresses."""
        layout = self.layout
        if layout.pairs.address[rows].all():
            return
        for piece in np.unique(layout.piece[rows]).tolist():
            low, high = layout.cut[piece : piece + 2].tolist()
            values = self.solved.read(piece, "waiting", 0, int(layout.start[high] - layout.start[low]))
            self._held[piece] = values
            layout.pairs.address[low:high] = values.ctypes.data + 4 * (layout.start[low:high] - layout.start[low])

    def _build(self, writer: TableWriter) -> None:
        """Build the pieces that the table does not have yet."""
        layout, missing = self.layout, writer.missing
        sizes = np.diff(layout.start[layout.cut])
        self._meter.begin(layout.depth, layout.values - int(sizes[list(missing)].sum()))
        if self._before is not None:
            self._before.make_ready(np.arange(len(self._before.layout.start) - 1))
        # A separate thread writes while the others compute: writing a piece with its checksums takes a while.
        with ThreadPoolExecutor(1) as writing, ThreadPoolExecutor(self._threads or core_count()) as pool:
            written: Future[None] | None = None
            for piece in missing:
                values = self._solve(piece, pool)
                if written is not None:
                    written.result()
                written = writing.submit(writer.append, piece, {"waiting": values})
            if written is not None:
                written.result()

    def _solve(self, piece: int, pool: ThreadPoolExecutor) -> npt.NDArray[np.float32]:
        layout = self.layout
        low, high = layout.cut[piece : piece + 2].tolist()
        values = np.empty(int(layout.start[high] - layout.start[low]), np.float32)
        if self._before is None:
            values[:] = 0.5  # both sheets are full: wins and losses lie outside the windows
            self._meter.add(len(values))
            return values
        model, pairs, after = turn_arrays(self._compiled, kernels.SINGLE_LANES), layout.pairs, self._before.layout.pairs
        start = layout.start - layout.start[low]

        def fill(first: int, end: int) -> None:
            block = block_of(model.block_start, pairs.mover + first // pairs.opponents)
            kernels.solve_pairs(model, after, pairs, first, end, block, start, values)
            done = [int(start[p // pairs.opponents] + pairs.within[p]) for p in (first, end) if p < len(pairs.within)]
            self._meter.add((done[1] if len(done) > 1 else len(values)) - done[0])

        run_ranges(pool, fill, low * pairs.opponents, high * pairs.opponents, STEP)
        return values


class _Meter:
    """Progress in values over all depths; every value takes about the same time."""

    def __init__(self, values: list[int], progress: Progress | None) -> None:
        self._before = np.concatenate([[0], np.cumsum(values)]).tolist()
        self._progress, self._done, self._counting = progress, 0, Lock()

    def begin(self, depth: int, done: int) -> None:
        """Start counting values of this depth: all smaller depths are done, and `done` values of this one."""
        self._done = self._before[depth]
        self.add(done)

    def add(self, values: int) -> None:
        """Count further values as done."""
        with self._counting:
            self._done += values
            if self._progress is not None:
                self._progress(self._done, self._before[-1])
