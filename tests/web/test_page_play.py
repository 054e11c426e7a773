"""The table in a real browser: playing, entering dice, taking back, links, languages, small screens, restarts."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from helpers.saved_games import saved_game

from web.conftest import Served
from yatzy.coach import advise
from yatzy.games import Position, Record, load_preset
from yatzy.solver import Solver
from yatzy.web.page.table.strengths import STRENGTHS

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from web.conftest import Running, Visit

NAME = "<img src=x onerror=alert(1)>"


def _sheet(**points: int) -> str:
    """A sheet of Yatzy in the notation of positions."""
    boxes = (str(points.get(id.replace("-", "_"), "")) for id in load_preset("yatzy").category_index)
    return "s" + ".".join(boxes)


MIDDLE = f"yatzy~{_sheet(ones=3, twos=6, chance=24)}~{_sheet(twos=8, fours=12)}~d13356~r1"
"""Two players, of whom the second is to move."""


@pytest.fixture(scope="module")
def server(web: Running, tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all of these, with a folder of games of its own."""
    found = Served(tables, "--prepare", "none")
    found.games = tmp_path_factory.mktemp("page") / "games"
    found.start()
    yield found
    if found.process.poll() is None:
        found.stop()
    shutil.rmtree(found.games, ignore_errors=True)


class Table:
    """The page, with what is looked at again and again."""

    def __init__(self, visit: Visit, server: Served) -> None:
        self.visit, self.page, self.server = visit, visit.page, server

    def open(self, address: str = "/") -> Table:
        """Go somewhere, and wait until clicks arrive."""
        self.page.goto(self.server.address + address)
        self.wait()
        return self

    def wait(self) -> None:
        """Wait until the page is alive."""
        self.page.wait_for_function("window.did_handshake")
        self.shows("roll")

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def shows(self, id: str, text: str | re.Pattern[str] = "") -> None:
        """See something, with a text in it."""
        from playwright.sync_api import expect

        found = self.page.get_by_test_id(id)
        expect(found).to_be_visible()
        if text:
            expect(found).to_contain_text(text)

    def has_dice(self, dice: str) -> None:
        """See these dice, whatever their places."""
        self.page.wait_for_function(
            "dice => [...document.querySelectorAll('[data-testid^=die-]')].map(e => e.dataset.value).sort().join('')"
            " == dice",
            arg=dice,
        )

    def has_kept(self, places: list[int]) -> None:
        """See that the dice at these places are kept, and no other."""
        self.page.wait_for_function(
            "places => [...document.querySelectorAll('[data-testid^=die-]')].flatMap((e, i) =>"
            " e.getAttribute('aria-checked') == 'true' ? [i + 1] : []).join() == places.join()",
            arg=places,
        )

    def roll(self, left: str) -> None:
        """Roll by the keyboard."""
        self.press("r")
        self.shows("rolls-left", left)

    @property
    def game(self) -> str:
        """The id of the game in the address."""
        found = re.search(r"game=([a-z0-9-]+)", self.page.url)
        assert found
        return found[1]

    @property
    def saved(self) -> Record:
        """The game as it lies on the disk."""
        return saved_game(self.server.games, self.page)


@pytest.fixture
def table(visit: Visit, server: Served) -> Table:
    """A page that has yet to go somewhere."""
    return Table(visit, server)


def test_the_first_visit_has_dice_and_advice_and_asks_nobody_else(table: Table) -> None:
    table.open()
    table.shows("status", "Turn 1 of 15")
    table.shows("rolls-left", "2 rolls left")
    table.shows("move-0")
    table.page.wait_for_function("location.search.includes('position=yatzy~')")
    assert table.visit.outside(table.server.address) == []
    assert table.visit.problems == []
    assert not table.server.games.exists(), "a game that was only looked at is not saved"


