"""Routes for advice on moves and the value of a position."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from yatzy.names import parse_objective
from yatzy.report.answers.advice import AdviceAnswer, advice_answer
from yatzy.report.answers.values import ChanceAnswer, ValueAnswer, chance_answer, match_value, value_answer
from yatzy.report.situation import situation_notes
from yatzy.web.api.answers import NEEDS_TABLES, PREFIX, answer, read, service_of, unless_left
from yatzy.web.models import AskAdvice, AskChance, AskValue

router = APIRouter(prefix=PREFIX, tags=["advice"], responses=NEEDS_TABLES)


@router.post("/advise", response_model=AdviceAnswer)
async def advise(question: AskAdvice, request: Request) -> Response:
    """Rank all moves of a position by value, for one objective or several side by side."""
    asked = await read(request, question)
    advices = await service_of(request).advise(asked.position, question.objectives)
    return answer(advice_answer(advices, question.top, notes=situation_notes(asked)))


@router.post("/value", response_model=ValueAnswer)
async def value(question: AskValue, request: Request) -> Response:
    """Compute the value of a position for an objective; of a match, with details of the search."""
    asked = await read(request, question)
    if parse_objective(question.objective).several:
        work = service_of(request).match_value(asked.position, question.objective, question.payoff)
        found = await unless_left(request, work)
        return answer(
            match_value(found, str(parse_objective(question.objective)), question.payoff, situation_notes(asked))
        )
    solution, worth = await service_of(request).value(asked.position, question.objective)
    return answer(value_answer(solution, asked.position, worth, situation_notes(asked)))


@router.post("/chance", response_model=ChanceAnswer)
async def chance(question: AskChance, request: Request) -> Response:
    """Compute the best chance of reaching a final score."""
    asked = await read(request, question)
    solution, chance = await service_of(request).value(asked.position, f"target:{question.at_least}")
    return answer(chance_answer(solution, asked.position, question.at_least, chance, situation_notes(asked)))
