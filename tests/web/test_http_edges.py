"""What no browser and no program in good order sends: wrong methods and paths, odd hosts, foreign sites, junk."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from web.conftest import Served

if TYPE_CHECKING:
    from web.conftest import Running

PAGES = ("/", "/review", "/quiz", "/lab")


@pytest.fixture(params=["api", "page"])
def address(request: pytest.FixtureRequest) -> str:
    """A server without the page, and one with it."""
    name = "web" if request.param == "api" else "page_server"
    found: str = request.getfixturevalue(name).address
    return found


def error_of(response: httpx.Response) -> str:
    assert response.headers["content-type"] == "application/json"
    (line,) = response.json().values()
    assert list(response.json()) == ["error"]
    assert isinstance(line, str)
    assert "\n" not in line
    return line


# Methods and paths


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/advise", "POST"),
        ("DELETE", "/api/advise", "POST"),
        ("OPTIONS", "/api/advise", "POST"),
        ("POST", "/api/games/yatzy", "GET"),
        ("PUT", "/api/docs", "GET"),
        ("PATCH", "/api/tables", "GET"),
    ],
)
def test_a_wrong_method_is_told_which_is_right(address: str, method: str, path: str, allowed: str) -> None:
    response = httpx.request(method, address + path)
    assert response.status_code == 405
    assert response.headers["allow"] == allowed
    assert allowed in error_of(response)


@pytest.mark.parametrize(
    "path", ["/api/nothing", "/api/", "/api/games/yatzy/more", "/api/advise/", "/api/%00", "/api/é"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_wrong_path_of_the_api_is_told_as_json(address: str, method: str, path: str) -> None:
    response = httpx.request(method, address + path)
    assert response.status_code == 404
    assert "/api/docs" in error_of(response)


def test_other_wrong_paths_are_answered_without_a_page(page_server: Served) -> None:
    response = httpx.get(f"{page_server.address}/nothing<b>")
    assert response.status_code == 404
    assert "x-nicegui-content" not in response.headers
    assert len(response.content) < 500
    assert "<b>" not in response.text


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "POST", "DELETE"])
def test_pages_are_only_read(page_server: Served, method: str) -> None:
    response = httpx.request(method, f"{page_server.address}/quiz")
    assert response.status_code == 405
    assert len(response.content) < 100


# Values


@pytest.mark.parametrize("payoff", ["1e308,-1e308", "1e308,0", "1e10,0", "inf,0", "nan,0", "0,-1e10"])
def test_payoffs_beyond_measure_are_refused_in_one_line(web: Running, payoff: str) -> None:
    status, error = web.refusal("match/advise", position="two-yatzy~s.~s.~d12~r1", payoff=payoff)
    assert status == 422
    assert payoff.partition(",")[0][:2] in error


# Hosts


def status_for(web: Running, host: str) -> int:
    return httpx.get(f"{web.address}/api/games/yatzy", headers={"host": host}).status_code


@pytest.mark.parametrize(
    "host",
    ["[::1].evil.example", "[::1]evil", "127.0.0.1.evil.example", "127.0.0.1:8080.evil.example", "127.0.0.1:80a",
     "127.0.0.1:", "127.0.0.1:99999", "localhost:٣", "[127.0.0.1]", "::1", "[::1", "127.0.0.1]",
     "localhost@evil.example", "evil.example", "localhost/", "localhost evil", "", "x" * 5000],
)  # fmt: skip
def test_a_host_that_is_not_ours_is_refused(web: Running, host: str) -> None:
    with socket.create_connection(("127.0.0.1", int(web.address.rpartition(":")[2]))) as raw:
        raw.sendall(f"GET /api/games/yatzy HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert raw.makefile("rb").readline().split()[1] == b"400"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "localhost.", "127.0.0.1:1", "192.168.1.7:8080", "[::1]",
                                  "[fe80::1%eth0]:8080", "[fe80::1%25eth0]"])  # fmt: skip
def test_addresses_and_localhost_are_ours(web: Running, host: str) -> None:
    assert status_for(web, host) == 200


def test_the_name_of_this_machine_is_ours(web: Running) -> None:
    name = socket.gethostname()
    assert status_for(web, name) == 200
    assert status_for(web, f"{name.upper()}:8080") == 200
    assert status_for(web, f"{name.partition('.')[0]}.local") == 200
    assert status_for(web, f"{name}.evil.example") == 400


# Other sites


def fetched(site: str, mode: str = "navigate", target: str = "document") -> dict[str, str]:
    return {"sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": target}


@pytest.mark.parametrize("path", [*PAGES, "/api/games/yatzy", "/page-assets/page.js"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(
    ("mode", "target"),
    [("no-cors", "image"), ("no-cors", "script"), ("navigate", "iframe"), ("navigate", "frame"), ("cors", "empty"),
     ("navigate", "embed")],
)  # fmt: skip
def test_what_another_site_loads_is_refused(page_server: Served, path: str, site: str, mode: str, target: str) -> None:
    response = httpx.get(page_server.address + path, headers=fetched(site, mode, target))
    assert response.status_code == 403
    assert "other sites" in error_of(response)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_cannot_post(web: Running, site: str) -> None:
    fields = {"position": "two-yatzy~s.~d12~r1"}
    response = httpx.post(f"{web.address}/api/advise", json=fields, headers=fetched(site))
    assert response.status_code == 403


@pytest.mark.parametrize("headers", [{}, fetched("none"), fetched("same-origin"), fetched("cross-site")])
def test_links_and_programs_are_served(page_server: Served, headers: dict[str, str]) -> None:
    assert httpx.get(f"{page_server.address}/lab", headers=headers).status_code == 200


@pytest.mark.parametrize("purpose", ["prefetch", "prefetch;prerender"])
def test_pages_are_not_built_in_advance(page_server: Served, purpose: str) -> None:
    assert httpx.get(page_server.address, headers={"sec-purpose": purpose}).status_code == 503


@pytest.mark.parametrize("query", ["x" * 20_000, "game=" + "a" * 20_000, "&".join(f"a{i}={i}" for i in range(3000))])
def test_a_long_address_is_refused(page_server: Served, query: str) -> None:
    response = httpx.get(f"{page_server.address}/?{query}")
    assert response.status_code == 414
    assert "longer" in error_of(response)


@pytest.mark.parametrize("query", ["game=../../etc/passwd", "game=%00", "position=%ff%fe", "game=a&game=b",
                                   "position=~~~", "game[]=1", "%=%", "client=1", "request=2"])  # fmt: skip
def test_an_odd_query_is_a_page(page_server: Served, query: str) -> None:
    assert httpx.get(f"{page_server.address}/?{query}").status_code == 200


# The websocket


class Tab:
    """A page as the server sees it, without a browser."""

    def __init__(self, address: str, path: str = "/") -> None:
        self.address, self.text = address, httpx.get(address + path).text
        found = re.search(r"'client_id': '([0-9a-f-]{36})'", self.text)
        assert found
        self.client = found[1]

    def open(self, **query: str) -> ClientConnection:
        fields = {"client_id": self.client, "next_message_id": "0", "implicit_handshake": "true", "tab_id": "tab",
                  "document_id": "document", "EIO": "4", "transport": "websocket"} | query  # fmt: skip
        place = self.address.removeprefix("http://").rstrip("/")
        asked = "&".join(f"{key}={value}" for key, value in fields.items())
        return connect(
            f"ws://{place}/_nicegui_ws/socket.io/?{asked}",
            origin=Origin(f"http://{place}"),
            max_size=None,
            ping_interval=None,
        )

    def elements(self, page: ClientConnection) -> dict[str, Any]:
        """Join, and read until the view is there."""
        page.send("40")
        found: dict[str, Any] = {}
        while True:
            message = heard(page)
            if message.startswith('42["update"'):
                found |= {id: one for id, one in json.loads(message[2:])[1].items() if isinstance(one, dict)}
            if "data-address" in message:
                return found

    def event(self, element: Any, listener: Any, *arguments: Any) -> str:
        fields = {"id": element, "client_id": self.client, "listener_id": listener,
                  "args": [json.dumps(one) for one in arguments]}  # fmt: skip
        return "42" + json.dumps(["event", fields])


def heard(page: ClientConnection, timeout: float = 300) -> str:
    """The next message. The server's question whether anybody is there is answered, as a browser does."""
    message = str(page.recv(timeout=timeout))
    if message == "2":
        page.send("3")
    return message