def test_a_link_restores_its_position_with_its_advice(table: Table, solved: Callable[[str], Any]) -> None:
    text = f"yatzy~{_sheet(ones=1, chance=18)}~d13356~r2"
    table.open(f"/?position={text}")
    table.has_dice("13356")
    table.shows("rolls-left", "2 rolls left")
    advice = advise(solved("yatzy"), Position.parse(text))
    row = table.page.locator("[data-testid=moves] tbody tr").first
    assert row.get_attribute("data-move") == str(advice.best.move)
    assert f"{advice.value:.2f}" in row.inner_text()
    assert table.page.locator("[data-testid=moves] tbody tr").count() == len(advice.moves)


def test_a_link_of_two_players(table: Table) -> None:
    table.open(f"/?position={MIDDLE}")
    table.shows("status", "Player 2")
    assert table.page.locator(".yz-total td").all_inner_texts() == ["33", "20"]
    table.page.wait_for_function(f"location.search.endsWith('position={MIDDLE}')")


def test_a_link_that_makes_no_sense_is_told_and_play_goes_on(table: Table) -> None:
    table.open("/?position=yatzy~nonsense")
    table.shows("tell", "position")
    table.shows("status", "Turn 1 of 15")


@pytest.mark.slow
def test_a_whole_game_by_keyboard_alone(table: Table) -> None:
    table.open()
    for turn in range(1, 16):
        table.shows("status", f"Turn {turn} of 15")
        if turn > 1:
            table.roll("2 rolls left")
        table.press("1", "3")
        table.has_kept([1, 3])
        table.roll("1 roll left")
        table.press("b")
        table.shows("rolls-left", "no roll left")
        if turn % 2:
            table.press("c", "Enter")
        else:
            table.press("Escape", "ArrowDown", "Enter")
    table.shows("status", "The game is over")
    record = table.saved
    assert record.over
    table.shows("result", f"Game over: {record.scores[0]} points")
    assert len(record.turns) == 15


def test_two_players_one_of_them_the_computer(table: Table) -> None:
    page = table.open("/?position=two-yatzy~s.").page
    alerts: list[str] = []
    page.on("dialog", lambda dialog: alerts.append(dialog.message))
    table.press("n")
    page.get_by_test_id("player-1").fill(NAME)
    page.get_by_test_id("add-player").click()
    page.get_by_test_id("kind-2").click()
    page.get_by_role("option", name=re.compile("strong")).click()
    page.wait_for_function("document.querySelector('[data-testid=player-2]').value == 'Computer 2'")
    page.get_by_test_id("start").click()
    for turn in (1, 2):
        table.shows("status", f"{NAME} · Turn {turn} of 2")
        table.roll("1 roll left")
        table.press("b")
        table.shows("rolls-left", "no roll left")
        table.press("b")
    table.shows("result", re.compile("wins|tied"))
    record = table.saved
    assert record.over
    assert [player.strategy for player in record.players] == [None, STRENGTHS["strong"]]
    assert record.players[0].name == NAME
    assert page.locator("img").count() == 0
    assert alerts == []


def test_undo_and_redo_of_everything(table: Table) -> None:
    table.open(f"/?position={MIDDLE}")
    table.has_dice("13356")
    table.press("2", "3")
    table.has_kept([2, 3])
    table.page.locator("tr.yz-chosen[data-move='33']").wait_for()
    assert table.page.locator("tr.yz-chosen").count() == 1
    table.roll("no roll left")
    assert table.page.locator("tr.yz-chosen").count() == 0
    table.page.wait_for_url(re.compile("~r0$"))
    after = table.page.url
    table.page.get_by_test_id("score-chance").click()
    table.shows("status", "Player 1 · Turn 4 of 15")
    table.press("u")
    table.shows("rolls-left", "no roll left")
    table.page.wait_for_url(after)
    table.press("u")
    table.has_dice("13356")
    table.press("y")
    table.page.wait_for_url(after)
    table.press("y")
    table.shows("status", "Player 1 · Turn 4 of 15")
    assert table.page.get_by_test_id("redo").is_disabled()


