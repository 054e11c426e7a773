"""Quiz answers in a log (`store.kept.KeptLog`): one line of JSON per answer, appended when it is given.

A damaged line is skipped and counted, and its answer is restored from the backup of the log. The backup is made before
the first answer of each quiz, if the log is undamaged.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from yatzy.coach.advice import RankedMove
from yatzy.coach.grades import Grade
from yatzy.coach.play.saved import clean_up, save_folder
from yatzy.coach.quizzes.quiz import Question, Quiz, Summary, summarise
from yatzy.errors import InputError, cause_of
from yatzy.store.kept import KeptLog
from yatzy.units import Unit

FILE = "quiz-results.jsonl"
MOST_BYTES = 2**26
"""Size limit of the log: about 200,000 answers."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A stored answer, with everything needed to report it later."""

    quiz: str
    """The id of the quiz; the same for all its answers."""
    when: str
    """ISO 8601, UTC."""
    game: str
    objective: str
    unit: str
    questions: int
    """The number of questions of the quiz."""
    number: int
    """The number of the question, from 1."""
    position: str
    move: str
    best: str
    loss: float
    grade: str


@dataclass(frozen=True, slots=True)
class KeptQuiz:
    """A stored quiz, as far as it was answered."""

    id: str
    begun: datetime
    game: str
    objective: str
    unit: Unit
    answers: tuple[KeptAnswer, ...]
    summary: Summary


@dataclass(frozen=True, slots=True)
class History:
    """All stored quizzes, oldest first."""

    quizzes: tuple[KeptQuiz, ...]
    unreadable: int
    """The number of lines that are damaged or not answers."""
    restored: int = 0
    """The number of answers restored from the backup."""


class QuizKeeper:
    """Stores the answers of one quiz."""

    def __init__(self, quiz: Quiz, folder: str | Path | None = None) -> None:
        self._log = _log(folder)
        self._id, self._quiz = uuid4().hex, quiz
        self._backed_up = False

    def keep(self, number: int, question: Question, answer: RankedMove) -> None:
        """Append an answer to the log."""
        answered = KeptAnswer(
            self._id,
            datetime.now(UTC).isoformat(timespec="seconds"),
            question.position.game.id,
            question.advice.objective,
            question.advice.unit.value,
            len(self._quiz.questions),
            number,
            str(question.position),
            str(answer.move),
            str(question.advice.best.move),
            answer.loss,
            answer.grade.value,
        )
        path = self._log.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            clean_up(path.parent)
            if not self._backed_up:
                with suppress(InputError):  # if the disk is full, appending the answer raises the error
                    self._log.back_up(_is_answer)
                self._backed_up = True
            self._log.append(asdict(answered))
        except (OSError, ValueError) as error:
            raise InputError(
                "{path}: the answer cannot be saved: {reason}", path=path, reason=cause_of(error)
            ) from None


def results_path(folder: str | Path | None = None) -> Path:
    """The path of the log, in the folder of games."""
    return save_folder(folder) / FILE


def _log(folder: str | Path | None) -> KeptLog:
    return KeptLog(results_path(folder), MOST_BYTES)


def read_results(folder: str | Path | None = None) -> History:
    """Read all stored answers. Damaged lines are counted, and restored from the backup where possible."""
    log = _log(folder)
    content, restored = log.read(_is_answer), 0
    entries = content.entries
    if content.damaged:
        known = {(one["quiz"], one["number"]) for one in entries}
        copied = log.backup.read(_is_answer).entries
        restored = sum((one["quiz"], one["number"]) not in known for one in copied)
        entries = (*copied, *entries)
    return History(tuple(_quizzes(KeptAnswer(**entry) for entry in entries)), content.damaged, restored)


def _is_answer(entry: dict[str, Any]) -> bool:
    kinds: dict[str, Any] = {"questions": int, "number": int, "loss": float | int}
    try:
        answer = KeptAnswer(**entry)
        Grade(answer.grade), Unit(answer.unit), datetime.fromisoformat(answer.when)  # each raises on an invalid value
    except (ValueError, TypeError):
        return False
    return all(isinstance(value, kinds.get(name, str)) for name, value in entry.items())


def _quizzes(answers: Iterable[KeptAnswer]) -> Iterable[KeptQuiz]:
    grouped: dict[str, dict[int, KeptAnswer]] = {}
    for answer in answers:
        grouped.setdefault(answer.quiz, {}).setdefault(answer.number, answer)
    for id, group in grouped.items():
        given = tuple(group.values())
        one = given[0]
        summary = summarise(one.questions, [(answer.loss, Grade(answer.grade)) for answer in given])
        begun = datetime.fromisoformat(one.when)
        yield KeptQuiz(id, begun, one.game, one.objective, Unit(one.unit), given, summary)
