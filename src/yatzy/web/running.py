"""Running the server: binding a socket, serving, shutting down."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
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

import uvicorn

from yatzy.errors import InputError, Message
from yatzy.web import limits
from yatzy.web.addresses import is_local, url
from yatzy.web.connections import Connections
from yatzy.web.qr import terminal_lines
from yatzy.web.server import create_app
from yatzy.web.service import Settings

FIRST_PORT, PORTS = 8080, 20
"""The first port to try if none is given, and the number of ports to try."""
GRACE = 1.5
"""Seconds for a graceful shutdown after the first signal."""
COLLECT_AFTER = 20_000
"""The number of new objects after which garbage is looked for."""
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # from malloc.h of the GNU C library


def bind(host: str, port: int | None) -> socket.socket:
    """A socket listening at a port, by default the first free one."""
    ports = range(FIRST_PORT, FIRST_PORT + PORTS) if port is None else [port]
    problem: OSError | None = None
    for one in ports:
        try:
            family = socket.getaddrinfo(host, one, type=socket.SOCK_STREAM)[0][0]
            return socket.create_server((host, one), family=family)
        except OSError as error:
            problem = error
    where = f"{host}:{port}"
    if port is None:
        where = Message("{host}, ports {first} to {last}", host=host, first=ports[0], last=ports[-1])
    reason = problem.strerror if problem is not None and problem.strerror else str(problem)
    raise InputError(
        "the server cannot listen at {where}: {reason}; name another --host or --port",
        where=where,
        reason=Message(reason.lower()),
    )


def address(server: socket.socket, host: str) -> str:
    """The URL of the server for a browser on this machine."""
    return url({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), server.getsockname()[1])


def welcome(where: str, settings: Settings, *, drawn: bool, coloured: bool) -> list[str]:
    """The lines to show when the server is ready: its addresses, and a QR code if other devices can open it.

    drawn: whether the terminal can show block characters; coloured: whether it understands colours.
    """
    lines = [f"Yatzy is at {where} (Ctrl-C stops it)"]
    others = settings.for_others
    if others:
        lines.append(f"On other devices of your network: {'  or  '.join(others)}")
        lines += terminal_lines(others[0], coloured=coloured) if drawn else []
    elif not is_local(settings.host):
        lines.append("This machine has no address on a network, so other devices cannot open it now")
    return lines


def _has_screen() -> bool:
    """Whether there is a display for a browser. Without one, `webbrowser` may start a text browser in the terminal."""
    asked = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    return asked or sys.platform in ("win32", "darwin")


def serve(
    settings: Settings,
    port: int | None,
    open_page: bool,
    say: Callable[[str], None],
    *,
    drawn: bool = False,
    coloured: bool = False,
) -> None:
    """Serve until stopped. Without a port, use the first free one. For `drawn` and `coloured` see `welcome`."""
    # Keep the event loop responsive while workers compute: a tenth of Python's default switch interval.
    sys.setswitchinterval(0.0005)
    keep_freed_memory()
    with bind(settings.host, port) as listening:
        where = address(listening, settings.host)
        settings = replace(settings, port=listening.getsockname()[1], warm=True)
        app = create_app(settings)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=1,
            ws_per_message_deflate=False,  # on a local connection, compressing takes longer than sending
            ws_max_size=limits.PAGE_BODY,
        )
        Connections().protocols(config)
        # Exclude what is loaded now from the collections that run when pages are closed, and make all others rare:
        # clicks make thousands of objects, but hardly any garbage that only a collection finds.
        gc.freeze()
        gc.set_threshold(COLLECT_AFTER, 10, 10)
        for line in welcome(where, settings, drawn=drawn, coloured=coloured):
            say(line)
        if open_page and _has_screen():
            # The socket accepts connections already; the browser waits until they are served.
            threading.Thread(target=webbrowser.open, args=(where,), daemon=True).start()
        # After the server has stopped, exit at once on Ctrl-C, without waiting for threads.
        signal.signal(signal.SIGINT, lambda sig, _: _end_now(sig))
        _server(config, app.state.service.stop).run(sockets=[listening])


def keep_freed_memory() -> None:
    """Let the C library reuse the memory of freed arrays instead of returning it to the system at once.

    The arrays of a turn take a few megabytes. Getting their pages anew for every question takes longer than filling
    them. Only the C library of GNU has this setting.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        set_option = ctypes.CDLL(None).mallopt
        set_option(_M_MMAP_THRESHOLD, limits.KEPT_FREE // 2)
        set_option(_M_TRIM_THRESHOLD, limits.KEPT_FREE)


def _server(config: uvicorn.Config, leave: Callable[[], None]) -> uvicorn.Server:
    """A server that exits within `GRACE` seconds of the first signal, and immediately on the second."""

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            if self.should_exit:
                _end_now(sig)
            super().handle_exit(sig, frame)
            logging.getLogger("uvicorn.error").addFilter(_tells_more_than_the_end)
            threading.Thread(target=end, args=(sig,), daemon=True).start()

    def end(sig: int) -> None:
        # Stop long work, so that the requests waiting for it are answered.
        threading.Thread(target=leave, daemon=True).start()
        time.sleep(GRACE)
        _end_now(sig)

    return Server(config)


def _tells_more_than_the_end(record: logging.LogRecord) -> bool:
    """Log filter that drops messages about requests cancelled by the shutdown."""
    cut_off = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
    return not cut_off and "timeout graceful shutdown" not in str(record.msg)


def _end_now(sig: int) -> None:
    """Exit without waiting for threads. All files are written so that stopping at any time is safe."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):  # closed or missing
            stream.flush()
    os._exit(0 if sig == signal.SIGINT else 128 + sig)
