"""Before and behind everything: what is turned away unread, and what becomes of an error of ours.

A page elsewhere may have its visitor's browser send requests here. It cannot change the `Host` and `Origin` that the
browser puts on them: the host must be an address or a name of this server, and the origin, where there is one, must be
this server too. An address cannot be made to point elsewhere, as a name can. Bodies are read up to a bound.

An error that nobody expected goes to the log in full; the answer says only that there was one.
"""

from __future__ import annotations

import ipaddress
import json
import logging
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from yatzy.web import limits

log = logging.getLogger("yatzy.web")


class Guard:
    """Stands before an application."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app = app
        self._names = {"localhost", host.casefold()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in or turn it away."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _LOOKED_AT}
        problem = self._foreign(headers)
        most = limits.BODY if scope["path"].startswith("/api/") else limits.PAGE_BODY
        length = headers.get(b"content-length", "0")
        if problem is None and (not length.isdigit() or int(length) > most):
            problem = (413, _too_large(most))
        if problem is not None:
            await _refuse(scope, receive, send, *problem)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_on(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, _Counted(receive, most), send_on)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            if begun:
                raise
            await _refuse(scope, receive, send, 500, "something went wrong on the server; its log says what")

    def _foreign(self, headers: dict[bytes, str]) -> tuple[int, str] | None:
        host = headers.get(b"host", "")
        if not self._is_ours(host):
            return 400, f"the host {host[:100]!r} is not a name of this server"
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return 403, f"requests from {origin[:100]!r} are not served"
        return None

    def _is_ours(self, host: str) -> bool:
        name = host.casefold()
        name = name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


_LOOKED_AT = (b"host", b"origin", b"content-length")


class _Counted:
    """Reads a body up to a bound, whatever length it said it has."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left, self._most = receive, most, most

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(413, _too_large(self._most))
        return message


def _too_large(most: int) -> str:
    return f"the body is larger than the {most:,} bytes that are read here"


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, message: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": message[:100]})
        return
    body = json.dumps({"error": message}).encode()
    headers: list[Any] = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": body})
