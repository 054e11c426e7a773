"""Memory over thousands of visits: page GETs whose websocket never comes, and browsers that come and go."""

from __future__ import annotations

import shutil
import time
from concurrent.futures import ThreadPoolExecutor

from siege.campaign import Campaign
from siege.report import Result
from siege.requests import PAGES, rested_memory
from siege.web import Server, check_server, known_value

GETS, SHORT_GETS = 5000, 80
CONTEXTS, SHORT_CONTEXTS = 60, 0
GROWTH = 30.0
"""Megabytes after a minute of rest."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Visits(Campaign):
    """Two jobs: plain GETs, and a browser."""

    name = "visits"
    jobs, short_jobs = 2, 1
    seconds, short_seconds = 1500.0, 90.0
    workers = 1

    def prepare(self) -> None:
        """Start a server and let it make what it makes once."""
        (self.folder / "server").mkdir()
        self._server = Server(self.folder / "server")
        self._server.start()
        self._known = known_value()
        for page in PAGES * 60:
            self._server.get(page)

    def close(self) -> None:
        """End the server."""
        self._server.stop()

    def attempt(self, number: int) -> Result:
        """Visit, rest, and compare the memory."""
        result = Result(tries=0)
        before = rested_memory(self._server, 12 if self.short else 75)
        begun = time.perf_counter()
        if number == 0:
            self._gets(SHORT_GETS if self.short else GETS, result)
            result.counts["GETs a second"] = int(result.tries / (time.perf_counter() - begun))
        else:
            self._browse(SHORT_CONTEXTS if self.short else CONTEXTS, result)
        most, after = self._server.memory(), rested_memory(self._server, 12 if self.short else 75)
        what = "GETs" if number == 0 else "browsers"
        result.counts[f"{what}: memory before, MB"] = int(before)
        result.counts[f"{what}: right after, MB"] = int(most)
        result.counts[f"{what}: after a rest, MB"] = int(after)
        if after > before + GROWTH:
            each = (after - before) / max(result.tries, 1)
            result.add("leak", f"{result.tries} {what}: {before:.0f} MB, then {after:.0f} MB, {each:.2f} MB each")
        check_server(self._server, self._known, result)
        return result

    def _gets(self, count: int, result: Result) -> None:
        with ThreadPoolExecutor(4) as pool:
            for answer in pool.map(lambda i: self._server.get(PAGES[i % len(PAGES)]), range(count)):
                result.tries += 1
                result.counts[f"GET {answer.status}"] += 1
                if answer.status not in (200, 429, 503):
                    result.add("unclear", f"a page got {answer.status} {answer.problem}")

    def _browse(self, count: int, result: Result) -> None:
        path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
        if path is None:
            result.counts["no browser is installed"] += 1
            return
        from playwright.sync_api import sync_playwright

        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            for i in range(count):
                context = browser.new_context()
                page = context.new_page()
                page.goto(f"http://127.0.0.1:{self._server.port}{PAGES[i % len(PAGES)]}", timeout=60_000)
                page.wait_for_function("window.did_handshake === true", timeout=60_000)
                result.tries += 1
                context.close()
            browser.close()
