"""The connections of the server: bounded in number, and closed where no whole request arrives in time.

A connection costs a file, of which a process may open few. Uvicorn itself waits for ever for the rest of a request.
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
    """What a connection is doing."""

    RECEIVING = "receiving"
    """No request yet, or only a part of one."""
    ANSWERING = "answering"
    WEBSOCKET = "websocket"


class Connection:
    """A connection, from its first moment to its last."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple | list) and peer else ""
        self.state, self.received = State.RECEIVING, 0
        self.timer: asyncio.TimerHandle | None = None

    def expect(self, seconds: float | None) -> None:
        """Close it unless it is told something else within so many seconds."""
        if self.timer is not None:
            self.timer.cancel()
        loop = asyncio.get_running_loop()
        self.timer = None if seconds is None else loop.call_later(seconds, self.transport.abort)


class Connections:
    """All connections, the oldest first."""

    def __init__(self, most: int | None = None, seconds: float = limits.REQUEST_SECONDS) -> None:
        self.most = most_connections() if most is None else most
        self._seconds = seconds
        self._all: dict[asyncio.Transport, Connection] = {}

    def __len__(self) -> int:
        return len(self._all)

    def add(self, transport: asyncio.Transport) -> None:
        """Take a new connection in; where there are too many, another one or this one is closed."""
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
        """Forget a connection."""
        gone = self._all.pop(transport, None)
        if gone is not None:
            gone.expect(None)

    def upgraded(self, transport: asyncio.Transport) -> None:
        """Note that a connection is a websocket now, which pings see to."""
        one = self._all.get(transport)
        if one is not None:
            one.state = State.WEBSOCKET
            one.expect(None)

    def received(self, transport: asyncio.Transport, count: int, cycle: Any) -> None:
        """Note that bytes have arrived; `cycle` is Uvicorn's request, None before the first one is complete."""
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
        """Have a server's connections counted."""
        config.load()
        config.http_protocol_class = _watched(config.http_protocol_class, self.add, self)
        if config.ws_protocol_class is not None:
            config.ws_protocol_class = _watched(config.ws_protocol_class, self.upgraded, self)


def most_connections() -> int:
    """As many connections as the limit of files allows."""
    if sys.platform == "win32":
        return limits.CONNECTIONS
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY:
        return limits.CONNECTIONS
    return max(min(limits.CONNECTIONS, files - limits.FILES_KEPT), 4)


def _watched(
    base: type[asyncio.Protocol], begin: Callable[[asyncio.Transport], None], connections: Connections
) -> type[asyncio.Protocol]:
    """A protocol of Uvicorn that tells of its connections."""

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
