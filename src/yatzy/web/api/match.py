"""Route for advice with several players."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from yatzy.report.answers.advice import MatchAdvice, match_advice
from yatzy.report.situation import situation_notes
from yatzy.web.api.answers import NEEDS_TABLES, PREFIX, answer, read, service_of, unless_left
from yatzy.web.models import AskMatch

router = APIRouter(prefix=PREFIX, tags=["several players"], responses=NEEDS_TABLES)


@router.post("/match/advise", response_model=MatchAdvice)
async def advise(question: AskMatch, request: Request) -> Response:
    """Rank all moves of the player to move by their value against the opponents."""
    asked = await read(request, question)
    work = service_of(request).match(asked.position, question.objective, question.payoff)
    advice, found = await unless_left(request, work)
    return answer(match_advice(advice, found, question.payoff, question.top, situation_notes(asked)))
