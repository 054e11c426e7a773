"""Runs a study: its games and exact evaluations in parts that are saved, then the results computed from them.

The folder of a study holds games/ with a Parquet file for each cell; `yatzy study` adds report.md, the numbers as CSV,
and figures/. The folder parts/ caches finished work, each part under a name derived from everything it depends on: an
interrupted run resumes from there, and a run of a changed study reuses what is still valid.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from yatzy.errors import Message
from yatzy.evaluation.distribution import Distribution
from yatzy.games import Game
from yatzy.lab.comparison import Comparison, ExactComparison, compare, compare_exactly
from yatzy.lab.players import ExactTable, TableResult, table_exactly, table_of
from yatzy.lab.results import require_polars, result_key, run_sample, write_games
from yatzy.lab.sample import SimulatedGames
from yatzy.lab.studies.evaluations import Exact, Split, evaluate_once, evaluate_whole, usual_splits
from yatzy.lab.studies.reading import Cell, Choice, Players, Study, can_split
from yatzy.solver import Solver
from yatzy.store.files import locked
from yatzy.store.kept import digest
from yatzy.strategies.base import Strategy

PARTS = "parts"


@dataclass(frozen=True, eq=False)
class CellResult:
    """The result of a strategy."""

    cell: Cell
    games: SimulatedGames
    splits: Sequence[Split]
    """The splits of its games that the study asks for, or the usual ones."""
    exact: Exact | None


@dataclass(frozen=True, eq=False)
class PairResult:
    """Two cells compared."""

    first: CellResult
    second: CellResult
    comparison: Comparison
    exact: ExactComparison | None
    """For independent dice, whichever dice were played."""


@dataclass(frozen=True, eq=False)
class PlayersResult:
    """The result of several players."""

    players: Players
    table: TableResult
    scores: tuple[Distribution, ...] | None
    """The exact distribution of each seat."""
    exact: ExactTable | None


@dataclass(frozen=True, eq=False)
class StudyResult:
    """All results of a study."""

    study: Study
    folder: Path
    cells: tuple[CellResult, ...]
    pairs: tuple[PairResult, ...]
    players: tuple[PlayersResult, ...]

    @property
    def report(self) -> Path:
        """The path of the report, which `yatzy study` writes."""
        return self.folder / "report.md"

    @property
    def sheets(self) -> list[list[CellResult]]:
        """The cells, grouped by games with the same categories."""
        groups: dict[tuple[str, ...], list[CellResult]] = {}
        for entry in self.cells:
            groups.setdefault(tuple(entry.games.game.category_index), []).append(entry)
        return list(groups.values())


def beside(entries: Sequence[CellResult], most: int) -> list[Sequence[CellResult]]:
    """Groups of cells to show side by side: at most `most` each, and of about equal size."""
    pieces = -(-len(entries) // most)
    cuts = [piece * len(entries) // pieces for piece in range(pieces + 1)] if pieces else []
    return [entries[low:high] for low, high in pairwise(cuts)]


def run_study(study: Study, folder: str | Path, solver: Solver | None = None) -> StudyResult:
    """Run a study, or the missing parts of it, and write its games into a folder."""
    require_polars()
    folder, solver = Path(folder), solver or Solver()
    with locked(folder / PARTS, "study", solver.report):
        bench = _Bench(study, folder, solver)
        cells = {cell.name: bench.cell(cell) for cell in study.cells}
        pairs = tuple(_pair(cells[first.name], cells[second.name], study.same_dice) for first, second in study.pairs)
        players = tuple(bench.players(table) for table in study.players)
        result = StudyResult(study, folder, tuple(cells.values()), pairs, players)
        for name, entry in zip(file_names([cell.name for cell in study.cells]), result.cells, strict=True):
            write_games(entry.games, folder / "games" / f"{name}.parquet")
    return result


def _pair(first: CellResult, second: CellResult, same_dice: bool) -> PairResult:
    exact = None
    if first.exact is not None and second.exact is not None:
        exact = compare_exactly(first.exact.score, second.exact.score)
    return PairResult(first, second, compare(first.games, second.games, same_dice), exact)


class _Bench:
    """Opens, plays and evaluates strategies, each once."""

    def __init__(self, study: Study, folder: Path, solver: Solver) -> None:
        self._study, self._parts, self._solver = study, folder / PARTS, solver
        self._strategies: dict[Choice, Strategy] = {}
        self._exact: dict[Choice, Exact] = {}

    def cell(self, cell: Cell) -> CellResult:
        """The games of a cell, and the exact result of its strategy."""
        games = self._sample(cell.choice, cell.count, self._study.seed, cell.stream)
        return CellResult(cell, games, self._splits(cell.choice.game), self._whole(cell.choice))

    def players(self, players: Players) -> PlayersResult:
        """The games of a table, and its exact result."""
        samples = [
            self._sample(choice, players.count, players.seed, seat, seat + 1)
            for seat, choice in enumerate(players.seats)
        ]
        table = table_of(samples)
        scores = {choice: self._score(choice) for choice in dict.fromkeys(players.seats)}
        known = [score for choice in players.seats if (score := scores[choice]) is not None]
        if len(known) < len(players.seats):
            return PlayersResult(players, table, None, None)
        return PlayersResult(players, table, tuple(known), table_exactly(known))

    def _strategy(self, choice: Choice) -> Strategy:
        if choice not in self._strategies:
            self._strategies[choice] = self._solver.strategy(choice.game, choice.strategy, choice.origin)
        return self._strategies[choice]

    def _sample(self, choice: Choice, count: int, seed: int, stream: int, player: int = 0) -> SimulatedGames:
        strategy = self._strategy(choice)
        folder = self._parts / f"games-{digest(result_key(strategy, seed, stream), 6)}"
        what = Message("{games:,} games of {game} by {strategy}", games=count, game=choice.game, strategy=choice.label)
        if player:
            what = Message("{games}, player {player}", games=what, player=player)
        return run_sample(strategy, count, seed, folder, stream, self._solver, what)

    def _whole(self, choice: Choice) -> Exact | None:
        strategy = self._strategy(choice)
        if not (self._study.exact and strategy.in_bulk):
            return None
        if choice not in self._exact:
            what = Message("{game} by {strategy}, exactly", game=choice.game, strategy=choice.label)
            splits = self._splits(choice.game)
            self._exact[choice] = evaluate_whole(strategy, self._parts, self._solver, what, splits)
        return self._exact[choice]

    def _splits(self, game: Game) -> list[Split]:
        """The splits of the study that this game has the categories for, or the usual ones."""
        if self._study.splits is None:
            return usual_splits(game)
        return [split for split in self._study.splits if can_split(game, split)]

    def _score(self, choice: Choice) -> Distribution | None:
        """The distribution only, which takes less time than with its splits."""
        strategy = self._strategy(choice)
        if not (self._study.exact and strategy.in_bulk):
            return None
        if choice in self._exact:
            return self._exact[choice].score
        what = Message("{game} by {strategy}, exactly", game=choice.game, strategy=choice.label)
        return evaluate_once(strategy, self._parts, (), self._solver, what).score


def file_names(names: Sequence[str]) -> list[str]:
    """A valid and unique file name for each name."""
    plain: list[str] = []
    for name in names:
        base = re.sub(r"[^A-Za-z0-9.+]+", "-", name).strip("-.") or "cell"
        taken, number, unique = {other.lower() for other in plain}, 2, base
        while unique.lower() in taken:
            unique, number = f"{base}-{number}", number + 1
        plain.append(unique)
    return plain
