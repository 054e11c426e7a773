"""Ctrl-C ends `yatzy serve`, whatever it is doing."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import pytest

from web.conftest import Served

if TYPE_CHECKING:
    from web.conftest import Running

PATIENCE = 60.0
"""Seconds that a busy machine may take; on a quiet one all end within three."""


def ask(server: Served, path: str, **fields: Any) -> threading.Thread:
    """Ask in the background, and never mind the answer."""

    def work() -> None:
        with contextlib.suppress(httpx.HTTPError):  # the server ends meanwhile
            httpx.post(f"{server.address}/api/{path}", json=fields, timeout=300)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def children_of(pid: int) -> list[int]:
    """The processes below a process that are not gone."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found += [int(stat.parent.name), *children_of(int(stat.parent.name))]
    return found


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def end(server: Served, how: int = signal.SIGINT) -> float:
    """End it by a signal; the seconds that took. None of its processes is left."""
    children = children_of(server.process.pid)
    begun = time.monotonic()
    server.process.send_signal(how)
    try:
        server.process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.communicate()
        pytest.fail(f"it was still there after {PATIENCE:g} seconds")
    took = time.monotonic() - begun
    _, said = server.process.communicate(timeout=PATIENCE)
    assert "Traceback" not in said
    until(lambda: all(map(gone, children)))
    print(f"ended in {took:.2f} s")
    return took


@pytest.fixture
def busy(web: Running, tables: Path) -> Iterator[Served]:
    """A server whose tables are there."""
    server = Served(tables, "--prepare", "none")
    server.start()
    yield server
    if server.process.poll() is None:
        server.process.kill()
        server.process.communicate()


def is_working(server: Served) -> bool:
    """Whether a child of the server uses its processor."""

    def used() -> int:
        total = 0
        for pid in children_of(server.process.pid):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            total += int(fields[11])
        return total

    before = used()
    time.sleep(0.5)
    return used() > before + 5


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("distribution", {"game": "yatzy", "strategy": "random"}),
        ("simulate", {"game": "yatzy", "strategy": "expected", "games": 200_000}),
    ],
    ids=["distribution", "simulation"],
)
def test_while_long_questions_are_worked_on(busy: Served, path: str, fields: dict[str, Any]) -> None:
    for seed in range(3):
        ask(busy, path, **fields, **({"seed": seed} if path == "simulate" else {}))
    until(lambda: is_working(busy))
    end(busy)
    assert busy.process.returncode == 0


@pytest.mark.slow
def test_while_tables_are_made(tmp_path: Path) -> None:
    server = Served(tmp_path / "tables", "--prepare", "yatzy,yahtzee")
    server.start()

    def making() -> bool:
        tables = httpx.get(f"{server.address}/api/tables", timeout=300).json()["tables"]
        return any(one["state"] == "making" and one["table"] != "expected" and one["done"] > 0 for one in tables)

    until(making)
    end(server)
    assert server.process.returncode == 0


def test_while_the_first_table_is_made(tmp_path: Path) -> None:
    server = Served(tmp_path / "tables", "--prepare", "yatzy")
    server.start()
    end(server)
    assert server.process.returncode == 0


def test_while_requests_are_half_sent_and_connections_idle(busy: Served) -> None:
    at = urlsplit(busy.address)
    assert at.hostname is not None
    assert at.port is not None
    head = f"POST /api/advise HTTP/1.1\r\nHost: {at.netloc}\r\nContent-Type: application/json\r\n"
    sent = [b"", b"POST /api/ad", f"{head}Content-Length: 1000\r\n\r\n{{".encode(), b"GET / HTTP/1.1\r\n"]
    with contextlib.ExitStack() as open_ones:
        for begin in sent:
            connection = open_ones.enter_context(socket.create_connection((at.hostname, at.port)))
            connection.sendall(begin)
        kept = open_ones.enter_context(httpx.Client(base_url=busy.address))
        assert kept.post("/api/advise", json={"position": "yatzy~d13356~r2"}).status_code == 200
        end(busy)
    assert busy.process.returncode == 0


def test_while_a_websocket_is_open(busy: Served) -> None:
    at = urlsplit(busy.address)
    assert at.hostname is not None
    with socket.create_connection((at.hostname, at.port or 80), timeout=300) as connection:
        path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {at.netloc}\r\nOrigin: http://{at.netloc}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            "\r\n".encode()
        )
        assert connection.recv(1000).startswith(b"HTTP/1.1 101")
        end(busy)
    assert busy.process.returncode == 0


def test_a_second_signal_ends_it_at_once(busy: Served) -> None:
    ask(busy, "distribution", game="yatzy", strategy="random")
    until(lambda: is_working(busy))
    busy.process.send_signal(signal.SIGINT)
    end(busy)
    assert busy.process.returncode == 0


def test_a_request_to_end(busy: Served) -> None:
    ask(busy, "distribution", game="yatzy", strategy="random")
    until(lambda: is_working(busy))
    end(busy, signal.SIGTERM)
    assert busy.process.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM)


STUCK = """
import sys, threading, numpy as np
from yatzy.cli import main
from yatzy.web import service

def work():
    begun.set()
    while True:  # as a kernel that lets go of the interpreter now and then, and never ends
        np.sort(np.random.default_rng(1).random(10**7))

begun = threading.Event()
start = service.Service.start

def start_and_stick(self):
    start(self)
    for _ in range(2):
        self.workers._pool.submit(work)

service.Service.start = start_and_stick
main()
"""


class StuckServer(Served):
    code = STUCK


def test_while_threads_are_stuck(tables: Path) -> None:
    server = StuckServer(tables, "--prepare", "none")
    server.start()
    end(server)
    assert server.process.returncode == 0
