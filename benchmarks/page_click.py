"""Click on a die of the page without a browser: the modules that run, and the HTML elements that change.

Run by `benchmarks.walks` in a process of its own: `python -m benchmarks.page_click FOLDER RESULT`. The game is the
smallest one, so its tables are made in a moment. The page is built as for a browser, and the click calls what a message
from the browser would call.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
import tempfile
import threading
from difflib import SequenceMatcher
from html.parser import HTMLParser
from pathlib import Path
from types import FrameType

from nicegui import Client, core
from nicegui.page import page

from yatzy.coach.play.opponents import Opponents
from yatzy.games import Player, Position
from yatzy.solver import Solver
from yatzy.web.page.context import PageContext, Visitor
from yatzy.web.page.preferences import Preferences
from yatzy.web.page.store import GameStore
from yatzy.web.page.table.view import TableView
from yatzy.web.service import Service, Settings

WHERE = "two-yatzy~d12~r1"


class _Elements(HTMLParser):
    """The elements of some HTML, each with its attributes and its own text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[list[object]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append([tag, *attrs])

    def handle_data(self, data: str) -> None:
        if self.found:
            self.found[-1].append(data)


async def click(folder: str) -> dict[str, object]:
    """Click on the second die; `folder` holds the packages whose modules are counted."""
    core.loop = asyncio.get_running_loop()
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(prepare=(), tables=Path(place) / "tables", games=Path(place) / "games")
        service, where, solver = Service(settings), Position.parse(WHERE), Solver(settings.tables)
        for table in (solver.expected, solver.outlooks, solver.chances):
            table(where.game)
        with Client(page("")) as client:
            store = GameStore(settings.games)
            game = store.new(where.game, [Player("You")], start=where)
            visitor = Visitor("browser", "http://127.0.0.1", at_home=True)
            context = PageContext(service, store, Opponents(service.tables.solver), game, Preferences(), visitor)
            TableView(context)
            context.refresh_soon()
            await _until_still(client)
            before, running = _shown(client), set[str]()

            def look(frame: FrameType, event: str, _: object) -> None:
                code = frame.f_code
                if event == "call" and code.co_filename.startswith(folder) and code.co_flags & inspect.CO_OPTIMIZED:
                    running.add(code.co_filename)

            threading.setprofile(look)
            sys.setprofile(look)
            await context.act("die", "1")
            await _until_still(client)
            sys.setprofile(None)
            threading.setprofile(None)
            after = _shown(client)
    names = {str(getattr(module, "__file__", None)): name for name, module in list(sys.modules.items())}
    return {
        "running": sorted(names[file] for file in running if file in names),
        "imported": sorted(name for name in sys.modules if name.split(".")[0] == "yatzy"),
        "elements": sum(map(len, after.values())),
        "changed": sum(_changes(before.get(key, []), shown) for key, shown in after.items()),
    }


async def _until_still(client: Client) -> None:
    """Wait until the page has not changed for a second."""
    shown, still = _shown(client), 0
    while still < 10:
        await asyncio.sleep(0.1)
        now = _shown(client)
        shown, still = now, still + 1 if now == shown else 0


def _shown(client: Client) -> dict[int, list[list[object]]]:
    """The elements inside every region of a page."""
    regions = {key: one.props.get("html") for key, one in client.elements.items()}
    return {key: _Elements(html).found for key, html in regions.items() if html}


def _changes(before: list[list[object]], after: list[list[object]]) -> int:
    """The number of elements that changed, came or went; the others may have moved."""
    matcher = SequenceMatcher(None, list(map(str, before)), list(map(str, after)), autojunk=False)
    changes = (places for kind, *places in matcher.get_opcodes() if kind != "equal")
    return sum(max(end - start, new_end - new_start) for start, end, new_start, new_end in changes)


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(asyncio.run(click(sys.argv[1]))), encoding="utf-8")
