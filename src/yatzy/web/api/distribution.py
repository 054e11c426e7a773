"""Route for the distribution of final scores."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from yatzy.report.fields import best_chance_fields, evaluation_fields
from yatzy.web.api.answers import NEEDS_TABLES, answer, read, service_of, unless_left
from yatzy.web.models import AskDistribution, BestChances, StrategyDistribution

router = APIRouter(tags=["distributions"], responses=NEEDS_TABLES)


@router.post("/distribution", response_model=BestChances | StrategyDistribution)
async def distribution(question: AskDistribution, request: Request) -> Response:
    """Compute the chances of all final scores: the best chance of each, or the exact distribution of a strategy."""
    asked, service = await read(request, question), service_of(request)
    if question.strategy is None:
        fields = best_chance_fields(asked.position, *await service.best_chances(asked.position))
    else:
        found = await unless_left(request, service.evaluate(asked.position, question.strategy))
        fields = evaluation_fields(asked.position, found)
    return answer(fields | {"notes": list(asked.notes)})
