"""Running the server: its socket, its address, its end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING

from yatzy.errors import InputError
from yatzy.web import limits
from yatzy.web.connections import Connections
from yatzy.web.service import Settings

if TYPE_CHECKING:
    import uvicorn

FIRST_PORT, PORTS = 8080, 20
"""Where a free port is looked for when none was named, and how many are tried."""
GRACE = 1.5
"""Seconds from the first signal in which everything may end by itself."""


def bind(host: str, port: int | None) -> socket.socket:
    """A socket at a port, or at the first free one."""
    ports = range(FIRST_PORT, FIRST_PORT + PORTS) if port is None else [port]
    problem: OSError | None = None
    for one in ports:
        try:
            family = socket.getaddrinfo(host, one, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((host, one), family=family)
        except OSError as error:
            problem = error
    where = f"{host}:{port}" if port is not None else f"{host}, ports {ports[0]} to {ports[-1]}"
    reason = problem.strerror if problem is not None and problem.strerror else str(problem)
    raise InputError(f"the server cannot listen at {where}: {reason.lower()}; name another --host or --port")


def address(server: socket.socket, host: str) -> str:
    """Where a browser finds the server."""
    port = server.getsockname()[1]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def _has_screen() -> bool:
    """Whether a browser has somewhere to open; without one the system would start one in the terminal."""
    asked = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    return asked or sys.platform in ("win32", "darwin")


def serve(settings: Settings, port: int | None, open_page: bool, say: Callable[[str], None]) -> None:
    """Serve until it is stopped; without a port the first free one is taken."""
    import uvicorn

    from yatzy.web.server import create_app

    # Whoever answers clicks gets its turn soon while workers compute: a tenth of Python's usual slice for threads.
    sys.setswitchinterval(0.0005)
    with bind(settings.host, port) as listening:
        where = address(listening, settings.host)
        app = create_app(replace(settings, port=listening.getsockname()[1], warm=True))
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=1,
            ws_per_message_deflate=False,  # takes longer than the way to one's own machine
            ws_max_size=limits.PAGE_BODY,
        )
        Connections().protocols(config)
        gc.freeze()  # what is there now stays: the collector need not look at it again for every page that is closed
        say(f"Yatzy is at {where} (Ctrl-C ends it)")
        if open_page and _has_screen():
            # The socket takes connections already; the browser waits for the rest.
            threading.Thread(target=webbrowser.open, args=(where,), daemon=True).start()
        # Once the server has ended, nothing is worth waiting for: not for threads, and not to be interrupted again.
        signal.signal(signal.SIGINT, lambda sig, _: _end_now(sig))
        _server(config, app.state.service.stop).run(sockets=[listening])


def _server(config: uvicorn.Config, leave: Callable[[], None]) -> uvicorn.Server:
    """A server that ends soon after the first signal, whatever it is doing, and at once after the second."""
    import uvicorn

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if self.should_exit:
                _end_now(sig)
            super().handle_exit(sig, frame)
            logging.getLogger("uvicorn.error").addFilter(_tells_more_than_the_end)
            threading.Thread(target=end, args=(sig,), daemon=True).start()

    def end(sig: int) -> None:
        # Long work is ended, so that whoever waits for it gets an answer.
        threading.Thread(target=leave, daemon=True).start()
        time.sleep(GRACE)
        _end_now(sig)

    return Server(config)


def _tells_more_than_the_end(record: logging.LogRecord) -> bool:
    """Whether a line of the log tells of more than requests that were cut off because the server ends."""
    cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not cut_off and "timeout graceful shutdown" not in str(record.msg)


def _end_now(sig: int) -> None:
    """End this process without waiting for its threads. All files are written so that they can be left at any time."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):  # closed, or none
            stream.flush()
    os._exit(0 if sig == signal.SIGINT else 128 + sig)
