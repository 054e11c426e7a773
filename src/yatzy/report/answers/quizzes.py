"""Quizzes and their results as JSON."""

from __future__ import annotations

from yatzy.coach.grades import Grade
from yatzy.coach.quizzes.quiz import Question, QuestionSource, Quiz, Summary
from yatzy.coach.quizzes.results import History, KeptQuiz
from yatzy.report.answers.base import Answer
from yatzy.report.answers.moves import RankedMoveAnswer, ranked_answer
from yatzy.units import Unit


class QuizQuestion(Answer):
    """A question, the best move, and the move that was answered."""

    position: str
    dice: tuple[int, ...]
    rolls_left: int
    asks: str
    """`keep` or `category`."""
    origin: QuestionSource
    played: str | None
    """The move that was made in the game."""
    best: str
    answer: RankedMoveAnswer | None
    """Null if the question is not answered yet."""


class QuizAnswer(Answer):
    """A quiz with the answers so far and the result."""

    game: str
    objective: str
    unit: Unit
    questions: tuple[QuizQuestion, ...]
    asked: int
    answered: int
    loss: float
    mean_loss: float | None
    counts: dict[str, int]
    """The number of answers of each grade."""


class StoredQuiz(Answer):
    """The result of a stored quiz."""

    id: str
    begun: str
    """ISO 8601, UTC."""
    game: str
    objective: str
    unit: Unit
    asked: int
    answered: int
    loss: float
    mean_loss: float | None
    counts: dict[str, int]
    """The number of answers of each grade."""


class HistoryAnswer(Answer):
    """All stored quizzes, oldest first."""

    quizzes: tuple[StoredQuiz, ...]
    unreadable: int
    """The number of damaged lines."""


def quiz_answer(quiz: Quiz) -> QuizAnswer:
    """A quiz with the answers so far and the result."""
    answers = [*map(ranked_answer, quiz.answers), *[None] * (len(quiz.questions) - len(quiz.answers))]
    summary = quiz.summary
    return QuizAnswer(
        game=quiz.evaluator.game.id,
        objective=quiz.evaluator.objective,
        unit=quiz.evaluator.unit,
        questions=tuple(_question(*pair) for pair in zip(quiz.questions, answers, strict=True)),
        asked=summary.asked,
        answered=summary.answered,
        loss=summary.loss,
        mean_loss=summary.mean_loss,
        counts=_counts(summary),
    )


def history_answer(history: History) -> HistoryAnswer:
    """All stored quizzes."""
    return HistoryAnswer(quizzes=tuple(map(_stored, history.quizzes)), unreadable=history.unreadable)


def _question(question: Question, answer: RankedMoveAnswer | None) -> QuizQuestion:
    where = question.position
    return QuizQuestion(
        position=str(where),
        dice=where.dice,
        rolls_left=where.rolls_left,
        asks="keep" if question.asks_for_keep else "category",
        origin=question.origin,
        played=None if question.played is None else str(question.played),
        best=str(question.advice.best.move),
        answer=answer,
    )


def _stored(quiz: KeptQuiz) -> StoredQuiz:
    summary = quiz.summary
    return StoredQuiz(
        id=quiz.id,
        begun=quiz.begun.isoformat(),
        game=quiz.game,
        objective=quiz.objective,
        unit=quiz.unit,
        asked=summary.asked,
        answered=summary.answered,
        loss=summary.loss,
        mean_loss=summary.mean_loss,
        counts=_counts(summary),
    )


def _counts(summary: Summary) -> dict[str, int]:
    return {grade.value: summary.count(grade) for grade in Grade}
