"""Complete solutions of two-player games, checked on the positions that are kept of each depth.

A solution keeps a fixed sample of positions of every depth (matches/solving.py). Each is computed again on the CPU by
full-width search (matches/deep_search.py), down to endgame tables of a small depth that are built for this purpose:
they lie in a folder of their own, so they are never the tables of the solution. Positions that these tables hold are
looked up. If the solution kept its own tables (`Keep.ALL`), the sample is compared with them too.

Both values have the rounding error of their depth, so they may differ by twice the bound of `values.bounds`, and by the
rounding of the value in the sample.

Games of two optimal players then start from the sampled positions of the deepest depth whose tables are at hand. The
mean of their results has to be that of the values. Results of a search are kept in parts, so an interrupted check
resumes.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from yatzy.errors import InputError, Message, TableDamaged, TableMissing
from yatzy.games import Game
from yatzy.lab.remote import worker_solver
from yatzy.lab.sample import Estimate, mean_of
from yatzy.matches.blocks import ROUNDING, PositionSample, layout_of, locate, sample_indices
from yatzy.matches.deep_search import DeepSearch
from yatzy.matches.endgames import OBJECTIVE, PIECE, Endgames
from yatzy.matches.search import MATCH_SEARCH
from yatzy.matches.solving import SolvedLayer, kept_layers, match_folder
from yatzy.model import compile_game
from yatzy.solver import Solver
from yatzy.store import KeptResults, table_path, tables_folder
from yatzy.store.files import locked
from yatzy.store.kept import Key, decode_arrays, encode_arrays
from yatzy.store.revisions import Computation
from yatzy.values.bounds import SINGLE, error_bound
from yatzy.values.kinds import table_key
from yatzy.values.resources import Resources
from yatzy.values.tables import Column
from yatzy.values.threads import core_count
from yatzy.values.turn import FloatArray
from yatzy.verification.optimum import play_out
from yatzy.verification.rows import CERTAIN
from yatzy.verification.turns import IntArray, sheets_of, state_text
from yatzy.workers.running import run_tasks

SEARCHED = Computation("match-search-sample", uses=(MATCH_SEARCH,))
FOLDER = "verification"
"""The folder beside the solution with the endgame tables that are built to check it, and the results of searches."""
ENDGAME_DEPTH = 4
"""The default depth of these tables: a second for a game that can be solved completely."""
TURNS = 4
"""Turns to search by default: some milliseconds for a position."""
PART = 250
"""Positions of a part: about a second of work."""


@dataclass(frozen=True, slots=True)
class PositionFault:
    """A sampled position whose values differ by more than the bound."""

    position: str
    """The mover's sheet and the opponent's, in the notation of positions."""
    difference: int
    """The opponent's points minus the mover's."""
    stored: float
    again: float
    table: bool
    """Whether `again` is what the solution's own table holds, and not computed again."""


@dataclass(frozen=True, slots=True)
class CheckedDepth:
    """The sampled positions of one depth, computed again."""

    depth: int
    positions: int
    turns: int
    """Turns that were searched above the endgame tables; 0 if the tables hold the positions."""
    own_table: bool
    """Whether the positions were also compared with the solution's own table."""
    difference: float
    """The largest."""
    bound: float
    wrong: int
    """Positions that differ by more than the bound."""
    fault: PositionFault | None
    """The first of them."""
    seconds: float
    """Of searching; what an earlier run did is not counted."""


