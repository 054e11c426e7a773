"""HTTP and websocket fuzz of every route and page of a real server, from foreign origins too."""

from __future__ import annotations

import json
import random
import re
import urllib.parse
from typing import Any

from siege.campaign import Campaign
from siege.harm import mutate
from siege.report import Result
from siege.stock import GAME, RECORD
from siege.web import Answer, Server, WebSocket, ask, check_server, known_value, request

SHARE = 250
"""Requests of a job."""
GROWTH = 60.0
"""Megabytes that the server may have gained at the end."""
HELPER = 600.0
"""Megabytes that a process for long work may hold while it rests."""
PAGES = ("/", "/review", "/quiz", "/lab")
UNKNOWN = (
    "/nothing", "/api", "/api/", "/api/nothing", "/api/games/", "/api/games/yatzy/x", "/page-assets/../server.py",
    "/page-assets/%2e%2e/server.py", "/page-assets/page.css", "/page-assets/", "/_nicegui/x", "/_nicegui/9.9/static/x",
    "/%00", "/%ff", "//evil.example/", "/api/openapi.json", "/api/docs", "/api/docs.css", "/robots.txt", "/..%2f",
    "/_nicegui_ws/socket.io/", "/_nicegui_ws/socket.io/?EIO=4&transport=polling", "/_nicegui/client/x",
    "/" + "a" * 9000, "*", "http://evil.example/", "/api/games/%F0%9F%8E%B2", "/api/games/" + "x" * 3000,
)  # fmt: skip
METHODS = (
    "GET",
    "GET",
    "POST",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "get",
    "YATZY",
)
SEEDS: dict[str, list[dict[str, Any]]] = {
    "/api/games/read": [{"description": GAME}, {"game": "yatzy"}],
    "/api/advise": [{"position": "two-yatzy~d12~r1"}, {"game": "two-yatzy", "dice": "12", "rolls_left": 1}],
    "/api/value": [{"position": "two-yatzy~d12~r1", "objective": "target:3"}, {"description": GAME}],
    "/api/chance": [{"position": "two-yatzy~d12~r1", "at_least": 4}],
    "/api/distribution": [{"game": "two-yatzy"}, {"game": "two-yatzy", "strategy": "greedy"}],
    "/api/explain": [{"position": "two-yatzy~d12~r1", "move": "1"}],
    "/api/outlook": [{"position": "two-yatzy~d12~r1"}],
    "/api/selected-moves": [{"position": "two-yatzy~d12~r1", "moves": ["1", "-"]}],
    "/api/review": [{"record": RECORD}, {"record": RECORD, "objective": "match:emp:1", "payoff": "1,0"}],
    "/api/simulate": [{"game": "two-yatzy", "games": 20, "seed": 1, "at_least": [3]}],
    "/api/match/advise": [{"position": "two-yatzy~s.~s.~d12~r1", "objective": "match:emp:1"}],
}
HEADERS: tuple[dict[str, str], ...] = (
    *({},) * 30, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://[::1].evil.example"},
    {"Host": "evil.example"}, {"Host": "[::1].evil.example"}, {"Host": ""}, {"Host": "127.0.0.1.evil.example"},
    {"Host": "[::1"}, {"Host": "127.0.0.1:99999999"}, {"Host": "localhost:1"}, {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}, {"Sec-Fetch-Site": "\x7f"}, {"Cookie": "a=b;;=;\"=x"},
    {"Cookie": "yatzy-game=../../etc"}, {"Accept-Language": "sv" * 500}, {"Accept-Language": ";q=;"},
    {"Content-Length": "-1"}, {"Content-Length": "99999999999"}, {"Content-Length": "1e3"}, {"Content-Length": "٣"},
    {"Content-Type": "text/plain"}, {"Content-Type": "multipart/form-data; boundary=x"}, {"Content-Type": "\u00e9"},
    {"Transfer-Encoding": "chunked"}, {"Expect": "100-continue"}, {"Range": "bytes=5-1"}, {"Upgrade": "websocket"},
    {"X-Forwarded-Host": "evil.example"}, {"Content-Encoding": "gzip"}, {"Accept": "x" * 3000}, {"If-None-Match": "*"},
)  # fmt: skip
FOREIGN = ("http://evil.example", "null", "http://127.0.0.1:1", "https://localhost")
ACTIONS = (
    "dark",
    "language",
    "help",
    "chart",
    "compare",
    "why",
    "lab-csv",
    "die",
    "keep",
    "score",
    "roll",
    "undo",
    "redo",
    "new",
    "go",
)
JUNK = (
    b"", b"4", b"42", b"42[", b"42[]", b'42["event"]', b'42["event",null]', b'42["handshake",{}]', b"3", b"5", b"6",
    b'451-["x",{"_placeholder":true,"num":0}]', b"\xff\xfe", b"42" + b"[" * 3000, b'42["nothing",1]', b"41",
    b'42["log",{}]', b'42["ack",{}]', b'42["javascript_response",{}]', b"430[]", b"x" * 20_000,
)  # fmt: skip
UUID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class Requests(Campaign):
    """A job is 250 requests or frames to one server that all jobs share."""

    name = "requests"
    jobs, short_jobs = 204, 8
    seconds, short_seconds = 1500.0, 20.0

    def prepare(self) -> None:
        """Start the server, and read from its own description what may be asked."""
        self._known = known_value()
        self._server = Server(self.folder / "server")
        (self.folder / "server").mkdir()
        self._server.start()
        description = json.loads(self._server.get("/api/openapi.json").body)
        self._paths = sorted(description["paths"])
        for path in self._paths:
            if "post" in description["paths"][path] and path not in SEEDS:
                raise RuntimeError(f"there is no question for {path} here yet; add one to SEEDS")
        for _ in range(40):  # so that what is made once is made
            for page in PAGES:
                self._server.get(page)
        for path, questions in SEEDS.items():
            for fields in questions * 3:
                self._server.post(path, fields)
        self._before = self._server.memory()

    def attempt(self, number: int) -> Result:
        """Send requests, and look that the server is well after them."""
        rng, result = self.rng(number), Result(tries=SHARE)
        if number % 8 == 7:
            self._sockets(rng, result)
        else:
            for _ in range(SHARE):
                self._one(rng, result)
                if len(result.findings) >= 10:
                    break
        check_server(self._server, self._known, result)
        return result

    def finish(self) -> Result:
        """The log, the memory after a rest, and the end by Ctrl-C."""
        result = Result(tries=0)
        check_server(self._server, self._known, result)
        traces = self._server.tracebacks()
        for line in sorted(set(traces)):
            result.add("traceback", f"{traces.count(line)} × in the server's log: {line}")
        memory = rested_memory(self._server, 12 if self.short else 75)
        self.notes.append(f"memory {self._before:.0f} MB before, {memory:.0f} MB after")
        helpers = self._server.helpers()
        self.notes.append(f"processes for long work: {', '.join(f'{one:.0f} MB' for one in helpers) or 'none'}")
        if max(helpers, default=0) > HELPER:
            result.add("leak", f"a process for long work holds {max(helpers):.0f} MB while it rests")
        if memory > self._before + GROWTH:
            result.add("leak", f"memory grew from {self._before:.0f} to {memory:.0f} MB")
        took = self._server.stop()
        if took is None or took > 3:
            result.add("hang", f"Ctrl-C ended the server {'not at all' if took is None else f'after {took:.1f} s'}")
        return result

    def close(self) -> None:
        """End the server."""
        self._server.stop()

    # One request

    def _one(self, rng: random.Random, result: Result) -> None:
        path, method, body = self._question(rng)
        headers = dict(rng.choice(HEADERS))
        if body and rng.random() < 0.9:
            headers.setdefault("Content-Type", "application/json")
        data = request(method, path, headers, body)
        kind, whole = rng.random(), not {"Content-Length", "Transfer-Encoding", "Expect", "Upgrade"} & {*headers}
        if kind < 0.07:
            whole = False
        if kind < 0.03:
            data = data[: rng.randrange(len(data))]
        elif kind < 0.05:
            data = bytes(byte ^ (1 << rng.randrange(8)) if rng.random() < 0.01 else byte for byte in data)
        elif kind < 0.07 and body:
            chunks = b"".join(
                b"%x\r\n%s\r\n" % (len(body[i : i + 50]), body[i : i + 50]) for i in range(0, len(body), 50)
            )
            end = rng.choice((b"0\r\n\r\n", b"", b"zz\r\n"))
            data = request(method, path, {"Transfer-Encoding": "chunked"}) + chunks + end
        answer = ask(self._server.port, data, whole=whole and method not in ("CONNECT", "HEAD"))
        result.counts[str(answer.status)] += 1
        self._judge(method, path, data, answer, result)

    def _question(self, rng: random.Random) -> tuple[str, str, bytes]:
        kind = rng.random()
        if kind < 0.12:
            query = {
                "game": rng.choice(("", "x", "../x", "\x00", "🎲" * 50)),
                "position": rng.choice(("", "two-yatzy~d12~r1", "~")),
            }
            return f"{rng.choice(PAGES)}?{urllib.parse.urlencode(query)}", rng.choice(METHODS), b""
        if kind < 0.25:
            return rng.choice(UNKNOWN), rng.choice(METHODS), rng.choice((b"", b"{}", b"x" * 2000))
        path = rng.choice(self._paths).replace("{id}", rng.choice(("yatzy", "two-yatzy", "x", "%00", "..")))
        method = rng.choice(METHODS) if rng.random() < 0.1 else "POST" if path in SEEDS else "GET"
        if path not in SEEDS:
            return path, method, b""
        fields: Any = rng.choice(SEEDS[path])
        for _ in range(rng.choice((0, 1, 1, 1, 2))):
            fields = mutate(fields, rng)
        body = json.dumps(fields).encode()
        odd = rng.random()
        if odd < 0.04:
            body = rng.choice(
                (b"\xff\xfe", b"[" * 20_000, b'{"a":' * 5000, b"nul", b'"' + b"x" * 300_000 + b'"', b"1e999", b"\x00")
            )
        elif odd < 0.08:
            body = body[: rng.randrange(len(body))]
        return path, method, body

    def _judge(self, method: str, path: str, data: bytes, answer: Answer, result: Result) -> None:
        shown = repr(data[:600])
        if answer.problem.startswith("no answer within"):
            result.add("hang", f"{method} {path[:80]}: {answer.problem}", shown)
        elif answer.problem.startswith("Connection") and not self._server.alive:
            result.add("signal", f"{method} {path[:80]}: {answer.problem}", shown)
        elif answer.status >= 500:
            result.add("unclear", f"{method} {path[:80]}: {answer.status} {answer.body[:200]!r}", shown)
        elif answer.status >= 400 and _asked_of(data).startswith("/api") and method != "HEAD" and answer.error is None:
            if answer.body == b"Invalid HTTP request received.":
                return  # what is no HTTP never reaches the application
            what = f"{answer.status} with {answer.headers.get('content-type')} {answer.body[:120]!r}"
            result.add("unclear", f"{method} {path[:80]}: {what}", shown)

    # Websockets

    def _sockets(self, rng: random.Random, result: Result) -> None:
        result.tries = 0
        while result.tries < SHARE:
            self._session(rng, result)

    def _session(self, rng: random.Random, result: Result) -> None:
        page = self._server.get("/")
        ids = sorted({one.decode() for one in UUID.findall(page.body)}) or ["x"]
        found = re.search(rb"client_id['\"]?\s*[:=]\s*['\"]([0-9a-f-]{36})", page.body)
        client = found[1].decode() if found else ids[0]
        query = {
            "EIO": rng.choice(("4", "4", "4", "3", "x")), "transport": "websocket", "client_id": client,
            "tab_id": "t", "document_id": "d", "next_message_id": rng.choice(("0", "0", "0", "-1", "x", "9" * 30)),
            "implicit_handshake": rng.choice(("true", "true", "false")),
        }  # fmt: skip
        path = f"/_nicegui_ws/socket.io/?{urllib.parse.urlencode(query)}"
        origin = rng.choice((None, f"http://127.0.0.1:{self._server.port}", *FOREIGN))
        try:
            line = WebSocket(self._server.port, path, origin)
        except OSError as error:
            result.tries += 1
            if not self._server.alive:
                result.add("signal", f"websocket: {error}")
            return
        result.tries += 1
        result.counts[f"websocket {line.answer.status}"] += 1
        if line.answer.status == 101 and origin in FOREIGN:
            result.add("wrong", f"a websocket from {origin} was let in", path)
        if line.answer.status >= 500:
            result.add("unclear", f"websocket: {line.answer.status} {line.answer.body[:100]!r}", path)
        if line.answer.status == 101:
            line.send(b"40")
            for _ in range(rng.randrange(4, 30)):
                line.send(self._frame(rng, client, ids), rng.choice((1, 1, 1, 1, 1, 1, 2, 9, 10)))
                result.tries += 1
            if rng.random() < 0.1:
                line.send(b"x", 1, length=2**40)
            line.drain()
        line.close()

    def _frame(self, rng: random.Random, client: str, ids: list[str]) -> bytes:
        if rng.random() < 0.4:
            return rng.choice(JUNK)
        words: list[Any] = [
            rng.choice(ACTIONS),
            rng.choice(("", "1", "-1", "x" * 500, None, 5, {"a": 1}, [], "ones", "\u0000")),
        ]
        message: Any = {
            "id": rng.choice((0, 0, 1, 2, 5, 20, 10**9, -1)),
            "client_id": rng.choice((client, client, client, rng.choice(ids), "x", "", None)),
            "listener_id": rng.choice(ids),
            "args": rng.choice((words, words, [words], [], None, "x", {}, [{}])),
        }
        if rng.random() < 0.3:
            message = mutate(message, rng)
        name = rng.choice(("event", "event", "event", "event", "log", "ack", "javascript_response", "handshake"))
        return b"42" + json.dumps([name, message]).encode()


def _asked_of(data: bytes) -> str:
    """The path in the bytes that were sent: a flipped bit may have made it another one."""
    words = data.split(b"\r\n", 1)[0].split(b" ")
    return words[1].decode("latin-1") if len(words) > 1 else ""


def rested_memory(server: Server, seconds: float) -> float:
    """The least memory that is seen while the server rests."""
    import time

    end, least = time.monotonic() + seconds, server.memory()
    while time.monotonic() < end:
        time.sleep(1)
        least = min(least, server.memory())
    return least
