"""Visits: what they leave behind, how many pages may be open, and connections that never become a request."""

from __future__ import annotations

import json
import os
import re
import resource
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from yatzy.web import coaching, limits
from yatzy.web.connections import Connections, most_connections

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from web.conftest import Running, Served, Visit


@pytest.fixture(scope="module", autouse=True)
def silent(page_server: Served) -> Iterator[tuple[ClientConnection, ...]]:
    """Two websockets that answer nothing. The server waits some ten seconds for them, during the other tests."""
    place = page_server.address.removeprefix("http://").rstrip("/")
    address = f"ws://{place}/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    with connect(address) as one, connect(address) as joined:
        joined.send("40")
        yield one, joined


# The page can be mounted once in a process, so the questions about its insides are asked in another process.
VISITS = """
import asyncio, gc, json, re, socket, sys, threading, time, weakref
import httpx, uvicorn
from nicegui import Client
from websockets.sync.client import connect
from yatzy.web import coaching, limits
from yatzy.web.page import shell
from yatzy.web.server import create_app
from yatzy.web.service import Settings

stores = []
class Store(shell.GameStore):
    def __init__(self, folder):
        super().__init__(folder)
        stores.append(self)
shell.GameStore = Store
app = create_app(Settings(prepare=()))
listening = socket.create_server(("127.0.0.1", 0))
place = f"127.0.0.1:{listening.getsockname()[1]}"
server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
ready = asyncio.Event()
threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
asking = httpx.Client(base_url=f"http://{place}", timeout=300)
while True:
    try:
        asking.get("/api/tables").raise_for_status()
        break
    except httpx.TransportError:
        time.sleep(0.05)
loop = __import__("nicegui").core.loop

def get(path="/"):
    return asking.get(path)

met = []

def visit(path="/", number=0):
    page = get(path)
    client = re.search(r"'client_id': '([0-9a-f-]{36})'", page.text)[1]
    query = f"client_id={client}&next_message_id=0&implicit_handshake=true&tab_id=t{number}&document_id=d{number}"
    with connect(f"ws://{place}/_nicegui_ws/socket.io/?{query}&EIO=4&transport=websocket", max_size=None) as page:
        page.send("40")
        while "data-address" not in str(page.recv(timeout=300)):
            pass
        met.append(weakref.ref(Client.instances[client]))

def in_loop(work):
    async def call():
        return work()
    return asyncio.run_coroutine_threadsafe(call(), loop).result(60)

def close_all():
    for client in list(Client.instances.values()):
        client.delete()

def alive():
    gc.collect()
    return sum(isinstance(one, Client) for one in gc.get_objects() if type(one) is Client)
"""


ANSWER_ALL = """
import os, traceback
answers = {}
for name, code in json.loads(sys.argv[1]).items():
    try:
        exec(code)
        answers[name] = answer
    except Exception:
        answers[name] = traceback.format_exc()
    in_loop(close_all)
print(json.dumps(answers), flush=True)
os._exit(0)
"""