@dataclass(frozen=True, slots=True)
class OptimumGames:
    """Games of two optimal players from sampled positions."""

    depth: int
    positions: int
    """The different positions at the start."""
    games: int
    seed: int
    mean: Estimate
    """The match points of the player who began."""
    expected: float
    """The mean of the values of the positions where the games began."""
    apart: Estimate
    """The mean difference of a result and its value."""
    bound: float
    """The largest difference of the means that chance and rounding explain."""
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether the results confirm the values."""
        return abs(self.apart.value) <= self.bound

    @property
    def standard_errors(self) -> float:
        """The mean difference in standard errors; 0 if nothing depended on the dice."""
        return abs(self.apart.value) / self.apart.error if self.apart.error else 0.0


@dataclass(frozen=True, slots=True)
class SolutionCheck:
    """The check of a complete solution, or of one to a depth."""

    game: Game
    solved: int
    """The depth to which the game is solved."""
    endgames: int
    """The depth of the tables below the search."""
    depths: tuple[CheckedDepth, ...]
    games: OptimumGames | None
    seconds: float

    @property
    def complaint(self) -> Message | None:
        """One line on what is wrong, if anything is."""
        for one in self.depths:
            if one.fault is not None:
                found = self._described(one, one.fault)
                if one.wrong > 1:
                    return Message("{problem}, and {more} more", problem=found, more=one.wrong - 1)
                return found
        if self.games is not None and not self.games.sound:
            return Message(
                "{game}: depth {depth}: {games:,} games differ from the values by {apart:.2g}, which is above"
                " {bound:.2g}",
                game=self.game.id,
                depth=self.games.depth,
                games=self.games.games,
                apart=abs(self.games.apart.value),
                bound=self.games.bound,
            )
        return None

    def _described(self, checked: CheckedDepth, fault: PositionFault) -> Message:
        facts = {
            "game": self.game.id,
            "depth": checked.depth,
            "position": fault.position,
            "x": fault.difference,
            "stored": fault.stored,
            "again": fault.again,
            "apart": abs(fault.stored - fault.again),
            "bound": checked.bound,
        }
        if fault.table:
            return Message(
                "{game}: depth {depth}, position {position}, opponent ahead by {x}: the sample holds {stored!r} and"
                " the endgame table {again!r}; the difference {apart:.2g} is above {bound:.2g}",
                **facts,
            )
        return Message(
            "{game}: depth {depth}, position {position}, opponent ahead by {x}: the sample holds {stored!r}, but"
            " {again!r} was computed again; the difference {apart:.2g} is above {bound:.2g}",
            **facts,
        )


def check_solution(
    game: Game,
    depth: int | None = None,
    endgames: int | None = None,
    games: int = 0,
    seed: int = 1,
    solver: Solver | None = None,
) -> SolutionCheck:
    """Compute the kept positions of a solution again, up to a depth, and play games from them.

    endgames: the depth of the tables below the search. Progress counts positions, then turns of games.
    """
    begun, solver = time.perf_counter(), solver or Solver()
    layers = kept_layers(game, solver)
    depth, endgames = _depths(game, layers, depth, endgames)
    checking = _Checking(game, [_sound_sample(game, layer) for layer in layers], endgames, solver)
    with locked(checking.folder, "verifying", solver.report):
        checked = checking.positions(depth)
        played = checking.play(games, seed) if games else None
    return SolutionCheck(game, len(layers) - 1, endgames, checked, played, time.perf_counter() - begun)


def _depths(game: Game, layers: list[SolvedLayer], depth: int | None, endgames: int | None) -> tuple[int, int]:
    """The depth to check and that of the tables, after refusing what cannot be."""
    solved = len(layers) - 1
    if solved < 1 or any(layer.sample is None for layer in layers):
        raise TableMissing(
            "there is no solution of {game} with a sample of positions; make one with 'yatzy match solve'",
            game=game.id,
        )
    if depth is not None and not 1 <= depth <= solved:
        raise InputError(
            "--depth {depth}: must be from 1 to {most}, to which {game} is solved",
            depth=depth,
            most=solved,
            game=game.id,
        )
    if endgames is None:
        endgames = min(ENDGAME_DEPTH, (depth or solved) - 1)
    found = min(endgames + TURNS, solved) if depth is None else depth
    if not 0 <= endgames < found:
        raise InputError(
            "--endgames {endgames}: must be from 0 to {most}, below the depth that is checked",
            endgames=endgames,
            most=found - 1,
        )
    return found, endgames


@dataclass(frozen=True, slots=True)
class SearchTask:
    """Positions to search."""

    game: Game
    depth: int
    endgames: int
    mover: IntArray
    opponent: IntArray
    difference: IntArray
    first: int
    folder: str
    """Of the endgame tables."""


def search_positions(task: SearchTask) -> FloatArray:
    """[position of the task]: its value to the mover; for a worker that has only the task."""
    solver, game = worker_solver(task.folder), task.game

    def make() -> DeepSearch:
        return DeepSearch(Endgames(game, task.endgames, solver.plain))

    return _search(solver.once(game, ("deep search", task.endgames), make), task)


def _search(search: DeepSearch, task: SearchTask) -> FloatArray:
    return search.values(task.depth, task.mover, task.opponent, task.difference)


class _Checking:
    """The check of one solution."""

    def __init__(self, game: Game, samples: Sequence[PositionSample], endgames: int, solver: Solver) -> None:
        """samples: [depth]; they are sound."""
        self._samples = samples
        self._game, self._solver, self._compiled = game, solver, compile_game(game)
        self.folder = match_folder(game, solver) / FOLDER
        self._kept = KeptResults(self.folder, SEARCHED, solver.report)
        self._own = _own_tables(game, solver)
        built = replace(solver.plain, folder=self.folder, executor=None)
        self._search = DeepSearch(Endgames(game, endgames, built))

    def positions(self, last: int) -> tuple[CheckedDepth, ...]:
        """Compute the positions of all depths up to the last one again."""
        samples = self._samples[: last + 1]
        total = sum(map(len, samples))
        self._watch = self._solver.watch(
            Message("{positions:,} positions of {game}", positions=total, game=self._game), "Verifying"
        )
        self._total, self._done, checked = total, 0, list[CheckedDepth]()
        for depth, sample in enumerate(samples):
            begun = time.perf_counter()
            again = self._again(depth, sample)
            checked.append(self._compare(depth, sample, again, time.perf_counter() - begun))
        return tuple(checked)

    def _again(self, depth: int, sample: PositionSample) -> FloatArray:
        """[position]: its value, from parts that are kept or by search."""
        again, missing = np.empty(len(sample)), list[SearchTask]()
        turns = depth - self._search.endgames.depth
        for first in range(0, len(sample), PART):
            part = slice(first, first + PART)
            task = SearchTask(
                self._game, depth, self._search.endgames.depth, sample.mover[part].astype(np.int64),
                sample.opponent[part].astype(np.int64), sample.difference[part].astype(np.int64), first,
                str(self.folder.absolute()),
            )  # fmt: skip
            found = self._read(task) if turns > 0 else None
            if found is None:
                missing.append(task)
            else:
                again[part] = found
                self._count(len(found))

        def add(task: SearchTask, found: FloatArray) -> None:
            again[task.first : task.first + PART] = found
            if turns > 0:
                self._kept.write(_key(task), encode_arrays({"value": found}))
            self._count(len(found))

        if self._solver.executor is not None:
            run_tasks(self._solver.executor, search_positions, missing, add)
        else:
            with ThreadPoolExecutor(self._solver.threads or core_count()) as pool:
                run_tasks(pool, lambda task: _search(self._search, task), missing, add)
        return again

    def _read(self, task: SearchTask) -> FloatArray | None:
        """The values of a part, if an earlier run found them."""

        def decode(data: bytes) -> FloatArray:
            found = decode_arrays(data)["value"]
            if not Column("<f8", task.mover.shape, -ROUNDING, 1 + ROUNDING).accepts(found):
                raise ValueError
            return found

        return self._kept.read(_key(task), decode)

    def _count(self, positions: int) -> None:
        self._done += positions
        if self._watch is not None:
            self._watch(self._done, self._total)

    def _compare(self, depth: int, sample: PositionSample, again: FloatArray, seconds: float) -> CheckedDepth:
        stored, rounding = sample.value.astype(np.float64), error_bound(self._game, f"{OBJECTIVE}:{depth}")
        assert rounding is not None
        bound = 2 * rounding.whole + SINGLE
        apart, own = np.abs(stored - again), None
        if self._own is not None and depth <= self._own.depth:
            table = self._own.tables[depth]
            places = zip(sample.mover.tolist(), sample.opponent.tolist(), sample.difference.tolist(), strict=True)
            own = np.array([table.value(*one) for one in places])
            apart = np.maximum(apart, np.abs(stored - own))
        bad, fault = np.flatnonzero(~(apart <= bound)), None  # NaN counts
        if len(bad):
            at = int(bad[0])
            by_table = abs(stored[at] - again[at]) <= bound and own is not None
            sheets = sheets_of(self._compiled, np.array([sample.mover[at], sample.opponent[at]], np.int64))
            found = float(own[at] if by_table and own is not None else again[at])
            fault = PositionFault(
                state_text(*sheets), int(sample.difference[at]), float(stored[at]), found, bool(by_table)
            )
        turns = max(depth - self._search.endgames.depth, 0)
        largest = float(apart.max())
        return CheckedDepth(depth, len(sample), turns, own is not None, largest, bound, len(bad), fault, seconds)

    def play(self, games: int, seed: int) -> OptimumGames:
        """Play games of two optimal players from the deepest sampled positions whose tables are at hand."""
        begun, endgames = time.perf_counter(), self._search.endgames
        if self._own is not None and self._own.depth > endgames.depth:
            endgames = self._own
        depth = min(endgames.depth, len(self._samples) - 1)
        sample = self._samples[depth]
        watch = self._solver.watch(Message("{games:,} games of {game}", games=games, game=self._game), "Playing")
        start, points = play_out(endgames, depth, sample, games, seed, self._solver.threads, watch)
        value = sample.value.astype(np.float64)[start]
        # Results lie between 0 and 1, so the variance of one with this mean is at most value · (1 − value).
        error = math.sqrt(float(np.maximum(value * (1 - value), 0).sum())) / games
        apart, rounding = mean_of(points - value), error_bound(self._game, f"{OBJECTIVE}:{depth}")
        assert rounding is not None
        return OptimumGames(
            depth=depth,
            positions=min(games, len(sample)),
            games=games,
            seed=seed,
            mean=mean_of(points),
            expected=float(value.mean()),
            apart=apart,
            bound=CERTAIN * error + rounding.whole + SINGLE,
            seconds=time.perf_counter() - begun,
        )


def _key(task: SearchTask) -> Key:
    """What the values of a part depend on: the positions, and not what the solution says about them."""
    arrays = b"".join(array.astype("<i8").tobytes() for array in (task.mover, task.opponent, task.difference))
    return {
        "game": task.game.id,
        "hash": task.game.hash,
        "depth": task.depth,
        "endgames": task.endgames,
        "positions": hashlib.blake2b(arrays, digest_size=16).hexdigest(),
    }


def _own_tables(game: Game, resources: Resources) -> Endgames | None:
    """The tables that the solution kept, or that were built otherwise, as deep as all are there."""
    folder, depth = tables_folder(resources.folder), -1
    while depth < 2 * len(game.categories) and _own_table(folder, game, depth + 1).exists():
        depth += 1
    if depth < 0:
        return None
    return Endgames(game, depth, Resources(resources.folder, resources.threads, read_only=True))


def _own_table(folder: Path, game: Game, depth: int) -> Path:
    return table_path(folder, table_key(game, f"{OBJECTIVE}:{depth}"))


def _sound_sample(game: Game, layer: SolvedLayer) -> PositionSample:
    """The sample of a layer, after checking that it holds the positions that every sample of this depth holds.

    The smallest and the largest value of the layer are checked, too: they must be possible with this sample.
    """
    sample, layout = layer.sample, layout_of(game, layer.depth, PIECE)
    assert sample is not None
    indices = sample_indices(game, layer.depth, layout.values)
    expected = locate(layout, indices, np.zeros(len(indices), np.float32))
    same = all(
        np.array_equal(getattr(sample, name), getattr(expected, name)) for name in ("mover", "opponent", "difference")
    )
    if not same or sample.value.shape != indices.shape or layer.values != layout.values:
        raise TableDamaged(
            "{game}: the sample of depth {depth} holds other positions than the solution has",
            game=game.id,
            depth=layer.depth,
        )
    least, most = float(sample.value.min()), float(sample.value.max())
    whole = len(sample) == layer.values  # then the extremes of the layer are those of the sample
    if not 0 <= layer.least <= least <= most <= layer.most <= 1 or (
        whole and (least, most) != (layer.least, layer.most)
    ):
        raise TableDamaged(
            "{game}: the values of depth {depth} are said to lie between {least} and {most}, but those of the sample"
            " lie between {low} and {high}",
            game=game.id,
            depth=layer.depth,
            least=layer.least,
            most=layer.most,
            low=least,
            high=most,
        )
    return sample
