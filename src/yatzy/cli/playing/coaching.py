"""Coaching in a terminal game: hints, warnings, reasons, and a review at the end. Tables are opened on first use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from yatzy.cli import terminal
from yatzy.coach.advice import advise
from yatzy.coach.explain import explain
from yatzy.coach.grades import Grade
from yatzy.coach.play.opponents import Opponents
from yatzy.coach.play.tutor import Tutor, TutorWarning
from yatzy.coach.reviews.review import review
from yatzy.coach.sampled_outlook import open_outlooks
from yatzy.evaluation.outlook import OutlookSource
from yatzy.games import Game, Move, Position, Record
from yatzy.names import Origin
from yatzy.report.advice import advice_table
from yatzy.report.document import Table
from yatzy.report.explanation import notes, sentences
from yatzy.report.review import identity, tally, worst_errors
from yatzy.solver import Solver
from yatzy.values.evaluator import Evaluator
from yatzy.values.resources import Progress

HINTS = 5
"""Moves in a hint."""
WORST = 3
"""Errors listed in the short review."""


class PlayCoach:
    """Evaluators, outlooks and computer players, each opened on first use, with progress bars."""

    def __init__(
        self, game: Game, players: int, objective: str, tables: Path | None, language: str, typed: Iterable[str] = ()
    ) -> None:
        """typed: the strategies that the user named, as opposed to those from the record of a resumed game."""
        self._game, self._players, self._objective, self._language = game, players, objective, language
        self._watcher: terminal.Watcher | None = None
        self._typed = tuple(typed)
        self._solver = Solver(tables, None, self._progress, terminal.notes())

    def _progress(self, what: str, verb: str = "Solving") -> Progress:
        return self._watcher(what, verb) if self._watcher is not None else lambda done, total: None

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Show progress on everything that is computed in this context."""
        with terminal.watching() as watcher:
            self._watcher = watcher
            try:
                yield
            finally:
                self._watcher = None

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator for hints, warnings and reasons."""
        with self.opening():
            return self._solver.evaluator(self._game, self._objective, self._players, origin=Origin.PERSON)

    @cached_property
    def opponents(self) -> Opponents:
        """The computer players."""
        return Opponents(self._solver, self._typed)

    def open_opponent(self, name: str) -> None:
        """Open a computer player and its tables."""
        with self.opening():
            self.opponents.strategy(name, self._game, self._players)

    @cached_property
    def _outlooks(self) -> OutlookSource:
        with self.opening():
            return open_outlooks(self._solver, self._game)

    def hint(self, position: Position) -> Table:
        """The best moves."""
        return advice_table([advise(self.evaluator, position)], HINTS, self._language)

    def warn(self, position: Position, move: Move, threshold: object) -> TutorWarning | None:
        """The tutor's warning about a move; None if the move is good enough for the threshold."""
        assert isinstance(threshold, Grade | float)
        return Tutor(self.evaluator, threshold).warn(position, move)

    def why(self, position: Position, move: Move | None) -> tuple[str, ...]:
        """Explain in sentences why the best move is better than another."""
        against = None if move is None or advise(self.evaluator, position).best.move == move else move
        found = explain(self.evaluator, self._outlooks, position, against)
        return (*sentences(found, self._language), *notes(found, self._language))

    def review(self, record: Record) -> Iterator[tuple[int, str]]:
        """A short review of a finished game, as (indentation, line): luck, errors, and the worst errors."""
        found, language = review(record, self.evaluator), self._language
        for one in found.players:
            yield 0, f"{one.player.name}: {identity(found, one, language)}"
            if one.chosen:
                yield 1, f"{tally(one, found.unit, language)}"
            for line in worst_errors(found, one, WORST, language):
                yield 1, line
