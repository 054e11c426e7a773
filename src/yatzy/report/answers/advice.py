"""Advice as JSON, for one player and in a match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from yatzy.names import Others
from yatzy.report.answers.base import Answer, left_out
from yatzy.report.answers.moves import RankedMoveAnswer, ranked_fields
from yatzy.report.answers.outlooks import OutlookPart, outlook_part
from yatzy.report.answers.searches import search_fields
from yatzy.report.answers.selected_moves import SelectedMovesPart, selected_moves_part
from yatzy.units import Unit

if TYPE_CHECKING:
    from yatzy.coach.advice import Advice, RankedMove
    from yatzy.coach.selected_moves import SelectedMoves
    from yatzy.evaluation.outlook import Outlook
    from yatzy.matches.search import MatchAnswer


class AdvisedMove(RankedMoveAnswer):
    """A move with its value for every objective and its loss against the best move."""

    values: dict[str, float]
    """The value for each objective."""
    best_for: tuple[str, ...]
    """The objectives for which it is a best move."""


class RankedMoves(Answer):
    """What advice has in common for one player and in a match."""

    game: str
    objective: str
    unit: Unit
    position: str
    dice: tuple[int, ...]
    rolls_left: int
    points: int
    """Points so far."""
    value: float
    best: str
    moves: tuple[AdvisedMove, ...]
    outlook: OutlookPart | None
    """The outlook of the position; null if it was not requested."""


class AdviceAnswer(RankedMoves):
    """All moves of a position, ranked by the first objective."""

    selected_moves: SelectedMovesPart | None = left_out()
    """The chances of all final scores after selected moves; only if they were requested."""
    notes: tuple[str, ...]
    """What was assumed about the question."""


class MatchAdvice(RankedMoves):
    """All moves, ranked by their value against the opponents, and details of the search."""

    search: str
    turns: int
    """Turns searched, including the present one."""
    exact: bool
    """Whether these are the values of optimal play."""
    others: Others | None
    """What was assumed about the turns of the others; null if none was searched, or two play for a constant sum."""
    seconds: float
    player: int
    """The number of the player to move, from 1."""
    payoff: str
    notes: tuple[str, ...] | None = left_out()
    """What was assumed about the question."""


def advice_answer(
    advices: Sequence[Advice],
    top: int | None = None,
    outlook: Outlook | None = None,
    notes: Iterable[str] = (),
    selected: SelectedMoves | None = None,
) -> AdviceAnswer:
    """All moves of a position with their grades, ranked by the first objective; at most `top` of them."""
    part = None if selected is None else selected_moves_part(selected)
    return AdviceAnswer(**_ranked(advices, top, outlook), selected_moves=part, notes=tuple(notes))


def match_advice(
    advice: Advice, found: MatchAnswer, payoff: str, top: int | None = None, notes: Iterable[str] | None = None
) -> MatchAdvice:
    """All moves of a position in a match, and how the search found their values."""
    return MatchAdvice(
        **_ranked([advice], top, None),
        **search_fields(found, payoff),
        notes=None if notes is None else tuple(notes),
    )


def _ranked(advices: Sequence[Advice], top: int | None, outlook: Outlook | None) -> dict[str, Any]:
    ranked, where = advices[0], advices[0].position
    return {
        "game": where.game.id,
        "objective": ranked.objective,
        "unit": ranked.unit,
        "position": str(where),
        "dice": where.dice,
        "rolls_left": where.rolls_left,
        "points": where.sheet.points,
        "value": ranked.value,
        "best": str(ranked.best.move),
        "moves": tuple(_advised(entry, advices) for entry in ranked.moves[:top]),
        "outlook": None if outlook is None else outlook_part(outlook),
    }


def _advised(entry: RankedMove, advices: Sequence[Advice]) -> AdvisedMove:
    """A move as the first of the advices ranks it, with its value in all of them."""
    values, best_for = {advices[0].objective: entry.value}, [advices[0].objective] if entry.best else []
    for advice in advices[1:]:
        one = advice.of(entry.move)
        values[advice.objective] = one.value
        if one.best:
            best_for.append(advice.objective)
    return AdvisedMove(**ranked_fields(entry), values=values, best_for=tuple(best_for))
