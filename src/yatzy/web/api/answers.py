"""Shared by all routes: access to the service, JSON responses, and the error responses listed in OpenAPI."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from fastapi import Request, Response

from yatzy.coach.situation import Situation
from yatzy.report.answers.base import Answer, json_text
from yatzy.web.models import NotReadyYet, Problem
from yatzy.web.refusals import ClientLeft
from yatzy.web.service import Service

T = TypeVar("T")
PREFIX = "/api"
"""The path of the API."""


class Asks(Protocol):
    """A question about a position."""

    description: str | None

    def read(self) -> Situation:
        """The position of the request."""


def service_of(request: Request) -> Service:
    """The service of the application."""
    service: Service = request.app.state.service
    return service


REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request is malformed."},
    403: {
        "model": Problem,
        "description": "It names something that cannot be used over HTTP, such as a file.",
    },
    413: {"model": Problem, "description": "The body is too large."},
    415: {"model": Problem, "description": "The body is not JSON."},
    422: {"model": Problem, "description": "A field is wrong, or a limit is exceeded."},
    429: {"model": Problem, "description": "Too many long requests at the same time."},
}
NEEDS_TABLES: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    409: {"model": NotReadyYet, "description": "A table that the request needs is being built."},
}


def answer(found: Answer | dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON response. Not validated: the answer comes from the library, and validation is slower than writing it."""
    return Response(json_text(found, compact=True), status, headers, "application/json")


async def read(request: Request, question: Asks) -> Situation:
    """The position of a question. A custom game is compiled in a worker thread, not on the event loop."""
    return await service_of(request).read(question.read, question.description)


async def unless_left(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Await long work, and cancel it if the client disconnects."""
    working = asyncio.ensure_future(work)
    watching = asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait((working, watching), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientLeft("the client has closed the connection")
        return working.result()
    finally:
        for one in (working, watching):
            one.cancel()


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
