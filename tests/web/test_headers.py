"""The headers that keep other sites out: on every answer, and what a real browser makes of them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import TYPE_CHECKING

import httpx
import pytest
from jinja2 import Environment

from yatzy.web.guard import NONCE
from yatzy.web.page.nonces import ScriptNonces

if TYPE_CHECKING:
    from web.conftest import Running, Served, Visit

PAGES = ("/", "/review", "/quiz", "/lab")
OTHERS = ("/api/docs", "/api/docs.js", "/api/openapi.json", "/api/games/yatzy", "/api/nothing", "/nothing",
          "/favicon.ico", "/page-assets/page.js", "/page-assets/page.css", "/page-assets/nothing",
          "/_nicegui/nothing")  # fmt: skip
EVERYWHERE = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


ATTACK = """html => new Promise(done => {
  document.addEventListener("securitypolicyviolation", event => done(event.effectiveDirective));
  document.querySelector("#main").insertAdjacentHTML("beforeend", html);
})"""


def policy_of(response: httpx.Response) -> dict[str, list[str]]:
    (policy,) = response.headers.get_list("content-security-policy")
    parts = [part.split() for part in policy.split(";")]
    return {part[0]: part[1:] for part in parts}


@pytest.mark.parametrize("path", PAGES + OTHERS)
def test_every_answer_has_the_headers(page_server: Served, path: str) -> None:
    response = httpx.get(page_server.address + path)
    assert {name: response.headers.get(name) for name in EVERYWHERE} == EVERYWHERE
    policy = policy_of(response)
    assert policy["frame-ancestors"] == ["'none'"]
    assert policy["default-src"] == ["'none'"]
    assert policy["base-uri"] == ["'none'"]
    assert "'unsafe-inline'" not in policy["script-src"]


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"origin": "http://evil.example"}])
def test_refusals_have_the_headers(web: Running, headers: dict[str, str]) -> None:
    response = httpx.get(f"{web.address}/api/games/yatzy", headers=headers)
    assert response.status_code in (400, 403)
    assert {name: response.headers.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert policy_of(response)["frame-ancestors"] == ["'none'"]


@pytest.mark.parametrize("path", PAGES)
def test_only_scripts_with_the_nonce_of_their_page_run(page_server: Served, path: str) -> None:
    nonces = set()
    for _ in range(2):
        response = httpx.get(page_server.address + path)
        (nonce,) = [one[7:-1] for one in policy_of(response)["script-src"] if one.startswith("'nonce-")]
        scripts = re.findall(r"<script([^>]*)>", response.text)
        assert scripts
        assert all(f'nonce="{nonce}"' in script for script in scripts)
        nonces.add(nonce)
    assert len(nonces) == 2


def test_a_script_inserted_into_a_page_gets_no_nonce() -> None:
    template = Environment(extensions=[ScriptNonces]).from_string("<script>1</script>{{ inserted }}")
    request = SimpleNamespace(scope={NONCE: "abc"})
    html = template.render(inserted="<script>2</script>", request=request)
    assert html == '<script nonce="abc">1</script><script>2</script>'


def test_pages_of_the_api_need_nothing_unsafe(web: Running) -> None:
    assert "unsafe" not in httpx.get(f"{web.address}/api/docs").headers["content-security-policy"]


@contextmanager
def another_site(html: str) -> Iterator[str]:
    """A page on another port."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *said: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_another_port_cannot_frame_the_page(page_server: Served, visit: Visit) -> None:
    before = {path: path.read_bytes() for path in page_server.games.glob("*")}
    frame = f'<iframe id="ours" src="{page_server.address}" width="1200" height="900"></iframe>'
    with another_site(frame) as address:
        visit.page.goto(address)
        ours = visit.page.frames[1]
        ours.wait_for_load_state()
        assert ours.url.startswith("chrome-error:")
        assert ours.get_by_test_id("roll").count() == 0
        visit.page.mouse.click(400, 300)
    assert {path: path.read_bytes() for path in page_server.games.glob("*")} == before


@pytest.mark.parametrize("tag", ["img", "script", "iframe"])
def test_another_port_cannot_load_the_page_into_its_own(page_server: Served, visit: Visit, tag: str) -> None:
    statuses: list[int] = []
    watch = visit.page.context.new_cdp_session(visit.page)
    watch.on("Network.responseReceivedExtraInfo", lambda event: statuses.append(event["statusCode"]))
    watch.send("Network.enable")
    with another_site(f'<{tag} src="{page_server.address}/quiz"></{tag}>') as address:
        with visit.page.expect_event("requestfinished" if tag == "iframe" else "requestfailed"):
            visit.page.goto(address)
        visit.page.wait_for_load_state()
        for _ in range(200):  # the status comes by another way than the end of the request
            if 403 in statuses:
                break
            visit.page.wait_for_timeout(50)
    assert 403 in statuses
    assert not [url for url in visit.requests if url.startswith("ws")]


def test_a_link_from_another_port_opens_the_page(page_server: Served, visit: Visit) -> None:
    with another_site(f'<a href="{page_server.address}">Yatzy</a>') as address:
        visit.page.goto(address)
        visit.page.get_by_text("Yatzy").click()
        visit.page.wait_for_selector("[data-testid=roll]")


@pytest.mark.parametrize("path", PAGES)
def test_the_policy_breaks_nothing_and_stops_what_is_put_in(page_server: Served, visit: Visit, path: str) -> None:
    visit.page.goto(page_server.address + path)
    visit.page.wait_for_selector("[data-testid=help]")
    visit.page.wait_for_function("window.did_handshake")
    visit.page.get_by_test_id("help").click()
    visit.page.wait_for_selector("[data-testid=help-overlay]")
    assert visit.problems == []
    blocked = visit.page.evaluate(ATTACK, '<img src="/nothing.png" onerror="window.attacked = true">')
    assert blocked == "script-src-attr"
    assert visit.page.evaluate("window.attacked") is None
