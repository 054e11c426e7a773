"""What a click on the page costs: CPU time and waiting time by kind of click, over whole games played by clicks.

`python -m benchmarks clicks` measures this tree. `python -m benchmarks.click_speed FOLDER ...` measures several trees
in turns, each with the Python of its own .venv. The dice come from seeds, so every tree plays the same games.

The CPU time is that of the server process with all its threads. It is read once the server has been idle for a moment
after the click, and the time that an idle server uses meanwhile is subtracted. The answer is timed on the wire: from
the message of the click to the first message back, and to the last one, which brings the chart. The server waits 30 ms
on purpose before it begins with the chart, so that quick clicks are answered together.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from benchmarks.page_speed import ARGUMENTS, BROWSERS, TURNS
from benchmarks.report import Grid, Result, Settings, Value, seconds, show
from benchmarks.serve_speed import _wait_until_ready
from benchmarks.wire import Wire, wired
from yatzy.coach.play.session import Session
from yatzy.games import Player, load_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GAMES, QUICK_GAMES = 2, 1
IDLE, BUSY, LONGEST = 0.25, 0.0015, 10.0
"""The server is idle when it used less than BUSY seconds of CPU time in IDLE seconds; waited for LONGEST seconds."""
KINDS = {
    "die": "hold a die",
    "keep": "keep dice and roll the others",
    "roll": "roll all dice",
    "box": "fill a box",
    "nothing": "a message that the server ignores",
}
BEST, ROLL, DIE = "[data-testid=moves] tbody tr", "[data-testid=roll]", "[data-testid=die-{}]"
NOTHING = "() => emitEvent('yatzy', 'no-such-action', '')"
"""A message that the server receives like a click, and ignores."""

# From the click to the frame that shows the new list of moves; if it stays as it is, until the answer is there.
CLICK = """([selector, changes]) => new Promise(done => {
  const box = document.querySelector('[data-list=moves]'), begun = performance.now();
  const since = () => (performance.now() - begun) / 1000;
  if (!changes) window.socket.once('update', () => done(since()));
  else new MutationObserver((_, watch) => {
    watch.disconnect();
    requestAnimationFrame(() => done(since()));
  }).observe(box, {childList: true, subtree: true});
  document.querySelector(selector).click();
})"""


@dataclass
class Clicks:
    """The clicks of one tree, by kind."""

    cpu: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds of CPU time of the server."""
    answered: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds until the server sent the first message of its answer."""
    complete: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds until it sent the last one."""
    shown: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds until the browser showed the new list of moves."""


def run(settings: Settings) -> Result:
    """Play games by clicks."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None or not hasattr(time, "clock_gettime"):
        return Result([Grid("Clicks", ("", ""), [["no browser is installed, or no clock of a process", ""]])], {})
    clicks = Clicks()
    tree = Tree(Path(__file__).parent.parent, sys.executable)
    for seed in range(1, settings.repeats(GAMES, QUICK_GAMES) + 1):
        _game_of(tree, browser, seed, clicks)
    data: dict[str, Value] = {
        kind: {"clicks": len(times), "median_s": statistics.median(times), "longest_s": max(times)}
        for kind, times in clicks.cpu.items()
    }
    return Result([_grid({"this tree": clicks})], data)


@dataclass(frozen=True, slots=True)
class Tree:
    """A checkout of the project, and the Python that runs it."""

    folder: Path
    python: str


def _game_of(tree: Tree, browser: str, seed: int, clicks: Clicks) -> None:
    """Start a server, and play a game there."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as games:
        id = _new_game(Path(games), seed)
        with _server(tree, games) as (pid, port), wired(port) as wire, sync_playwright() as driver:
            chromium = driver.chromium.launch(executable_path=browser, args=list(ARGUMENTS))
            # The first game, of which nothing is counted, fills the caches of the server.
            for name, into in ((_new_game(Path(games), seed + 1000), Clicks()), (id, clicks)):
                page = _open(chromium, f"http://127.0.0.1:{wire.port}/?game={name}")
                _play(page, pid, wire, into, TURNS if into is clicks else 2)
                page.context.close()
            chromium.close()


def _new_game(folder: Path, seed: int) -> str:
    path = folder / f"clicks-{seed}.yatzy"
    session = Session.new(load_game("yatzy"), [Player("You")], seed)
    session.roll()
    session.save(path)
    return path.stem


@contextmanager
def _server(tree: Tree, games: str) -> Iterator[tuple[int, int]]:
    """A server of a tree, by its process and its port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [tree.python, "-m", "benchmarks.serve_speed", str(port)]
    with subprocess.Popen(command, cwd=tree.folder, env={**os.environ, "YATZY_GAMES": games}) as server:
        try:
            _wait_until_ready(port)
            yield server.pid, port
        finally:
            server.terminate()


