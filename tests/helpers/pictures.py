"""Take pictures of every view, dialog and state of the page, to look at.

PYTHONPATH=tests python -m helpers.pictures FOLDER [--only NAME,…] [--sizes 360x740,1366x900,1920x1080] [--languages sv]

Each scene is taken light and dark, at every size and in every language, as FOLDER/SCENE-WIDTH-LANGUAGE-LIGHT.png, and
the pictures of a scene are put together on a contact sheet, FOLDER/SCENE.png.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import sync_playwright
from web.conftest import ARGUMENTS, BROWSERS

from helpers.scenes import SCENES, Scene, write_games
from yatzy import load_game
from yatzy.report.texts import LANGUAGES
from yatzy.solver import Solver

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES = "360x740,1366x900,1920x1080"
HEIGHT = 640
"""Pixels of a picture on a contact sheet."""
WIDEST = 3000
"""Pixels of a row on a contact sheet."""
LONGEST = 3
"""A picture shows the whole page, up to so many screens."""


@contextmanager
def served(game: str) -> Iterator[str]:
    """The address of a server with all tables of a game, and games of nobody."""
    solver, rules = Solver(), load_game(game)
    solver.outlooks(rules)
    solver.chances(rules)
    with tempfile.TemporaryDirectory() as games:
        write_games(Path(games), rules, solver)
        options = ["--no-open", "--port", "0", "--prepare", "none", "--host", "0.0.0.0", "--name", "yatzy.local"]
        command = [sys.executable, "-c", "from yatzy.cli import main; main()", "serve", *options]
        env = {**os.environ, "YATZY_GAMES": games}
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env)
        try:
            assert server.stderr is not None
            found = re.search(r"http://\S+:(\d+)", server.stderr.readline())
            assert found, "the server does not say where it is"
            yield f"http://127.0.0.1:{found[1]}"
        finally:
            server.terminate()
            server.communicate()


def open_page(browser: Browser, server: str, width: int, height: int, language: str, dark: bool) -> Page:
    """A fresh visitor with these settings."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        has_touch=width < 700,
        reduced_motion="reduce",
        locale=language,
    )
    context.add_cookies([{"name": "yatzy-language", "value": language, "url": server}])
    page = context.new_page()
    page.set_default_timeout(60_000)
    return page


def take(page: Page, path: Path) -> None:
    """A picture of the page, or of the screen if a dialog covers the page."""
    size = page.viewport_size
    assert size is not None
    dialog = page.locator(".q-dialog__inner").count() > 0
    tall = int(page.evaluate("document.documentElement.scrollHeight"))
    if not dialog:
        page.set_viewport_size({"width": size["width"], "height": max(min(tall, LONGEST * size["height"]), 1)})
        page.wait_for_timeout(150)
    page.screenshot(path=path)


def contact_sheet(pictures: Sequence[Path], path: Path) -> None:
    """Put pictures side by side, in rows."""
    small = list[Image.Image]()
    for one in pictures:
        with Image.open(one) as picture:
            width = max(picture.width * HEIGHT // picture.height, 1)
            small.append(picture.convert("RGB").resize((width, HEIGHT)))
    rows: list[list[Image.Image]] = [[]]
    for image in small:
        if rows[-1] and sum(one.width for one in rows[-1]) + image.width > WIDEST:
            rows.append([])
        rows[-1].append(image)
    width = max(sum(one.width + 6 for one in row) for row in rows)
    sheet = Image.new("RGB", (width, len(rows) * (HEIGHT + 6)))
    for number, row in enumerate(rows):
        left = 0
        for image in row:
            sheet.paste(image, (left, number * (HEIGHT + 6)))
            left += image.width + 6
    sheet.save(path)


def take_all(browser: Browser, server: str, folder: Path, scenes: Sequence[Scene], asked: argparse.Namespace) -> None:
    """All pictures of some scenes."""
    game = load_game(asked.game)
    sizes = [tuple(map(int, size.split("x"))) for size in asked.sizes.split(",")]
    for scene in scenes:
        taken = []
        for (width, height), language, dark in itertools.product(sizes, asked.languages.split(","), (False, True)):
            if scene.phone_only and width > 700:
                continue
            path = folder / f"{scene.name}-{width}-{language}-{'dark' if dark else 'light'}.png"
            page = open_page(browser, server, width, height, language, dark)
            try:
                scene.show(page, server, game)
                take(page, path)
                taken.append(path)
            except Exception as error:
                print(f"{path.name}: {str(error).splitlines()[0]}", file=sys.stderr)
            page.context.close()
        if taken:
            contact_sheet(taken, folder / f"{scene.name}.png")
        print(f"{scene.name}: {len(taken)} pictures", flush=True)


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--languages", default=",".join(LANGUAGES))
    parser.add_argument("--game", default="yatzy")
    asked = parser.parse_args()
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        sys.exit(f"no browser here; one of {', '.join(BROWSERS)} is needed")
    asked.folder.mkdir(parents=True, exist_ok=True)
    scenes = [one for one in SCENES if not asked.only or one.name in asked.only.split(",")]
    with served(asked.game) as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        take_all(browser, server, asked.folder, scenes, asked)
        browser.close()


if __name__ == "__main__":
    main()
