"""Check tables: compute a share of their numbers again, compare, and check the identities that they obey."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.random import default_rng  # imported here: NumPy would import it later, and an import can lose a Ctrl-C

from yatzy.errors import InputError, Message, TableError, TableForeign, TableMissing
from yatzy.games import Game
from yatzy.games.gamefile import preset_with
from yatzy.names import load
from yatzy.solver import Solver
from yatzy.store import Table, TableState, list_tables, table_path
from yatzy.store.table import without_remedy
from yatzy.values.backends import GPU
from yatzy.values.kinds import CURVES, ENDGAMES, EXPECTED, EXPONENTIAL, EXPORTED, OUTLOOK, UTILITY, kind_of, table_key
from yatzy.values.utility import UtilityFunction
from yatzy.verification.results import Fault, TableCheck, Verdict
from yatzy.verification.rows import Batch, Sources, TableRows
from yatzy.verification.turns import IntArray

LOCAL = "local"
WAYS: dict[str, dict[str, str]] = {
    LOCAL: {
        EXPECTED.name: "yatzy.verification.values:ValueRows",
        EXPONENTIAL.name: "yatzy.verification.values:ExponentialRows",
        CURVES.name: "yatzy.verification.curves:ChanceRows",
        UTILITY.name: "yatzy.verification.curves:UtilityRows",
        OUTLOOK.name: "yatzy.verification.outlooks:OutlookRows",
        ENDGAMES.name: "yatzy.verification.endgames:EndgameRows",
        EXPORTED.name: "yatzy.verification.strategies:StrategyRows",
    },
    GPU: {
        EXPECTED.name: "yatzy.verification.on_gpu:GpuValueRows",
        CURVES.name: "yatzy.verification.on_gpu:GpuChanceRows",
        ENDGAMES.name: "yatzy.verification.on_gpu:GpuEndgameRows",
    },
}
"""The ways to compute numbers again, by name: the class of the rows of each kind of table. `local`: the plain turn;
`gpu`: the kernels of the GPU, whole layers only."""
MOST_SORTED = 2**22
"""Rows that are sorted to be computed again together."""
MOST_FAULTS = 5
GAMES = 20_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much of a table is checked."""

    share: float | None = None
    """The share of the rows of every layer, at least one row of each.

    None for as many as take some seconds, or for all of them on a GPU.
    """
    rows: int | None = None
    """Instead of a share: about this number of rows of the whole table."""
    seed: int = 1
    """Of the choice of rows and of the simulated games."""
    games: int = GAMES
    """Games to simulate from the start; 0 for none."""
    on: str = LOCAL
    """The way in which the numbers are computed again, one of `WAYS`."""

    def __post_init__(self) -> None:
        if self.share is not None and not 0 < self.share <= 1:
            raise InputError("share: {share:g} is not above 0 and at most 1", share=self.share)
        if self.on not in WAYS:
            raise InputError(
                "--on {on}: tables cannot be verified there; there is {names}", on=self.on, names=", ".join(WAYS)
            )
        if self.on == GPU and self.share is None and self.rows is None:
            object.__setattr__(self, "share", 1.0)
        if self.on == GPU and not self.whole:
            raise InputError("--on gpu always computes all states again; leave out --share")

    @property
    def whole(self) -> bool:
        """Whether every number is checked."""
        return self.share == 1


def check_table(
    path: Path,
    wanted: Wanted,
    games: Sequence[Game] = (),
    utilities: Sequence[UtilityFunction] = (),
    solver: Solver | None = None,
) -> TableCheck:
    """Check one table file. Nothing is built or repaired.

    games, utilities: rules and utilities that are not in the file; presets are known. solver: for the progress, and for
    the tables that an exported strategy is compared with; the others are expected beside the table.
    """
    begun, asked = time.perf_counter(), solver or Solver()
    name, game, objective = path.stem, "", ""
    try:
        with Table(path) as table:
            key = table.key
            game, objective = key.game, key.objective
            if wanted.whole and (problems := table.verify()):
                return TableCheck(name, game, objective, Verdict.WRONG, reason=problems[0])
        folder = asked.folder if kind_of(objective) == EXPORTED.name else path.parent
        opened = Solver(folder, asked.threads, asked.progress, asked.report, read_only=True)
        rows = _open(path, key.game, key.game_hash, objective, wanted, games, Sources(opened, tuple(utilities)))
        found = _compare(rows, name, wanted, opened)
    except (TableMissing, InputError) as problem:
        return TableCheck(name, game, objective, Verdict.UNCHECKED, reason=problem.message)
    except TableError as problem:
        return TableCheck(name, game, objective, Verdict.WRONG, reason=without_remedy(problem))
    return replace(found, seconds=time.perf_counter() - begun)


def tables_to_check(folder: Path) -> list[Path]:
    """The finished tables of a folder; unreadable ones are included, since they are found to be wrong."""
    return [info.path for info in list_tables(folder) if info.state is not TableState.UNFINISHED]


