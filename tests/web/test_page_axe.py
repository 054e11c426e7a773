"""axe-core finds nothing to complain of in any view, dialog or state of the page, light and dark, in every language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from helpers.scenes import SCENES, Scene, write_games

from web.conftest import PATIENCE, Served
from yatzy import load_game
from yatzy.report.texts import LANGUAGES
from yatzy.solver import Solver

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from web.conftest import Running

GAME = "yacht"
SIZES = {"phone": (360, 740), "laptop": (1366, 900), "desk": (1920, 1080)}
SERIOUS = {"moderate", "serious", "critical"}
QUICK = ("table", "review")
"""The scenes of the quick test."""


@pytest.fixture(scope="module")
def server(
    web: Running,
    tables: Path,
    outlooks: Callable[[str], Any],
    chances: Callable[[str], Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Served]:
    outlooks(GAME)
    chances(GAME)
    served = Served(tables, "--prepare", "none", "--host", "0.0.0.0", "--name", "yatzy.test")
    served.games = tmp_path_factory.mktemp("axe") / "games"
    write_games(served.games, load_game(GAME), Solver(tables))
    served.start()
    yield served
    served.stop()


def findings(page: Page) -> Iterator[str]:
    """What axe-core finds, a line each."""
    for one in Axe().run(page).response["violations"]:
        if one["impact"] in SERIOUS:
            where = "; ".join(" ".join(map(str, node["target"])) for node in one["nodes"][:3])
            yield f"{one['id']} ({one['impact']}, {len(one['nodes'])} times): {where}"


def look(browser: Browser, server: Served, scenes: list[Scene], language: str, size: str) -> list[str]:
    """Show scenes, each light and dark. Returns what axe-core finds in them."""
    found = []
    for scene in scenes:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", has_touch=size == "phone"
        )
        context.add_cookies([{"name": "yatzy-language", "value": language, "url": server.address}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        scene.show(page, server.address, load_game(GAME))
        for scheme, dark in (("light", "false"), ("dark", "true")):
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            page.wait_for_function(f"document.body.classList.contains('body--dark') == {dark}")
            page.wait_for_function("document.getAnimations().every(one => one.playState != 'running')")  # of colours
            found += [f"{scene.name}, {scheme}: {one}" for one in findings(page)]
        context.close()
    return found


def test_the_main_views_have_no_findings(browser: Browser, server: Served) -> None:
    assert look(browser, server, [one for one in SCENES if one.name in QUICK], "en", "phone") == []


def test_axe_core_finds_what_is_wrong(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html lang='en'><title>x</title><main><h1>x</h1><button></button></main></html>")
    assert [one.partition(" ")[0] for one in findings(page)] == ["button-name"]
    page.close()


COMBINATIONS = [(language, size) for language in LANGUAGES for size in SIZES]
OFTEN = (("en", "phone"), ("de", "laptop"))
"""The combinations of `make slow`; each takes minutes."""


@pytest.mark.parametrize(
    ("language", "size"),
    [
        pytest.param(*one, marks=pytest.mark.slow if one in OFTEN else pytest.mark.full, id="-".join(one))
        for one in COMBINATIONS
    ],
)
def test_no_state_of_the_page_has_findings(browser: Browser, server: Served, language: str, size: str) -> None:
    scenes = [one for one in SCENES if size == "phone" or not one.phone_only]
    found = look(browser, server, scenes, language, size)
    print(f"{language}, {size}: {len(scenes)} scenes, light and dark, {len(found)} findings")
    assert found == []
