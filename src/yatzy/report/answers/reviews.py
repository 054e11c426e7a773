"""Reviews as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.review import Decision, Luck, Others, PlayerReview, Review, ReviewedTurn
from yatzy.games import Detail, Record, show_dice
from yatzy.report.answers.base import Answer
from yatzy.report.answers.moves import MoveAnswer, move_answer
from yatzy.units import Unit
from yatzy.values.evaluator import Sides


class RollAnswer(Answer):
    """The luck of one roll."""

    roll: int
    """The number of the roll in the turn, from 1."""
    dice: str
    mean: float
    """The mean value over all possible rolls."""
    value: float
    """The value after the roll."""
    luck: float
    """The value after the roll minus the mean."""


class DecisionAnswer(Answer):
    """A move that was made, compared with the best one."""

    turn: int
    """The player's turn, from 1."""
    roll: int
    """The number of rolls before it in the turn."""
    position: str
    dice: str
    rolls_left: int
    move: MoveAnswer
    best: tuple[MoveAnswer, ...]
    """The best moves; several if they are tied."""
    value: float
    """The value of the best move."""
    made: float
    """The value of the move that was made."""
    loss: float
    grade: Grade
    forced: bool
    """Whether there was no choice."""
    moves: int
    """The number of moves to choose from."""


class TurnAnswer(Answer):
    """A turn, with values from the point of view of its player."""

    turn: int
    """The player's turn, from 1."""
    category: str | None
    """The category that was filled; null in an unfinished turn."""
    points: int | None
    known: Detail
    """How much the record says of the turn."""
    before: float
    after: float | None
    """Null if unknown."""
    luck: float | None
    """Null if no roll is known."""
    error: float
    mixed: float | None
    """A change in value that the record is not detailed enough to split into luck and error."""
    rolls: tuple[RollAnswer, ...]
    decisions: tuple[DecisionAnswer, ...]


class MomentAnswer(Answer):
    """One point of the value curve of a game."""

    turn: float
    """The time in turns, from 0 at the start."""
    value: float


class PlayerAnswer(Answer):
    """One player's part of a review: start + luck - error + mixed + the terms of the others = final."""

    name: str
    strategy: str | None
    seat: int
    """From 1."""
    start: float | None
    """The value at the start."""
    luck: float | None
    """Null if luck cannot be measured for the objective."""
    error: float
    mixed: float
    """What the record is not detailed enough to split into luck and error."""
    others: Others
    """How the other players changed this player's value."""
    residual: float | None
    """The remainder of the sum; only rounding if values are exact."""
    final: float | None
    """The final result, or the present value if the game is not over."""
    decisions: int
    """The number of decisions that were not forced."""
    mean_loss: float | None
    """The mean loss of these decisions; null if there are none."""
    grades: dict[str, int]
    """The number of these decisions of each grade."""
    errors: tuple[DecisionAnswer, ...]
    """The decisions that were not best, worst first."""
    turns: tuple[TurnAnswer, ...]
    course: tuple[MomentAnswer, ...]
    """The value curve of the game."""


class ReviewAnswer(Answer):
    """A game with every decision graded, and luck separated from skill: start + luck - error = final."""

    game: str
    objective: str
    unit: Unit
    sides: Sides
    """Whose values are known: every player's own, those of both in a match, or those of the player to move."""
    date: str | None
    over: bool
    order_known: bool
    """Whether the record says in which order the categories were filled."""
    scores: tuple[int, ...]
    residual: float | None
    """The largest remainder of that sum over all players; only rounding if values are exact."""
    players: tuple[PlayerAnswer, ...]


def review_answer(review: Review, player: str | None = None) -> ReviewAnswer:
    """A review, or only one player's part of it."""
    record = review.record
    return ReviewAnswer(
        game=record.game.id,
        objective=review.objective,
        unit=review.unit,
        sides=review.sides,
        date=record.date.isoformat() if record.date else None,
        over=record.over,
        order_known=record.order_known,
        scores=tuple(record.scores),
        residual=review.residual,
        players=tuple(
            _player(review, one)
            for one in review.players
            if player is None or one.player.name.casefold() == player.casefold()
        ),
    )


def _player(review: Review, one: PlayerReview) -> PlayerAnswer:
    decisions = {id(decision): _decision(decision) for decision in one.decisions}
    return PlayerAnswer(
        name=one.player.name,
        strategy=one.player.strategy,
        seat=one.number + 1,
        start=one.start,
        luck=one.luck,
        error=one.error,
        mixed=one.mixed,
        others=one.others,
        residual=one.residual,
        final=one.final,
        decisions=len(one.chosen),
        mean_loss=one.mean_loss,
        grades={grade.value: one.count(grade) for grade in Grade},
        errors=tuple(decisions[id(decision)] for decision in one.errors),
        turns=tuple(_turn(review.record, turn, decisions) for turn in one.turns),
        course=tuple(MomentAnswer(turn=moment.at, value=moment.value) for moment in one.course),
    )


def _turn(record: Record, one: ReviewedTurn, decisions: Mapping[int, DecisionAnswer]) -> TurnAnswer:
    played = record.turns[one.number]
    return TurnAnswer(
        turn=one.turn,
        category=played.score.category if played.score else None,
        points=played.points,
        known=played.detail,
        before=one.before,
        after=one.after,
        luck=one.luck if one.rolls else None,
        error=one.error,
        mixed=one.mixed.gain if one.mixed else None,
        rolls=tuple(_roll(roll) for roll in one.rolls),
        decisions=tuple(decisions[id(decision)] for decision in one.decisions),
    )


def _roll(one: Luck) -> RollAnswer:
    dice = show_dice(one.position.dice)
    return RollAnswer(roll=one.roll, dice=dice, mean=one.before, value=one.after, luck=one.luck)


def _decision(one: Decision) -> DecisionAnswer:
    return DecisionAnswer(
        turn=one.turn,
        roll=one.roll,
        position=str(one.position),
        dice=show_dice(one.position.dice),
        rolls_left=one.position.rolls_left,
        move=move_answer(one.move),
        best=tuple(move_answer(move) for move in one.best),
        value=one.value,
        made=one.made,
        loss=one.loss,
        grade=one.grade,
        forced=one.forced,
        moves=one.moves,
    )
