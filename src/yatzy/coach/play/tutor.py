"""A tutor that warns before a move that loses too much, by the classes in coach/grades.py.

Losses and classes are those of `advise`, decision by decision, so the tutor and a review of the game agree. A move that
ends the rolls early consists of several decisions: their losses add up, and the worst class counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.coach.advice import Advice, RankedMove, advise
from yatzy.coach.grades import Grade
from yatzy.coach.play.history import decisions_of
from yatzy.coach.reviews.review import review
from yatzy.errors import InputError
from yatzy.games import Move, Player, Position, Record, Score, Turn
from yatzy.units import Unit
from yatzy.values.evaluator import Evaluator


@dataclass(frozen=True, slots=True)
class TutorWarning:
    """A warning about a move."""

    position: Position
    move: Move
    loss: float
    grade: Grade
    best: RankedMove
    """The best move instead."""
    where: Position
    """The position of `best`: the same, or that of the first decision that is not best."""
    unit: Unit


@dataclass(frozen=True, slots=True)
class Tutor:
    """Warns of moves of a class or worse, or of moves that lose more than a number."""

    evaluator: Evaluator
    threshold: Grade | float = Grade.MISTAKE
    """The mildest class to warn of, or a number to warn only above that loss."""

    def warn(self, position: Position, move: Move) -> TutorWarning | None:
        """The warning about a move, or None if it is good enough; an illegal move raises."""
        judged = [(where, self.judge(where, one)) for where, one in decisions_of(position, move)]
        known = [(where, entry) for where, entry in judged if entry is not None]
        loss = sum(entry.loss for _, entry in known)
        grade = max((entry.grade for _, entry in known), key=lambda one: one.rank, default=Grade.BEST)
        if not _is_bad(grade, loss, self.threshold):
            return None
        where = next(where for where, entry in known if entry.grade is not Grade.BEST)
        return TutorWarning(position, move, loss, grade, advise(self.evaluator, where).best, where, self.evaluator.unit)

    def judge(self, position: Position, move: Move) -> RankedMove | None:
        """Rank one decision; None if advice does not list the move and its value is unknown."""
        if isinstance(move, Score) and move.strike:
            if position.placement(Score(move.category)).points == 0:
                move = Score(move.category)
            else:
                return self._struck(position, move)
        return advise(self.evaluator, position).of(move)

    def _struck(self, position: Position, move: Score) -> RankedMove | None:
        """Rank a category that is struck although the dice pay, as a review does."""
        players = tuple(Player(f"player {number}") for number, _ in enumerate(position.sheets, 1))
        record = Record(position.game, players, (Turn((position.dice,), (), move),), start=position)
        decisions = review(record, self.evaluator).players[position.mover].decisions
        if not decisions:
            return None
        return RankedMove(move, decisions[-1].made, decisions[-1].loss, False, decisions[-1].grade)


def warn_from(advice: Advice, move: Move, threshold: Grade | float) -> TutorWarning | None:
    """The warning about a move that advice ranks. Of a category with rolls left, only the stopping is judged."""
    position = advice.position
    entry = advice.of(decisions_of(position, move)[0][1])
    if not _is_bad(entry.grade, entry.loss, threshold):
        return None
    return TutorWarning(position, move, entry.loss, entry.grade, advice.best, position, advice.unit)


def _is_bad(grade: Grade, loss: float, threshold: Grade | float) -> bool:
    bad = grade.rank >= threshold.rank if isinstance(threshold, Grade) else loss > threshold
    return bad and grade is not Grade.BEST


def parse_threshold(text: str) -> Grade | float | None:
    """Parse the threshold of a tutor: a class, `on` for mistakes, a number, or `off` (None)."""
    word = text.strip().casefold()
    if word in ("off", "on"):
        return Grade.MISTAKE if word == "on" else None
    for grade in list(Grade)[1:]:
        if word in (grade.value, f"{grade.value}s"):
            return grade
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        names = ", ".join(grade.value for grade in list(Grade)[1:])
        raise InputError(
            "tutor {text!r}: must be off, on, a class ({names}) or a number from 0", text=text, names=names
        )
    return number
