"""Answers to quizzes, kept: one line of JSON an answer, added the moment it is given.

A line is written in one piece at the end of the file, so that two programs may write at once and nothing is lost
whenever one of them ends. A line that was cut off by a power failure is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from yatzy.coach.advice import RankedMove
from yatzy.coach.grades import Grade
from yatzy.coach.play.saved import save_folder
from yatzy.coach.quizzes.quiz import Question, Quiz, Summary, summarise
from yatzy.errors import InputError
from yatzy.games import format_move, format_position
from yatzy.units import Unit

FILE = "quiz-results.jsonl"


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer, with all that is needed to tell of it later."""

    quiz: str
    """The same for all answers of a quiz."""
    when: str
    """ISO 8601, UTC."""
    game: str
    objective: str
    unit: str
    questions: int
    """Of the quiz."""
    number: int
    """Of the question, from 1."""
    position: str
    move: str
    best: str
    loss: float
    grade: str


@dataclass(frozen=True, slots=True)
class KeptQuiz:
    """A quiz as far as it was answered."""

    id: str
    begun: datetime
    game: str
    objective: str
    unit: Unit
    answers: tuple[KeptAnswer, ...]
    summary: Summary


@dataclass(frozen=True, slots=True)
class History:
    """All quizzes that were kept, the first one first."""

    quizzes: tuple[KeptQuiz, ...]
    unreadable: int
    """Lines that tell nothing."""


class QuizKeeper:
    """Keeps the answers of one quiz."""

    def __init__(self, quiz: Quiz, folder: str | Path | None = None) -> None:
        self.path = results_path(folder)
        self._id, self._quiz = uuid4().hex, quiz

    def keep(self, number: int, question: Question, answer: RankedMove) -> None:
        """Add an answer to the file."""
        line = KeptAnswer(
            self._id,
            datetime.now(UTC).isoformat(timespec="seconds"),
            question.position.game.id,
            question.advice.objective,
            question.advice.unit.value,
            len(self._quiz.questions),
            number,
            format_position(question.position),
            format_move(answer.move),
            format_move(question.advice.best.move),
            answer.loss,
            answer.grade.value,
        )
        _append(self.path, json.dumps(asdict(line), ensure_ascii=False) + "\n")


def results_path(folder: str | Path | None = None) -> Path:
    """The file of answers, in the folder of games."""
    return save_folder(folder) / FILE


def _append(path: Path, line: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as file:
            if file.tell() and not _ends_a_line(file.fileno()):
                line = "\n" + line  # what was cut off stays on a line of its own
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"{path}: the answer cannot be kept: {error.strerror or error}") from None


def _ends_a_line(file: int) -> bool:
    size = os.fstat(file).st_size
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) == b"\n"


def read_results(folder: str | Path | None = None) -> History:
    """Everything that was kept; nothing where nothing was."""
    path = results_path(folder)
    try:
        lines = path.read_bytes().decode(errors="replace").split("\n")
    except FileNotFoundError:
        return History((), 0)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    told = [line for line in lines if line.strip()]
    answers = [answer for line in told if (answer := _read(line)) is not None]
    return History(tuple(_quizzes(answers)), len(told) - len(answers))


def _read(line: str) -> KeptAnswer | None:
    kinds: dict[str, Any] = {"questions": int, "number": int, "loss": float | int}
    try:
        fields = json.loads(line)
        answer = KeptAnswer(**fields)
        Grade(answer.grade), Unit(answer.unit), datetime.fromisoformat(answer.when)  # each refuses what is none
    except (ValueError, TypeError, RecursionError):
        return None
    sound = all(isinstance(value, kinds.get(name, str)) for name, value in fields.items())
    return answer if sound else None


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
