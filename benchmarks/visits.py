"""The cost of visits: pages per second, CPU time per visit, and memory after many visits and a rest.

There are three kinds of visits: requests that never open a websocket, visits with a websocket, and visits by a real
browser, each in a new context.
"""

from __future__ import annotations

import http.client
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.page_speed import ARGUMENTS, BROWSERS
from benchmarks.report import Grid, Result, Settings, Value, seconds, size
from benchmarks.serve_speed import _cpu, _memory, _wait_until_ready

VISITS, QUICK_VISITS = 5000, 300
SOCKETS, QUICK_SOCKETS = 500, 50
CONTEXTS, QUICK_CONTEXTS = 500, 20
WARM_UP, REST, QUICK_REST = 30, 60, 20
SOCKETS_WARM_UP = 300  # the level is reached within the first few hundred visits and then stays
AIM_CPU, AIM_GROWTH = 0.04, 30 * 2**20
PATHS = ("/", "/review", "/quiz", "/lab")
PING, PONG = "2", "3"
SHOWN = ("data-address", "move-0", "analysis-numbers")
_CLIENT = re.compile(r"[\"']client_id[\"']: ?[\"']([0-9a-f-]{36})")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of visits: its costs, and the server's memory before and after."""

    name: str
    visits: int
    seconds: float
    cpu: float
    before: int
    after: int
    rested: int


def run(settings: Settings) -> Result:
    """Start a server and visit it."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as games:
        command = [sys.executable, "-m", "benchmarks.serve_speed", str(port)]
        with subprocess.Popen(command, env={**os.environ, "YATZY_GAMES": games}) as server:
            try:
                _wait_until_ready(port)
                return visit(server.pid, port, settings)
            finally:
                server.terminate()


def visit(pid: int, port: int, settings: Settings) -> Result:
    """Visit a running server."""
    rest = settings.repeats(REST, QUICK_REST)
    kinds = [
        _measure("no websocket", pid, settings.repeats(VISITS, QUICK_VISITS), rest, _plain(port)),
        _measure(
            "a websocket",
            pid,
            settings.repeats(SOCKETS, QUICK_SOCKETS),
            rest,
            _with_socket(port),
            settings.repeats(SOCKETS_WARM_UP, WARM_UP),
        ),
    ]
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is not None:
        kinds.append(_browse(browser, pid, port, settings.repeats(CONTEXTS, QUICK_CONTEXTS), rest))
    return _result(kinds)


def _measure(
    name: str, pid: int, visits: int, rest: float, once: Callable[[int], None], warm_up: int = WARM_UP
) -> Kind:
    for number in range(warm_up):  # warm up
        once(number)
    time.sleep(rest)
    before, cpu, begun = _memory(pid), _cpu(pid), time.perf_counter()
    for number in range(visits):
        once(number)
    took, used, after = time.perf_counter() - begun, _cpu(pid) - cpu, _memory(pid)
    time.sleep(rest)
    return Kind(name, visits, took, used, before, after, _memory(pid))


def _plain(port: int) -> Callable[[int], None]:
    def once(number: int) -> None:
        _get(port, PATHS[number % len(PATHS)])

    return once


def _get(port: int, path: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"GET {path} was answered with {answer.status}: {text[:200]}")
        return text
    finally:
        connection.close()


def _with_socket(port: int) -> Callable[[int], None]:
    """A visit to the table as a browser makes it, until advice and analysis have arrived."""
    from websockets.sync.client import connect
    from websockets.typing import Origin

    def once(number: int) -> None:
        seen = _get(port, "/")
        found = _CLIENT.search(seen)
        if found is None:
            raise RuntimeError("the page names no client")
        query = f"client_id={found[1]}&next_message_id=0&implicit_handshake=true&tab_id=tab-{number}"
        query += f"&document_id=document-{number}&EIO=4&transport=websocket"
        address = f"ws://127.0.0.1:{port}/_nicegui_ws/socket.io/?{query}"
        with connect(address, origin=Origin(f"http://127.0.0.1:{port}"), max_size=None) as page:
            page.recv(timeout=60)
            page.send("40")
            while not all(part in seen for part in SHOWN):
                message = str(page.recv(timeout=60))
                seen += message
                if message == PING:
                    page.send(PONG)

    return once


def _browse(browser: str, pid: int, port: int, contexts: int, rest: float) -> Kind:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=list(ARGUMENTS))

        def once(number: int) -> None:
            context = chromium.new_context()
            page = context.new_page()
            page.goto(f"http://127.0.0.1:{port}{PATHS[number % len(PATHS)]}")
            page.wait_for_function("window.did_handshake")
            page.wait_for_selector("[data-testid=move-0], [data-testid=review-note], [data-testid=quiz-start], "
                                   "[data-testid=compare]")  # fmt: skip
            context.close()

        kind = _measure("a browser context", pid, contexts, rest, once, warm_up=len(PATHS))
        chromium.close()
    return kind


def _result(kinds: list[Kind]) -> Result:
    rows = [
        [one.name, f"{one.visits:,}", f"{one.visits / one.seconds:.1f}", seconds(one.cpu / one.visits),
         size(one.before), size(one.after), size(one.rested), f"{(one.rested - one.before) / 2**20:+.1f} MiB"]
        for one in kinds
    ]  # fmt: skip
    data: dict[str, Value] = {
        one.name.replace(" ", "_"): {
            "visits": one.visits, "visits_per_second": one.visits / one.seconds,
            "cpu_per_visit_s": one.cpu / one.visits,
            "memory_before": one.before, "memory_after": one.after, "memory_rested": one.rested,
        }
        for one in kinds
    }  # fmt: skip
    columns = ("visits with", "number", "a second", "core time each", "memory before", "after", "after a rest", "grown")
    failures = [
        f"visits: memory grew by {size(one.rested - one.before)} over {one.visits:,} visits with {one.name}"
        for one in kinds
        if one.rested - one.before > AIM_GROWTH
    ]
    caption = f"The aim: {seconds(AIM_CPU)} of a core for a visit; {size(AIM_GROWTH)} grown at most after a rest."
    return Result([Grid("Visits of the page", columns, rows, caption)], data, failures)


if __name__ == "__main__":
    from rich.console import Console

    from benchmarks.report import show

    for grid in visit(int(sys.argv[1]), int(sys.argv[2]), Settings(quick=True)).grids:
        show(Console(width=140), grid)
