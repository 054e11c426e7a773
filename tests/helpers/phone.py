"""A phone of 360 × 740 whose page is tapped, and what tests of it look at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from helpers.saved_games import saved_game
from yatzy.games import Record

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from web.conftest import Served

WIDTH, HEIGHT, FINGER = 360, 740, 44
SMALL = """finger => [...document.querySelectorAll('button, a[href], [role=switch], [role=checkbox]')]
    .filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.closest('.q-dialog, .nicegui-error-popup'))
    .map(e => [e.dataset.testid ?? e.className, e.getBoundingClientRect()])
    .filter(([name, box]) => box.width && box.x > -100 && Math.min(box.width, box.height) < finger - .5)
    .map(([name, box]) => `${name} ${Math.round(box.width)} x ${Math.round(box.height)}`)"""
"""JavaScript that lists what is smaller than a finger."""
CUT = """selector => [...document.querySelectorAll(selector)].filter(
    one => one.offsetParent && one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"""
"""JavaScript that lists what is wider than its box."""


class Phone:
    """A page that is tapped; it counts the taps on dice and faces, and all others."""

    def __init__(self, page: Page, server: Served) -> None:
        self.page, self.server = page, server
        self.dice_taps = self.taps = self.scrolls = 0

    def open(self, address: str = "/") -> Phone:
        self.page.goto(self.server.address + address)
        self.page.wait_for_function("window.did_handshake")
        self.shows("status")
        return self

    def shows(self, id: str, text: str | re.Pattern[str] = "") -> None:
        from playwright.sync_api import expect

        found = self.page.get_by_test_id(id)
        expect(found).to_be_visible()
        if text:
            expect(found).to_contain_text(text)

    def tap(self, id: str) -> None:
        """Tap something, which must be on the screen without scrolling."""
        found = self.page.get_by_test_id(id)
        found.wait_for()
        box = found.bounding_box()
        assert box is not None
        assert box["y"] >= 0, id
        assert box["y"] + box["height"] <= HEIGHT, id
        found.tap()
        if re.match("(die|face|entered)-", id):
            self.dice_taps += 1
        else:
            self.taps += 1

    def reach(self, id: str) -> None:
        """Tap something, after scrolling to it if it is not on the screen."""
        found = self.page.get_by_test_id(id)
        found.wait_for()
        box = found.bounding_box()
        assert box is not None
        if box["y"] < 0 or box["y"] + box["height"] > HEIGHT:
            found.scroll_into_view_if_needed()
            self.scrolls += 1
        self.tap(id)

    def enter(self, dice: str) -> None:
        for face in dice:
            self.tap(f"face-{face}")

    def has_dice(self, dice: str) -> None:
        """See these dice in this order."""
        self.page.wait_for_function(
            "dice => [...document.querySelectorAll('[data-testid^=die-]')].map(e => e.dataset.value).join('') == dice",
            arg=dice,
        )

    @property
    def scrolled(self) -> float:
        return float(self.page.evaluate("scrollY"))

    @property
    def saved(self) -> Record:
        return saved_game(self.server.games, self.page)

    def ringed(self) -> str:
        """The values of the dice that are ringed."""
        return str(
            self.page.evaluate("[...document.querySelectorAll('.yz-ringed')].map(e => e.dataset.value).join('')")
        )