def find_table(folder: Path, name: str) -> Path:
    """A table by its name in the folder, or by the path of its file."""
    known = {path.stem: path for path in tables_to_check(folder)}
    if name in known:
        return known[name]
    path = Path(name)
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):  # a name that is too long, or with a null character
        pass
    raise InputError(
        "there is no finished table {name!r} in {folder}, nor a file; 'yatzy tables' lists them",
        name=name,
        folder=folder,
    )


def _open(
    path: Path, id: str, hash_: str, objective: str, wanted: Wanted, games: Sequence[Game], sources: Sources
) -> TableRows:
    game = rules_of(id, hash_, games)
    kind = WAYS[wanted.on].get(kind_of(objective))
    if kind is None:
        raise InputError("tables for {objective} cannot be computed again on {on}", objective=objective, on=wanted.on)
    rows: TableRows
    if kind_of(objective) == EXPORTED.name:
        rows = load(kind)(game, objective, sources, path=path)
    elif path.name == table_path(path.parent, table_key(game, objective)).name:
        rows = load(kind)(game, objective, sources)
    else:
        raise TableForeign("{path}: is of an earlier revision or under a wrong name, so it is not used", path=path)
    return rows


def rules_of(id: str, hash_: str, games: Sequence[Game] = ()) -> Game:
    """The game of a table: one of `games`, or a preset."""
    found = next((game for game in games if game.hash == hash_), None) or preset_with(id, hash_)
    if found is None:
        raise InputError(
            "the rules of {game} ({hash}) are not known; name their file with --game", game=id, hash=hash_[:12]
        )
    return found


class _Comparison:
    """The differences found so far."""

    def __init__(self, rows: TableRows) -> None:
        self.rows = rows
        self.values, self.wrong, self.largest = 0, 0, 0.0
        self.faults: list[Fault] = []

    def add(self, batch: Batch) -> None:
        """Compare some numbers."""
        self.values += batch.values
        apart = self.rows.difference(batch)
        if not apart.size:
            return
        bad = np.flatnonzero(~(apart <= self.rows.bound.again))  # NaN counts
        self.largest = max(self.largest, float(apart.max()))
        self.wrong += len(bad)
        for at in bad[: MOST_FAULTS - len(self.faults)].tolist():
            self.faults.append(
                Fault(batch.where(at), float(batch.stored[at]), float(batch.again[at]), float(apart[at]))
            )


def _number(rows: TableRows, layer: int, wanted: Wanted) -> int:
    """How many rows of a layer are checked: its share, and at least one."""
    count = rows.rows(layer)
    share = wanted.share
    if share is None:
        share = min((wanted.rows or rows.usual) / max(sum(map(rows.rows, rows.layers)), 1), 1.0)
    return min(max(math.ceil(count * share), 1), count)


def _drawn(rows: TableRows, layer: int, wanted: Wanted) -> Iterator[IntArray]:
    """The rows of a layer that are checked, in pieces. They depend on the seed alone."""
    count, number = rows.rows(layer), _number(rows, layer, wanted)
    if number == count > MOST_SORTED:
        for first in range(0, count, rows.step):
            yield np.arange(first, min(first + rows.step, count))
        return
    rng = default_rng([wanted.seed, 1, layer])
    drawn = np.arange(count) if number == count else rng.choice(count, number, replace=False, shuffle=False)
    drawn = rows.order(layer, np.asarray(drawn, np.int64))
    for first in range(0, number, rows.step):
        yield drawn[first : first + rows.step]


def _compare(rows: TableRows, name: str, wanted: Wanted, solver: Solver) -> TableCheck:
    comparison, watch = _Comparison(rows), solver.watch(Message("{name}", name=name), "Verifying")
    total, done = sum(_number(rows, layer, wanted) for layer in rows.layers), 0
    if watch is not None:
        watch(0, total)
    for layer in rows.layers:
        for piece in _drawn(rows, layer, wanted):
            for batch in rows.again(layer, piece):
                comparison.add(batch)
            done += len(piece)
            if watch is not None:
                watch(done, total)
    laws = [one.result() for one in rows.laws.values()]
    if wanted.games:
        played = rows.simulate(wanted.games, wanted.seed, solver.watch(Message("{name}", name=name), "Playing"))
        laws += [played] if played else []
    bound, sound = rows.bound, not comparison.wrong and all(law.sound for law in laws)
    return TableCheck(
        name=name,
        game=rows.game.id,
        objective=rows.objective,
        verdict=Verdict.SOUND if sound else Verdict.WRONG,
        values=comparison.values,
        of=rows.values,
        measure=bound.measure,
        difference=comparison.largest,
        bound=bound.again,
        table_bound=None if kind_of(rows.objective) == EXPORTED.name else bound.shown,
        faults=tuple(comparison.faults),
        wrong=comparison.wrong,
        identities=tuple(laws),
        reason=rows.left_out,
    )
