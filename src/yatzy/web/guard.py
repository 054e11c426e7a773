"""Checks on every request, headers on every response, and the response to an unexpected error.

A page on another site can make its visitor's browser send requests here. It cannot change the `Host`, `Origin` and
`Sec-Fetch-*` headers that the browser adds. The host must be an IP address, a name of this machine or a name that the
user has given, and the origin must be this server. Content embedded by another site (an image, a frame, a script) is
refused; a link to a page is not. Requests without these headers, from programs and old browsers, are served normally.

The sizes of bodies and addresses are limited. An unexpected error is logged in full; the response gives no details.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import logging
import re
import secrets
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from yatzy.web import limits
from yatzy.web.addresses import names_of_this_machine
from yatzy.web.passing import passes_requests_on

log = logging.getLogger("yatzy.web")

Headers = list[tuple[bytes, bytes]]
NONCE = "yatzy.nonce"
"""The key of a request's scope for the nonce of its page."""

POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'self'{styles}; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self' {sockets}; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PLAIN = POLICY.format(scripts="'self'", styles="", sockets="").replace("'self' ;", "'self';")
"""The content security policy of everything except NiceGUI pages."""
ALWAYS: Headers = [
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_SIX = r"\[(?P<six>[0-9a-f:.]+(?:%[0-9a-z._~-]+)?)\]"
_HOST = re.compile(rf"(?:{_SIX}|(?P<name>[a-z0-9._-]{{1,253}}))(?::(?P<port>[0-9]{{1,5}}))?")
_LOOKED_AT = (b"host", b"origin", b"content-length", b"sec-fetch-site", b"sec-fetch-mode", b"sec-fetch-dest",
              b"sec-purpose")  # fmt: skip


class Guard:
    """Middleware that checks every request to an application."""

    def __init__(self, app: ASGIApp, host: str, names: Iterable[str] = ()) -> None:
        self.app = app
        self._names = {"localhost", host.casefold(), *map(str.casefold, names), *names_of_this_machine()}

    @passes_requests_on
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _LOOKED_AT}
        most = limits.BODY if scope["path"].startswith("/api/") else limits.PAGE_BODY
        problem = self._problem(scope, headers, most)
        if scope["type"] == "websocket":
            if problem is not None:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": problem[1][:100]})
                return
            await self.app(scope, receive, send)
            return
        scope[NONCE] = secrets.token_urlsafe(16)
        answer = _Answer(send, headers.get(b"host", ""), scope[NONCE])
        if problem is not None:
            await refuse(answer, *problem)
            return
        try:
            await self.app(scope, _Counted(receive, most), answer)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"][:200])
            if answer.begun:
                raise
            await refuse(answer, 500, "something went wrong on the server; see its log")

    def _problem(self, scope: Scope, headers: dict[bytes, str], most: int) -> tuple[int, str] | None:
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        if not self._is_ours(host):
            return 400, f"the host {host[:100]!r} is not a name of this server"
        if origin is not None and _place(origin) != host:
            return 403, f"requests from {origin[:100]!r} are not served"
        if _is_foreign(scope, headers):
            return 403, "requests from other sites are not served, except links to a page"
        if "prefetch" in headers.get(b"sec-purpose", ""):
            return 503, "pages are not built for prefetching"
        if len(scope["path"]) + len(scope["query_string"]) > limits.ADDRESS:
            return 414, f"the address is longer than the {limits.ADDRESS:,} bytes that are read here"
        length = headers.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 15 or int(length) > most:
            return 413, _too_large(most)
        return None

    def _is_ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host.casefold())
        if found is None or (found["port"] is not None and int(found["port"]) > 65535):
            return False
        if found["name"] is not None and found["name"].removesuffix(".") in self._names:
            return True
        try:
            address = ipaddress.ip_address(found["six"] or found["name"])
        except ValueError:
            return False
        return (address.version == 6) == (found["six"] is not None)


def _place(origin: str) -> str:
    """The host and port of an origin, or "" if it has none."""
    with contextlib.suppress(ValueError):
        return urlsplit(origin).netloc
    return ""


def _is_foreign(scope: Scope, headers: dict[bytes, str]) -> bool:
    """Whether the browser reports that another site, or another port on this host, made this request."""
    if headers.get(b"sec-fetch-site") not in ("cross-site", "same-site"):
        return False
    mode, target = headers.get(b"sec-fetch-mode"), headers.get(b"sec-fetch-dest")
    link = scope["type"] == "http" and scope["method"] == "GET" and mode == "navigate" and target == "document"
    return not link


class _Answer:
    """Adds the common headers to every response."""

    def __init__(self, send: Send, host: str, nonce: str) -> None:
        self._send, self._host, self._nonce = send, host, nonce
        self.begun = False

    @passes_requests_on
    async def __call__(self, message: Message) -> None:
        self.begun = True
        if message["type"] == "http.response.start":
            headers: Headers = [(name, value) for name, value in message.get("headers", ()) if name not in _OURS]
            policy = self._page_policy() if (b"x-nicegui-content", b"page") in headers else PLAIN
            headers += [*ALWAYS, (b"content-security-policy", policy.encode("latin-1"))]
            message = {**message, "headers": headers}
        await self._send(message)

    def _page_policy(self) -> str:
        # NiceGUI's page has inline scripts, so they need a nonce. It compiles component templates in the browser and
        # runs code from the server with eval, so 'unsafe-eval' is required. Vue and Quasar set style attributes, which
        # a nonce does not cover, so styles need 'unsafe-inline'. Event handlers in attributes, and scripts added to
        # the page later, have no nonce and do not run.
        scripts = f"'self' 'nonce-{self._nonce}' 'unsafe-eval'"
        return POLICY.format(scripts=scripts, styles=" 'unsafe-inline'", sockets=f"ws://{self._host}")


_OURS = {b"content-security-policy", *(name for name, _ in ALWAYS)}


class _Counted:
    """Reads a body up to a limit, regardless of its Content-Length."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left, self._most = receive, most, most

    @passes_requests_on
    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(413, _too_large(self._most))
        return message


def _too_large(most: int) -> str:
    return f"the body is larger than the {most:,} bytes that are read here"


@passes_requests_on
async def refuse(send: Send, status: int, message: str) -> None:
    """Respond with a one-line JSON error and close the connection."""
    body = json.dumps({"error": message}).encode()
    headers: Headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": body})
