"""Limits on open pages: how many there are, how many may be without a websocket, and for how long.

Every request for a page creates a NiceGUI client, which by default waits a minute for its websocket.
"""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from dataclasses import dataclass

from nicegui import Client

from yatzy.web import limits

PAUSE = 5.0
"""Seconds after a page was closed until garbage is collected."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    client: Client
    address: str
    timer: asyncio.TimerHandle


class Visits:
    """Counts pages and drops those that never connect."""

    def __init__(self) -> None:
        self._waiting: dict[str, _Waiting] = {}
        self._tidying = False

    def admit(self, client: Client) -> bool:
        """Start the timeout for the websocket of a new page. False if too many pages are open."""
        if len(Client.instances) - len(self._waiting) > limits.PAGES:
            return False
        while len(self._waiting) >= limits.WAITING_PAGES:
            self._drop(self._least_missed())
        timer = asyncio.get_running_loop().call_later(limits.WAITING_SECONDS, self._drop, client.id)
        self._waiting[client.id] = _Waiting(client, client.ip, timer)
        client.on_delete(lambda: self._closed(client.id))
        return True

    def begin(self, client: Client) -> bool:
        """Record that a page has connected. False if it had connected before."""
        return self._forget(client.id)

    def _closed(self, id: str) -> None:
        """Schedule a garbage collection, which is needed because the parts of a page refer to each other."""
        self._forget(id)
        if not self._tidying:
            self._tidying = True
            asyncio.get_running_loop().call_later(PAUSE, self._tidy)

    def _tidy(self) -> None:
        self._tidying = False
        gc.collect()

    def _least_missed(self) -> str:
        """The oldest waiting page of the client address that has the most."""
        most = Counter(one.address for one in self._waiting.values()).most_common(1)[0][0]
        return next(id for id, one in self._waiting.items() if one.address == most)

    def _drop(self, id: str) -> None:
        waiting = self._waiting.get(id)
        if waiting is not None and self._forget(id) and not waiting.client.is_deleted:
            waiting.client.delete()

    def _forget(self, id: str) -> bool:
        waiting = self._waiting.pop(id, None)
        if waiting is not None:
            waiting.timer.cancel()
        return waiting is not None
