"""The server under load: 50 clients that request advice on different positions, each as fast as it gets answers."""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import urlopen

from benchmarks.report import Grid, Result, Settings, Value, seconds, size
from yatzy.games import Position, Score, load_game, placements
from yatzy.solver import solve

GAME, CLIENTS, SECONDS, QUICK_SECONDS = "yatzy", 50, 60, 5
AIM_RATE, AIM_P99 = 300, 0.25
POSITIONS = 5000


def run(settings: Settings) -> Result:
    duration = settings.repeats(SECONDS, QUICK_SECONDS)
    solve(load_game(GAME))  # the server starts with its table on disk
    rng = random.Random(1)
    bodies = [json.dumps({"position": random_position(rng)}).encode() for _ in range(POSITIONS)]
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "benchmarks.serve_speed", str(port)]
    with subprocess.Popen(command) as server:
        try:
            _wait_until_ready(port)
            asyncio.run(_load(port, bodies, 2))  # warm up
            before, used = _memory(server.pid), _cpu(server.pid)
            load = asyncio.run(_load(port, bodies, duration))
            after, used = _memory(server.pid), _cpu(server.pid) - used
        finally:
            server.terminate()
    return _result(load, duration, before, after, used)


def random_position(rng: random.Random, players: int = 1, *, last_roll: bool = False) -> str:
    """A random position in the middle of a game, with dice; `last_roll`: no roll is left."""
    game = load_game(GAME)
    position = Position.start(game, players)

    def roll() -> list[int]:
        return [rng.randint(1, game.faces) for _ in range(game.dice)]

    for _ in range(rng.randrange(players * len(game.categories))):
        position = position.roll(roll())
        place = rng.choice(placements(position.sheet, position.dice))
        position = position.play(Score(game.categories[place.category].id))
    return str(Position(position.sheets, tuple(roll()), 0 if last_roll else rng.randrange(game.rolls)))


@dataclass
class Load:
    """The clients' measurements."""

    times: list[float] = field(default_factory=list)
    errors: int = 0

    def percentile(self, percent: float) -> float:
        """The time within which `percent` percent of the answers arrived."""
        return sorted(self.times)[min(int(len(self.times) * percent / 100), len(self.times) - 1)]


async def _load(port: int, bodies: Sequence[bytes], duration: float) -> Load:
    load, end = Load(), time.perf_counter() + duration
    await asyncio.gather(*(_client(port, bodies, number, end, load) for number in range(CLIENTS)))
    return load


async def _client(port: int, bodies: Sequence[bytes], number: int, end: float, load: Load) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    rng = random.Random(number)
    while (begun := time.perf_counter()) < end:
        status = await _ask(reader, writer, rng.choice(bodies))
        load.times.append(time.perf_counter() - begun)
        load.errors += status != 200
    writer.close()


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytes) -> int:
    head = "POST /api/advise HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length"))
    await reader.readexactly(int(length.partition(b":")[2]))
    return int(answer.split(b" ", 2)[1])


def _wait_until_ready(port: int) -> None:
    """Wait until the server answers and makes no more tables."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        try:
            with urlopen(f"http://127.0.0.1:{port}/api/tables") as answer:
                states = {table["state"] for table in json.load(answer)["tables"]}
        except OSError:
            states = {"waiting"}
        if not states & {"waiting", "making"}:
            return
        time.sleep(0.2)
    raise TimeoutError("the server was not ready within five minutes")


def _memory(pid: int) -> int:
    """The memory of a process in bytes; 0 if the system does not report it."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return 1024 * int(line.split()[1])


def _cpu(pid: int) -> float:
    """The CPU time of a process in seconds; 0 if the system does not report it."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _result(load: Load, duration: float, before: int, after: int, cpu: float) -> Result:
    rate, p50, p99 = len(load.times) / duration, load.percentile(50), load.percentile(99)
    rows = [
        ["requests a second", f"{rate:,.0f}", f"{AIM_RATE}"],
        ["half of them within", seconds(p50), ""],
        ["99 % within", seconds(p99), seconds(AIM_P99)],
        ["the longest", seconds(max(load.times)), ""],
        ["time of a core that each takes", seconds(cpu / len(load.times)), ""],
        ["errors", str(load.errors), "0"],
        ["memory before", size(before), ""],
        ["memory after", size(after), "as before"],
    ]
    data: dict[str, Value] = {
        "clients": CLIENTS, "seconds": duration, "requests": len(load.times), "requests_per_second": rate,
        "p50_s": p50, "p99_s": p99, "longest_s": max(load.times), "errors": load.errors,
        "memory_before": before, "memory_after": after, "server_cpu_s": cpu,
    }  # fmt: skip
    title = f"Advice over HTTP: {CLIENTS} clients for {duration} s, random positions of {load_game(GAME).name()}"
    failures = [f"serve: {load.errors} requests failed"] if load.errors else []
    return Result([Grid(title, ("", "measured", "the aim"), rows)], data, failures)


def _serve(port: int) -> None:
    from yatzy.web.running import serve
    from yatzy.web.service import Settings as ServerSettings

    serve(ServerSettings(), port, open_page=False, say=lambda line: None)


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
