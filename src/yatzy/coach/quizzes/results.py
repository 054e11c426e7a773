"""Answers to quizzes, kept: one line of JSON an answer, added the moment it is given.

A line is written in one piece at the end of the file, so that two programs may write at once and nothing is lost
whenever one of them ends. Every line carries its own checksum. A line that is damaged or was cut off is passed over and
counted; its answer is taken from the copy of the last sound file, which is made before the first answer of a quiz.
"""

from __future__ import annotations

import hashlib
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
from yatzy.coach.play.saved import backup_path, clean_up, save_folder
from yatzy.coach.quizzes.quiz import Question, Quiz, Summary, summarise
from yatzy.errors import InputError
from yatzy.games import format_move, format_position
from yatzy.reading import read_bounded
from yatzy.store.files import write_atomic
from yatzy.units import Unit

FILE = "quiz-results.jsonl"
MOST_BYTES = 2**26
"""Of the file: some 200,000 answers."""
_CHECK = "check"


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
    """Lines that are damaged or tell nothing."""
    restored: int = 0
    """Answers that were taken from the last sound copy."""


class QuizKeeper:
    """Keeps the answers of one quiz."""

    def __init__(self, quiz: Quiz, folder: str | Path | None = None) -> None:
        self.path = results_path(folder)
        self._id, self._quiz = uuid4().hex, quiz
        self._backed_up = False

    def keep(self, number: int, question: Question, answer: RankedMove) -> None:
        """Add an answer to the file."""
        if not self._backed_up:
            _back_up(self.path)
            self._backed_up = True
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
        fields = asdict(line)
        _append(self.path, json.dumps({**fields, _CHECK: _digest(fields)}, ensure_ascii=False) + "\n")


def results_path(folder: str | Path | None = None) -> Path:
    """The file of answers, in the folder of games."""
    return save_folder(folder) / FILE


def _digest(fields: dict[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(fields, sort_keys=True).encode(), digest_size=8).hexdigest()


def _back_up(path: Path) -> None:
    """Keep a copy of the answers, if all of them can be read."""
    try:
        data = _bytes_of(path)
        if data and _answers(data)[1] == 0:
            write_atomic(backup_path(path), data)
    except InputError:
        pass  # if there is no room, keeping the answer itself says so


def _append(path: Path, line: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        clean_up(path.parent)
        with path.open("ab+") as file:
            if file.tell() and not _ends_a_line(file.fileno()):
                line = "\n" + line  # what was cut off stays on a line of its own
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the answer cannot be kept: {getattr(error, 'strerror', None) or error}") from None


def _ends_a_line(file: int) -> bool:
    size = os.fstat(file).st_size
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) == b"\n"


def read_results(folder: str | Path | None = None) -> History:
    """Everything that was kept; nothing where nothing was."""
    path = results_path(folder)
    answers, unreadable = _answers(_bytes_of(path))
    restored = 0
    if unreadable:
        known = {(one.quiz, one.number) for one in answers}
        copied, _ = _answers(_bytes_of(backup_path(path)))
        restored = sum((one.quiz, one.number) not in known for one in copied)
        answers = [*copied, *answers]
    return History(tuple(_quizzes(answers)), unreadable, restored)


def _bytes_of(path: Path) -> bytes:
    try:
        return read_bounded(path, MOST_BYTES, "a file of answers")
    except InputError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return b""
        raise


def _answers(data: bytes) -> tuple[list[KeptAnswer], int]:
    """The answers, and the number of lines that are none."""
    told = [line for line in data.decode(errors="replace").split("\n") if line.strip()]
    answers = [answer for line in told if (answer := _read(line)) is not None]
    return answers, len(told) - len(answers)


def _read(line: str) -> KeptAnswer | None:
    kinds: dict[str, Any] = {"questions": int, "number": int, "loss": float | int}
    try:
        fields = json.loads(line)
        if _CHECK in fields and fields.pop(_CHECK) != _digest(fields):
            return None
        answer = KeptAnswer(**fields)
        Grade(answer.grade), Unit(answer.unit), datetime.fromisoformat(answer.when)  # each refuses what is none
    except (ValueError, TypeError, AttributeError, RecursionError):
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
