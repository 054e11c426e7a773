"""The file of a game that a page shows."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from yatzy.coach.play.saved import read_game
from yatzy.errors import InputError
from yatzy.games import Record

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 10.0
"""Seconds that the file may lag behind the page, which does not wait for the disk."""


def saved_game(folder: Path, page: Page) -> Record:
    """The game of a page as it lies on the disk, once the position in the address is saved."""
    asked = parse_qs(urlsplit(page.url).query)
    (id,), (position,) = asked["game"], asked["position"]
    assert re.fullmatch("[a-z0-9-]+", id)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(InputError):  # the name may be reserved, and the file still empty
            record = read_game(folder / f"{id}.yatzy")
            if str(record.position) == position:
                return record
        time.sleep(0.01)
    raise AssertionError(f"{id}: {position} was not saved in {PATIENCE} s")
