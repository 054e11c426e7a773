"""Route for the status of the tables."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from yatzy.web.api.answers import answer, service_of
from yatzy.web.models import TableStates

router = APIRouter(tags=["tables"])


@router.get("/tables", response_model=TableStates)
async def tables(request: Request) -> Response:
    """Tell which tables are ready, which are being made and how far they are."""
    stand = await asyncio.to_thread(service_of(request).tables.status)  # reads the folder of tables
    return answer({"tables": [status.fields for status in stand]})
