"""An in-memory cache of NiceGUI's scripts and styles: a first visit loads about thirty of them.

Their URLs contain the version, so a cached response stays valid. NiceGUI reads each from disk with several switches
between threads, which together cost more than building the page.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from yatzy.web.passing import passes_requests_on

PREFIX = "/_nicegui/"
CONDITIONS = {b"range", b"if-none-match", b"if-modified-since", b"if-range"}
MOST = 24 * 2**20
"""Maximum size of the cache in bytes."""


class KeptFiles:
    """Middleware that serves cached files from memory."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._kept: dict[str, tuple[Message, bytes]] = {}
        self._size = 0

    @passes_requests_on
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a cached file, or forward the request."""
        path = scope.get("path", "")
        if scope["type"] != "http" or scope["method"] != "GET" or not path.startswith(PREFIX) or _conditional(scope):
            await self.app(scope, receive, send)
            return
        found = self._kept.get(path)
        if found is not None:
            await send(found[0])
            await send({"type": "http.response.body", "body": found[1]})
            return
        await self.app(scope, receive, _Watch(self, path, send))

    def keep(self, path: str, start: Message, body: bytes) -> None:
        """Cache a response marked as immutable, if it fits."""
        lasting = any(name == b"cache-control" and b"immutable" in value for name, value in start["headers"])
        if start["status"] == 200 and lasting and self._size + len(body) <= MOST and path not in self._kept:
            self._kept[path] = (start, body)
            self._size += len(body)


class _Watch:
    """Forwards a response and records it for the cache."""

    def __init__(self, files: KeptFiles, path: str, send: Send) -> None:
        self._files, self._path, self._send = files, path, send
        self._start: Message | None = None
        self._body = bytearray()

    @passes_requests_on
    async def __call__(self, message: Message) -> None:
        await self._send(message)
        if message["type"] == "http.response.start":
            self._start = message
        elif message["type"] == "http.response.body" and self._start is not None:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                self._files.keep(self._path, self._start, bytes(self._body))


def _conditional(scope: Scope) -> bool:
    return bool(scope["query_string"]) or any(name in CONDITIONS for name, _ in scope["headers"])