# In this order, beside one server with the page. Each sets `answer`.
QUESTIONS = {
    "closed": """
config = __import__("nicegui").app.config
before, config.reconnect_timeout = config.reconnect_timeout, 1.0  # for which a task waits after every visit
for path in ("/", "/review", "/quiz", "/lab"):
    visit(path)
in_loop(close_all)
met.clear()
routes = len(__import__("nicegui").app.routes)
for number in range(3):
    for path in ("/", "/review", "/quiz", "/lab"):
        visit(path, number)
        in_loop(close_all)
end = time.monotonic() + 120
while any(one() is not None for one in met) and time.monotonic() < end:  # tasks of theirs end by themselves
    time.sleep(0.2)
    in_loop(gc.collect)
config.reconnect_timeout = before
answer = {"kept": sum(one() is not None for one in met), "seen": len(met),
          "routes": len(__import__("nicegui").app.routes) - routes, "games": len(stores[0]._open)}
""",
    "never connected": """
before, limits.WAITING_SECONDS = limits.WAITING_SECONDS, 1.0
for number in range(3 * limits.WAITING_PAGES):
    assert get().status_code == 200
most = len(Client.instances)
for number in range(100):
    get("/nothing")
    get("/api/nothing")
after = len(Client.instances)
end = time.monotonic() + 120
while Client.instances and time.monotonic() < end:
    time.sleep(0.1)
limits.WAITING_SECONDS = before
answer = {"most": most, "after": after, "left": len(Client.instances), "games": len(stores[0]._open)}
""",
    "too many": """
before, limits.PAGES = limits.PAGES, 2
for number in range(2):
    visit("/lab", number)
refused = get()
answer = {"status": refused.status_code, "error": refused.json()["error"], "open": len(Client.instances)}
limits.PAGES = before
""",
    "played": """
from yatzy.games import Player, load_preset
store = stores[0]
fresh, played = [store.new(load_preset("yatzy"), [Player("A")]) for _ in range(2)]
fresh.begin()
played.begin()
dice = played.session.position.dice
played.session.play(played.session.position.parse_move("chance"))
for one in (fresh, played):
    store.leave(one)
answer = {"open": list(store._open), "played": played.id, "files": [p.stem for p in store.folder.iterdir()]}
""",
}


