"""What all routes share: the service of the application, JSON as it is sent, and the refusals that OpenAPI lists."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request, Response

from yatzy.web.models import NotReadyYet, Problem
from yatzy.web.service import Service


def service_of(request: Request) -> Service:
    """The service that answers."""
    service: Service = request.app.state.service
    return service


REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request is not one."},
    403: {"model": Problem, "description": "It names something that cannot be used over HTTP, such as a file."},
    413: {"model": Problem, "description": "The body is too large."},
    415: {"model": Problem, "description": "The body is not JSON."},
    422: {"model": Problem, "description": "Something in it is wrong, or more than is done here."},
    429: {"model": Problem, "description": "Too many long questions at the same time."},
}
NEEDS_TABLES: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    409: {"model": NotReadyYet, "description": "A table is not there yet; it is being made."},
}


def answer(fields: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Fields as JSON. They come from the library and need no check, which would take longer than the answer."""
    text = json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text, status, headers, "application/json")
