"""The page at a family table: links, a phone that joins, seats, paper sheets, saved games, tables on disk."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest
from helpers.saved_games import saved_game

from web.conftest import PATIENCE, Served
from yatzy.games import Record, load_preset
from yatzy.games.record_csv import write_csv
from yatzy.report.texts import LANGUAGES
from yatzy.solver import Solver

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from web.conftest import Running

TWO = "yatzy~s..............~s..............~d13356~r2"
PHONE = {"width": 360, "height": 740}
RECORD = "game: two-yatzy\nplayer: Ann\n\n1: 12 (1) 12 ones 1\n2: 12 twos 2\n"


@pytest.fixture(scope="module")
def server(web: Running, tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that other devices can reach by a name. It soon forgets who left a table."""
    found = Served(tables, "--prepare", "none", "--host", "0.0.0.0", "--name", "yatzy.test")
    found.code = f"from yatzy.web import limits; limits.RECONNECT_SECONDS = 2.0; {found.code}"
    found.games = tmp_path_factory.mktemp("family") / "games"
    found.start()
    yield found
    found.stop()
    shutil.rmtree(found.games, ignore_errors=True)


Go = Callable[..., "Page"]


@pytest.fixture
def go(browser: Browser, server: Served) -> Iterator[Go]:
    """Opens addresses, each in a browser of its own unless one is given."""
    contexts = []

    def open_page(address: str = "/", *, like: Page | None = None, phone: bool = False, language: str = "en") -> Page:
        if like is None:
            size = PHONE if phone else {"width": 1366, "height": 900}
            contexts.append(browser.new_context(viewport=size, has_touch=phone, locale=language))  # type: ignore[arg-type]
            page = contexts[-1].new_page()
        else:
            page = like.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(server.address + address)
        page.wait_for_function("window.did_handshake")
        page.get_by_test_id("disk").wait_for()
        return page

    yield open_page
    for context in contexts:
        context.close()


def position_of(page: Page, ending: str = "") -> str:
    """The position in the address, once there is one with this ending."""
    page.wait_for_function(
        "ending => location.search.includes('position=') && location.search.endsWith(ending)", arg=ending
    )
    return re.sub(".*position=", "", str(page.evaluate("location.href")))


def shared(page: Page, kind: str) -> str:
    """The path of a link in the dialog for sharing; its host must be the name for others."""
    page.get_by_test_id("link").click()
    field = page.get_by_test_id(f"{kind}-address")
    field.wait_for()
    address = urlsplit(field.input_value())
    assert address.hostname == "yatzy.test"
    page.keyboard.press("Escape")
    page.get_by_test_id("share-dialog").wait_for(state="hidden")
    return f"{address.path}?{address.query}"


def leave_seats(page: Page) -> None:
    """Close the dialog with the seats, and wait: until the server has closed it, keys do not reach the table."""
    page.get_by_test_id("seats-done").click()
    page.get_by_test_id("seats-dialog").wait_for(state="hidden")


def assert_inside(element: Locator, box: Locator) -> None:
    """See that nothing of an element is cut off at the sides of a box."""
    inner, outer = element.bounding_box(), box.bounding_box()
    assert inner is not None
    assert outer is not None
    assert outer["x"] <= inner["x"]
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]


@contextmanager
def moving(page: Page) -> Iterator[None]:
    """Wait until the position has changed."""
    before = page.url
    yield
    page.wait_for_function("before => location.href != before", arg=before)


def go_on(page: Page) -> None:
    """Roll, or play the best move. It is waited for: until it is shown, its key does nothing."""
    key = "r"
    if "~d" in position_of(page):
        page.get_by_test_id("move-0").wait_for(state="attached")
        key = "b"
    with moving(page):
        page.keyboard.press(key)


