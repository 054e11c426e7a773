"""A real server on loopback, and the system's Chromium where there is one."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn
from fastapi.routing import APIRoute
from helpers.plain import plain
from httpx._config import DEFAULT_TIMEOUT_CONFIG, create_ssl_context
from httpx._transports import default
from pydantic import TypeAdapter

from yatzy.solver import Solver
from yatzy.web.api import TOPICS
from yatzy.web.server import create_app
from yatzy.web.service import Service, Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Five seconds by default, which a busy machine may need to start to answer.
for part in ("connect", "read", "write", "pool"):
    setattr(DEFAULT_TIMEOUT_CONFIG, part, 300.0)
# Every call of httpx.get reads all certificates, which takes longer than most answers here.
setattr(default, "create_ssl_context", cache(create_ssl_context))  # noqa: B010  (mypy: not exported)

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# What Playwright turns off itself, because only the last list counts, and the two popups of the address bar. Those are
# pages of their own, which nobody sees here; each new page would load both, which takes longer than most of ours.
UNUSED = ("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
          "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
          "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints",
          "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
          "WebUIOmniboxPopup", "WebUIOmniboxAimPopup")  # fmt: skip
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", f"--disable-features={','.join(UNUSED)}")  # fmt: skip


PATIENCE = 90_000
"""Milliseconds until a test gives a page up: tables are made meanwhile, on a busy machine slowly."""


@dataclass(frozen=True)
class Running:
    """A server that answers."""

    address: str
    service: Service
    client: httpx.Client

    def ask(self, path: str, **fields: Any) -> httpx.Response:
        """Ask the API something."""
        return self.client.post(f"/api/{path}", json=fields)

    def answer(self, path: str, **fields: Any) -> dict[str, Any]:
        """What it answers; it must, and just what OpenAPI says."""
        return as_described(path, self.ask(path, **fields))

    def got(self, path: str, route: str | None = None) -> dict[str, Any]:
        """What it answers without a question."""
        return as_described(route or path, self.client.get(f"/api/{path}"))

    def refusal(self, path: str, **fields: Any) -> tuple[int, str]:
        """The status and the line with which it refuses; it must."""
        response = self.ask(path, **fields)
        return refused(response)


MODELS = {
    route.path: TypeAdapter(route.response_model)
    for topic in TOPICS
    for route in topic.router.routes
    if isinstance(route, APIRoute)
}
"""How to read the answers of each route."""


def as_described(route: str, response: httpx.Response) -> dict[str, Any]:
    """An answer. Its response model must read it, and writing that again must give the same fields in their order."""
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    again = plain(MODELS[f"/api/{route}"].validate_python(found))
    assert again == found
    assert list(again) == list(found)
    return found


def refused(response: httpx.Response) -> tuple[int, str]:
    """The status and the one line of a refusal."""
    assert 400 <= response.status_code < 500, response.text
    error = response.json()["error"]
    assert isinstance(error, str)
    assert error
    assert "\n" not in error
    assert "Traceback" not in error
    return response.status_code, error


@contextmanager
def running(settings: Settings) -> Iterator[Running]:
    """A server in a thread of this process, at a port of its own."""
    app = create_app(replace(settings, page=False))  # the page can be mounted once in a process
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        with httpx.Client(base_url=address, timeout=300) as client:
            yield Running(address, app.state.service, client)
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def web(tables: Path, solved: Callable[[str], Any], chances: Callable[[str], Any]) -> Iterator[Running]:
    """A server with the expected scores of Yatzy and all tables of two-yatzy, which take no time."""
    solved("yatzy")
    solved("two-yatzy")
    Solver(tables).endgames(chances("two-yatzy").game)
    with running(Settings(tables=tables, prepare=())) as server:
        yield server


class Served:
    """`yatzy serve` in a process of its own, at a port that it keeps when it is started again."""

    code = "from yatzy.cli import main; main()"

    def __init__(self, tables: Path, *arguments: str) -> None:
        self._tables, self._arguments, self.address, self._port = tables, arguments, "", "0"
        self.games = tables.with_name("games")
        """Where it saves games: nobody's own."""

    def start(self) -> None:
        """Start it, and wait until it has said where it is."""
        options = ["--no-open", "--port", self._port, "--tables", str(self._tables), *self._arguments]
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.code, "serve", *options],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "YATZY_GAMES": str(self.games)},
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        found = re.search(r"http://[^ ]+:(\d+)", line)
        assert found, line + self.process.stderr.read()
        self.address, self._port = found[0], found[1]
        httpx.get(f"{self.address}/api/tables", timeout=300).raise_for_status()

    def stop(self, how: int = signal.SIGTERM) -> str:
        """Stop it; what it said last."""
        self.process.send_signal(how)
        _, said = self.process.communicate(timeout=300)
        return said

    def restart(self) -> None:
        """Stop it and start it again at the same address."""
        self.stop()
        self.start()


@pytest.fixture
def served(web: Running, tables: Path) -> Iterator[Served]:
    """The command itself, with tables that are there."""
    server = Served(tables, "--prepare", "none")
    server.start()
    yield server
    if server.process.poll() is None:
        server.stop()


@pytest.fixture(scope="session")
def page_server(web: Running, tables: Path) -> Iterator[Served]:
    """The command itself, for tests that only look."""
    server = Served(tables, "--prepare", "none")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium; without one the test is skipped, or fails where it is required."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        reason = f"there is no browser: none of {', '.join(BROWSERS)} is installed"
        if os.environ.get("YATZY_BROWSER_TESTS") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)  # 5 seconds otherwise
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield chromium
        chromium.close()
    with warnings.catch_warnings():
        # The driver leaves a pipe to the collector of garbage, which would complain in somebody else's test.
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@dataclass(frozen=True)
class Visit:
    """A page of the browser, with everything it asked for and complained of."""

    page: Page
    requests: list[str]
    problems: list[str]

    def outside(self, address: str) -> list[str]:
        """Whatever was asked of anyone but the server."""
        own = (address, address.replace("http:", "ws:"), "data:", "blob:", "about:")
        return [url for url in self.requests if not url.startswith(own)]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """A fresh page."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    seen = Visit(page, [], [])
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("websocket", lambda socket: seen.requests.append(socket.url))
    page.on("pageerror", lambda error: seen.problems.append(str(error)))
    page.on("console", lambda message: seen.problems.append(message.text) if message.type == "error" else None)
    yield seen
    context.close()
