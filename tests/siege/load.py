"""Many clients at once for minutes: every answer is the right one, and memory stays flat."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from siege.campaign import Campaign
from siege.report import Result
from siege.requests import PAGES, rested_memory
from siege.web import Answer, Server, WebSocket, check_server, known_value, read_answer, request

CLIENTS, SHORT_CLIENTS = 200, 30
SECONDS, SHORT_SECONDS = 600.0, 8.0
GROWTH = 60.0
"""Megabytes that the server may have gained after a rest."""
PATIENCE = 60.0
"""Seconds that a client waits for an answer."""
QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/value", {"position": "two-yatzy~d12~r1"}),
    ("/api/value", {"position": "two-yatzy~d11~r0"}),
    ("/api/value", {"game": "two-yatzy"}),
    ("/api/advise", {"position": "two-yatzy~d12~r1"}),
    ("/api/advise", {"position": "two-yatzy~d22~r1"}),
    ("/api/games/read", {"game": "two-yatzy"}),
)


@dataclass
class _Seen:
    """What the clients saw."""

    times: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


class Load(Campaign):
    """One job: all clients, for all of the time."""

    name = "load"
    jobs = short_jobs = 1
    seconds, short_seconds = 1200.0, 60.0
    workers = 1

    def prepare(self) -> None:
        """Start the server and learn the right answers from it while it has nothing else to do."""
        (self.folder / "server").mkdir()
        self._server = Server(self.folder / "server")
        self._server.start()
        self._known = known_value()
        self._right = {}
        for path, fields in QUESTIONS:
            answer = self._server.post(path, fields)
            if answer.status != 200:
                raise RuntimeError(f"{path} {fields}: {answer}")
            self._right[path, json.dumps(fields)] = answer.body
        for page in PAGES * 40:
            self._server.get(page)

    def close(self) -> None:
        """End the server."""
        self._server.stop()

    def attempt(self, number: int) -> Result:
        """Let the clients ask until time is up."""
        result, seen = Result(tries=0), _Seen()
        before = self._server.memory()
        clients, seconds = (SHORT_CLIENTS, SHORT_SECONDS) if self.short else (CLIENTS, SECONDS)
        asyncio.run(self._all(clients, seconds, result, seen))
        check_server(self._server, self._known, result)
        after = rested_memory(self._server, 12 if self.short else 75)
        traces = self._server.tracebacks()
        for line in sorted(set(traces)):
            result.add("traceback", f"{traces.count(line)} × in the server's log: {line}")
        if after > before + GROWTH:
            result.add("leak", f"memory grew from {before:.0f} to {after:.0f} MB after a rest")
        times = sorted(seen.times) or [0.0]
        result.counts["clients"], result.counts["seconds"] = clients, int(seconds)
        result.counts["memory before, MB"], result.counts["memory after a rest, MB"] = int(before), int(after)
        result.counts["memory at most, MB"] = int(max(seen.memory, default=before))
        result.counts["median answer, ms"] = int(1000 * times[len(times) // 2])
        result.counts["slowest of a hundred, ms"] = int(1000 * times[len(times) * 99 // 100])
        result.counts["slowest, ms"] = int(1000 * times[-1])
        return result

    async def _all(self, clients: int, seconds: float, result: Result, seen: _Seen) -> None:
        end = time.monotonic() + seconds
        tasks = [asyncio.create_task(self._client(number, end, result, seen)) for number in range(clients)]
        while time.monotonic() < end:
            seen.memory.append(self._server.memory())
            await asyncio.sleep(min(5.0, seconds / 4))
        await asyncio.gather(*tasks)

    async def _client(self, number: int, end: float, result: Result, seen: _Seen) -> None:
        rng = random.Random(f"{self.seed} client {number}")
        while time.monotonic() < end and len(result.findings) < 20:
            kind = rng.random()
            if kind < 0.03:
                await self._page(rng, result, seen)
            elif kind < 0.05:
                await self._session(rng, result)
            else:
                await self._question(rng, result, seen)
            await asyncio.sleep(rng.uniform(0, 0.2))

    async def _question(self, rng: random.Random, result: Result, seen: _Seen) -> None:
        path, fields = rng.choice(QUESTIONS)
        body = json.dumps(fields).encode()
        answer = await self._ask(request("POST", path, {"Content-Type": "application/json"}, body), result, seen)
        right = self._right[path, json.dumps(fields)]
        if answer.status == 200 and answer.body != right:
            result.add("wrong", f"{path} {fields}: {answer.body[:200]!r}, not {right[:200]!r}")
        elif answer.status not in (200, 429):
            result.add("unclear", f"{path} {fields}: {answer.status} {answer.problem} {answer.body[:200]!r}")

    async def _page(self, rng: random.Random, result: Result, seen: _Seen) -> None:
        page = rng.choice((*PAGES, "/page-assets/page.css", "/api/docs"))
        answer = await self._ask(request("GET", page, {}), result, seen)
        if answer.status not in (200, 429, 503):
            result.add("unclear", f"{page}: {answer.status} {answer.problem}")

    async def _session(self, rng: random.Random, result: Result) -> None:
        """A websocket that says hello and leaves."""
        loop = asyncio.get_running_loop()
        result.tries += 1
        try:
            await loop.run_in_executor(None, _hello, self._server.port)
        except OSError as error:
            result.add("unclear", f"websocket: {type(error).__name__}: {error}")

    async def _ask(self, data: bytes, result: Result, seen: _Seen) -> Answer:
        result.tries += 1
        begun = time.perf_counter()
        try:
            answer = read_answer(await asyncio.wait_for(_exchange(self._server.port, data), PATIENCE))
        except TimeoutError:
            result.add("hang", f"no answer within {PATIENCE:g} s to {data[:80]!r}")
            return Answer(429, {}, b"")
        except OSError as error:
            return Answer(0, {}, b"", f"{type(error).__name__}: {error}")
        seen.times.append(time.perf_counter() - begun)
        return answer


async def _exchange(port: int, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        await writer.drain()
        return await reader.read(-1)
    finally:
        writer.close()


def _hello(port: int, then: Callable[[WebSocket], None] | None = None) -> None:
    line = WebSocket(port, "/_nicegui_ws/socket.io/?EIO=4&transport=websocket", f"http://127.0.0.1:{port}")
    try:
        line.send(b"40")
        if then is not None:
            then(line)
        line.drain()
    finally:
        line.close()
