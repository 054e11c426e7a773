"""What the recipes of docs/extending.md add is found by the page, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from helpers.recipes import recipe

from web.conftest import Running, Served
from yatzy.games import load_preset

if TYPE_CHECKING:
    from web.conftest import Visit

START = """
import sys
sys.path.insert(0, {folder!r})
import my_first, my_objective, my_pattern
from yatzy.report.texts import LANGUAGES, texts
from yatzy.web import page
page.__path__.append({folder!r})
for language in LANGUAGES:
    texts(language)["nav.categories"] = "Boxes"
from yatzy.cli import main
main()
"""
"""`yatzy serve`, with what the recipes add."""
RECORD = """game: high
| id = "high"
| dice = 2
| faces = 6
| rolls = 2
|
| [[categories]]
| id = "high"
| pattern = "all-at-least"
| least = 5
player: Ann

1: 56 (56) 56 high 11
"""


@pytest.fixture
def server(web: Running, tables: Path, tmp_path: Path) -> Iterator[Served]:
    for name, heading in {
        "my_pattern.py": "A scoring pattern",
        "my_first.py": "A named strategy",
        "my_objective.py": "An objective",
        "boxes/__init__.py": "",
        "boxes/view.py": "A view of the page",
    }.items():
        path = tmp_path / "added" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(recipe(heading) if heading else "", encoding="utf-8")
    served = Served(tables, "--prepare", "none")
    served.code = START.format(folder=str(tmp_path / "added"))
    served.games = tmp_path / "games"
    served.start()
    yield served
    served.stop()


def test_the_page_finds_what_the_recipes_add(server: Served, visit: Visit) -> None:
    from playwright.sync_api import expect

    page = visit.page
    page.goto(f"{server.address}/lab")
    page.get_by_test_id("first-strategy").click()
    expect(page.get_by_role("option", name="First", exact=True)).to_be_visible()
    page.goto(f"{server.address}/?position=two-yatzy~d12~r1")
    page.get_by_test_id("columns").click()
    page.get_by_test_id("column-cautious").click()
    page.get_by_test_id("columns-use").click()
    expect(page.locator("[data-list=moves] th", has_text="cautious")).to_be_visible()
    page.goto(f"{server.address}/review")
    page.get_by_text("or paste a record").click()
    page.get_by_test_id("review-paste").fill(RECORD)
    page.get_by_test_id("review-go").click()
    expect(page.get_by_test_id("identity-final")).to_have_text("= 11")
    page.get_by_test_id("nav-categories").click()
    for category in load_preset("two-yatzy").categories:
        expect(page.get_by_text(category.name(), exact=True)).to_be_visible()
    assert page.url.startswith(f"{server.address}/categories")
    assert visit.problems == []
