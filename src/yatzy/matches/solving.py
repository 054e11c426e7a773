"""Complete solutions of two-player games, layer by layer, with the work of a layer done by any executor.

A layer is a depth, and needs only the layer before it, so at most two are on disk at a time. Layers are solved in
blocks (matches/blocks.py), which are files in a folder that all workers share. Whatever is interrupted, the next run
finds the blocks that are done. When a layer is complete, its summary is kept and the layer before it is removed.

What remains of a solution is its value, and for each layer the number of values, a hash of them, their extremes, and
a sample of positions. The hash is that of the hashes of all rows, so it does not depend on blocks, workers or machines.

On a GPU whose memory has room for two layers, layers stay there. Then a layer is written to disk only if solving since
the last one that was written took much longer than writing it will, so that an interruption never costs much.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from yatzy.errors import InputError, Message, SizeError, TableDamaged
from yatzy.games import Game
from yatzy.matches.blocks import (
    BACKENDS,
    ROUNDING,
    BlockSummary,
    BlockTask,
    PositionSample,
    finish_block,
    layer_folder,
    layout_of,
    read_values,
    solve_block,
    source_layout,
)
from yatzy.matches.counting import check_depth, count_match
from yatzy.matches.endgames import INDEX_LIMIT, OBJECTIVE, PIECE, Endgames
from yatzy.matches.values import ranges_of
from yatzy.model import compile_game
from yatzy.store import KeptResults, TableWriter, open_or_build, table_path, tables_folder
from yatzy.store.blocks import Singles, hash_of_hashes
from yatzy.store.disk import free_space
from yatzy.store.files import locked
from yatzy.store.kept import decode_arrays, encode_arrays
from yatzy.store.locking import tell
from yatzy.store.pace import WritePace
from yatzy.store.revisions import Computation
from yatzy.values.backends import GPU
from yatzy.values.bounds import error_bound
from yatzy.values.kinds import ENDGAMES, table_key
from yatzy.values.resources import DEFAULTS, Progress, Resources
from yatzy.values.tables import Column
from yatzy.values.threads import physical_memory
from yatzy.workers.cores import core_count
from yatzy.workers.running import run_tasks

if TYPE_CHECKING:
    from yatzy.matches.endgames_gpu import LayersOnDevice

LAYER = Computation("match-layer", uses=(ENDGAMES,))
LOCK = "solving"
MEASURED = 10**6
"""Values that a layer must have before its rate says anything about the next ones."""
BLOCK = PIECE
"""Approximate number of values of a block: 16 MiB, more than a second of work for a core."""


class Keep(Enum):
    """What remains on disk of a solution besides its summary."""

    ALL = "all"
    """All layers, as the endgame tables that searches use."""
    SAMPLE = "sample"
    """A sample of positions of each layer."""
    NONE = "none"


@dataclass(frozen=True, eq=False)
class SolvedLayer:
    """What is known of the layer of one depth."""

    depth: int
    pairs: int
    values: int
    hash: str
    """Of all stored values in their order: the hash of the hashes of all rows."""
    least: float
    """The smallest value to the mover."""
    most: float
    seconds: float
    """The time it took; after an interruption, only that of the last run."""
    sample: PositionSample | None = None

    def encode(self) -> bytes:
        """The layer as bytes, to be read by `decode`."""
        facts = {name: getattr(self, name) for name in self.__annotations__ if name != "sample"}
        arrays = {"facts": np.frombuffer(json.dumps(facts).encode(), np.uint8)}
        return encode_arrays(arrays | (vars(self.sample) if self.sample is not None else {}))

    @classmethod
    def decode(cls, data: bytes) -> SolvedLayer:
        """The layer that was encoded. ValueError or TypeError if the data have another form."""
        arrays = decode_arrays(data)
        facts = json.loads(arrays.pop("facts").tobytes())
        layer = cls(**facts, sample=PositionSample(**arrays) if arrays else None)
        numbers = (layer.depth, layer.pairs, layer.values), (layer.least, layer.most, layer.seconds)
        sound = all(type(one) is int for one in numbers[0]) and all(type(one) is float for one in numbers[1])
        lengths = {len(array) for array in arrays.values()}
        if (
            not sound
            or len(lengths) > 1
            or not all(form.accepts(arrays[name]) for name, form in _FORMS.items() if arrays)
        ):
            raise ValueError
        return layer


_LARGEST = int(np.iinfo(np.int32).max)
_FORMS = {
    "mover": Column("<i4", (None,), 0, _LARGEST),
    "opponent": Column("<i4", (None,), 0, _LARGEST),
    "difference": Column("<i4", (None,), -_LARGEST, _LARGEST),
    "value": Column("<f4", (None,), -ROUNDING, 1 + ROUNDING),
}
"""The arrays of a sample."""


@dataclass(frozen=True, eq=False)
class SolvedMatch:
    """The solution of a two-player game, complete or to a depth."""

    game: Game
    layers: tuple[SolvedLayer, ...]
    """By depth, from 0 on."""
    error: float
    """A bound on the rounding error of every value."""
    cached: bool
    """Whether all layers were solved before."""

    @property
    def value(self) -> float:
        """The expected match points of the player who begins, if both play perfectly."""
        if len(self.layers) <= 2 * len(self.game.categories):
            raise InputError(
                "{game} is solved to depth {depth} only, not from the start",
                game=self.game.id,
                depth=len(self.layers) - 1,
            )
        return self.layers[-1].most  # the only value of its layer

    @property
    def values(self) -> int:
        """The number of values of all layers."""
        return sum(layer.values for layer in self.layers)

    @property
    def seconds(self) -> float:
        """The time it took."""
        return sum(layer.seconds for layer in self.layers)


def match_folder(game: Game, resources: Resources = DEFAULTS) -> Path:
    """The folder with what is kept of the solution of a game."""
    return tables_folder(resources.folder) / "matches" / table_key(game, OBJECTIVE).name


def solve_match(
    game: Game,
    executor: Executor,
    keep: Keep = Keep.SAMPLE,
    resources: Resources = DEFAULTS,
    *,
    depth: int | None = None,
    work: Path | None = None,
    backend: str | None = None,
    block: int | None = None,
) -> SolvedMatch:
    """Solve a game for two players from its end back to the start, or to a depth; progress counts values.

    work: the folder of the two current layers, which all workers share; by default beside the tables. backend: that of
    the resources by default. block: the approximate number of values of a block.
    """
    depth = 2 * len(game.categories) if depth is None else check_depth(game, depth)
    backend = resources.backend if backend is None else backend
    if backend not in BACKENDS:
        raise InputError(
            "complete solutions cannot be computed on: {backend}; there is {names}",
            backend=backend,
            names=", ".join(BACKENDS),
        )
    solving = _Solving(game, executor, keep, resources, work, backend, block or BLOCK)
    return solving.run(depth)


def kept_layers(game: Game, resources: Resources = DEFAULTS) -> list[SolvedLayer]:
    """What is kept of the solution of a game: its layers from depth 0 on. A damaged one is an error."""
    kept, found = KeptResults(match_folder(game, resources), LAYER), list[SolvedLayer]()
    depths = range(2 * len(game.categories) + 1)
    for depth in depths:
        layer = kept.read(_key(game, depth), SolvedLayer.decode)
        if layer is None:
            if any(kept.path(_key(game, deeper)).exists() for deeper in depths[depth:]):
                raise TableDamaged(
                    "{path}: what is kept of depth {depth} of {game} is damaged, missing or of another version;"
                    " 'yatzy match solve {game}' solves the game again",
                    path=kept.path(_key(game, depth)),
                    depth=depth,
                    game=game.id,
                )
            break
        found.append(layer)
    return found


def _key(game: Game, depth: int) -> dict[str, Any]:
    return {"game": game.id, "hash": game.hash, "depth": depth}


def open_endgames(game: Game, depth: int, resources: Resources = DEFAULTS) -> Endgames:
    """The endgame tables to a depth; missing ones are built on the executor of the resources, if there is one."""
    if resources.executor is not None:
        solve_match(game, resources.executor, Keep.ALL, resources, depth=depth)
    return Endgames(game, depth, resources)


class _Solving:
    def __init__(
        self,
        game: Game,
        executor: Executor,
        keep: Keep,
        resources: Resources,
        work: Path | None,
        backend: str,
        block: int,
    ) -> None:
        self._game, self._executor, self._keep, self._resources = game, executor, keep, resources
        self._backend, self._block = backend, block
        self._home = match_folder(game, resources)
        self._work = (self._home if work is None else work / self._home.name).absolute()
        self._kept = KeptResults(self._home, LAYER, resources.report)
        self._tables = tables_folder(resources.folder)
        self._counts = count_match(game)
        self._on_device: LayersOnDevice | None = None
        self._pace = WritePace(self._work)
        self._watch: Progress | None = None
        self._done = self._total = 0
        """Values, for progress."""
        self._on_disk = 0
        """The last depth whose blocks are all on disk."""

    def run(self, depth: int) -> SolvedMatch:
        _refuse_if_index_too_large(self._game, max(row.pairs for row in self._counts.depth_rows(depth)))
        with locked(self._work, LOCK, self._resources.report):
            layers = self._known(depth)
            cached = len(layers) > depth
            if not cached:
                layers = self._resumed(layers)
                self._open_device(len(layers), depth)
                if self._on_device is None:
                    self._refuse_if_disk_too_small(len(layers), depth)
                layers += self._solve(len(layers), depth)
            self._remove(range(depth + 1))
        bound = error_bound(self._game, f"{ENDGAMES.name}:{depth}")
        assert bound is not None
        return SolvedMatch(self._game, tuple(layers), bound.whole, cached)

    # What earlier runs left

    def _known(self, depth: int) -> list[SolvedLayer]:
        """The layers from depth 0 on of which everything is there that is to be kept."""
        known = list[SolvedLayer]()
        for d in range(depth + 1):
            layer = self._kept.read(_key(self._game, d), SolvedLayer.decode)
            if layer is None or (layer.sample is None and self._keep is not Keep.NONE):
                break
            if self._keep is Keep.ALL and not self._table(d).exists():
                break
            known.append(layer)
        return known

    def _resumed(self, known: list[SolvedLayer]) -> list[SolvedLayer]:
        """The known layers up to the last one whose values are on disk; none if there is no such layer."""
        for last in reversed(known):
            if not layer_folder(self._work, last.depth).exists():
                continue
            found = self._run_blocks(last.depth, check=True)
            if found is not None and self._summary(last.depth, found, 0.0).hash == last.hash:
                self._on_disk = last.depth
                tell(
                    self._resources.report,
                    Message("resuming {game}: depths 0 to {depth} are solved", game=self._game.id, depth=last.depth),
                )
                return known[: last.depth + 1]
        if known:
            tell(
                self._resources.report,
                Message("the values of depth {depth} are not on disk; starting from depth 0", depth=known[-1].depth),
            )
        return []

    # Solving

    def _solve(self, first: int, depth: int) -> Iterator[SolvedLayer]:
        rows = self._counts.depth_rows(depth)
        left = sum(row.values for row in rows[first:])
        self._done, self._total = sum(row.values for row in rows[:first]), sum(row.values for row in rows)
        self._watch = self._resources.watch(
            Message("{game} for two, {total:,} values", game=self._game, total=self._total)
        )
        for row in rows[first:]:
            d, start = self._counts.depth(row), time.perf_counter()
            if self._on_device is None:
                found = self._run_blocks(d)
                self._on_disk = d
            else:
                found = self._run_on_device(self._on_device, d)
            assert found is not None
            layer = self._summary(d, found, time.perf_counter() - start)
            if self._keep is Keep.ALL:
                self._write_table(d)
            if self._keep is Keep.NONE:
                layer = replace(layer, sample=None)
            self._kept.write(_key(self._game, d), layer.encode())
            self._remove(range(self._on_disk))
            left -= row.values
            self._tell(layer, depth, left)
            yield layer

    def _run_blocks(self, depth: int, *, check: bool = False) -> list[BlockSummary] | None:
        """Solve the blocks of a layer, or only read them; None if one cannot be read."""
        blocks = layout_of(self._game, depth, self._block).pieces
        tasks = [
            BlockTask(self._game, depth, block, self._block, str(self._work), self._backend, check)
            for block in range(blocks)
        ]
        found: list[BlockSummary | None] = [None] * blocks

        def done(task: BlockTask, summary: BlockSummary | None) -> None:
            found[task.block] = summary
            if summary is not None and not check:
                self._done += summary.values
                if self._watch is not None:
                    self._watch(self._done, self._total)

        run_tasks(self._executor, solve_block, tasks, done)
        solved = [one for one in found if one is not None]
        return solved if len(solved) == blocks else None

    def _open_device(self, first: int, depth: int) -> None:
        """Keep the layers from `first` on in the memory of a device, if there is one with room for two of them."""
        if self._backend != GPU or self._keep is Keep.ALL:
            return
        from yatzy.matches.endgames_gpu import LayersOnDevice  # imports the kernels of the GPU

        compiled = compile_game(self._game)
        layers, self._pace = LayersOnDevice(compiled, ranges_of(compiled)), WritePace(self._work)
        if layers.fits(self._counts.depth_rows(depth)[max(first - 1, 0) :]):
            self._on_device = layers
            if first:
                layers.load(source_layout(self._game, first - 1, self._block, str(self._work)))

    def _run_on_device(self, device: LayersOnDevice, depth: int) -> list[BlockSummary]:
        """Solve a layer on the device and describe it; its blocks are written if that is due and possible."""
        layout = layout_of(self._game, depth, self._block)

        def done(values: int) -> None:
            self._done += values
            if self._watch is not None:
                self._watch(self._done, self._total)

        device.solve(layout, done)
        folder, problems = self._work if self._pace.due(4 * layout.values) else None, list[InputError]()

        def finish(block: int, values: Singles) -> BlockSummary:
            if not problems:
                try:
                    return finish_block(self._game, layout, block, values, folder)
                except InputError as problem:
                    problems.append(problem)
            return finish_block(self._game, layout, block, values, None)

        found = list[BlockSummary]()
        with ThreadPoolExecutor(core_count()) as pool:
            for blocks, values in device.blocks(layout):
                found += pool.map(finish, blocks, values)
        if problems:
            self._remove([depth])
            self._pace.failed(problems[0], self._resources.report)
        elif folder is not None:
            self._pace.written()
            self._on_disk = depth
        return found

    def _summary(self, depth: int, blocks: list[BlockSummary], seconds: float) -> SolvedLayer:
        return SolvedLayer(
            depth,
            next(row.pairs for row in self._counts.rows if self._counts.depth(row) == depth),
            sum(one.values for one in blocks),
            hash_of_hashes(b"".join(one.rows for one in blocks)),
            min(one.least for one in blocks),
            max(one.most for one in blocks),
            seconds,
            PositionSample.join([one.sample for one in blocks]),
        )

    def _tell(self, layer: SolvedLayer, depth: int, left: int) -> None:
        line = Message(
            "depth {depth} of {last}: {values:,} values in {seconds:,.1f} s",
            depth=layer.depth,
            last=depth,
            values=layer.values,
            seconds=layer.seconds,
        )
        if layer.values >= MEASURED:
            rate = layer.values / max(layer.seconds, 1e-3)
            line = Message("{line}, {rate:,.2f} million a second", line=line, rate=rate / 1e6)
            if left:
                line = Message("{line}, about {time} left", line=line, time=_duration(left / rate))
        tell(self._resources.report, line)

    # Files

    def _write_table(self, depth: int) -> None:
        """Copy a layer to the endgame table of its depth, unless there is one."""
        layout = layout_of(self._game, depth, PIECE)

        def build(writer: TableWriter) -> None:
            for piece in writer.missing:
                low, high = layout.start[layout.cut[piece : piece + 2]].tolist()
                writer.append(piece, {"waiting": read_values(self._game, depth, self._block, self._work, low, high)})

        key = table_key(self._game, layout.objective, layout.pieces)
        open_or_build(self._tables, key, build, self._resources.report).close()

    def _table(self, depth: int) -> Path:
        return table_path(self._tables, table_key(self._game, f"{OBJECTIVE}:{depth}"))

    def _remove(self, depths: Iterable[int]) -> None:
        """Remove the blocks of some layers. Workers may still map them, which some systems do not allow: no matter."""
        for depth in depths:
            shutil.rmtree(layer_folder(self._work, depth), ignore_errors=True)

    def _refuse_if_disk_too_small(self, first: int, depth: int) -> None:
        """Refuse before the first layer if the disk cannot hold the two largest neighbours, or all tables to keep."""
        sizes = [4 * row.values for row in self._counts.depth_rows(depth)]
        two = max(sum(sizes[max(d - 1, 0) : d + 1]) for d in range(first, depth + 1))
        there = sum(path.stat().st_size for path in self._work.glob("depth-*/*.block"))
        _refuse_if_full(self._game, self._work, max(two - there, 0), Message("two layers"))
        if self._keep is Keep.ALL:
            missing = sum(size for d, size in enumerate(sizes) if not self._table(d).exists())
            _refuse_if_full(self._game, self._tables, missing + max(two - there, 0), Message("all layers"))


def _refuse_if_full(game: Game, folder: Path, needed: int, what: Message) -> None:
    free = free_space(folder)
    if needed > free:
        raise SizeError(
            "{what} of {game} for two take {needed:,.2f} GiB more, but {free:,.2f} GiB are free in {folder}",
            what=what,
            game=game.id,
            needed=needed / 2**30,
            free=free / 2**30,
            folder=folder,
        )


def _refuse_if_index_too_large(game: Game, pairs: int) -> None:
    if 4 * pairs > min(INDEX_LIMIT, physical_memory() // 4):
        raise SizeError(
            "the index of the {pairs:,} pairs of one layer of {game} takes {size:,.1f} GiB of memory",
            pairs=pairs,
            game=game.id,
            size=4 * pairs / 2**30,
        )


def _duration(seconds: float) -> Message:
    if seconds < 100:
        return Message("{seconds:.0f} seconds", seconds=seconds)
    if seconds < 6000:
        return Message("{minutes:.0f} minutes", minutes=seconds / 60)
    return Message("{hours:.1f} hours", hours=seconds / 3600)
