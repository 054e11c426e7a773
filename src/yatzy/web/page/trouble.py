"""Logging of errors in the page's traffic: one line for malformed input, a traceback only for bugs.

Events, handshakes and messages on the websocket are untrusted input. NiceGUI, Socket.IO and Engine.IO log a traceback
for each one that they cannot read. An error in our own code is a bug: its traceback is logged once.
"""

from __future__ import annotations

import logging
import traceback
from html import escape
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from nicegui import App
from starlette.exceptions import HTTPException

from yatzy.web.api.answers import answer
from yatzy.web.passing import is_passing

OURS = Path(__file__).parents[2]
"""The folder of this package."""
LOGGERS = ("nicegui", "socketio", "socketio.server", "engineio", "engineio.server", "asyncio", "uvicorn.error",
           "yatzy.web")  # fmt: skip
LONGEST = 300
"""Maximum length of a log line."""
KINDS = 100
"""Maximum number of bugs whose traceback is logged."""
log = logging.getLogger("yatzy.web")


class OneLine(logging.Filter):
    """Log filter that shortens records to one line, except the first record of each bug in our code."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, but remove its traceback unless it is a new bug."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and self._is_news(error):
            return True
        try:
            said = " ".join(record.getMessage().split())
        except (TypeError, ValueError):  # the message contains untrusted input
            said = " ".join(str(record.msg).split())
        line = _line(error) if error is not None else ""
        record.msg, record.args = f"{said[:LONGEST]}{': ' if line else ''}{line[:LONGEST]}", ()
        record.exc_info, record.exc_text, record.stack_info = None, None, None
        return True

    def _is_news(self, error: BaseException) -> bool:
        kind = f"{type(error).__name__} {_where(error)}"
        if not _is_ours(error) or kind in self._seen or len(self._seen) >= KINDS:
            return False
        self._seen.add(kind)
        return True


def quiet_errors(app: App) -> None:
    """Log errors in the page's traffic as one line, and answer unknown URLs without creating a NiceGUI client."""
    one_line = OneLine()
    for name in LOGGERS:
        logging.getLogger(name).addFilter(one_line)
    app.add_exception_handler(404, _not_found)
    app.add_exception_handler(HTTPException, _refused)


def _is_ours(error: BaseException) -> bool:
    """Whether the error passed through our code, not counting functions that forward every request."""
    codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    return any(OURS in Path(code.co_filename).parents and not is_passing(code) for code in codes)


def _line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]} ({_where(error)})"


def _where(error: BaseException) -> str:
    """The file and line that raised the error."""
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    return f"{Path(places[-1][0]).name}:{places[-1][1]}" if places else "nowhere"


async def _not_found(request: Request, _: Exception) -> Response:
    path = request.url.path[:200]
    if path == "/api" or path.startswith("/api/"):
        return answer({"error": f"there is nothing at {path}; /api/docs lists all routes"}, 404)
    said = f'<!doctype html><title>Yatzy</title><p>There is no page at {escape(path)}. <a href="/">Yatzy</a></p>'
    return HTMLResponse(said, 404)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return answer({"error": str(error.detail)}, error.status_code, dict(error.headers or {}))
