"""Where claims are computed: solved games, curves, evaluations, samples and searches, each made once.

Tables live in the folder of tables. Exact evaluations, measurements of strength and the figures of every claim are kept
in a folder of their own (`yatzy.store.kept`). So an interrupted run goes on where it was, and a second one only reads.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yatzy.evaluation.evaluate import EVALUATION
from yatzy.games import Game, Position, load_game
from yatzy.lab.simulate import SIMULATION
from yatzy.lab.strength import STRENGTH
from yatzy.solver import Solver
from yatzy.store.kept import KeptResults, encode_json
from yatzy.store.revisions import Computation
from yatzy_papers.claims import Claim, Cost, Drawing, Figure, Figures, Table, Value

if TYPE_CHECKING:
    from yatzy.evaluation.distribution import Distribution, Evaluation
    from yatzy.lab import SimulatedGames
    from yatzy.lab.duel import PlayOff
    from yatzy.lab.strength import StrengthResult
    from yatzy.lab.studies.evaluations import Exact
    from yatzy.matches.counting import MatchCounts
    from yatzy.matches.search import MatchSearch
    from yatzy.strategies.base import Strategy
    from yatzy.values.curves import BestChances
    from yatzy.values.evaluator import Solution
    from yatzy.values.expected import ExpectedScore
    from yatzy.values.tables import Progress

USES = (EVALUATION, SIMULATION, STRENGTH)
"""What claims are computed with: when one of these revisions rises, all claims are computed again."""
STRENGTH_GAME = "yahtzee-pawlewicz"
STRATEGIES = (
    "expected",
    "match:emp:0",
    "match:emp:1",
    "match:emp:2",
    "match:emp:3",
    "match:dyns:1",
    "match:dyns:4",
)
DEEPER = ("match:emp:4",)
POSITIONS = {
    Cost.QUICK: dict.fromkeys(range(1, 7), 128) | dict.fromkeys((7, 8), 64),
    Cost.FULL: dict.fromkeys(range(1, 9), 4096),
}
DEEPER_POSITIONS = {
    Cost.QUICK: dict.fromkeys(range(5, 8), 32),
    Cost.FULL: dict.fromkeys(range(5, 9), 512),
}
ENDGAMES = {Cost.QUICK: 3, Cost.FULL: 4}


class Desk:
    """Where everything is computed that a report needs, in one run."""

    def __init__(self, folder: str | Path, solver: Solver | None = None, *, full: bool = False) -> None:
        self.folder, self.solver, self.full = Path(folder), solver or Solver(), full
        self.effort = Cost.FULL if full else Cost.QUICK
        self.evaluation = lru_cache(maxsize=None)(self._evaluation)
        self.sample = lru_cache(maxsize=16)(self._sample)
        self.play_off = lru_cache(maxsize=None)(self._play_off)
        self.counts = lru_cache(maxsize=None)(self._counts)
        self.strength = lru_cache(maxsize=None)(self._strength)

    def watch(self, what: str, verb: str) -> Progress | None:
        """A way to show progress on something."""
        return self.solver.watch(what, verb)

    def expected(self, game: Game | str) -> ExpectedScore:
        """A game solved for the most points."""
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
        """Exactly what a strategy does."""
        from yatzy.lab.studies.evaluations import evaluate_once

        watch = self.watch(f"{_game(game).name()} by {strategy}, exactly", "Evaluating")
        solver = self.solver
        return evaluate_once(self.strategy(game, strategy), self._parts, None, solver.threads, watch, solver.report)

    def score(self, game: Game | str, strategy: str = "expected") -> Distribution:
        """The exact distribution of the final score."""
        return self.evaluation(game, strategy).score

    def split(self, game: Game | str, strategy: str) -> Exact:
        """The same with the games split by bonus and by all dice equal."""
        from yatzy.lab.studies.evaluations import evaluate_whole

        watch = self.watch(f"{_game(game).name()} by {strategy}, in parts", "Evaluating")
        solver = self.solver
        return evaluate_whole(self.strategy(game, strategy), self._parts, solver.threads, watch, solver.report)

    def _sample(self, game: Game | str, strategy: str, games: int, seed: int, stream: int = 0) -> SimulatedGames:
        """Games that are played."""
        from yatzy.lab import simulate

        watch = self.watch(f"{games:,} games of {_game(game).name()} by {strategy}", "Playing")
        return simulate(self.strategy(game, strategy), games, seed, self.solver.threads, watch, stream=stream)

    def _play_off(self, game: str, first: str, second: str, pairs: int, seed: int) -> PlayOff:
        """Matches of two, each played twice with the same dice."""
        from yatzy.lab.duel import parse_duellist, play_off

        solver, chosen = self.solver, load_game(game)
        players = [parse_duellist(name, chosen, solver) for name in (first, second)]
        watch = self.watch(f"{2 * pairs:,} matches of {first} against {second}", "Playing")
        return play_off(players[0], players[1], pairs, seed, solver.threads, watch)

    def _counts(self, game: str) -> MatchCounts:
        """The states and values of the match of two."""
        from yatzy.matches.counting import count_match

        return count_match(load_game(game))

    def search(self, game: str, objective: str) -> MatchSearch:
        """A search for several players, without tables of endgames."""
        from yatzy.matches.search import MatchSearch

        return MatchSearch(self.chances(game), objective, threads=self.solver.threads)

    def _strength(self, strategies: tuple[str, ...] = STRATEGIES) -> StrengthResult:
        """What strategies of a match lose in typical positions."""
        from yatzy.lab.strength import measure_strength

        wanted = (POSITIONS if strategies == STRATEGIES else DEEPER_POSITIONS)[self.effort]
        game, depth = load_game(STRENGTH_GAME), ENDGAMES[self.effort]
        watch = self.watch(f"{sum(wanted.values()):,} positions of {game.name()}", "Judging")
        folder = self._parts / "strength"
        return measure_strength(game, strategies, wanted, 1, folder, self.solver, depth, watch)

    # Parts

    @cached_property
    def _parts(self) -> Path:
        return self.folder / "parts"

    def figures(self, claim: Claim) -> tuple[Figures, Figures] | None:
        """The figures of a claim and of its reasons, computed or read; None when this run does not compute it."""
        if claim.compute is None:
            return None
        known = self._read(claim)
        if known is None:
            if claim.cost is Cost.FULL and not self.full:
                return None
            ours = dict(claim.compute(self))
            evidence: dict[str, Figure] = {}
            for reason in claim.reasons:
                evidence |= dict(reason.compute(self)) if reason.compute is not None else {}
            known = {"figures": plain_figures(ours), "evidence": plain_figures(evidence)}
            self._write(claim, known)
        return read_figures(known["figures"]), read_figures(known["evidence"])

    def rows(self, table: Table) -> list[list[Value | None]] | None:
        """The rows of a table, computed or read; None when this run does not compute it."""
        known = self._read(table)
        if known is None:
            if table.cost is Cost.FULL and not self.full:
                return None
            known = {"rows": [list(row) for row in table.compute(self)]}
            self._write(table, known)
        rows: list[list[Value | None]] = known["rows"]
        return rows

    def _read(self, of: Claim | Table) -> dict[str, Any] | None:
        """What is kept of a claim; the numbers of a full run serve a quick one as well."""
        keys = [self._key(of, Cost.FULL)]
        if not self.full and of.varies:
            keys.append(self._key(of, Cost.QUICK))
        kept = self.kept("claims", of)
        found = (kept.read(key, _decode) for key in keys)
        return next((one for one in found if one is not None), None)

    def _write(self, of: Claim | Table, found: dict[str, Any]) -> None:
        self.kept("claims", of).write(self._key(of, self.effort), encode_json(found))

    def kept(self, folder: str, of: Claim | Table | Drawing) -> KeptResults:
        """Where the results of something are kept. Every claim, table and drawing has a revision of its own."""
        computation = Computation(of.key, of.revision, USES)
        return KeptResults(self._parts / folder, computation, self.solver.report)

    def _key(self, of: Claim | Table, effort: Cost) -> dict[str, Any]:
        hashes = {id: load_game(id).hash for id in of.games}
        return {"games": hashes, "effort": effort.value if of.varies else "", "asked": _asked(of)}


def _decode(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(data)
    for figures in ("figures", "evidence"):
        read_figures(found.get(figures, ()))  # raises on what it cannot read
    return found


def _game(game: Game | str) -> Game:
    return load_game(game) if isinstance(game, str) else game


def _asked(of: Claim | Table) -> list[str]:
    """What figures there are: when others are wanted, what is kept does not serve."""
    if isinstance(of, Table):
        return list(of.columns)
    evidence = (entry for reason in of.reasons for entry in reason.evidence)
    return [entry.name for entry in (*of.printed, *evidence)]


def plain_figures(figures: Figures) -> list[list[Any]]:
    """Figures as JSON has them."""
    return [
        [name, one.value, one.error, one.spread, None if one.room is None else list(one.room)]
        for name, one in figures.items()
    ]


def read_figures(rows: Sequence[Sequence[Any]]) -> dict[str, Figure]:
    """Figures from JSON."""
    return {
        name: Figure(value, error, spread, None if room is None else (room[0], room[1]))
        for name, value, error, spread, room in rows
    }