def test_real_dice_are_entered_by_typing_and_tapping(table: Table) -> None:
    table.open("/?position=yatzy")
    table.press("e")
    table.shows("roll", "Enter 5 dice")
    table.press("9")
    table.shows("tell", "from 1 to 6")
    table.press("1", "3", "4", "Backspace", "3", "5", "6")
    table.has_dice("13356")
    table.press("2", "3")
    table.has_kept([2, 3])
    table.press("r")
    table.shows("roll", "Enter 3 dice")
    for face in (3, 6, 6):
        table.page.get_by_test_id(f"face-{face}").click()
    table.has_dice("33366")
    table.shows("rolls-left", "1 roll left")
    table.page.get_by_test_id("score-full-house").click()
    table.shows("score-full-house", "21?")
    table.page.get_by_test_id("score-full-house").click()
    table.shows("status", "Turn 2 of 15")
    assert table.saved.scores == (21,)
    assert table.saved.seed is None, "the program has rolled nothing"


def test_a_click_on_a_move_plays_it(table: Table) -> None:
    table.open(f"/?position={MIDDLE}")
    table.page.locator("tr[data-move='33'] td").nth(1).click()
    table.shows("rolls-left", "no roll left")
    assert table.saved.turns[-1].keeps == ((3, 3),)


def test_the_tutor_warns_and_is_listened_to_or_not(table: Table) -> None:
    table.open("/?position=yatzy~d66665~r1")
    table.press("t")
    table.page.get_by_text("mistakes and worse").click()
    table.press("Escape")
    table.page.locator("tr[data-move='5']").click()
    table.shows("tutor-said", "blunder")
    table.page.get_by_test_id("again").click()
    table.has_dice("56666")
    table.page.locator("tr[data-move='5']").click()
    table.page.get_by_test_id("anyway").click()
    table.shows("rolls-left", "no roll left")


def test_hints_can_be_off(table: Table) -> None:
    table.open()
    table.shows("move-0")
    table.press("h")
    table.page.wait_for_selector("[data-testid=move-0]", state="detached")
    assert "Expected" not in table.page.get_by_test_id("value").inner_text()


def test_several_objectives_side_by_side(table: Table) -> None:
    table.open("/?position=two-yatzy~d12~r1")
    page = table.page
    page.get_by_test_id("columns").click()
    page.get_by_test_id("column-target").click()
    page.get_by_test_id("number-target").fill("6")
    page.get_by_test_id("columns-use").click()
    page.get_by_role("button", name="≥ 6").click()
    page.locator("th[aria-sort=descending]", has_text="≥ 6").wait_for()
    assert " %" in page.locator("[data-testid=moves] tbody tr").first.inner_text()


def test_a_search_of_three_can_assume_that_all_others_play_against_you(table: Table) -> None:
    table.open("/?position=two-yatzy~s.~s.~s.~d12~r1")
    page = table.page
    page.get_by_test_id("columns").click()
    page.get_by_test_id("column-emp").click()
    page.get_by_test_id("number-emp").fill("2")
    page.get_by_test_id("column-against").click()
    page.get_by_test_id("columns-use").click()
    page.get_by_role("button", name="EMP(2) against all").wait_for()


def test_a_record_to_beat_stays_in_sight(table: Table) -> None:
    table.open("/?position=two-yatzy~d12~r1")
    table.page.get_by_test_id("target").click()
    table.page.get_by_test_id("target-number").fill("5")
    table.page.get_by_test_id("target-set").click()
    table.shows("target-chance", "%")
    table.press("b")
    table.shows("rolls-left", "no roll left")
    table.shows("target-chance", "%")
    chances = Solver(table.server._tables).build(load_preset("two-yatzy"), "target:6")
    where = table.saved.position
    table.shows("target-chance", f"{100 * chances.value(where):.1f} %")
    table.page.set_viewport_size({"width": 1280, "height": 800})
    right = table.page.evaluate(
        """() => {
            const words = document.createRange();
            words.selectNodeContents(document.querySelector('.yz-value'));
            const said = words.getBoundingClientRect(), tools = document.querySelector('[data-testid=hints]');
            const next = tools.getBoundingClientRect();
            return [said.right, said.top < next.bottom && next.top < said.bottom ? next.left : 1e9];
        }"""
    )
    assert 0 < right[0] <= right[1], "the value is not below the buttons beside it"


