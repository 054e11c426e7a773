"""Route for the status of the tables."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from yatzy.report.answers.base import Answer
from yatzy.web.api.answers import PREFIX, answer, service_of
from yatzy.web.tables import TableState

router = APIRouter(prefix=PREFIX, tags=["tables"])


class TableStates(Answer):
    """The states of all tables."""

    tables: tuple[TableState, ...]


@router.get("/tables", response_model=TableStates)
async def tables(request: Request) -> Response:
    """List the tables that are ready or being built, with their progress."""
    stand = await asyncio.to_thread(service_of(request).tables.status)  # reads the folder of tables
    return answer(TableStates(tables=tuple(status.answer for status in stand)))
