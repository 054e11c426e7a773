"""Limits on the server's connections: how many there are, and how long each may take to send a whole request.

Every connection uses a file descriptor, and a process has few. Uvicorn has no timeout for an incomplete request.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any

from yatzy.web import limits

if TYPE_CHECKING:
    import uvicorn


class State(Enum):
    """The state of a connection."""

    RECEIVING = "receiving"
    """No request yet, or an incomplete one."""
    ANSWERING = "answering"
    WEBSOCKET = "websocket"


class Connection:
    """An open connection and its timeout."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple | list) and peer else ""
        self.state, self.received = State.RECEIVING, 0
        self.timer: asyncio.TimerHandle | None = None

    def expect(self, seconds: float | None) -> None:
        """Restart the timeout: close the connection after `seconds`. None cancels the timeout."""
        if self.timer is not None:
            self.timer.cancel()
        loop = asyncio.get_running_loop()
        self.timer = None if seconds is None else loop.call_later(seconds, self.transport.abort)


class Connections:
    """All connections, oldest first."""

    def __init__(self, most: int | None = None, seconds: float = limits.REQUEST_SECONDS) -> None:
        self.most = most_connections() if most is None else most
        self._seconds = seconds
        self._all: dict[asyncio.Transport, Connection] = {}

    def __len__(self) -> int:
        return len(self._all)

    def add(self, transport: asyncio.Transport) -> None:
        """Register a new connection. Over a limit, close an old idle one, or the new one if none is idle."""
        new = Connection(transport)
        counts = Counter(one.address for one in self._all.values())
        while len(self._all) >= self.most or counts[new.address] >= max(self.most * limits.ADDRESS_SHARE, 1):
            full = len(self._all) >= self.most
            crowded = counts.most_common(1)[0][0] if full else new.address
            idle = [one for one in self._all.values() if one.state is State.RECEIVING]
            oldest = next((one for one in idle if one.address == crowded), idle[0] if full and idle else None)
            if oldest is None:
                transport.abort()
                return
            self.remove(oldest.transport)
            counts[oldest.address] -= 1
            oldest.transport.abort()
        self._all[transport] = new
        new.expect(self._seconds)

    def remove(self, transport: asyncio.Transport) -> None:
        """Remove a connection and cancel its timeout."""
        gone = self._all.pop(transport, None)
        if gone is not None:
            gone.expect(None)

    def upgraded(self, transport: asyncio.Transport) -> None:
        """Mark a connection as a websocket. It has no timeout, because websockets are checked by pings."""
        one = self._all.get(transport)
        if one is not None:
            one.state = State.WEBSOCKET
            one.expect(None)

    def received(self, transport: asyncio.Transport, count: int, cycle: Any) -> None:
        """Record received bytes. `cycle` is Uvicorn's request, or None until the first one is complete."""
        one = self._all.get(transport)
        if one is None or one.state is State.WEBSOCKET:
            return
        begun = cycle is not None and not cycle.response_complete
        if begun and not cycle.more_body:
            one.state, one.received = State.ANSWERING, 0
            one.expect(None)
            return
        if one.state is State.ANSWERING:
            one.state = State.RECEIVING
            one.expect(self._seconds)
        one.received = 0 if begun else one.received + count
        if one.received > limits.HEADERS:
            transport.abort()

    def protocols(self, config: uvicorn.Config) -> None:
        """Make a server's protocols report their connections here."""
        config.load()
        config.http_protocol_class = _watched(config.http_protocol_class, self.add, self)
        if config.ws_protocol_class is not None:
            config.ws_protocol_class = _watched(config.ws_protocol_class, self.upgraded, self)


def most_connections() -> int:
    """The maximum number of connections, given the process's limit on open files."""
    if sys.platform == "win32":
        return limits.CONNECTIONS
    import resource  # not on Windows

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY:
        return limits.CONNECTIONS
    return max(min(limits.CONNECTIONS, files - limits.FILES_KEPT), 4)


def _watched(
    base: type[asyncio.Protocol], begin: Callable[[asyncio.Transport], None], connections: Connections
) -> type[asyncio.Protocol]:
    """A subclass of a Uvicorn protocol that reports its connections."""

    class Watched(base):  # type: ignore[valid-type, misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            begin(transport)
            super().connection_made(transport)

        def connection_lost(self, exc: Exception | None) -> None:
            connections.remove(self.transport)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            connections.received(self.transport, len(data), getattr(self, "cycle", None))

    return Watched