def test_the_language_changes_and_is_remembered(table: Table) -> None:
    table.open()
    table.shows("nav-table", "Table")
    table.press("l")
    table.shows("nav-table", "Bord")
    table.page.get_by_role("rowheader", name="Ettor").first.wait_for()
    table.open()
    table.shows("nav-table", "Bord")
    table.press("l")
    table.shows("nav-table", "Tisch")
    table.page.get_by_role("rowheader", name="Einer").first.wait_for()
    table.page.get_by_test_id("language").click()
    table.page.get_by_test_id("language-en").click()
    table.shows("nav-table", "Table")


def test_dark_mode_is_remembered(table: Table) -> None:
    table.open()
    dark = "document.body.classList.contains('body--dark')"
    assert not table.page.evaluate(dark)
    table.press("d")
    table.page.wait_for_function(dark)
    table.page.wait_for_function("document.cookie.includes('yatzy-dark=dark')")  # the next message after the colours
    table.open()
    table.page.wait_for_function(dark)
    colours = table.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", colours)[:3])) < 60


def _overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_nothing_is_wider_than_a_small_phone(table: Table) -> None:
    table.page.set_viewport_size({"width": 360, "height": 740})
    table.open()
    table.shows("move-0")
    assert _overflow(table.page) <= 0
    table.open(f"/?position={MIDDLE}")
    table.shows("move-0")
    assert _overflow(table.page) <= 0
    for key, dialog in (("n", "new-dialog"), ("o", "games-dialog"), ("?", "help-overlay")):
        table.press(key)
        table.shows(dialog)
        box = table.page.get_by_test_id(dialog).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        table.press("Escape")
        table.page.get_by_test_id(dialog).wait_for(state="hidden")


def test_nothing_moves_when_dice_are_kept_and_rolled(table: Table) -> None:
    table.open(f"/?position={MIDDLE}")
    where = {id: table.page.get_by_test_id(id).bounding_box() for id in ("roll", "die-1", "undo", "hints")}
    table.press("2", "3")
    table.has_kept([2, 3])
    table.roll("no roll left")
    for id in ("roll", "undo", "hints"):
        assert table.page.get_by_test_id(id).bounding_box() == where[id]


def test_a_server_that_is_started_again_has_lost_nothing(table: Table) -> None:
    table.open()
    table.press("1")
    table.has_kept([1])
    table.roll("1 roll left")
    dice, game, before = table.saved.position.dice, table.game, str(table.saved.position)
    table.page.evaluate("window.before = true")
    table.server.restart()
    table.page.wait_for_function("!window.before && window.did_handshake")
    table.has_dice("".join(map(str, dice)))
    table.shows("rolls-left", "1 roll left")
    table.press("b")
    table.shows("rolls-left", "no roll left")
    assert table.game == game
    table.press("u")
    table.shows("rolls-left", "1 roll left")
    assert str(table.saved.position) == before


def test_a_record_is_loaded_from_text_and_found_again(table: Table) -> None:
    table.open("/?position=two-yatzy~d12~r1")
    table.press("b")
    table.shows("rolls-left", "no roll left")
    text = str(table.saved)
    first = table.game
    table.press("o")
    table.page.get_by_test_id("paste").fill(text)
    table.page.get_by_test_id("load").click()
    table.page.wait_for_function("id => !location.search.includes(`game=${id}&`)", arg=first)
    table.shows("rolls-left", "no roll left")
    assert str(table.saved) == text
    table.page.get_by_test_id("games-dialog").wait_for(state="detached")  # it fades
    table.press("o")
    table.page.get_by_test_id("paste").fill("nonsense")
    table.page.get_by_test_id("load").click()
    table.page.get_by_role("alert").get_by_text("record").wait_for()
