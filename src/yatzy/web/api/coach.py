"""Routes of the coach: explanations, outlooks, selected moves and reviews."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import ConfigDict, Field

from yatzy.coach.selected_moves import MOST_MOVES
from yatzy.errors import InputError
from yatzy.games import Move, Position
from yatzy.names import Objective, PayoffName, forms
from yatzy.report.answers.explanations import ExplanationAnswer, explanation_answer
from yatzy.report.answers.outlooks import OutlookAnswer, outlook_answer
from yatzy.report.answers.reviews import ReviewAnswer, review_answer
from yatzy.report.answers.selected_moves import SelectedMovesAnswer, selected_moves_answer
from yatzy.report.situation import situation_notes
from yatzy.web import coaching, limits, requests
from yatzy.web.api.answers import NEEDS_TABLES, PREFIX, answer, read, service_of, unless_left
from yatzy.web.models import OfPosition, Question, Text

router = APIRouter(prefix=PREFIX, tags=["coach"], responses=NEEDS_TABLES)


class AskExplanation(OfPosition):
    """A position and two of its moves."""

    move: Text | None = Field(None, description="A move: dice to keep such as `33`, `-` for none, or a category.")
    against: Text | None = Field(None, description="The move to compare it with (default: the best move).")
    objective: Text = Field("expected", description="The objective.")
    language: Literal["en", "sv", "de"] = Field("en", description="The language of the sentences.")

    model_config = ConfigDict(json_schema_extra={"examples": [{"position": "yatzy~d13356~r2", "move": "33"}]})


class AskOutlook(OfPosition):
    """A position, and optionally a player or a move."""

    player: Annotated[int, Field(ge=1, le=limits.PLAYERS, strict=True)] | None = Field(
        None, description="The number of a player, from 1 (default: the player to move)."
    )
    move: Text | None = Field(None, description="The outlook after this move of the player to move.")

    model_config = ConfigDict(json_schema_extra={"examples": [{"position": "yatzy~d13356~r2"}]})


class AskSelectedMoves(OfPosition):
    """A position and some of its moves."""

    moves: Annotated[list[Text], Field(max_length=MOST_MOVES)] = Field(
        [],
        description="Moves: dice to keep such as `33`, `-` for none, or a category (default: the best few).",
        examples=[["33", "56"]],
    )
    objective: Text = Field("expected", description="The objective by which the best few are chosen.")

    model_config = ConfigDict(json_schema_extra={"examples": [{"position": "yatzy~d13356~r2", "moves": ["33", "56"]}]})


class AskReview(Question):
    """A record and an objective."""

    record: Annotated[str, Field(max_length=limits.RECORD)] = Field(
        description="The text of a record (docs/records.md).",
        examples=["game: yatzy\nplayer: Ann\n\n1: 11455 (55) 55556 (5555) 15555 fives 20\n"],
    )
    objective: Text = Field("expected", description=f"{requests.forms_of(Objective)}.")
    payoff: Text = Field("match-points", description=f"{', '.join(forms(PayoffName))}.")
    player: Text | None = Field(None, description="Return only the player with this name.")


def _read_move(where: Position, text: str | None) -> Move | None:
    return None if text is None else where.game.parse_move(text)


@router.post("/explain", response_model=ExplanationAnswer)
async def explain(question: AskExplanation, request: Request) -> Response:
    """Explain why a move is better than another: both outlooks side by side, and sentences."""
    asked = await read(request, question)
    where = asked.position
    move, against = (_read_move(where, text) for text in (question.move, question.against))
    work = coaching.explain(service_of(request), where, question.objective, move, against)
    found = await unless_left(request, work)
    return answer(explanation_answer(found, question.language, situation_notes(asked)))


@router.post("/outlook", response_model=OutlookAnswer)
async def outlook(question: AskOutlook, request: Request) -> Response:
    """Compute the outlook of a sheet under best play for points: final score, bonus and every category."""
    asked = await read(request, question)
    where = asked.position
    if question.player is not None and question.player > len(where.sheets):
        raise InputError(
            "player: there are {count} in this position, not {player}", count=len(where.sheets), player=question.player
        )
    if question.player is not None and question.move is not None:
        raise InputError("give either a player or a move, not both; a move is always that of the player to move")
    move = _read_move(where, question.move)
    seat = None if question.player is None else question.player - 1
    found = await coaching.outlook(service_of(request), where, seat, move)
    return answer(outlook_answer(where, found, situation_notes(asked)))


@router.post("/selected-moves", response_model=SelectedMovesAnswer)
async def selected_moves(question: AskSelectedMoves, request: Request) -> Response:
    """Compute the chances of all final scores after some moves: at best, and if play goes on for points."""
    asked = await read(request, question)
    work = coaching.selected_moves(service_of(request), asked.position, question.moves, question.objective)
    return answer(selected_moves_answer(await unless_left(request, work), situation_notes(asked)))


@router.post("/review", response_model=ReviewAnswer)
async def review(question: AskReview, request: Request) -> Response:
    """Grade every decision of a record, and separate luck from skill."""
    service = service_of(request)
    record = await service.workers.run(lambda: coaching.read_record(question.record))
    found = await unless_left(request, coaching.review(service, record, question.objective, question.payoff))
    if question.player is not None and found.of(question.player) is None:
        names = ", ".join(player.name for player in record.players)
        raise InputError(
            "player: there is no {player!r} in this record; there are {names}", player=question.player, names=names
        )
    return answer(review_answer(found, question.player))
