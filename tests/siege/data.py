"""Code and file access from data: every surface with every form. Refused, nothing opened, nothing run."""

from __future__ import annotations

import json
import shutil
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from siege.campaign import Campaign
from siege.kills import fresh
from siege.processes import Order, judge, run
from siege.report import Result
from siege.stock import UTILITY, make_stock
from siege.traps import FORMS, LARGE, PLAYERS, Traps, large_game, record
from siege.visits import BROWSERS
from siege.web import Server, check_server, known_value

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ALL = (*FORMS, PLAYERS, LARGE)
SECONDS = 60.0
"""A refusal comes sooner, also on a busy machine."""
COMMANDS: dict[str, tuple[str, ...]] = {
    "resume": ("play", "--resume", "data.yatzy"),
    "saved games": ("play", "--saved"),
    "review": ("review", "data.yatzy", "--json"),
    "quiz": ("quiz", "--from", "data.yatzy", "--questions", "1", "--answers", "ones"),
    "mistakes": ("quiz", "--mistakes", "data.yatzy", "--player", "Bo", "--answers", "ones"),
    "study": ("study", "data.toml", "--out", "report"),
    "study of players": ("study", "data.toml", "--out", "report"),
}
REFUSING = ("resume", "study", "study of players")
"""Surfaces that would have to open the name, and so must refuse it; others may do without."""
SERVED = ("link to a game", "link to a position", "API")
BROWSED = ("paste", "upload", "paste in the review", "upload in the review")


class Data(Campaign):
    """A try is one surface with one form."""

    name = "data"
    seconds, short_seconds = 1200.0, 20.0

    def __init__(self, folder: Path, seed: int, short: bool) -> None:
        super().__init__(folder, seed, short)
        self._cells = [(surface, form) for surface in (*COMMANDS, *SERVED, *BROWSED) for form in ALL]
        self.jobs, self.short_jobs = len(self._cells), 24

    def numbers(self) -> list[int]:
        """In a short siege some of all surfaces but those that need a browser."""
        if not self.short:
            return list(range(self.jobs))
        plain = [number for number, (surface, _) in enumerate(self._cells) if surface not in BROWSED]
        return sorted(self.rng(0).sample(plain, self.short_jobs))

    def prepare(self) -> None:
        """A server, and a strategy file to trap with."""
        self._known = known_value()
        stock = self.folder / "stock"
        make_stock(stock, ("tables of siege", "exported"))
        self._strategy = (stock / "strategy.bin").read_bytes()
        self._server = Server(self.folder / "server")
        self._server.folder.mkdir()
        self._server.start()
        self._browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
        if self._browser is None:
            self.notes.append("no browser is installed: pasting and uploading were skipped")

    def finish(self) -> Result:
        """Nothing in the server's log, and it ends."""
        result = Result(tries=0)
        check_server(self._server, self._known, result)
        traces = self._server.tracebacks()
        for line in sorted(set(traces)):
            result.add("traceback", f"{traces.count(line)} × in the server's log: {line}")
        took = self._server.stop()
        if took is None or took > 3:
            result.add("hang", f"Ctrl-C ended the server {'not at all' if took is None else f'after {took:.1f} s'}")
        return result

    def close(self) -> None:
        """End the server."""
        self._server.stop()

    def attempt(self, number: int) -> Result:
        """Hand a form to a surface and look at the traps."""
        surface, form = self._cells[number]
        result = Result()
        folder = self.folder / f"try-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        traps = Traps(folder / "traps", self._strategy, UTILITY)
        try:
            if surface in COMMANDS:
                self._command(surface, form, folder / "home", traps, result)
            elif surface in SERVED:
                self._served(surface, form, number, traps, result)
            elif self._browser is not None:
                self._browse(surface, form, folder, traps, result)
            else:
                result.tries = 0
            for what in traps.sprung():
                result.add("wrong", what)
        finally:
            traps.close()
            shutil.rmtree(folder, ignore_errors=True)
        result.findings = [
            type(one)(one.kind, f"{surface}, {form}: {one.what}", one.reproduce) for one in result.findings
        ]
        return result

    # The command line

    def _command(self, surface: str, form: str, folder: Path, traps: Traps, result: Result) -> None:
        fresh(folder)
        text = record(form, traps, finished=surface in ("review", "quiz", "mistakes"))
        (folder / "data.yatzy").write_text(text)
        shutil.copy(folder / "data.yatzy", folder / "games" / "data.yatzy")
        (folder / "data.toml").write_text(_study(surface, form, traps))
        order = Order(COMMANDS[surface], folder, stdin=b"", seconds=SECONDS)
        ended = run(order)
        judge(order, ended, result)
        result.counts[f"{surface}: exit code {ended.code}"] += 1
        if not result.findings and surface in REFUSING and ended.code != 2:
            result.add("wrong", f"not refused, exit code {ended.code}: {ended.text[-200:]!r}", order.line)
        own = [line for line in ended.said.splitlines() if line.startswith("yatzy: ")]
        if not result.findings and ended.code == 2 and len(own) != 1:
            result.add("unclear", f"not one line: {ended.said[-300:]!r}", order.line)

    # The server

    def _served(self, surface: str, form: str, number: int, traps: Traps, result: Result) -> None:
        if surface == "API":
            self._api(form, traps, result)
        else:
            query = {"position": _position(form, traps)}
            if surface == "link to a game":
                text = record(form, traps, finished=number % 2 == 0)
                (self._server.folder / "games" / f"data-{number}.yatzy").write_text(text)
                query = {"game": f"data-{number}"}
            for page in ("/", "/review", "/quiz", "/lab"):
                answer = self._server.get(f"{page}?{urllib.parse.urlencode(query)}"[:60_000])
                if answer.status == 0 or answer.status >= 500:
                    result.add("unclear", f"{page}: {answer.status} {answer.problem} {answer.body[:200]!r}")
        check_server(self._server, self._known, result)

    def _api(self, form: str, traps: Traps, result: Result) -> None:
        for path, fields in _questions(form, traps):
            answer = self._server.post(path, fields)
            result.counts[f"API: {answer.status}"] += 1
            refused = 400 <= answer.status < 500 and answer.error is not None
            if not refused and not (path == "/api/review" and answer.status == 200 and form in FORMS):
                what = f"{answer.status} {answer.problem} {answer.body[:200]!r}"
                result.add("wrong" if answer.status == 200 else "unclear", f"{path}: {what}", json.dumps(fields)[:500])

    # The page in a browser

    def _browse(self, surface: str, form: str, folder: Path, traps: Traps, result: Result) -> None:
        from playwright.sync_api import Error, sync_playwright

        text = record(form, traps, finished="review" in surface)
        act: Callable[[Page, str, Path], None] = _review if "review" in surface else _table
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=self._browser, args=["--no-sandbox", "--disable-gpu"])
            try:
                page = browser.new_page()
                page.set_default_timeout(SECONDS * 1000)
                page.goto(f"http://127.0.0.1:{self._server.port}{'/review' if 'review' in surface else '/'}")
                page.wait_for_function("window.did_handshake === true")
                path = folder / "data.yatzy"
                path.write_text(text)
                act(page, "" if "upload" in surface else text, path)
            except Error as error:
                result.add("unclear", f"the page says nothing: {str(error)[:300]}")
            finally:
                browser.close()
        check_server(self._server, self._known, result)


