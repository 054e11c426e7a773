"""Take the pictures of the page for the README: wide, and on a phone at night.

python docs/screenshots.py          needs the extras of `make test` and a Chromium on this machine

The position is given and the tables are made first, so the pictures are the same every time.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from yatzy import load_game
from yatzy.solver import Solver

HERE = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SHEETS = "yatzy~s3..9...18.10.....20.22..~s2..12..20...18...0...24."
POSITION = f"{SHEETS}~d13356~r2"
"""Two players in their seventh turn, after a first roll."""


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with all tables of Yatzy, and games of nobody."""
    solver, game = Solver(), load_game("yatzy")
    solver.outlooks(game)
    solver.chances(game)
    with tempfile.TemporaryDirectory() as games:
        command = [sys.executable, "-c", "from yatzy.cli import main; main()", "serve", "--no-open", "--port", "0"]
        server = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env={**os.environ, "YATZY_GAMES": str(games)}
        )
        try:
            assert server.stderr is not None
            found = re.search(r"http://\S+:\d+", server.stderr.readline())
            assert found, "the server does not say where it is"
            yield found[0]
        finally:
            server.terminate()
            server.communicate()


def take(browser: Browser, address: str, path: Path, width: int, height: int, *, dark: bool) -> None:
    """One picture, when everything on the page is there."""
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", device_scale_factor=1
    )
    page.goto(f"{address}/?position={POSITION}")
    page.wait_for_function("window.did_handshake")
    page.wait_for_timeout(8000)
    page.screenshot(path=path)
    page.close()


def main() -> None:
    """Both pictures."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        sys.exit(f"no browser here; one of {', '.join(BROWSERS)} is needed")
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        take(browser, address, HERE / "page.png", 1400, 900, dark=False)
        take(browser, address, HERE / "page-phone.png", 390, 844, dark=True)
        browser.close()


if __name__ == "__main__":
    main()