@pytest.mark.parametrize("moves", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_a_frozen_link_stays_as_it_was_while_a_joined_table_follows(go: Go, moves: int) -> None:
    ann = go(f"/?position={TWO}")
    position_of(ann)
    frozen, live = shared(ann, "frozen"), shared(ann, "live")
    cy = go(live)
    leave_seats(cy)
    for _ in range(moves):
        go_on(ann)
    there = position_of(ann)
    cy.wait_for_function("there => location.search.endsWith(there)", arg=there)
    bo = go(frozen)
    assert position_of(bo) == TWO
    go_on(bo)
    assert position_of(ann) == there, "a move in the copy does not change the game"
    go_on(cy)
    ann.wait_for_function("there => location.search.endsWith(there)", arg=position_of(cy))
    address = ann.url.removeprefix(ann.url.split("/?")[0])
    # The address of a tab is a copy for a browser that was never at the table, and the table itself for one that was.
    go(address).wait_for_function("table => location.href != table", arg=ann.url)
    again = go(address, like=ann)
    go_on(again)
    ann.wait_for_function("there => location.search.endsWith(there)", arg=position_of(again))


def test_a_person_with_a_seat_moves_for_it_alone(go: Go) -> None:
    from playwright.sync_api import expect

    ann = go(f"/?position={TWO}")
    position_of(ann)
    bo = go(shared(ann, "live"), phone=True)
    bo.get_by_test_id("sit-0").click()
    expect(bo.get_by_test_id("sit-0")).to_have_text("Stand up")
    leave_seats(bo)
    expect(bo.get_by_test_id("company")).to_have_text("At this table: you (Player 1), one guest")
    expect(ann.get_by_test_id("company")).to_have_text("At this table: you, Player 1")
    expect(ann.get_by_test_id("roll")).to_contain_text("Player 1 is to move")
    before = ann.url
    ann.keyboard.press("b")
    go_on(bo)
    ann.wait_for_function("there => location.search.endsWith(there)", arg=position_of(bo))
    assert bo.url != before
    bo.get_by_test_id("seats").click()
    bo.get_by_test_id("sit-0").click()
    expect(ann.get_by_test_id("company")).to_have_text("At this table: you, one guest")
    go_on(ann)


def test_a_rematch_takes_everybody_along(go: Go) -> None:
    from playwright.sync_api import expect

    ann = go("/?position=two-yatzy~s1.~s1.~d12~r0")
    position_of(ann)
    live = shared(ann, "live")
    bo, cy = go(live, phone=True), go(live)
    bo.get_by_test_id("sit-1").click()
    expect(bo.get_by_test_id("sit-1")).to_have_text("Stand up")
    leave_seats(bo)
    leave_seats(cy)
    ann.get_by_test_id("score-twos").click()
    expect(bo.get_by_test_id("roll")).to_have_text("Roll")
    bo.get_by_test_id("roll").click()
    bo.get_by_test_id("score-twos").click()
    bo.locator(".yz-asked").click()
    for one in (ann, bo, cy):
        one.get_by_test_id("result").wait_for()
    ended = re.sub(".*game=([^&]*).*", r"\1", ann.url)
    cy.get_by_test_id("nav-review").click()
    cy.wait_for_url("**/review*")
    ann.get_by_test_id("rematch").click()
    for one in (ann, bo):
        one.wait_for_function("ended => !location.search.includes(ended)", arg=ended)
        expect(one.get_by_test_id("status")).to_have_text("Player 1 · Turn 1 of 2")
    bo.get_by_test_id("tell").get_by_text("A new game begins").wait_for()
    game = re.sub(".*game=([^&]*).*", r"\1", ann.url)
    assert game in bo.url
    expect(bo.get_by_test_id("company")).to_have_text("At this table: you (Player 2), one guest")
    # Who was reading the review stays there, and joins the others from the end of the game; so does who comes late.
    assert "/review" in cy.url
    cy.goto(f"{cy.url.partition('/review')[0]}/?game={ended}")
    cy.get_by_test_id("rematch").click()
    cy.wait_for_function("game => location.search.includes(game)", arg=game)
    late = go(live)
    late.wait_for_function("game => location.search.includes(game)", arg=game)


def test_the_code_leads_to_the_table_and_links_are_copied(go: Go) -> None:
    page = go(f"/?position={TWO}")
    position_of(page)
    page.get_by_test_id("link").click()
    code = page.get_by_test_id("qr")
    code.wait_for()
    live = page.get_by_test_id("live-address").input_value()
    assert code.get_attribute("data-address") == live
    assert re.fullmatch(r"http://yatzy\.test:\d+/\?join=[a-z0-9-]+", live)
    page.get_by_test_id("copy-live").click()
    page.get_by_test_id("tell").get_by_text("The link to this table").wait_for()
    page.context.grant_permissions(["clipboard-read"])
    assert page.evaluate("navigator.clipboard.readText()") == live


def test_a_foreign_host_is_refused_and_a_given_name_is_not(server: Served) -> None:
    port = urlsplit(server.address).port
    for host, status in ((f"yatzy.test:{port}", 200), (f"evil.example:{port}", 400)):
        assert httpx.get(f"{server.address}/", headers={"host": host}).status_code == status


def test_a_missing_game_is_told(go: Go) -> None:
    page = go("/?game=nope")
    page.get_by_test_id("tell").get_by_text("There is no saved game nope here").wait_for()


# Paper sheets

SHEET = {
    "Ann": {0: 3, 1: 6, 3: 12, 5: 24, 6: 12, 8: 15, 13: 22},
    "Bo": {0: 2, 2: 9, 4: 15, 5: 18, 7: 22, 13: 19, 14: 0},
}


@pytest.mark.parametrize("names", [pytest.param(["Ann"], marks=pytest.mark.slow), ["Ann", "Bo"]])
def test_a_half_filled_paper_sheet_is_entered_and_advised_in_few_taps(go: Go, server: Served, names: list[str]) -> None:
    page = go(f"/?position={'yatzy' if len(names) == 1 else TWO}", phone=True)
    taps = 0

    def tap(id: str, inside: str = "body") -> None:
        nonlocal taps
        page.locator(f'{inside} [data-testid="{id}"]').tap()
        taps += 1

    if page.get_by_test_id("more").count():  # the tools are in a menu
        tap("more")
    tap("new")
    tap("from-paper")
    for seat, name in enumerate(names):
        chosen = (0, 0)
        for category, points in SHEET[name].items():
            if chosen != (seat, category):
                tap(f"paper-{seat}-{category}")
            tap(f"points-{points}", f'[data-box="{seat}.{category}"]')
            page.locator(f'[data-testid="paper-{seat}-{category}"]', has_text=re.compile(f"^{points}$")).wait_for()
            chosen = (seat, category + 1)
    tap("paper-play")
    for face in (1, 3, 3, 5, 6):
        tap(f"face-{face}")
    if page.get_by_test_id("dice-done").count():
        tap("dice-done")
    page.get_by_test_id("move-0").wait_for()
    assert taps < 40
    print(f"{len(names)} players, {sum(len(SHEET[name]) for name in names)} boxes: {taps} taps")
    position = position_of(page, ending="~d13356~r2")
    assert position.startswith("yatzy~s3.6..12..24.12..15.....22.~")
    with moving(page):
        page.get_by_test_id("move-0").tap()
    game = re.search("game=([a-z0-9-]+)", page.url)
    assert game
    record = saved_game(server.games, page)
    assert record.start is not None
    assert record.scores[0] == 94
    if names == ["Ann"]:  # a review takes seconds
        page.goto(f"{server.address}/review?game={game[1]}")
        page.get_by_test_id("identity-start").wait_for()


def test_jokers_and_a_wrong_number_of_boxes(go: Go) -> None:
    from playwright.sync_api import expect

    page = go("/?position=yahtzee~s............~s............")
    page.get_by_test_id("new").click()
    page.get_by_test_id("from-paper").click()

    def fill(seat: int, category: int, points: int) -> None:
        page.get_by_test_id(f"paper-{seat}-{category}").click()
        page.locator(f'[data-box="{seat}.{category}"] [data-testid="points-{points}"]').click()

    fill(0, 11, 50)
    fill(0, 5, 30)
    page.get_by_role("alert").get_by_text("at most one box more").wait_for()
    fill(0, 13, 1)
    expect(page.get_by_test_id("paper").locator(".yz-strong td").first).to_have_text("180")
    fill(1, 0, 3)
    fill(1, 1, 6)
    page.get_by_test_id("paper-next-1").click()
    page.get_by_test_id("paper-play").click()
    page.wait_for_function("location.search.includes('~s3.6.')")
    assert position_of(page) == "yahtzee~s3.6...........~s.....30......50.~j1"


def test_a_sheet_in_words_and_a_csv_are_pasted(go: Go) -> None:
    page = go("/?position=yatzy")
    page.keyboard.press("o")
    page.get_by_text("ones 3, sixes 24").wait_for()
    page.get_by_test_id("paste").fill("Ann: ones 3, sixes 24\nBo: ones 2, chance 21")
    page.get_by_test_id("load").click()
    page.wait_for_function("location.search.includes('~s3.')")
    assert position_of(page) == "yatzy~s3.....24.........~s2.............21."
    page.get_by_test_id("games-dialog").wait_for(state="detached")  # it fades
    page.keyboard.press("o")
    assert page.get_by_test_id("paste").input_value() == ""
    record = Record.parse(RECORD)
    page.get_by_test_id("paste").fill(write_csv([record, record]))
    page.get_by_test_id("load").click()
    page.get_by_test_id("tell").get_by_text("2 games were loaded").wait_for()
    review = go("/review")
    review.get_by_test_id("review-other").click()
    review.get_by_test_id("review-paste").fill(write_csv([record, record]))
    review.get_by_test_id("review-go").click()
    review.get_by_test_id("review-title").get_by_text("Ann 3").wait_for()
    notes = "".join(f"note: {'x' * 490}\n" for _ in range(190))  # more than 64 KB
    review.get_by_test_id("review-paste").fill(RECORD.replace("Ann\n", f"Eva\n{notes}"))
    review.get_by_test_id("review-go").click()
    review.get_by_test_id("review-title").get_by_text("Eva 3").wait_for()


# Saved games and tables


def test_saved_games_have_a_time_and_can_be_deleted(go: Go, server: Served) -> None:
    server.games.mkdir(parents=True, exist_ok=True)
    path = server.games / "2026-11-01-old.yatzy"
    path.write_text(RECORD, encoding="utf-8")
    page = go("/?position=yatzy")
    page.keyboard.press("o")
    row = page.get_by_test_id("saved-games").locator("tr", has=page.locator("[href$=old]"))
    row.wait_for()
    assert re.search(r"finished · \d{4}-\d\d-\d\d \d\d:\d\d", row.inner_text())
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert_inside(row.get_by_test_id("delete-game"), page.get_by_test_id("games-dialog"))
    row.get_by_test_id("delete-game").click()
    row.get_by_text("Really delete?").click()
    row.wait_for(state="detached")
    assert not path.exists()


def test_tables_on_disk_are_listed_and_what_is_missing_is_not_called_ready(
    go: Go, server: Served, tables: Path
) -> None:
    Solver(tables).expected(load_preset("two-yatzy"))
    page = go("/?position=kniffel")
    assert "All tables" not in page.locator(".yz-footer").inner_text()
    page.get_by_test_id("disk").click()
    rows = page.get_by_test_id("disk-list").locator("tr")
    rows.first.wait_for()
    text = rows.first.inner_text()
    assert re.search(r"(one table|\d tables).*[kM]?B", text, re.DOTALL)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    button, dialog = rows.first.get_by_role("button"), page.get_by_test_id("disk-dialog")
    assert_inside(button, dialog)


def test_the_page_can_be_installed(go: Go, server: Served) -> None:
    page = go("/")
    link = page.locator('link[rel="manifest"]').get_attribute("href")
    response = httpx.get(f"{server.address}{link}")
    assert response.headers["content-type"] == "application/manifest+json"
    assert "manifest-src 'self'" in response.headers["content-security-policy"]
    manifest = response.json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        picture = httpx.get(f"{server.address}{icon['src']}")
        assert picture.content.startswith(b"\x89PNG")
        wide = int.from_bytes(picture.content[16:20], "big")
        assert icon["sizes"] == f"{wide}x{wide}"
    problems = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [one["errorId"] for one in problems if one["errorId"] != "in-incognito"] == []


# Small defects


def test_a_message_does_not_cover_a_dialog_that_is_opened_later(go: Go) -> None:
    page = go("/?position=yatzy")
    page.evaluate(
        """() => { // no message ends by itself
            const later = window.setTimeout;
            window.setTimeout = (what, wait, ...rest) => later(what, wait > 3000 ? 1e8 : wait, ...rest);
            window.yatzyTell("still here", false);
        }"""
    )
    page.get_by_test_id("tell").get_by_text("still here").wait_for()
    page.keyboard.press("o")
    page.get_by_test_id("games-dialog").wait_for()
    page.wait_for_function("document.getElementById('yz-tell').textContent == ''")
    page.get_by_test_id("paste").fill("nonsense")


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_are_not_cut_and_headings_do_not_overlap(go: Go, language: str) -> None:
    page = go("/?position=yatzy", phone=True, language=language)
    page.get_by_test_id("target").tap()
    label = page.locator(".q-dialog .q-field__label")
    label.wait_for()
    assert label.evaluate("one => one.scrollWidth <= one.clientWidth")
    page.keyboard.press("Escape")
    label.wait_for(state="hidden")
    page.keyboard.press("n")
    page.get_by_test_id("house-rules").tap()
    page.get_by_test_id("rule-rolls").wait_for()
    for label in page.get_by_test_id("new-dialog").locator(".q-field__label").all():
        assert label.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), label.inner_text()
    field = page.get_by_test_id("own-game").locator("input")
    assert field.evaluate("one => getComputedStyle(one).opacity") == "0", "its words are the browser's, not the page's"
    # Both at once: the dialog moves while the rules unfold.
    bottom, top = page.evaluate(
        """() => {
            const words = document.createRange(); // a box that is squeezed is smaller than its words
            words.selectNodeContents(document.querySelector('.yz-one-line'));
            return [words.getBoundingClientRect().bottom,
                    document.querySelector('[data-testid=house-rules]').getBoundingClientRect().top];
        }"""
    )
    assert bottom <= top, "the description of the game is above the heading"
    assert page.locator(".q-uploader").count() == 0, "no field says 0.0B / 0.00%"
