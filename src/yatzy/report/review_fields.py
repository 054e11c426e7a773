"""Reviews as plain fields for JSON, shared by the command line (`--json`) and the HTTP API."""

from __future__ import annotations

from typing import Any

from yatzy.coach.grades import Grade
from yatzy.coach.reviews.decisions import KINDS, PHASES, ReviewedGames
from yatzy.coach.reviews.review import Decision, Luck, PlayerReview, Review, ReviewedTurn
from yatzy.coach.reviews.statistics import Losses, PlayerStatistics
from yatzy.games import show_dice
from yatzy.lab import Estimate
from yatzy.report.fields import move_fields

Fields = dict[str, Any]


def review_fields(review: Review, player: str | None = None) -> Fields:
    """The fields of a review, or of one player's part."""
    record = review.record
    return {
        "game": record.game.id,
        "objective": review.objective,
        "unit": review.unit.value,
        "sides": review.sides.value,
        "date": record.date.isoformat() if record.date else None,
        "over": record.over,
        "order_known": record.order_known,
        "scores": list(record.scores),
        "residual": review.residual,
        "players": [
            _player(review, one)
            for one in review.players
            if player is None or one.player.name.casefold() == player.casefold()
        ],
    }


def _player(review: Review, one: PlayerReview) -> Fields:
    return {
        "name": one.player.name,
        "strategy": one.player.strategy,
        "seat": one.number + 1,
        "start": one.start,
        "luck": one.luck,
        "error": one.error,
        "mixed": one.mixed,
        "others": {"luck": one.others.luck, "gifts": one.others.gifts, "mixed": one.others.mixed},
        "residual": one.residual,
        "final": one.final,
        "decisions": len(one.chosen),
        "mean_loss": one.mean_loss,
        "grades": {grade.value: one.count(grade) for grade in Grade},
        "errors": [_decision(decision) for decision in one.errors],
        "turns": [_turn(review, turn) for turn in one.turns],
        "course": [{"turn": moment.at, "value": moment.value} for moment in one.course],
    }


def _turn(review: Review, one: ReviewedTurn) -> Fields:
    played = review.record.turns[one.number]
    return {
        "turn": one.turn,
        "category": played.score.category if played.score else None,
        "points": played.points,
        "known": played.detail.value,
        "before": one.before,
        "after": one.after,
        "luck": one.luck if one.rolls else None,
        "error": one.error,
        "mixed": one.mixed.gain if one.mixed else None,
        "rolls": [_luck(roll) for roll in one.rolls],
        "decisions": [_decision(decision) for decision in one.decisions],
    }


def _luck(one: Luck) -> Fields:
    dice = show_dice(one.position.dice)
    return {"roll": one.roll, "dice": dice, "mean": one.before, "value": one.after, "luck": one.luck}


def _decision(one: Decision) -> Fields:
    return {
        "turn": one.turn,
        "roll": one.roll,
        "position": str(one.position),
        "dice": show_dice(one.position.dice),
        "rolls_left": one.position.rolls_left,
        "move": move_fields(one.move),
        "best": [move_fields(move) for move in one.best],
        "value": one.value,
        "made": one.made,
        "loss": one.loss,
        "grade": one.grade.value,
        "forced": one.forced,
        "moves": one.moves,
    }


def statistics_fields(reviewed: ReviewedGames, players: tuple[PlayerStatistics, ...]) -> Fields:
    """The fields of player statistics."""
    return {
        "objective": reviewed.objective,
        "unit": reviewed.unit.value,
        "records": reviewed.records,
        "decisions": len(reviewed.decisions),
        "players": [_statistics(one) for one in players],
    }


def _statistics(one: PlayerStatistics) -> Fields:
    return {
        "name": one.player,
        "games": one.games,
        "final": _estimate(one.final),
        "luck": _estimate(one.luck),
        "error": _estimate(one.error),
        "all": _losses(one.overall),
        "phases": {name: _losses(losses) for name, losses in zip(PHASES, one.by_phase, strict=True)},
        "kinds": {name: _losses(losses) for name, losses in zip(KINDS, one.by_kind, strict=True)},
    }


def _losses(one: Losses) -> Fields:
    grades = {grade.value: count for grade, count in zip(Grade, one.grades, strict=True)}
    return {"decisions": one.decisions, "mean_loss": _estimate(one.mean), "grades": grades}


def _estimate(number: Estimate | None) -> Fields | None:
    """A number with its standard error, which is null for a single game."""
    if number is None:
        return None
    return {"value": number.value, "error": number.error if number.error == number.error else None}
