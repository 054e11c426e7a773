"""Route for the status of the tables."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from yatzy.web.api.answers import answer, service_of
from yatzy.web.models import TableStates

router = APIRouter(tags=["tables"])


@router.get("/tables", response_model=TableStates)
async def tables(request: Request) -> Response:
    """List the tables that are ready or being built, with their progress."""
    stand = await asyncio.to_thread(service_of(request).tables.status)  # reads the folder of tables
    return answer({"tables": [status.fields for status in stand]})
