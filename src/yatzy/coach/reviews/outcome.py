"""How a game was decided: the margin of the winner, and how much of it was luck.

With the expected score as the value, a player's score is the value at the start + luck - errors. The margin between two
players is therefore the difference of their starts, plus that of their luck, plus that of their errors.
"""

from __future__ import annotations

from dataclasses import dataclass

from yatzy.coach.reviews.review import PlayerReview, Review
from yatzy.errors import InputError

ROUNDING = 1e-6
"""What separate terms may differ from their sum."""


@dataclass(frozen=True, slots=True)
class PlayerOutcome:
    """The result of one player."""

    seat: int
    name: str
    place: int
    """From 1; tied players share a place."""
    score: int
    luck: float | None
    """Points of luck; None if the record is not detailed enough."""
    error: float | None
    """Points lost by errors; None if the record is not detailed enough."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game."""

    players: tuple[PlayerOutcome, ...]
    """In the order of their seats."""
    start: float | None
    """The value at the start, if it was the same for everybody."""
    winner: int
    """The seat with the best score; the first of them if there are several."""
    second: int | None
    """The best seat of the others; None in a game of one player."""

    @property
    def margin(self) -> int:
        """The points between the winner and the second; 0 if they are tied."""
        return 0 if self.second is None else self.players[self.winner].score - self.players[self.second].score

    @property
    def luck(self) -> float | None:
        """How many more points of luck the winner had than the second; None if it cannot be told."""
        if self.second is None or self.start is None:
            return None
        first, second = self.players[self.winner].luck, self.players[self.second].luck
        return None if first is None or second is None else first - second


def outcome(review: Review) -> Outcome:
    """The outcome of a finished game that was reviewed for points."""
    if not review.record.over:
        raise InputError("the game is not over, so there is no winner")
    if review.objective != "expected":
        raise InputError("an outcome needs a review for points, not for {objective}", objective=review.objective)
    scores = review.record.scores
    players = tuple(
        PlayerOutcome(one.number, one.player.name, 1 + sum(other > score for other in scores), score, *_split(one))
        for one, score in zip(review.players, scores, strict=True)
    )
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    starts = [one.start for one in review.players if one.start is not None]
    same = len(starts) == len(scores) and max(starts) - min(starts) < ROUNDING
    return Outcome(players, starts[0] if same else None, order[0], order[1] if len(order) > 1 else None)


def _split(one: PlayerReview) -> tuple[float | None, float | None]:
    """Luck and error, if they account for everything that happened."""
    whole = one.unordered is None and all(turn.mixed is None for turn in one.turns)
    return (one.luck, one.error) if whole else (None, None)