def send_all(page: ClientConnection, messages: list[str]) -> None:
    """Send messages, and hear meanwhile what comes, so that neither side waits for the other."""
    for message in messages:
        page.send(message)
        with contextlib.suppress(TimeoutError):
            while True:
                heard(page, 0)


class LoggedServer(Served):
    """A server whose log is read while it runs, so that several tests can share it."""

    def start(self) -> None:
        super().start()
        self._log: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as log:
            for line in log:
                self._log.append(line.rstrip("\n"))

    def lines(self) -> list[str]:
        """The lines since the last call."""
        assert httpx.get(f"{self.address}/api/tables").status_code == 200
        found, self._log[:] = self._log[:], []
        return found

    def stop(self, how: int = signal.SIGTERM) -> str:
        self.process.send_signal(how)
        self.process.wait(300)
        self._reader.join(300)
        return "\n".join(self._log)


def tracebacks(lines: list[str]) -> list[str]:
    return [line for line in lines if "Traceback" in line or line.startswith("  ")]


@pytest.fixture(scope="module")
def logged(web: Running, tables: Path) -> Iterator[LoggedServer]:
    server = LoggedServer(tables, "--prepare", "none")
    server.start()
    yield server
    assert tracebacks(server.stop().splitlines()) == []


def test_a_visit_writes_nothing(logged: LoggedServer) -> None:
    before = sorted(logged.games.glob("*"))
    for path in (*PAGES, "/?game=nothing", "/?position=yatzy~d11111~r1", "/?position=nonsense"):
        tab = Tab(logged.address, path)
        with tab.open() as page:
            page.recv(timeout=300)
            tab.elements(page)
    assert sorted(logged.games.glob("*")) == before


