"""A wire between browsers and a server that notes when bytes pass: what the server takes, without the browser."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Wire:
    """Passes connections on to a port of this machine."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        """Where browsers connect."""
        self._asked: list[float] = []
        self._answered: list[float] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def forget(self) -> None:
        """Begin a new question."""
        self._asked.clear()
        self._answered.clear()

    def first_and_last(self) -> tuple[float, float]:
        """Seconds from the first bytes of a question to the first and to the last bytes of its answer."""
        asked = self._asked[0]
        answers = [moment - asked for moment in self._answered if moment > asked]
        return answers[0], answers[-1]

    def _accept(self) -> None:
        while True:
            try:
                browser, _ = self._listening.accept()
            except OSError:
                return  # closed
            server = socket.create_connection(("127.0.0.1", self._to))
            for one in (browser, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for ends in ((browser, server, self._asked, True), (server, browser, self._answered, False)):
                threading.Thread(target=_pass_on, args=ends, daemon=True).start()

    def close(self) -> None:
        """Accept no more connections."""
        self._listening.close()


@contextmanager
def wired(port: int) -> Iterator[Wire]:
    """A wire to a port."""
    wire = Wire(port)
    try:
        yield wire
    finally:
        wire.close()


def _pass_on(source: socket.socket, sink: socket.socket, moments: list[float], sending: bool) -> None:
    """Pass bytes on, and note the moments at which the server was sent them or had sent them."""
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 20):
            if sending:
                sink.sendall(data)
            moments.append(time.monotonic())
            if not sending:
                sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
