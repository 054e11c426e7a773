"""The FastAPI application: the HTTP API under `/api`, its documentation, and the error handlers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from yatzy import __version__
from yatzy.errors import InputError
from yatzy.web.api import routes
from yatzy.web.api.answers import answer
from yatzy.web.guard import Guard
from yatzy.web.refusals import Refusal
from yatzy.web.service import Service, Settings

ABOUT = """The answers of the command line as JSON: advice, values, chances, reviews and simulations.

A position is one line of text, or fields. Every error is `{"error": "one line"}`."""

DOCS = {"docs": ("docs.html", "text/html"), "docs.css": ("docs.css", "text/css"),
        "docs.js": ("docs.js", "text/javascript"), "icon.svg": ("icon.svg", "image/svg+xml")}  # fmt: skip


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the application. Its tables are made in the background."""
    settings = settings or Settings()
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        service.stop()

    app = FastAPI(
        title="Yatzy",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # FastAPI's documentation pages load scripts from other sites
        redoc_url=None,
    )
    app.state.service = service
    app.add_middleware(Guard, host=settings.host, names=settings.names)
    app.router.routes.extend(routes)
    if not settings.page:
        app.add_api_route("/", _home, include_in_schema=False)
    for path in DOCS:
        app.add_api_route(f"/api/{path}", _document, include_in_schema=False)
    # Must come before the page is mounted, which would also handle unknown paths under /api.
    app.router.routes.append(Route("/api/{path:path}", _Unknown(list(app.router.routes))))
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(InputError, _wrong)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _no_route)
    if settings.page:
        from yatzy.web.page.shell import mount  # imports NiceGUI, which an API alone does not need

        mount(app, service)
    return app


async def _home() -> Response:
    return RedirectResponse("/api/docs")


async def _document(request: Request) -> Response:
    name, kind = DOCS[request.url.path.rpartition("/")[2]]
    text = (resources.files("yatzy.web") / "assets" / name).read_text(encoding="utf-8")
    return Response(text, media_type=kind)


class _Unknown:
    """Handles requests that match no API route: 405 if another method would match, else 404."""

    def __init__(self, routes: list[BaseRoute]) -> None:
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        allowed = [method for method in ("GET", "POST") if self._takes(scope, method)]
        if allowed:
            said, status = f"{scope['path'][:200]} takes {' and '.join(allowed)}, not {scope['method'][:20]}", 405
        else:
            said, status = f"there is nothing at {scope['path'][:200]}; /api/docs lists all routes", 404
        headers = {"Allow": ", ".join(allowed)} if allowed else None
        await answer({"error": said}, status, headers)(scope, receive, send)

    def _takes(self, scope: Scope, method: str) -> bool:
        return any(route.matches({**scope, "method": method})[0] is Match.FULL for route in self._routes)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    headers = {"Retry-After": str(error.retry_after)} if error.retry_after else None
    return answer(error.fields(), error.status, headers)


async def _wrong(_: Request, error: Exception) -> Response:
    return answer({"error": str(error)}, 422)


async def _invalid(_: Request, error: Exception) -> Response:
    """A one-line message about the first validation error."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    more = f" (and {len(error.errors()) - 1} more)" if len(error.errors()) > 1 else ""
    if first["type"] == "json_invalid":
        return answer({"error": f"the body is not JSON: {first['ctx']['error']}"}, 422)
    return answer({"error": f"{where or 'the body'}: {first['msg'].lower()}{more}"}, 422)


async def _no_route(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return answer({"error": str(error.detail)}, error.status_code, dict(error.headers or {}))