def _study(surface: str, form: str, traps: Traps) -> str:
    if form == PLAYERS:
        strategies, game = '["10000*random"]', "two-yatzy"
    elif form == LARGE:
        strategies, game = '["random"]', "huge.toml"
    else:
        strategies, game = json.dumps([traps.forms()[form]]), "two-yatzy"
    if surface == "study":
        return f'games = ["{game}"]\nstrategies = {strategies}\ncount = 5\n'
    return f'[[players]]\ngame = "{game}"\nstrategies = {strategies}\ncount = 5\n'


def _position(form: str, traps: Traps) -> str:
    if form == PLAYERS:
        return "two-yatzy" + "~s." * 10_000
    if form == LARGE:
        return "huge" + "~s" + "." * 30
    return f"two-yatzy~{traps.forms()[form]}"


def _questions(form: str, traps: Traps) -> list[tuple[str, dict[str, Any]]]:
    """Every question of the API in which such a form has a place."""
    text = record(form, traps, finished=True)
    if form == LARGE:
        own = large_game()
        return [
            ("/api/review", {"record": text}),
            ("/api/games/read", {"description": own}),
            ("/api/value", {"description": own}),
            ("/api/simulate", {"description": own, "strategy": "greedy", "games": 1}),
            ("/api/distribution", {"description": own, "strategy": "greedy"}),
        ]
    if form == PLAYERS:
        where = _position(form, traps)
        return [
            ("/api/review", {"record": text}),
            ("/api/advise", {"position": where}),
            ("/api/match/advise", {"position": where}),
        ]
    name = traps.forms()[form]
    two, one = "two-yatzy~s.~s.~d12~r1", "two-yatzy~d12~r1"
    return [
        ("/api/simulate", {"game": "two-yatzy", "strategy": name, "games": 5}),
        ("/api/distribution", {"game": "two-yatzy", "strategy": name}),
        ("/api/value", {"position": one, "objective": name}),
        ("/api/advise", {"position": two, "objectives": [name]}),
        ("/api/explain", {"position": one, "objective": name}),
        ("/api/match/advise", {"position": two, "objective": name}),
        ("/api/review", {"record": text}),
        ("/api/review", {"record": text, "objective": name}),
    ]


def _table(page: Page, text: str, path: Path) -> None:
    """Load a record at the table, by its text or as a file; wait for a word about it."""
    page.get_by_test_id("games").wait_for()  # keys count once the page is there
    page.keyboard.press("o")
    dialog = page.get_by_test_id("games-dialog")
    dialog.wait_for()
    if text:
        _put(page.get_by_test_id("paste"), text)
        page.get_by_test_id("load").click()
    else:
        dialog.locator("input[type=file]").set_input_files(path)
    page.get_by_role("alert").first.wait_for()


def _review(page: Page, text: str, path: Path) -> None:
    """Have a record reviewed; wait for the review or the reason why there is none."""
    page.get_by_text("or paste a record").click()
    if text:
        _put(page.get_by_test_id("review-paste"), text)
        page.get_by_test_id("review-go").click()
    else:
        page.locator("input[type=file]").first.set_input_files(path)
    said = page.get_by_test_id("identity").or_(page.get_by_test_id("review-note")).or_(page.get_by_role("alert"))
    said.filter(visible=True).first.wait_for()  # the note is there, and empty, while a review is shown


def _put(box: Locator, text: str) -> None:
    """Put a text into a box at once. `fill` types it by a command that takes Chromium minutes for 10,000 lines."""
    box.evaluate("(box, text) => { box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})); }", text)
