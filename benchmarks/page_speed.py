"""The page in a browser: the time from a click to advice on the new dice, over a whole game played by clicks.

Between clicks there is a pause, as of a fast player, and long enough for dice to come to rest: while anything moves, a
frame waits for the next sixtieth of a second.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.report import Grid, Result, Settings, Value, seconds
from benchmarks.serve_speed import _wait_until_ready

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")
AIM, GAMES, QUICK_GAMES, TURNS, PAUSE = 0.1, 3, 1, 15, 0.8

# From the click to the frame that shows the new list of moves, measured by the browser's clock.
CLICK = """selector => new Promise(done => {
  const box = document.querySelector('[data-list=moves]'), begun = performance.now();
  new MutationObserver((_, watch) => {
    watch.disconnect();
    requestAnimationFrame(() => done((performance.now() - begun) / 1000));
  }).observe(box, {childList: true, subtree: true});
  document.querySelector(selector).click();
})"""
BEST, ROLL = "[data-testid=moves] tbody tr", "[data-testid=roll]"


def run(settings: Settings) -> Result:
    """Play games by clicking the best move."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        return Result([Grid("The page", ("", ""), [["no browser is installed", ""]])], {})
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as games:
        command, begun = [sys.executable, "-m", "benchmarks.serve_speed", str(port)], time.perf_counter()
        with subprocess.Popen(command, env={**os.environ, "YATZY_GAMES": games}) as server:
            try:
                started = _start(port) - begun
                _wait_until_ready(port)
                opened, clicks = _play(browser, f"http://127.0.0.1:{port}/", settings.repeats(GAMES, QUICK_GAMES))
            finally:
                server.terminate()
    return _result(started, opened, clicks)


def _start(port: int) -> float:
    """Wait until the server accepts connections, and return the time."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=60).close()
            return time.perf_counter()
        except OSError:
            time.sleep(0.02)


def _play(browser: str, address: str, games: int) -> tuple[float, list[float]]:
    """The time until the page first shows advice, and the times of all clicks that change the advice."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=list(ARGUMENTS))
        opened, clicks = 0.0, list[float]()
        for _ in range(games):
            page = chromium.new_context().new_page()
            begun = time.perf_counter()
            page.goto(address)
            page.wait_for_function("window.did_handshake && document.querySelector('[data-testid=move-0]')")
            opened = opened or time.perf_counter() - begun
            clicks += _game(page)
            page.context.close()
        chromium.close()
    return opened, clicks


def _game(page: Page) -> list[float]:
    times = []
    for turn in range(TURNS):
        if turn:
            times.append(_click(page, ROLL))
        while "○○○" not in page.get_by_test_id("rolls-left").inner_text():
            times.append(_click(page, BEST))
        _click(page, BEST)  # fills a category: no advice until the next roll
    return times


def _click(page: Page, selector: str) -> float:
    page.wait_for_timeout(1000 * PAUSE)
    return float(page.evaluate(CLICK, selector))


def _result(started: float, opened: float, clicks: Sequence[float]) -> Result:
    ordered = sorted(clicks)
    half, most = ordered[len(ordered) // 2], ordered[int(0.95 * len(ordered))]
    rows = [
        ["the server answers after", seconds(started), ""],
        ["the page is there with advice after", seconds(opened), ""],
        ["a click shows the new advice: half within", seconds(half), seconds(AIM)],
        ["95 % within", seconds(most), seconds(AIM)],
        ["the longest", seconds(ordered[-1]), ""],
    ]
    data: dict[str, Value] = {
        "clicks": len(ordered), "started_s": started, "opened_s": opened, "p50_s": half, "p95_s": most,
        "longest_s": ordered[-1],
    }  # fmt: skip
    return Result([Grid(f"The page in Chromium: {len(ordered)} clicks", ("", "measured", "the aim"), rows)], data)
