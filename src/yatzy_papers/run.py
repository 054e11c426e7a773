"""A run over some works: compute what is not stored yet, draw, and write the report.

Tables are in the folder of tables. Exact evaluations, measurements of strength and the figures of every claim are
stored in a folder of their own, so that an interrupted run can be resumed and a second run only reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from yatzy import (
    BestChances,
    Distribution,
    Evaluation,
    ExpectedScore,
    Game,
    Position,
    SimulatedGames,
    Solution,
    Solver,
    Strategy,
    load_game,
)
from yatzy.errors import missing_extra
from yatzy.lab import (
    PlayOff,
    StrengthResult,
    evaluate_once,
    measure_strength,
    parse_duellist,
    play_off_with,
    simulate_with,
    write_figure,
)
from yatzy.matches import MatchCounts, MatchSearch, count_match
from yatzy.store import Computation, KeptResults, encode_json, locked, write_atomic
from yatzy.values import Progress
from yatzy_papers.claims import Claim, Computed, Cost, Drawing, Figures, Finding, Table, Value, Work, compare
from yatzy_papers.report import write_report
from yatzy_papers.results import USES, PapersResult, WorkResult, figure_rows, read_figures, to_json, write_numbers

FIGURES, NUMBERS = "figures", "results.json"
STRENGTH_GAME = "yahtzee-pawlewicz"
STRATEGIES = (
    "expected",
    *(f"match:emp:{turns}" for turns in range(4)),
    *(f"match:dyns:{turns}" for turns in range(5)),
)
DEEPER = ("match:emp:4",)
"""At depths 1 to 4 it is perfect, so it is measured from depth 5 on."""
POSITIONS = {
    Cost.QUICK: dict.fromkeys(range(1, 7), 128) | dict.fromkeys((7, 8), 64),
    Cost.FULL: dict.fromkeys(range(1, 9), 65_536),
}
DEEPER_POSITIONS = {
    Cost.QUICK: dict.fromkeys(range(5, 8), 32),
    Cost.FULL: dict.fromkeys(range(5, 9), 65_536),
}
ENDGAMES = {Cost.QUICK: 3, Cost.FULL: 4}


class PaperRun:
    """Computes everything that a report needs, each result once, and stores it."""

    def __init__(self, folder: str | Path, solver: Solver | None = None, *, full: bool = False) -> None:
        self.folder, self.solver, self.full = Path(folder), solver or Solver(), full
        self.effort = Cost.FULL if full else Cost.QUICK
        self.evaluation = lru_cache(maxsize=None)(self._evaluation)
        self.sample = lru_cache(maxsize=16)(self._sample)
        self.play_off = lru_cache(maxsize=None)(self._play_off)
        self.counts = lru_cache(maxsize=None)(self._counts)
        self.strength = lru_cache(maxsize=None)(self._strength)

    # Compute

    def watch(self, what: str, verb: str) -> Progress | None:
        """A progress display."""
        return self.solver.watch(what, verb)

    def expected(self, game: Game | str) -> ExpectedScore:
        """A game solved for the expected score."""
        return self.solver.expected(_game(game))

    def value(self, game: Game | str) -> float:
        """The expected score of the best strategy."""
        return self.expected(game).value(Position.start(_game(game)))

    def chances(self, game: Game | str) -> BestChances:
        """The best chances of every score."""
        return self.solver.chances(_game(game))

    def solution(self, game: Game | str, objective: str) -> Solution:
        """A game solved for an objective."""
        return self.solver.build(_game(game), objective)

    def strategy(self, game: Game | str, name: str) -> Strategy:
        """A strategy by name."""
        return self.solver.strategy(_game(game), name)

    def _evaluation(self, game: Game | str, strategy: str = "expected") -> Evaluation:
        """The exact evaluation of a strategy."""
        return evaluate_once(self.strategy(game, strategy), self._parts, (), self.solver)

    def played(self, strategy: Strategy, what: str) -> Distribution:
        """The exact distribution of the final score of a strategy that has no name to ask for it by."""
        return evaluate_once(strategy, self._parts, (), self.solver, what).score

    def score(self, game: Game | str, strategy: str = "expected") -> Distribution:
        """The exact distribution of the final score."""
        return self.evaluation(game, strategy).score

    def split(self, game: Game | str, strategy: str, *events: str) -> tuple[npt.NDArray[np.float64], ...]:
        """The exact distribution of the final score in the parts into which events split the games."""
        what = f"{_game(game).name()} by {strategy}, in parts"
        return evaluate_once(self.strategy(game, strategy), self._parts, events, self.solver, what).parts

    def _sample(self, game: Game | str, strategy: str, games: int, seed: int, stream: int = 0) -> SimulatedGames:
        watch = self.watch(f"{games:,} games of {_game(game).name()} by {strategy}", "Playing")
        return simulate_with(self.strategy(game, strategy), games, seed, self.solver, watch, stream=stream)

    def _play_off(self, game: str, first: str, second: str, pairs: int, seed: int) -> PlayOff:
        """Matches of two players, each played twice with the same dice."""
        solver, chosen = self.solver, load_game(game)
        players = [parse_duellist(name, chosen, solver) for name in (first, second)]
        watch = self.watch(f"{2 * pairs:,} matches of {first} against {second}", "Playing")
        return play_off_with(players[0], players[1], pairs, seed, solver, watch)

    def _counts(self, game: str) -> MatchCounts:
        """The numbers of states and values of the two-player match."""
        return count_match(load_game(game))

    def search(self, game: str, objective: str) -> MatchSearch:
        """A search for several players, without endgame tables."""
        return MatchSearch(self.chances(game), objective, threads=self.solver.threads)

    def _strength(self, strategies: tuple[str, ...] = STRATEGIES) -> StrengthResult:
        """The losses of match strategies in typical positions."""
        wanted = (POSITIONS if strategies == STRATEGIES else DEEPER_POSITIONS)[self.effort]
        game, depth = load_game(STRENGTH_GAME), ENDGAMES[self.effort]
        folder = self._parts / "strength"
        return measure_strength(game, strategies, wanted, 1, folder, self.solver, depth)

    # Keep

    @cached_property
    def _parts(self) -> Path:
        return self.folder / "parts"

    def figures(self, claim: Claim) -> tuple[Figures, Figures] | None:
        """The figures of a claim and of its reasons, computed or read; None if this run does not compute it."""
        if claim.compute is None:
            return None
        known = self._read(claim)
        if known is None:
            if claim.cost is Cost.FULL and not self.full:
                return None
            computed = dict(claim.compute(self))
            evidence: dict[str, Computed] = {}
            for reason in claim.reasons:
                evidence |= dict(reason.compute(self)) if reason.compute is not None else {}
            known = {"figures": figure_rows(computed), "evidence": figure_rows(evidence)}
            self._write(claim, known)
        return read_figures(known["figures"]), read_figures(known["evidence"])

    def rows(self, table: Table) -> list[list[Value | None]] | None:
        """The rows of a table, computed or read; None if this run does not compute it."""
        known = self._read(table)
        if known is None:
            if table.cost is Cost.FULL and not self.full:
                return None
            known = {"rows": [list(row) for row in table.compute(self)]}
            self._write(table, known)
        rows: list[list[Value | None]] = known["rows"]
        return rows

    def _read(self, of: Claim | Table) -> dict[str, Any] | None:
        """The stored numbers of a claim or table. A quick run also uses those of a full run."""
        keys = [self._key(of, Cost.FULL)]
        if not self.full and of.varies:
            keys.append(self._key(of, Cost.QUICK))
        kept = self._kept("claims", of)
        found = (kept.read(key, _decode) for key in keys)
        return next((one for one in found if one is not None), None)

    def _write(self, of: Claim | Table, found: dict[str, Any]) -> None:
        self._kept("claims", of).write(self._key(of, self.effort), encode_json(found))

    def _kept(self, folder: str, of: Claim | Table | Drawing) -> KeptResults:
        """The stored results of a claim, table or drawing, each with a revision of its own."""
        computation = Computation(of.key, of.revision, USES)
        return KeptResults(self._parts / folder, computation, self.solver.report)

    def _key(self, of: Claim | Table, effort: Cost) -> dict[str, Any]:
        hashes = {id: load_game(id).hash for id in of.games}
        return {"games": hashes, "effort": effort.value if of.varies else "", "asked": _asked(of)}

    # Draw

    def draw(self, drawing: Drawing) -> Path:
        """Draw a figure as SVG and PNG, unless both files exist for this effort; return the path of the SVG."""
        path = self.folder / FIGURES / f"{drawing.key}.svg"
        files = [path, path.with_suffix(".png")]
        kept, key = self._kept("figures", drawing), {"effort": self.effort.value}
        hashes = kept.read(key, json.loads)
        if hashes is None or hashes != [_file_hash(file) for file in files]:
            figure: Any = drawing.draw(self)
            for file in files:
                write_figure(figure, file)
            kept.write(key, encode_json([_file_hash(file) for file in files]))
        return path


def run_papers(
    works: Sequence[Work], folder: str | Path, solver: Solver | None = None, *, full: bool = False
) -> PapersResult:
    """Compute what is not stored yet, draw, and write report.md, report.html, results.json, figures/ etc."""
    _require_extra()
    run = PaperRun(folder, solver, full=full)
    with locked(run.folder / "parts", "papers", run.solver.report):
        meter = _Meter(run, works)
        result = PapersResult(tuple(_settle(run, work, meter) for work in works), full)
        write_numbers(run.folder / NUMBERS, to_json(result))
        for work in works:
            for name, make in work.files.items():
                write_atomic(run.folder / name, make(run))
        write_report(result, run.folder)
    return result


def _require_extra() -> None:
    """Fail at the start, not after an hour, if figures cannot be drawn."""
    missing = [name for name in ("Matplotlib", "Networkx") if not _is_there(name.lower())]
    if missing:
        raise missing_extra(f"the report needs {' and '.join(missing)}", "papers")


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # the module is marked as missing
        return False


class _Meter:
    """Progress over claims, tables and figures."""

    def __init__(self, run: PaperRun, works: Sequence[Work]) -> None:
        self._total = sum(len(work.claims) + len(work.tables) + len(work.drawings) for work in works)
        self._done, self._watch = 0, run.watch("claims, tables and figures", "Settling")
        self.step(0)

    def step(self, more: int = 1) -> None:
        self._done += more
        if self._watch is not None:
            self._watch(self._done, self._total)


def _settle(run: PaperRun, work: Work, meter: _Meter) -> WorkResult:
    findings, rows, pictures = list[Finding](), dict[str, Any](), dict[str, Path]()
    for claim in work.claims:
        found = run.figures(claim)
        findings.append(compare(claim, *(found or (None, {}))))
        meter.step()
    for table in work.tables:
        if (lines := run.rows(table)) is not None:
            rows[table.key] = lines
        meter.step()
    for drawing in work.drawings:
        if run.full or drawing.cost is Cost.QUICK:
            pictures[drawing.key] = run.draw(drawing)
        meter.step()
    return WorkResult(work, tuple(findings), rows, pictures)


def _game(game: Game | str) -> Game:
    return load_game(game) if isinstance(game, str) else game


def _asked(of: Claim | Table) -> list[str]:
    """The names of all figures or columns. They are part of the cache key, so that a change of names recomputes."""
    if isinstance(of, Table):
        return list(of.columns)
    evidence = (printed for reason in of.reasons for printed in reason.evidence)
    return [printed.name for printed in (*of.printed, *evidence)]


def _decode(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(data)
    for figures in ("figures", "evidence"):
        read_figures(found.get(figures, ()))  # raises if the figures cannot be read
    return found


def _file_hash(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