def _open(chromium: Browser, address: str) -> Page:
    # Without motion: while dice still tumble after the last click, a frame waits for the next sixtieth of a second.
    page = chromium.new_context(viewport={"width": 1280, "height": 1000}, reduced_motion="reduce").new_page()
    page.goto(address)
    page.wait_for_function("window.did_handshake && document.querySelector('[data-testid=move-0]')")
    return page


def _play(page: Page, pid: int, wire: Wire, clicks: Clicks, turns: int) -> None:
    """Play the best moves. Before each keep, two dice are clicked."""
    _until_idle(pid)
    begun, used = time.monotonic(), _cpu(pid)
    time.sleep(1.0)
    idle = (_cpu(pid) - used) / (time.monotonic() - begun)

    def measure(kind: str, act: Callable[[], object]) -> None:
        begun, used = time.monotonic(), _cpu(pid)
        act()
        end = _until_idle(pid)
        clicks.cpu[kind].append(_cpu(pid) - used - idle * (end - begun))

    def click(kind: str, selector: str, *, changes: bool = True) -> None:
        def act() -> None:
            shown = page.evaluate(CLICK, [selector, changes])
            if changes:
                clicks.shown[kind].append(shown)

        wire.forget()
        measure(kind, act)
        first, last = wire.first_and_last()
        clicks.answered[kind].append(first)
        clicks.complete[kind].append(last)

    for turn in range(turns):
        if turn:
            click("roll", ROLL)
        while "○○○" not in page.get_by_test_id("rolls-left").inner_text():
            for place in (turn, turn + 2):
                click("die", DIE.format(1 + place % 5), changes=False)
            click("keep", BEST)
        measure("nothing", lambda: page.evaluate(NOTHING))
        click("box", BEST)


def _until_idle(pid: int) -> float:
    """Wait until the server does nothing, and return the time."""
    end = time.monotonic() + LONGEST
    before = _cpu(pid)
    while time.monotonic() < end:
        time.sleep(IDLE)
        now = _cpu(pid)
        if now - before < BUSY:
            break
        before = now
    return time.monotonic()


def _cpu(pid: int) -> float:
    """The CPU time of a process with all its threads, to the nanosecond, unlike that in /proc."""
    return time.clock_gettime((~pid << 3) | 2)  # Linux numbers the clocks of processes like this


def _grid(trees: Mapping[str, Clicks]) -> Grid:
    rows = []
    for kind, words in KINDS.items():
        for name, clicks in trees.items():
            times = clicks.cpu.get(kind)
            if times:
                cells = [seconds(statistics.median(times)), seconds(statistics.quantiles(times, n=20)[-1])]
                waits = (clicks.answered.get(kind), clicks.complete.get(kind), clicks.shown.get(kind))
                cells += [seconds(statistics.median(wait)) if wait else "" for wait in waits]
                rows.append([words, name, *cells, str(len(times))])
    columns = ("", "", "CPU", "95 %", "answered", "complete", "shown", "clicks")
    title = "A click on the page, medians: CPU time of the server, its answer, and the frame that shows the new moves"
    return Grid(title, columns, rows)


def _side_by_side(folders: Sequence[str]) -> None:
    browser = next(found for name in BROWSERS if (found := shutil.which(name)))
    trees = {folder: Clicks() for folder in folders}
    for seed in range(1, GAMES + 1):
        for folder, clicks in trees.items():
            _game_of(Tree(Path(folder), str(Path(folder).absolute() / ".venv/bin/python")), browser, seed, clicks)
    names = {f"{number}": clicks for number, clicks in enumerate(trees.values(), 1)}
    console = Console(width=160)
    show(console, _grid(names))
    console.print(*(f"{number}: {folder}" for number, folder in enumerate(folders, 1)), sep="\n")


if __name__ == "__main__":
    _side_by_side(sys.argv[1:])