@pytest.fixture(scope="module")
def answers(web: Running, tables: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    env = {**os.environ, "YATZY_TABLES": str(tables), "YATZY_GAMES": str(tmp_path_factory.mktemp("visits") / "games")}
    command = [sys.executable, "-c", VISITS + ANSWER_ALL, json.dumps(QUESTIONS)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def answered(answers: dict[str, Any], question: str) -> dict[str, Any]:
    found = answers[question]
    assert isinstance(found, dict), found  # else a traceback
    return found


def test_a_page_that_was_closed_leaves_nothing(answers: dict[str, Any]) -> None:
    found = answered(answers, "closed")
    assert found["seen"] >= 12
    assert {name: found[name] for name in ("kept", "routes", "games")} == {"kept": 0, "routes": 0, "games": 0}


def test_pages_that_never_connect_are_few_and_soon_gone(answers: dict[str, Any]) -> None:
    found = answered(answers, "never connected")
    assert found["most"] <= limits.WAITING_PAGES
    assert found["after"] <= limits.WAITING_PAGES
    assert found["left"] == 0
    assert found["games"] == 0


def test_too_many_pages_are_refused_in_one_line(answers: dict[str, Any]) -> None:
    found = answered(answers, "too many")
    assert found["status"] == 503
    assert "2 pages are open" in found["error"]
    assert found["open"] == 2


def test_a_game_that_was_played_stays_and_one_that_was_not_goes(answers: dict[str, Any]) -> None:
    found = answered(answers, "played")
    assert found["open"] == [found["played"]]
    assert found["files"] == [found["played"]]


def test_a_file_that_is_chosen_is_read(visit: Visit, page_server: Served, tmp_path: Path) -> None:
    page = visit.page
    page.goto(page_server.address)
    page.get_by_test_id("games").click()
    field = page.locator("[data-testid=game-file] input")
    for name, content, said in (
        ("no.yatzy", b"\xff\xfe\x00", "UTF-8"),
        ("large.yatzy", b"x" * (coaching.RECORD + 1), "larger"),
        ("wrong.yatzy", b"nonsense", ""),
    ):
        (tmp_path / name).write_bytes(content)
        field.set_input_files(tmp_path / name)
        where = page.get_by_test_id("tell") if said else page.get_by_test_id("games-dialog").get_by_role("alert")
        page.wait_for_function("([one, text]) => one.textContent.length && one.textContent.includes(text)",
                               arg=[where.element_handle(), said])  # fmt: skip
    assert visit.problems == []


def test_files_from_memory_are_those_from_the_disk(page_server: Served) -> None:
    paths = sorted(set(re.findall(r"/_nicegui/[^\"') ]+\.js", httpx.get(page_server.address).text)))
    assert len(paths) > 4
    for path in paths:
        first, again = [httpx.get(page_server.address + path) for _ in range(2)]
        assert first.status_code == again.status_code == 200
        assert first.content == again.content
        assert {name: first.headers[name] for name in first.headers if name != "date"} == {
            name: again.headers[name] for name in again.headers if name != "date"
        }
    part = httpx.get(page_server.address + paths[0], headers={"range": "bytes=0-9"})
    assert part.status_code == 206
    assert httpx.get(page_server.address + paths[0]).content.startswith(part.content)


# Connections


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that reads a body and says how long it was."""
    if scope["type"] != "http":
        return
    length, more = 0, True
    while more:
        message = await receive()
        length, more = length + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1")]})
    await send({"type": "http.response.body", "body": str(length)[-1].encode()})


@contextmanager
def serving(connections: Connections, http: str = "auto") -> Iterator[int]:
    config = uvicorn.Config(echo, log_level="warning", access_log=False, lifespan="off", http=http)
    connections.protocols(config)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()


def is_closed(raw: socket.socket) -> bool:
    """Whether the other side closes a connection without a word; waits for it."""
    try:
        return raw.recv(1000) == b""
    except ConnectionResetError:
        return True


def is_served(port: int) -> bool:
    return httpx.post(f"http://127.0.0.1:{port}/", content=b"12345", timeout=300).text == "5"


@pytest.mark.parametrize("http", ["httptools", "h11"])
@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n123"],
)
def test_a_request_that_never_ends_is_closed(http: str, sent: bytes) -> None:
    with serving(Connections(seconds=0.2), http) as port, socket.create_connection(("127.0.0.1", port)) as raw:
        raw.settimeout(120)
        raw.sendall(sent)
        assert is_closed(raw)
        assert is_served(port)


@pytest.mark.parametrize("http", ["httptools", "h11"])
def test_a_second_request_that_never_ends_is_closed(http: str) -> None:
    with serving(Connections(seconds=0.5), http) as port, socket.create_connection(("127.0.0.1", port)) as raw:
        raw.settimeout(120)
        raw.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = raw.makefile("rb")
        while answer.readline() != b"\r\n":
            pass
        answer.read(1)
        raw.sendall(b"GET / HT")
        assert is_closed(raw)


def test_headers_without_end_are_closed() -> None:
    with serving(Connections()) as port, socket.create_connection(("127.0.0.1", port)) as raw:
        raw.settimeout(120)
        endless = b"GET / HTTP/1.1\r\n" + 10_000 * (b"X-Long: " + b"x" * 1000 + b"\r\n")
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            raw.sendall(endless)


def test_idle_connections_make_room() -> None:
    connections = Connections(most=8)
    with serving(connections) as port, ExitStack() as idle:
        for _ in range(50):
            idle.enter_context(socket.create_connection(("127.0.0.1", port)))
            assert is_served(port)
        assert len(connections) <= 8


def test_connections_leave_files_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    for files, most in ((128, 128 - limits.FILES_KEPT), (10**6, limits.CONNECTIONS), (10, 4)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert most_connections() == most


def test_140_idle_connections_at_a_limit_of_128_files_keep_nobody_out(tables: Path, tmp_path: Path) -> None:
    code = "from yatzy.cli import main; main()"
    command = f"ulimit -n 128; exec {sys.executable} -c '{code}' serve --no-open --port 0 --prepare none"
    env = {**os.environ, "YATZY_TABLES": str(tables), "YATZY_GAMES": str(tmp_path)}
    with (
        subprocess.Popen(["bash", "-c", command], env=env, stderr=subprocess.PIPE, text=True) as server,
        ExitStack() as idle,
    ):
        try:
            assert server.stderr is not None
            port = int(server.stderr.readline().rpartition(":")[2].partition("/")[0])
            for _ in range(140):
                idle.enter_context(socket.create_connection(("127.0.0.1", port), timeout=300))
            assert httpx.get(f"http://127.0.0.1:{port}/", timeout=300).status_code == 200
        finally:
            server.terminate()


def test_a_websocket_that_never_answers_is_closed(silent: tuple[ClientConnection, ...]) -> None:
    for page in silent:
        with pytest.raises(ConnectionClosed):
            read_all(page)


def read_all(page: ClientConnection) -> None:
    while True:
        page.recv(timeout=300)
