"""Selected moves of a position: the chances of all final scores after each of them.

Two curves belong to a move. The best chances give every score its own best strategy from there on, so they are not the
distribution of any strategy. The outlook has the distribution of the final score if play goes on for the most points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from yatzy.coach.advice import Advice, as_listed
from yatzy.errors import InputError
from yatzy.evaluation.outlook import Outlook, OutlookSource
from yatzy.games import Move, Position
from yatzy.values.curves import BestChances
from yatzy.values.targets import position_curve

FloatArray = npt.NDArray[np.float64]

MOST_MOVES = 5
"""The most moves that are compared at once: as many as figures have colours."""
BEST_FEW = 3
"""The number of best moves that are compared if none are named."""


@dataclass(frozen=True, eq=False)
class ScoreChances:
    """The chances of all final scores, from a position or after one of its moves."""

    move: Move | None
    """None for the position itself."""
    first: int
    """The points so far: the score of the first entry of `best`."""
    best: FloatArray
    """[score - first]: the best chance of at least this score."""
    outlook: Outlook
    """The final score, if play goes on for the most points."""

    @property
    def played_on(self) -> FloatArray:
        """[score - first]: the chance of at least this score, if play goes on for the most points."""
        return self.outlook.score.tails[self.first :]

    def best_score(self, chance: float) -> int:
        """The highest score that can be reached with at least this chance."""
        return self.first + int(np.count_nonzero(self.best >= chance)) - 1

    def played_on_score(self, chance: float) -> int:
        """The highest score that is reached with at least this chance, if play goes on for the most points."""
        return self.first + int(np.count_nonzero(self.played_on >= chance)) - 1


@dataclass(frozen=True, eq=False)
class SelectedMoves:
    """A position and some of its moves."""

    position: Position
    present: ScoreChances
    """The position itself."""
    moves: tuple[ScoreChances, ...]


def parse_moves(position: Position, texts: Iterable[str]) -> tuple[Move, ...]:
    """Parse legal moves of a position, at least one and at most `MOST_MOVES`; repeated ones count once."""
    found = tuple(dict.fromkeys(as_listed(position, position.parse_move(text.strip())) for text in texts))
    if not 1 <= len(found) <= MOST_MOVES:
        raise InputError(
            "moves: from 1 to {most} moves can be compared, not {count}", most=MOST_MOVES, count=len(found)
        )
    return found


def best_moves(advice: Advice) -> tuple[Move, ...]:
    """The moves to compare if none are named: the best few."""
    return tuple(entry.move for entry in advice.moves[:BEST_FEW])


def score_chances(
    chances: BestChances, outlooks: OutlookSource, position: Position, move: Move | None = None
) -> ScoreChances:
    """The chances of all final scores of the player to move, from a position or after a legal move."""
    first, best = position_curve(chances, position, move)
    outlook = outlooks.at(position) if move is None else outlooks.after(position, move)
    return ScoreChances(move, first, best, outlook)


def select_moves(
    chances: BestChances, outlooks: OutlookSource, position: Position, moves: Sequence[Move]
) -> SelectedMoves:
    """The chances of all final scores from a position and after each of some moves."""
    for move in moves:
        position.check(move)
    return SelectedMoves(
        position,
        score_chances(chances, outlooks, position),
        tuple(score_chances(chances, outlooks, position, move) for move in moves),
    )
