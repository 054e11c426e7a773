"""Route for the distribution of final scores."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from yatzy.report.answers.values import BestChances, StrategyDistribution, best_chances, strategy_distribution
from yatzy.report.situation import situation_notes
from yatzy.web.api.answers import NEEDS_TABLES, PREFIX, answer, read, service_of, unless_left
from yatzy.web.models import AskDistribution

router = APIRouter(prefix=PREFIX, tags=["distributions"], responses=NEEDS_TABLES)


@router.post("/distribution", response_model=BestChances | StrategyDistribution)
async def distribution(question: AskDistribution, request: Request) -> Response:
    """Compute the chances of all final scores: the best chance of each, or the exact distribution of a strategy."""
    asked, service = await read(request, question), service_of(request)
    if question.strategy is None:
        first, chances = await service.best_chances(asked.position)
        return answer(best_chances(asked.position, first, chances, situation_notes(asked)))
    found = await unless_left(request, service.evaluate(asked.position, question.strategy))
    return answer(strategy_distribution(asked.position, found, situation_notes(asked)))
