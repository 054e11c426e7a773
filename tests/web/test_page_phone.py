"""A turn at the table on a phone of 360 × 740: real dice, hints, what fits on the screen, and the end of a game."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from helpers.phone import CUT, FINGER, HEIGHT, SMALL, WIDTH, Phone

from web.conftest import PATIENCE, Served
from yatzy.coach import advise
from yatzy.games import Keep, Position, load_preset
from yatzy.solver import Solver

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from web.conftest import Running

TWO = str(Position.start(load_preset("yatzy"), 2))
"""Two players at the start of Yatzy."""
ENDING = "two-yatzy~s1.~s1."
"""Two players with one box left each."""


@pytest.fixture(scope="module")
def server(web: Running, tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tables, "--prepare", "none")
    found.games = tmp_path_factory.mktemp("phone") / "games"
    found.start()
    yield found
    found.stop()
    shutil.rmtree(found.games, ignore_errors=True)


@pytest.fixture
def phone(browser: Browser, server: Served) -> Iterator[Phone]:
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield Phone(page, server)
    context.close()


def test_everything_of_a_turn_is_on_one_screen_and_large_enough(phone: Phone) -> None:
    phone.open(f"/?position={TWO}").tap("typed")
    phone.shows("pad")
    phone.enter("13356")
    phone.has_dice("13356")
    page = phone.page
    ids = ["pad", "roll", "best", "undo", "seat-1", "seat-2", *(f"die-{n}" for n in range(1, 6))]
    ids += [f"score-{one.id}" for one in load_preset("yatzy").categories]
    for id in ids:
        box = page.get_by_test_id(id).bounding_box()
        assert box is not None, id
        assert box["y"] + box["height"] <= HEIGHT, id
        assert box["x"] + box["width"] <= WIDTH, id
    small = page.evaluate(SMALL, FINGER)
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    title = page.get_by_test_id("status")
    assert title.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight + 1")


def test_a_turn_with_real_dice_takes_at_most_four_taps_besides_dice(phone: Phone) -> None:
    phone.open(f"/?position={TWO}").tap("typed")
    phone.taps = phone.dice_taps = 0
    phone.enter("13356")
    phone.has_dice("13356")
    for die in ("die-2", "die-3"):
        phone.tap(die)
    phone.tap("roll")
    phone.shows("roll", "Enter 3 dice")
    phone.enter("364")
    phone.has_dice("33364")
    phone.tap("die-1")
    phone.tap("roll")
    phone.shows("roll", "Enter 2 dice")
    phone.enter("31")
    phone.has_dice("33331")
    phone.tap("score-threes")
    phone.shows("status", "Player 2")
    assert phone.taps == 3
    assert phone.dice_taps == 5 + 2 + 3 + 1 + 2
    assert phone.scrolled == 0
    assert phone.saved.turns[0].rolls == ((1, 3, 3, 5, 6), (3, 3, 3, 4, 6), (1, 3, 3, 3, 3))
    assert phone.saved.seed is None, "the program has rolled nothing"


def test_a_turn_with_the_programs_dice_takes_four_taps_besides_dice(phone: Phone) -> None:
    phone.open(f"/?position={TWO}")
    phone.taps = 0
    phone.tap("roll")
    phone.shows("rolls-left", "2 rolls left")
    phone.tap("die-1")
    phone.tap("roll")
    phone.shows("rolls-left", "1 roll left")
    phone.tap("roll")
    phone.shows("rolls-left", "no roll left")
    phone.tap("score-chance")
    phone.shows("status", "Player 2")
    assert phone.taps == 4
    assert phone.scrolled == 0


def test_real_dice_from_the_first_visit_and_a_wrong_die_in_two_taps(phone: Phone) -> None:
    phone.open()
    phone.shows("die-1")  # a roll of the program
    phone.tap("typed")
    phone.shows("roll", "Enter 5 dice")
    phone.enter("1335")
    phone.dice_taps = 0
    phone.tap("entered-2")
    phone.tap("face-4")
    assert phone.dice_taps == 2
    phone.tap("face-6")
    phone.has_dice("14356")
    phone.tap("die-2")
    phone.tap("face-3")
    phone.has_dice("13356")
    assert phone.dice_taps == 5
    phone.shows("tell", "Die 2 is now 3 instead of 4")
    assert phone.saved.position.dice == (1, 3, 3, 5, 6)
    phone.tap("unface")
    phone.shows("roll", "Enter 1 die")
    phone.tap("face-1")
    phone.has_dice("13351")
    phone.open("/?game=none-of-these")
    assert phone.page.get_by_test_id("typed").get_attribute("aria-checked") == "true"
    phone.shows("roll", "Enter 5 dice")


def test_dice_kept_from_an_earlier_roll_are_not_changed(phone: Phone) -> None:
    phone.open(f"/?position={TWO}").tap("typed")
    phone.enter("13356")
    phone.tap("face-2")
    phone.shows("tell", "Tap the wrong die")
    phone.has_dice("13356")
    phone.tap("die-2")
    phone.tap("roll")
    phone.enter("1111")
    phone.has_dice("13111")
    phone.tap("die-2")
    phone.tap("face-6")
    phone.shows("tell", "does not belong to the last roll")
    assert phone.saved.position.dice == (1, 1, 1, 1, 3)


def test_the_best_keep_and_box_are_marked_for_the_objective_that_was_chosen(
    phone: Phone, solved: Callable[[str], Any]
) -> None:
    text = "two-yatzy~s.~d12~r1"
    points, chance = solved("two-yatzy"), Solver(phone.server._tables).build(load_preset("two-yatzy"), "target:3")
    moves = [advise(one, Position.parse(text)).best.move for one in (points, chance)]
    best = [one.dice for one in moves if isinstance(one, Keep)]
    phone.open(f"/?position={text}")
    phone.shows("value", "Expected")
    phone.page.get_by_test_id("move-0").wait_for()
    assert len(best) == 2
    assert phone.ringed() == "".join(map(str, best[0]))
    phone.page.get_by_test_id("target").tap()
    phone.page.get_by_test_id("target-number").fill("2")
    phone.page.get_by_test_id("target-set").tap()
    phone.shows("value", "At least 3 points")
    phone.shows("target", "At least 3 points")
    if len(best[1]) < 2:
        assert phone.ringed() == "".join(map(str, best[1]))
    else:  # stopping is best: the box is marked
        phone.page.locator(".yz-offer.yz-best").first.wait_for()
    assert phone.page.locator("th[aria-sort=descending]").inner_text().startswith("≥ 3")


def test_a_box_with_rolls_left_asks_once_and_a_name_shows_its_rule(phone: Phone) -> None:
    phone.open("/?position=yatzy~d22333~r1").tap("score-full-house")
    phone.shows("tell", "tap again")
    phone.shows("score-full-house", "13?")
    phone.tap("die-1")
    phone.page.wait_for_selector(".yz-asked", state="detached")
    phone.tap("rule-full-house")
    phone.shows("rule-said", "3 + 2")
    phone.shows("rule-example", "28 points")
    phone.page.keyboard.press("Escape")
    phone.page.get_by_test_id("rule-dialog").wait_for(state="hidden")
    phone.tap("score-full-house")
    phone.shows("score-full-house", "13?")
    phone.tap("score-full-house")
    phone.shows("status", "Turn 2 of 15")
    assert "Full house, 13 points" in phone.page.get_by_test_id("announced").inner_text()
    assert phone.page.evaluate("document.activeElement.dataset.key") == "roll"


def test_the_end_of_a_game(phone: Phone) -> None:
    phone.open(f"/?position={ENDING}").tap("typed")
    for dice in ("22", "12"):
        phone.enter(dice)
        phone.tap("score-twos")
        phone.shows("score-twos", "?")
        phone.tap("score-twos")
    phone.shows("result", "Player 1 wins with 5")
    phone.shows("result-said", "Player 1 won by 2 points")
    phone.page.wait_for_function("document.activeElement.id == 'yz-result'")
    assert not phone.page.get_by_test_id("roll").is_visible()
    luck = phone.page.locator(".yz-result-players tbody tr").all_inner_texts()
    assert [line.split()[:3] for line in luck] == [["Player", "1", "5"], ["Player", "2", "3"]]
    assert phone.page.evaluate(SMALL, FINGER) == []
    first = phone.page.url
    phone.tap("share")
    phone.shows("tell", "clipboard")
    phone.page.get_by_test_id("review-2").tap()
    phone.page.locator("[data-testid=reviewed-1][aria-checked=true]").wait_for()
    phone.open(first.removeprefix(phone.server.address))
    phone.page.get_by_test_id("rematch").tap()
    phone.shows("status", "Player 1 · Turn 1 of 2")
    phone.page.wait_for_function("first => location.href != first", arg=first)


def test_the_language_of_the_page_is_declared_and_its_words_fit(phone: Phone) -> None:
    phone.open()
    for language, table in (("en", "Table"), ("sv", "Bord"), ("de", "Tisch")):
        phone.page.locator(f"html[lang={language}]").wait_for()
        phone.shows("nav-table", table)
        box = phone.page.get_by_test_id("help").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= WIDTH, "the longer names of the views leave room for all buttons"
        assert phone.page.evaluate(CUT, ".yz-tab") == []
        assert phone.page.evaluate(SMALL, FINGER) == []
        phone.page.keyboard.press("l")
    phone.page.locator("html[lang=en]").wait_for()
    assert phone.page.evaluate("getComputedStyle(document.querySelector('.yz-die-face')).animationName") == "none"