JUNK = (
    "", "x", "4", "42", "42[", "42[]", "42{}", '42["event"]', '42["event",1]', '42["event",{}]', '42["event",null]',
    '42["event",{"client_id":[]}]', '42["nothing",1]', '42["handshake",{}]', '42["handshake",null]', '42["ack",{}]',
    '42["log",{"client_id":"ID","level":"x","message":"y"}]', '42["log",{"client_id":"ID"}]',
    '42["javascript_response",{"client_id":"ID"}]', '42["javascript_response",{"client_id":"ID","request_id":[]}]',
    '42["event",{"client_id":"ID","id":{}}]', '42["event",{"client_id":"ID","id":0,"args":5}]',
    '42["event",{"client_id":"ID","id":0,"listener_id":"x","args":["{"]}]',
    '42["ack",{"client_id":"ID","next_message_id":"x"}]', '451-["event"]', "4" * 1000, "9", "\x00", b"\x00\x01",
)  # fmt: skip


def test_junk_on_the_websocket_costs_a_line_each_at_most(logged: LoggedServer) -> None:
    for junk in JUNK:
        tab = Tab(logged.address)
        try:
            with tab.open() as page:
                page.recv(timeout=300)
                tab.elements(page)
                page.send(junk.replace("ID", tab.client) if isinstance(junk, str) else junk)
                page.send("3")
                page.send(tab.event(1, "none"))
        except ConnectionClosed:
            pass
    for query in ({"EIO": "9"}, {"client_id": "nobody"}, {"next_message_id": "x"}, {"transport": "polling"}):
        try:
            with Tab(logged.address).open(**query) as page:
                page.send("40")
                page.recv(timeout=300)
        except Exception:
            pass
    said = logged.lines()
    assert tracebacks(said) == []
    assert len(said) <= 2 * len(JUNK) + 8


def test_a_request_that_breaks_off_costs_a_line_each_at_most(logged: LoggedServer) -> None:
    port = int(logged.address.rpartition(":")[2])
    for transport in ("websocket", "polling"):
        with socket.create_connection(("127.0.0.1", port), timeout=300) as connection:
            path = f"/_nicegui_ws/socket.io/?EIO=4&transport={transport}"
            connection.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n4".encode())
    said = logged.lines()
    assert tracebacks(said) == []
    assert len(said) <= 2


ODD = ("", "-1", "x", "²", "٣", "99999999999999999999", "1e9", "None", "\x00", "a" * 190)
ACTIONS = ("die", "digit", "face", "roll", "play", "score", "sort", "best", "undo", "redo", "chart", "compare", "why",
           "dark", "hints", "typed", "nothing", "quiz-die", "quiz-score", "decision", "reviewed", "language",
           "left")  # fmt: skip
ARGUMENTS: tuple[Any, ...] = (None, 0, -1, 1e308, "x", [], {}, [[]], {"value": {}}, [None], True, ["x", "y", "z"])


@pytest.mark.parametrize("path", PAGES)
def test_odd_values_in_page_actions_cost_a_line_each_at_most(logged: LoggedServer, path: str) -> None:
    tab = Tab(logged.address, path)
    with tab.open() as page:
        page.recv(timeout=300)
        elements = tab.elements(page)
        listeners = [(id, one) for id, element in elements.items() for one in element.get("events", ())]
        ours = [(id, one["listener_id"]) for id, one in listeners if one["type"] == "yatzy"]
        assert ours
        events = [tab.event(int(id), one, action, odd) for id, one in ours for action in ACTIONS for odd in ODD]
        for id, one in listeners:
            for argument in ARGUMENTS:
                events.append(tab.event(int(id), one["listener_id"], argument))
                events.append(tab.event(int(id), one["listener_id"], argument, argument))
        send_all(page, events)
        page.send(tab.event(int(ours[0][0]), ours[0][1], "help", ""))
        while "help" not in heard(page):
            pass
    said = logged.lines()
    assert tracebacks(said) == []
    assert len(said) <= len(events)
