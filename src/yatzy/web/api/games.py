"""Routes for presets and custom games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from yatzy.games import PRESETS, load_preset
from yatzy.report.answers.games import GameAnswer, GamesAnswer, game_answer, games_answer
from yatzy.web import limits
from yatzy.web.api.answers import PREFIX, REFUSALS, answer, service_of
from yatzy.web.models import OfGame, Problem

router = APIRouter(prefix=PREFIX, tags=["games"])


@router.get("/games", response_model=GamesAnswer)
async def list_games() -> Response:
    """List all presets, with their categories, rules and names."""
    return answer(games_answer(load_preset(id) for id in PRESETS))


@router.get("/games/{id}", response_model=GameAnswer, responses={404: {"model": Problem}, **REFUSALS})
async def show_game(id: Annotated[str, Path(max_length=limits.TEXT, examples=["yatzy"])]) -> Response:
    """Show one preset."""
    if id not in PRESETS:
        return answer({"error": f"there is no game {id!r}; known are {', '.join(PRESETS)}"}, 404)
    return answer(game_answer(load_preset(id)))


@router.post("/games/read", response_model=GameAnswer, responses=REFUSALS)
async def read_game(question: OfGame, request: Request) -> Response:
    """Check the description of your own game, and return the game."""
    game = await service_of(request).read(question.read_game, question.description)
    return answer(game_answer(game))
