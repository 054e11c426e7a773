"""Route for simulated games."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from yatzy.report.answers.samples import SampleAnswer, sample_answer
from yatzy.web.api.answers import NEEDS_TABLES, PREFIX, answer, service_of, unless_left
from yatzy.web.models import AskSimulation

router = APIRouter(prefix=PREFIX, tags=["simulation"], responses=NEEDS_TABLES)


@router.post("/simulate", response_model=SampleAnswer)
async def simulate(question: AskSimulation, request: Request) -> Response:
    """Simulate games of a strategy: mean, spread, percentiles, bonus and every category, with standard errors."""
    service = service_of(request)
    game = await service.read(question.read_game, question.description)
    games = await unless_left(request, service.simulate(game, question.strategy, question.games, question.seed))
    return answer(sample_answer(games, question.at_least))
