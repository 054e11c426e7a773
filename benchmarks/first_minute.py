"""The first minute: from `make run` in a fresh clone of the last commit to a page with advice in a browser.

It starts from nothing: no virtual environment, no packages in the caches of pip and uv, no kernels, no tables.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.page_speed import ARGUMENTS, BROWSERS
from benchmarks.report import Grid, Result, Settings, Value, seconds

AIM = 60.0
VALUED = r"() => /\d\.\d\d/.test(document.querySelector('[data-testid=moves] tbody tr')?.innerText)"
"""Whether the page shows the best move with its value; before that, the list is empty or without values."""
ROOT = Path(__file__).parents[1]


def run(settings: Settings) -> Result:
    """Set up in a temporary folder, first with empty package caches, then with those filled by the first time."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        return Result([Grid("The first minute", ("", ""), [["no browser is installed", ""]])], {})
    rows, data = [], dict[str, Value]()
    with tempfile.TemporaryDirectory() as home:
        for packages in ("fetched", "at hand")[: settings.repeats(2, 1)]:
            served, advised = _first_minute(browser, Path(home))
            rows.append([f"packages {packages}", seconds(served), seconds(advised), seconds(AIM)])
            data[packages] = {"served_s": served, "advised_s": advised}
    columns = ("from make run in a fresh clone", "to the page's address", "to advice in the browser", "the aim")
    return Result([Grid("The first minute", columns, rows)], data)


def _first_minute(browser: str, home: Path) -> tuple[float, float]:
    """The time until the address is printed, and until the page shows moves with their values."""
    from playwright.sync_api import sync_playwright

    for leftover in ("clone", "tables", "games"):
        shutil.rmtree(home / leftover, ignore_errors=True)
    clone = home / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    unwanted = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "VIRTUAL_ENV", "NUMBA_CACHE_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted} | {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "YATZY_TABLES": str(home / "tables"),
        "YATZY_GAMES": str(home / "games"),
    }
    with sync_playwright() as driver:
        page = driver.chromium.launch(executable_path=browser, args=list(ARGUMENTS)).new_page()
        begun = time.perf_counter()
        made = subprocess.Popen(
            ["make", "run"], cwd=clone, env=environment, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            address = _address(made)
            served = time.perf_counter() - begun
            page.goto(address)
            page.wait_for_function(VALUED, timeout=300_000)
            return served, time.perf_counter() - begun
        finally:
            os.killpg(made.pid, signal.SIGTERM)
            made.wait()


def _address(made: subprocess.Popen[str]) -> str:
    assert made.stdout is not None
    said = []
    for line in made.stdout:
        said.append(line)
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise RuntimeError("make run ended without a page:\n" + "".join(said[-20:]))
