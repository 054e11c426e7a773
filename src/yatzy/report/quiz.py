"""Texts of quizzes: questions, verdicts and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yatzy.coach.grades import Grade
from yatzy.games import show_dice
from yatzy.report.document import Block, Paragraph, Table
from yatzy.report.numbers import loss_text
from yatzy.report.texts import text
from yatzy.report.words import grade_name, move_phrase, objective_phrase, rolls_left

if TYPE_CHECKING:
    from yatzy.coach.advice import RankedMove
    from yatzy.coach.quizzes.quiz import Question, Quiz, Summary
    from yatzy.coach.quizzes.results import History
    from yatzy.units import Unit


def headline(quiz: Quiz, number: int, question: Question, language: str = "en") -> str:
    """The heading of a question: its number, from 1, and the record it comes from."""
    where, origin = question.position, question.origin
    said = text(
        language,
        "quiz_said.question",
        number=number,
        total=len(quiz.questions),
        dice=show_dice(where.dice),
        rolls=rolls_left(where.rolls_left, language),
    )
    if origin.record is None:
        return said
    place = text(language, "quiz_said.origin", record=origin.record, player=origin.player, turn=origin.turn)
    return f"{said}  ({place})"


def verdict(question: Question, answer: RankedMove, language: str = "en") -> str:
    """The verdict on an answer."""
    position = question.position
    return text(
        language,
        "quiz_said.right" if answer.grade is Grade.BEST else "quiz_said.wrong",
        sign=answer.grade.sign,
        grade=grade_name(answer.grade, language),
        move=move_phrase(position, answer.move, language),
        loss=loss_text(answer.loss, question.advice.unit, language),
        best=move_phrase(position, question.advice.best.move, language),
    )


def tally(summary: Summary, unit: Unit, language: str = "en") -> str:
    """The result of a quiz on one line."""
    if summary.mean_loss is None:
        return text(language, "quiz_said.nothing_answered")
    return text(
        language,
        "quiz_said.tally",
        answered=summary.answered,
        total=summary.asked,
        loss=loss_text(summary.mean_loss, unit, language),
        counts=", ".join(f"{grade_name(grade, language)} {summary.count(grade)}" for grade in Grade),
    )


def opening(quiz: Quiz, language: str = "en") -> str:
    """The first line of a quiz: the game, the objective, and the seed that gives the same questions again."""
    seed = quiz.questions[0].origin.seed
    said = f"{quiz.evaluator.game.name(language)} ({objective_phrase(quiz.evaluator.objective, language)})"
    return said if seed is None else f"{said}, {text(language, 'quiz_said.seed', seed=seed)}"


def history_blocks(history: History, language: str = "en") -> list[Block]:
    """The results of earlier quizzes."""
    if not history.quizzes:
        return [Paragraph(text(language, "quiz_said.no_history"))]
    names = ("date", "game", "objective", "answered", "mean_loss")
    head = (*(text(language, f"quiz_said.{name}") for name in names), *(grade_name(grade, language) for grade in Grade))
    rows = [
        (
            f"{one.begun.astimezone():%Y-%m-%d %H:%M}",
            one.game,
            objective_phrase(one.objective, language),
            f"{one.summary.answered}/{one.summary.asked}",
            loss_text(one.summary.mean_loss or 0.0, one.unit, language),
            *(str(one.summary.count(grade)) for grade in Grade),
        )
        for one in history.quizzes
    ]
    return [Table(head, tuple(rows), frozenset({0, 1, 2}))]
