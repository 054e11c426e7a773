"""Every view, dialog and state of the page, each with the steps that lead to it: for pictures, and for axe-core.

A folder of games has to hold `ended` (a finished game of two), `alone` (one of a single player) and `begun` (a game of
two that has begun), all of the same preset; `write_games` writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from helpers.played_records import played_record
from yatzy.games import PRESETS, Game, Player, Position, Record
from yatzy.solver import Solver, parse_strategy

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("Anna-Karin", "Bo")
TOOLS = ("new", "games", "link")


def write_games(folder: Path, game: Game, solver: Solver) -> None:
    """Write the games that the scenes show."""
    folder.mkdir(parents=True, exist_ok=True)
    strategy = parse_strategy("softened:0.5", game, solver)
    two, one = played_record(strategy, 3, players=2), played_record(strategy, 4)
    players = tuple(Player(name) for name in NAMES)
    records = {
        "ended": Record(game, players, two.turns),
        "alone": one,
        "begun": Record(game, players, two.turns[: len(two.turns) // 2]),
    }
    for name, record in records.items():
        (folder / f"{name}.yatzy").write_text(str(record), encoding="utf-8")


STILL = """!document.querySelector("[class*='-enter-active'], [class*='-leave-active']")
    && document.getAnimations().every(one => one.playState !== "running")"""
"""JavaScript: whether nothing fades or moves."""
Steps = Callable[["Page"], None]


@dataclass(frozen=True)
class Scene:
    """A state of the page."""

    name: str
    address: str
    """Below the address of the server; {game} is the id of the preset, {four} the start of a game of four."""
    steps: Steps
    phone_only: bool = False

    def show(self, page: Page, server: str, game: Game) -> None:
        """Bring a page there, and wait until everything that moves has come to rest."""
        page.goto(server.rstrip("/") + self.address.format(game=game.id, four=Position.start(game, 4)))
        page.wait_for_function("window.did_handshake")
        page.get_by_test_id("disk").wait_for()
        self.steps(page)
        page.wait_for_timeout(200)
        page.wait_for_function(STILL)


def _see(*ids: str) -> Steps:
    """Wait for elements."""

    def steps(page: Page) -> None:
        for id in ids:
            page.get_by_test_id(id).first.wait_for()

    return steps


def _click(*ids: str, then: str = "") -> Steps:
    """Click elements one after the other. On a small screen tools are in a menu."""

    def steps(page: Page) -> None:
        for id in ids:
            if id in TOOLS and page.get_by_test_id("more").is_visible():
                page.get_by_test_id("more").click()
            page.get_by_test_id(id).first.click()
        if then:
            page.get_by_test_id(then).first.wait_for()

    return steps


def _press(key: str, then: str) -> Steps:
    def steps(page: Page) -> None:
        page.get_by_test_id("move-0").wait_for()
        page.keyboard.press(key)
        page.get_by_test_id(then).first.wait_for()

    return steps


def _enter_dice(page: Page) -> None:
    _click("typed")(page)
    for face in (1, 3, 3):
        page.get_by_test_id(f"face-{face}").click()
    page.get_by_test_id("entered-3").wait_for()


def _switch_off_hints(page: Page) -> None:
    page.get_by_test_id("move-0").wait_for()
    page.keyboard.press("h")
    page.locator('[data-testid="hints"][aria-checked="false"]').wait_for()


def _warn(page: Page) -> None:
    """The tutor before a move that costs a lot."""
    page.get_by_test_id("tutor").click()
    page.locator(".q-dialog").get_by_role("radio").nth(1).click()
    page.keyboard.press("Escape")
    page.locator('[data-testid="tutor"][aria-checked="true"]').wait_for()
    page.locator(".q-dialog").wait_for(state="detached")
    page.get_by_test_id("move-0").wait_for()
    page.get_by_test_id("roll").click()  # keeps nothing
    page.get_by_test_id("tutor-said").wait_for()


def _set_record(page: Page) -> None:
    page.get_by_test_id("target").click()
    page.get_by_test_id("target-number").fill("100")
    page.get_by_test_id("target-set").click()
    page.get_by_test_id("target-chance").wait_for()


def _reviewed(page: Page) -> None:
    page.get_by_test_id("identity").wait_for()
    page.get_by_test_id("error-0").click()
    page.get_by_test_id("advice").wait_for()


def _ask(page: Page) -> None:
    page.get_by_test_id("identity").wait_for()
    page.get_by_test_id("retry").click()
    page.get_by_test_id("quiz-number").wait_for()


def _answer(page: Page) -> None:
    _ask(page)
    keep, boxes = page.get_by_test_id("quiz-keep"), page.locator("[data-testid^=answer-]")
    (keep if keep.count() else boxes.first).click()
    page.get_by_test_id("quiz-verdict").wait_for()


def _finish(page: Page) -> None:
    _answer(page)
    page.get_by_test_id("quiz-next").click()
    page.get_by_test_id("quiz-stop").click()
    page.get_by_test_id("quiz-summary").wait_for()


def _choose(page: Page, id: str, option: int) -> None:
    """Choose from a menu by the number of an option."""
    page.get_by_test_id(id).locator("xpath=ancestor-or-self::label").first.click()
    page.get_by_role("option").nth(option).click()
    page.locator(".q-menu").wait_for(state="detached")  # menus fade


SMALLEST = PRESETS.index("two-yatzy")


def _compare(page: Page) -> None:
    for id in ("first-game", "second-game"):
        _choose(page, id, SMALLEST)
    page.get_by_test_id("compare").click()
    page.get_by_test_id("lab-numbers").wait_for()


def _sample(page: Page) -> None:
    _choose(page, "sample-game", SMALLEST)
    page.get_by_test_id("sample-run").click()
    page.get_by_test_id("sample-numbers").wait_for()


def _join(page: Page) -> None:
    page.get_by_test_id("sit-0").click()
    page.locator('[data-testid="sit-0"][aria-pressed="true"]').wait_for()


ROLLED = "/?position={game}~d13356~r2"
SCENES = (
    Scene("table", ROLLED, _see("move-0", "analysis-numbers")),
    Scene("table-before-a-roll", "/?position={game}", _see("roll")),
    Scene("table-of-two", "/?game=begun", _see("status", "analysis-numbers")),
    Scene("table-of-four", "/?position={four}~d13356~r2", _see("move-0")),
    Scene("real-dice", "/?position={game}", _enter_dice),
    Scene("hints-off", ROLLED, _switch_off_hints),
    Scene("record", ROLLED, _set_record),
    Scene("menu", ROLLED, _click("more"), phone_only=True),
    Scene("languages", ROLLED, _click("language")),
    Scene("new-game", ROLLED, _click("new", then="start")),
    Scene("two-players", ROLLED, _click("new", "add-player", then="player-2")),
    Scene("house-rules", ROLLED, _click("new", "house-rules", then="rule-rolls")),
    Scene("paper", "/?game=begun", _click("new", "from-paper", then="paper-play")),
    Scene("saved-games", ROLLED, _click("games", then="saved-games")),
    Scene("share", ROLLED, _click("link", then="frozen-address")),
    Scene("join", "/?join=begun", _join),
    Scene("help", ROLLED, _click("help", then="help-overlay")),
    Scene("columns", ROLLED, _click("columns", then="columns-dialog")),
    Scene("tutor", ROLLED, _click("tutor")),
    Scene("warning", ROLLED, _warn),
    Scene("target", ROLLED, _click("target", then="target-number")),
    Scene("rule", ROLLED, _click("rule-full-house", then="rule-said")),
    Scene("why", ROLLED, _press("w", "why-table")),
    Scene("disk", ROLLED, _click("disk", then="disk-list")),
    Scene("missing-game", "/?game=nope", _see("tell")),
    Scene("end-of-two", "/?game=ended", _see("result")),
    Scene("end-alone", "/?game=alone", _see("result")),
    Scene("review", "/review?game=ended", _reviewed),
    Scene("review-empty", "/review", _see("review-note")),
    Scene("quiz", "/quiz?game=ended", _see("quiz-start")),
    Scene("quiz-question", "/review?game=ended", _ask),
    Scene("quiz-answer", "/review?game=ended", _answer),
    Scene("quiz-result", "/review?game=ended", _finish),
    Scene("lab", "/lab", _see("compare")),
    Scene("lab-compared", "/lab", _compare),
    Scene("lab-sampled", "/lab", _sample),
)
