"""A quiz: decisions to make again, graded like all other moves.

A question is a position with its advice; an answer is the entry of the move in that advice. So a quiz, a review and a
tutor always grade a move the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from yatzy.coach.advice import Advice, RankedMove, ranked_move
from yatzy.coach.grades import Grade
from yatzy.errors import InputError
from yatzy.games import Keep, Move, Position, Score
from yatzy.values.evaluator import Evaluator

MOST_QUESTIONS = 200


@dataclass(frozen=True, slots=True)
class QuestionSource:
    """Where a question comes from."""

    turn: int
    """The player's turn, from 1."""
    seed: int | None = None
    game: int | None = None
    """The number of the generated game, from 0."""
    record: str | None = None
    """The name of a record."""
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A decision to make."""

    advice: Advice
    origin: QuestionSource
    played: Move | None = None
    """The move that was made in the game."""

    @property
    def position(self) -> Position:
        """The position to decide."""
        return self.advice.position

    @property
    def asks_for_keep(self) -> bool:
        """Whether the question asks for a keep rather than a category."""
        return isinstance(self.advice.best.move, Keep)


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a quiz."""

    asked: int
    answered: int
    loss: float
    """The sum over all answers."""
    counts: tuple[int, ...]
    """The number of answers of each class, in the order of `Grade`."""

    @property
    def mean_loss(self) -> float | None:
        """The mean loss of the answers; None if there are none."""
        return self.loss / self.answered if self.answered else None

    def count(self, grade: Grade) -> int:
        """The number of answers of a class."""
        return self.counts[grade.rank]


def summarise(asked: int, answers: Sequence[tuple[float, Grade]]) -> Summary:
    """Summarise a quiz from the loss and the class of every answer."""
    counts = tuple(sum(grade is one for _, grade in answers) for one in Grade)
    return Summary(asked, len(answers), sum(loss for loss, _ in answers), counts)


@dataclass(frozen=True)
class Quiz:
    """Questions and the answers so far. Immutable: an answer returns a new quiz."""

    evaluator: Evaluator
    questions: tuple[Question, ...]
    answers: tuple[RankedMove, ...] = ()

    @property
    def question(self) -> Question | None:
        """The next question to answer; None at the end."""
        return self.questions[len(self.answers)] if len(self.answers) < len(self.questions) else None

    def graded(self, move: Move) -> RankedMove:
        """Grade a move as an answer to the current question."""
        if self.question is None:
            raise InputError("every question of the quiz has been answered")
        position = self.question.position
        if isinstance(move, Score) and position.rolls_left:
            position.placement(move)  # raises if the category cannot be filled
            move = Keep(position.dice)  # scoring with rolls left means keeping all dice
        return ranked_move(self.evaluator, self.question.advice, move)

    def answered(self, move: Move) -> Quiz:
        """The quiz with the current question answered."""
        return replace(self, answers=(*self.answers, self.graded(move)))

    @property
    def summary(self) -> Summary:
        """The result so far."""
        return summarise(len(self.questions), [(answer.loss, answer.grade) for answer in self.answers])
