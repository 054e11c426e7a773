"""Blocks of a layer of a two-player solution: some rows of one depth, solved by any worker and kept in a file.

A layer is all pairs of one depth (matches/endgames.py describes them and their layout), and a row is all pairs of one
mover. A block needs the whole layer with one open category less, whose files every worker maps into its memory. The
file of a block depends on nothing else, so a block can be solved twice, anywhere, with the same bytes.

A *backend* solves rows: `solve_rows(compiled, layout, before, low, high)` returns their values as
`matches.endgames.solve_rows` does, which is the backend `cpu`; `matches.endgames_gpu` has the backend `gpu`. All that
is known about a layer afterwards (hash, extremes, sample) is computed from the values by `describe`, whatever the
backend.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from yatzy.games import Game
from yatzy.matches.endgames import Layout, lay_out
from yatzy.matches.values import ranges_of
from yatzy.model import CompiledGame, compile_game
from yatzy.store.blocks import Singles, hash_rows, not_shared, read_block, write_block
from yatzy.values.backends import CPU, GPU
from yatzy.values.kinds import ENDGAMES

SAMPLE = 10_000
"""Positions of each layer that are kept for later checks; all of a layer that has no more."""
ROUNDING = 1e-3
"""More than rounding moves any value of a layer below 0 or above 1."""
BACKENDS = {CPU: "yatzy.matches.endgames", GPU: "yatzy.matches.endgames_gpu"}
"""The module with the function `solve_rows` of each of the `values.backends`."""


class Backend(Protocol):
    """Solves rows of a layer."""

    def __call__(
        self, compiled: CompiledGame, layout: Layout, before: Layout | None, low: int, high: int, /
    ) -> Singles:
        """The stored values of the movers low … high."""


@dataclass(frozen=True, slots=True)
class BlockTask:
    """A block to solve. Small, because it is sent to a worker."""

    game: Game
    depth: int
    block: int
    size: int
    """The approximate number of values of a block, which determines where blocks begin."""
    folder: str
    backend: str = CPU
    check: bool = False
    """Only read the block."""


@dataclass(frozen=True, eq=False)
class PositionSample:
    """Some positions between turns of one depth, with their values. States are those of the compiled game."""

    mover: npt.NDArray[np.int32]
    opponent: npt.NDArray[np.int32]
    difference: npt.NDArray[np.int32]
    """The opponent's points minus the mover's."""
    value: npt.NDArray[np.float32]
    """The mover's expected match points before its turn."""

    def __len__(self) -> int:
        return len(self.value)

    @classmethod
    def join(cls, parts: list[PositionSample]) -> PositionSample:
        """All positions of several samples."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__annotations__))


@dataclass(frozen=True, slots=True)
class BlockSummary:
    """What is known of the values of a block."""

    rows: bytes
    """The hashes of its rows."""
    values: int
    least: float
    """The smallest value to the mover."""
    most: float
    sample: PositionSample


def layer_folder(folder: Path, depth: int) -> Path:
    """The folder of the blocks of a layer."""
    return folder / f"depth-{depth:02d}"


def block_path(folder: Path, depth: int, block: int) -> Path:
    """The file of a block."""
    return layer_folder(folder, depth) / f"{block:06d}.block"


def solve_block(task: BlockTask) -> BlockSummary | None:
    """Solve a block, unless its file is there and sound, and describe it. None if it was only to be read and is not."""
    layout = layout_of(task.game, task.depth, task.size)
    found = _read(task.game, layout, task.block, Path(task.folder))
    low, high = layout.cut[task.block : task.block + 2].tolist()
    if found is not None:
        summary = describe(task.game, layout, low, *found)
        if _is_possible(summary):
            return summary
    if task.check:
        return None
    before = None if task.depth == 0 else source_layout(task.game, task.depth - 1, task.size, task.folder)
    backend: Backend = import_module(BACKENDS[task.backend]).solve_rows
    values = backend(compile_game(task.game), layout, before, low, high)
    return finish_block(task.game, layout, task.block, values, Path(task.folder))


def _is_possible(summary: BlockSummary) -> bool:
    """Whether all values can be match points. A checksum does not tell who wrote a file; NaN fails too."""
    return not summary.values or -ROUNDING <= summary.least <= summary.most <= 1 + ROUNDING


def finish_block(game: Game, layout: Layout, block: int, values: Singles, folder: Path | None) -> BlockSummary:
    """Describe the values of a block and, if there is a folder, write its file there."""
    low, high = layout.cut[block : block + 2].tolist()
    hashes = hash_rows(values, layout.start[low : high + 1] - layout.start[low])
    if folder is not None:
        write_block(block_path(folder, layout.depth, block), _about(game, layout, low, high), values, hashes)
    return describe(game, layout, low, values, hashes)


def describe(game: Game, layout: Layout, low: int, values: Singles, hashes: bytes) -> BlockSummary:
    """The summary of the values of some rows, from row `low` on."""
    first = int(layout.start[low])
    wanted = sample_indices(game, layout.depth, layout.values)
    wanted = wanted[(wanted >= first) & (wanted < first + len(values))]
    sample = locate(layout, wanted, values[wanted - first])
    if not len(values):
        return BlockSummary(hashes, 0, np.inf, -np.inf, sample)
    return BlockSummary(hashes, len(values), _worth(values.max()), _worth(values.min()), sample)


def _worth(waiting: np.float32) -> float:
    """The value to the mover; what is stored is that of the waiting player."""
    return float(np.float32(1) - waiting)


@lru_cache(maxsize=3)
def sample_indices(game: Game, depth: int, values: int) -> npt.NDArray[np.int64]:
    """Which values of a layer are in its sample, ascending: a function of the game and the depth alone."""
    if values <= SAMPLE:
        return np.arange(values)
    drawn, number = set[int](), 0
    while len(drawn) < SAMPLE:
        text = f"{game.hash} {depth} {number}"
        drawn.add(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest()) % values)
        number += 1
    return np.array(sorted(drawn), np.int64)


def locate(layout: Layout, indices: npt.NDArray[np.int64], waiting: Singles) -> PositionSample:
    """The positions of some values of a layer; `waiting`: what is stored for them."""
    pairs = layout.pairs
    row = np.searchsorted(layout.start, indices, side="right") - 1
    opponent, offset = np.empty_like(indices), np.empty_like(indices)
    for i, (r, index) in enumerate(zip(row.tolist(), indices.tolist(), strict=True)):
        within = pairs.within[r * pairs.opponents : (r + 1) * pairs.opponents]
        at = index - int(layout.start[r])
        opponent[i] = np.searchsorted(within, at, side="right") - 1
        offset[i] = at - int(within[opponent[i]])
    mover, opponent = row + pairs.mover, opponent + pairs.opponent
    o_least, o_most, p_least, p_most = layout.ranges.arrays
    highest = np.minimum(o_most[mover] - o_least[opponent], p_most[opponent] - p_least[mover])
    mover, opponent, difference = (array.astype(np.int32) for array in (mover, opponent, highest - offset))
    return PositionSample(mover, opponent, difference, np.float32(1) - waiting)


def read_values(game: Game, depth: int, size: int, folder: Path, low: int, high: int) -> Singles:
    """The stored values number low … high of a layer whose blocks are all there."""
    layout = layout_of(game, depth, size)
    ends, parts = layout.start[layout.cut], []
    for block in range(layout.pieces):
        begin, end = max(low, int(ends[block])), min(high, int(ends[block + 1]))
        if begin < end:
            parts.append(_sound(game, layout, block, folder)[begin - int(ends[block]) : end - int(ends[block])])
    return np.concatenate(parts) if len(parts) != 1 else parts[0]


# What a worker keeps between two blocks


@lru_cache(maxsize=3)
def layout_of(game: Game, depth: int, size: int) -> Layout:
    """The layout of a depth, in blocks of about `size` values. Its pairs have no addresses."""
    compiled = compile_game(game)
    return lay_out(compiled, ranges_of(compiled), depth, size)


@dataclass(frozen=True, eq=False)
class _Source:
    """A whole layer in memory: its layout with addresses, and the mapped files that they point to."""

    layout: Layout
    mapped: list[Singles]


def source_layout(game: Game, depth: int, size: int, folder: str) -> Layout:
    """The layout of a whole layer, with the addresses of its values. They stay valid until another layer is opened."""
    return _source(game, depth, size, folder).layout


_sources = dict[tuple[Any, ...], _Source]()
_opening = Lock()


def _source(game: Game, depth: int, size: int, folder: str) -> _Source:
    """The layer that others are solved from. A worker keeps one, since the next layer needs another."""
    key = (game.hash, depth, size, folder)
    with _opening:
        if key not in _sources:
            _sources.clear()
            _sources[key] = _open_layer(game, layout_of(game, depth, size), Path(folder))
        return _sources[key]


def _open_layer(game: Game, layout: Layout, folder: Path) -> _Source:
    address, mapped = np.zeros_like(layout.pairs.address), []
    for block in range(layout.pieces):
        values = _sound(game, layout, block, folder)
        low, high = layout.cut[block : block + 2].tolist()
        address[low:high] = values.ctypes.data + 4 * (layout.start[low:high] - layout.start[low])
        mapped.append(values)
    pairs = layout.pairs._replace(address=address)
    return _Source(Layout(layout.depth, layout.ranges, pairs, layout.start, layout.cut), mapped)


def _sound(game: Game, layout: Layout, block: int, folder: Path) -> Singles:
    """The values of a block that must be there."""
    found = _read(game, layout, block, folder)
    if found is None:
        raise not_shared(block_path(folder, layout.depth, block))
    return found[0]


def _read(game: Game, layout: Layout, block: int, folder: Path) -> tuple[Singles, bytes] | None:
    low, high = layout.cut[block : block + 2].tolist()
    start = layout.start[low : high + 1] - layout.start[low]
    return read_block(block_path(folder, layout.depth, block), _about(game, layout, low, high), start)


def _about(game: Game, layout: Layout, low: int, high: int) -> dict[str, Any]:
    """What the numbers of a block are, in its file."""
    return {"game": game.hash, "revision": ENDGAMES.total, "depth": layout.depth, "movers": [low, high]}
