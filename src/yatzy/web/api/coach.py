"""Routes of the coach: explanations, outlooks and reviews."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from yatzy.errors import InputError
from yatzy.games import Move, Position
from yatzy.names import Objective, PayoffName, forms
from yatzy.report.fields import explanation_fields, outlook_fields
from yatzy.report.review_fields import review_fields
from yatzy.web import coaching, limits, requests
from yatzy.web.api.answers import NEEDS_TABLES, answer, read, service_of, unless_left
from yatzy.web.models import OfPosition, Question, Text

router = APIRouter(tags=["coach"], responses=NEEDS_TABLES)


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


class AskReview(Question):
    """A record and an objective."""

    record: Annotated[str, Field(max_length=coaching.RECORD)] = Field(
        description="The text of a record (docs/records.md).",
        examples=["game: yatzy\nplayer: Ann\n\n1: 11455 (55) 55556 (5555) 15555 fives 20\n"],
    )
    objective: Text = Field("expected", description=f"{requests.forms_of(Objective)}.")
    payoff: Text = Field("match-points", description=f"{', '.join(forms(PayoffName))}.")
    player: Text | None = Field(None, description="Return only the player with this name.")


class CategoryExpected(BaseModel):
    """The outlook of a category."""

    chance: float = Field(description="The chance of scoring in it.")
    points: float
    this_turn: float
    this_turn_points: float


class OutlookPart(BaseModel):
    """The outlook of a sheet under best play for points."""

    objective: Literal["expected"]
    exact: bool
    games: int | None = Field(description="Number of simulated games, if the outlook is not exact.")
    mean: float
    sd: float
    low: int = Field(description="The 10th percentile of the final score.")
    high: int = Field(description="The 90th percentile of the final score.")
    bonus: float | None
    jokers: float
    categories: dict[str, CategoryExpected]


class OutlookAnswer(OutlookPart):
    """An outlook, with the chances of all final scores."""

    game: str
    position: str
    mass: list[float] = Field(description="The chance of exactly 0, 1, 2, … points.")
    notes: list[str]


class ExplainedMove(BaseModel):
    """One of two moves, with its outlook."""

    move: str
    value: float
    loss: float
    best: bool
    grade: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    outlook: OutlookPart


class ExplanationAnswer(BaseModel):
    """Two moves side by side, and their differences."""

    game: str
    objective: str
    unit: Literal["points", "chance", "worth"]
    position: str
    preferred: ExplainedMove
    other: ExplainedMove
    difference: float
    tied: bool
    points: dict[str, Any] = Field(description="How many points more the preferred move gives, by category and bonus.")
    sentences: list[str]
    notes: list[str]


class ReviewAnswer(BaseModel):
    """A game with every decision graded, and luck separated from skill: start + luck − error = final."""

    game: str
    objective: str
    unit: Literal["points", "chance", "worth"]
    sides: Literal["own", "both", "mover"]
    date: str | None
    over: bool
    order_known: bool
    scores: list[int]
    residual: float | None = Field(description="The largest remainder of the sum; rounding, if values are exact.")
    players: list[dict[str, Any]]


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
    fields = explanation_fields(found, question.language)
    return answer(fields | {"notes": [*fields["notes"], *asked.notes]})


@router.post("/outlook", response_model=OutlookAnswer)
async def outlook(question: AskOutlook, request: Request) -> Response:
    """Compute the outlook of a sheet under best play for points: final score, bonus and every category."""
    asked = await read(request, question)
    where = asked.position
    if question.player is not None and question.player > len(where.sheets):
        raise InputError(f"player: there are {len(where.sheets)} in this position, not {question.player}")
    if question.player is not None and question.move is not None:
        raise InputError("give either a player or a move, not both; a move is always that of the player to move")
    move = _read_move(where, question.move)
    seat = None if question.player is None else question.player - 1
    found = await coaching.outlook(service_of(request), where, seat, move)
    fields = {"game": where.game.id, "position": str(where), "mass": found.score.mass.tolist()}
    return answer(outlook_fields(found) | fields | {"notes": list(asked.notes)})


@router.post("/review", response_model=ReviewAnswer)
async def review(question: AskReview, request: Request) -> Response:
    """Grade every decision of a record, and separate luck from skill."""
    service = service_of(request)
    record = await service.workers.run(lambda: coaching.read_record(question.record))
    found = await unless_left(request, coaching.review(service, record, question.objective, question.payoff))
    if question.player is not None and found.of(question.player) is None:
        names = ", ".join(player.name for player in record.players)
        raise InputError(f"player: there is no {question.player!r} in this record; there are {names}")
    return answer(review_fields(found, question.player))
