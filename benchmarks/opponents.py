"""Advice in a match over HTTP: the time until the answer, and the CPU time of the server, for positions of two players.

`python -m benchmarks opponents` measures this tree. `python -m benchmarks.opponents FOLDER ...` asks several trees the
same questions in turns, each with the Python of its own .venv. No roll is left in the positions, so that the moves are
the open categories. Every question is new, and none is asked before the kernels and tables have been loaded.
"""

from __future__ import annotations

import json
import random
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

from rich.console import Console

from benchmarks.click_speed import Tree, _cpu, _server
from benchmarks.report import Grid, Result, Settings, Value, seconds, show
from benchmarks.serve_speed import GAME, random_position
from yatzy.games import load_game
from yatzy.solver import Solver

OBJECTIVES = ("match:emp:1", "match:emp:2")
QUESTIONS, QUICK_QUESTIONS, FIRST = 200, 50, 12
"""Questions of each objective that are measured, and those asked before."""
IDLE = 0.001
"""Seconds in which a server puts its work away after an answer."""


@dataclass
class Answers:
    """The answers of one tree for one objective."""

    times: list[float] = field(default_factory=list)
    """Seconds until the answer was there."""
    cpu: list[float] = field(default_factory=list)
    """Seconds of CPU time of the server and of its child processes."""
    values: list[dict[str, float]] = field(default_factory=list)
    """By move."""


def run(settings: Settings) -> Result:
    """Ask this tree."""
    solver, game = Solver(), load_game(GAME)
    solver.chances(game), solver.endgames(game)  # the server starts with its tables on disk
    here = Tree(Path(__file__).parent.parent, sys.executable)
    [found] = _ask_all([here], settings.repeats(QUESTIONS, QUICK_QUESTIONS))
    data: dict[str, Value] = {
        objective: {
            "questions": len(one.times),
            "median_s": statistics.median(one.times),
            "cpu_median_s": statistics.median(one.cpu),
        }
        for objective, one in found.items()
    }
    return Result([_grid({"this tree": found})], data)


def _ask_all(trees: Sequence[Tree], questions: int) -> list[dict[str, Answers]]:
    """[tree]: the answers by objective."""
    found: list[dict[str, Answers]] = [{} for _ in trees]
    with tempfile.TemporaryDirectory() as games, ExitStack() as running:
        servers = [running.enter_context(_server(tree, games)) for tree in trees]
        for objective in OBJECTIVES:
            rng = random.Random(objective)
            asked = [random_position(rng, 2, last_roll=True) for _ in range(FIRST + questions)]
            connections = [_connect(port) for _, port in servers]
            for number, position in enumerate(asked):
                # Each tree is the first one for every other question.
                for at in range(len(trees)) if number % 2 else reversed(range(len(trees))):
                    into = found[at].setdefault(objective, Answers()) if number >= FIRST else Answers()
                    _ask(connections[at], servers[at][0], position, objective, into)
            for connection in connections:
                connection.close()
    return found


def _connect(port: int) -> HTTPConnection:
    connection = HTTPConnection("127.0.0.1", port)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _ask(connection: HTTPConnection, pid: int, position: str, objective: str, into: Answers) -> None:
    body = json.dumps({"position": position, "objective": objective})
    used, begun = _family_cpu(pid), time.perf_counter()
    connection.request("POST", "/api/match/advise", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    text = response.read()
    into.times.append(time.perf_counter() - begun)
    time.sleep(IDLE)
    into.cpu.append(_family_cpu(pid) - used)
    if response.status == 409:  # the server has not opened its tables yet
        time.sleep(1.0)
        return
    assert response.status == 200, text
    into.values.append({one["move"]: one["value"] for one in json.loads(text)["moves"]})


def _family_cpu(pid: int) -> float:
    """The CPU time of a process and its children."""
    lists = [path.read_text(encoding="ascii") for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return sum(_cpu(one) for one in (pid, *map(int, " ".join(lists).split())))


def _grid(trees: Mapping[str, Mapping[str, Answers]]) -> Grid:
    rows = []
    first = next(iter(trees.values()))
    for objective, least in first.items():
        for name, found in trees.items():
            one = found[objective]
            ratio = statistics.median(a / b for a, b in zip(least.times, one.times, strict=True))
            furthest = max(
                abs(value - here[move])
                for there, here in zip(least.values, one.values, strict=True)
                for move, value in there.items()
            )
            spread = statistics.quantiles(one.times, n=20)
            times = [statistics.median(one.times), spread[0], spread[-1], statistics.median(one.cpu)]
            rows.append([objective, name, *map(seconds, times), f"{ratio:.2f}", f"{furthest:.1e}"])
    heads = ("objective", "", "median", "5 %", "95 %", "CPU, median", "times as fast", "values differ by")
    return Grid("Advice against an opponent over HTTP, no roll left, every question new", heads, rows)


def _side_by_side(folders: Sequence[str]) -> None:
    trees = [Tree(Path(folder), str(Path(folder).absolute() / ".venv/bin/python")) for folder in folders]
    show(Console(width=160), _grid(dict(zip(folders, _ask_all(trees, QUESTIONS), strict=True))))


if __name__ == "__main__":
    _side_by_side(sys.argv[1:])
