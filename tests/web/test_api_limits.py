"""What the server refuses: too large, too deep, too long, and anything that names a file or a class."""

from __future__ import annotations

import http.client
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
import pytest

from web.conftest import refused
from yatzy.errors import SizeError
from yatzy.games import Game, load_preset
from yatzy.solver import Solver
from yatzy.web import limits, requests
from yatzy.web.tables import TableBuilder

if TYPE_CHECKING:
    from web.conftest import Running

FIRST_ROLL = "yatzy~d13356~r2"
SHEET = "~s" + "." * 14


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("advise", {"position": FIRST_ROLL, "objectives": ["utility:{file}"]}),
        ("advise", {"position": FIRST_ROLL, "objectives": ["expected", " utility:{file}"]}),
        ("value", {"game": "yatzy", "objective": "utility:{file}"}),
        ("distribution", {"game": "yatzy", "strategy": "file:{file}"}),
        ("distribution", {"game": "yatzy", "strategy": "{file}:Mine"}),
        ("distribution", {"game": "yatzy", "strategy": "utility:{file}"}),
        ("distribution", {"game": "yatzy", "strategy": "softened:1:utility:{file}"}),
        ("simulate", {"game": "yatzy", "strategy": " {file}:Mine "}),
        ("simulate", {"game": "yatzy", "strategy": "softened:1:{file}:Mine"}),
        ("simulate", {"game": "{file}"}),
        ("value", {"game": "{file}"}),
        ("advise", {"position": "{file}~d13356~r2"}),
    ],
)
def test_no_request_names_a_file_or_a_class(web: Running, tmp_path: Path, path: str, fields: dict[str, Any]) -> None:
    trace = tmp_path / "was-run"
    mine = tmp_path / "mine.py"
    mine.write_text(f"open({str(trace)!r}, 'w')\nclass Mine:\n    def move(self, position): return '-'\n")
    (tmp_path / "mine.toml").write_text('id = "mine"\nbased_on = "two-yatzy"\n')
    for file in (mine, tmp_path / "mine.toml", tmp_path / "not-there.py"):
        status, line = web.refusal(path, **json.loads(json.dumps(fields).replace("{file}", str(file))))
        assert status in (403, 422)
        assert "no such file" not in line.lower()
        assert "there is no file" not in line
    assert not trace.exists()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("simulate", {"game": "two-yatzy", "games": limits.GAMES + 1}),
        ("simulate", {"game": "two-yatzy", "strategy": "chance:0.5", "games": limits.SLOW_GAMES + 1}),
        ("simulate", {"game": "two-yatzy", "seed": 2**64}),
        ("simulate", {"game": "two-yatzy", "at_least": [1] * (limits.SCORES + 1)}),
        ("distribution", {"game": "two-yatzy", "strategy": "chance:0.5"}),
        ("advise", {"position": FIRST_ROLL, "objectives": ["expected"] * (limits.OBJECTIVES + 1)}),
        ("advise", {"position": "yatzy~d13356~r2" + "~" * limits.POSITION}),
        ("advise", {"position": "two-yatzy" + "~s." * (limits.PLAYERS + 1) + "~d11~r0"}),
        ("advise", {"dice": "1" * (limits.TEXT + 1)}),
        ("match/advise", {"position": f"yatzy{SHEET * 2}~d13356~r2", "objective": "match:emp:4"}),
        ("match/advise", {"position": f"yatzy{SHEET * 5}~d13356~r2", "objective": "match:emp:2"}),
        ("match/advise", {"position": f"yatzy{SHEET * 2}~d13356~r2", "objective": "match:auto:3600"}),
        ("advise", {"position": f"yatzy{SHEET * 2}~d13356~r2", "objectives": ["match:dyns:99"]}),
        ("games/read", {"description": "#" * (limits.DESCRIPTION + 1)}),
        ("value", {"game": "maxi-yatzy", "objective": "target:300"}),
    ],
)
def test_what_is_too_much_is_refused(web: Running, path: str, fields: dict[str, Any]) -> None:
    status, _ = web.refusal(path, **fields)
    assert status == 422


@pytest.mark.parametrize(
    "keys",
    [
        'based_on = "maxi-yatzy"',
        "dice = 4\nfaces = 20\nrolls = 3\nbonus = { points = 1, threshold = 800 }\n"
        + "".join(f'[[categories]]\nid = "face-{f}"\npattern = "face"\nface = {f}\n' for f in range(1, 19)),
        'dice = 12\nfaces = 6\nrolls = 3\n[[categories]]\nid = "c"\npattern = "chance"',
        'dice = 2\nfaces = 6\nrolls = 20\n[[categories]]\nid = "c"\npattern = "chance"',
        "dice = 5\nfaces = 6\nrolls = 3\nbonus = { points = 50, threshold = 63 }\n"
        + "".join(f'[[categories]]\nid = "face-{f}"\npattern = "face"\nface = {f}\n' for f in range(1, 7))
        + "".join(f'[[categories]]\nid = "chance-{i}"\npattern = "chance"\n' for i in range(12)),
    ],
    ids=["maxi", "many faces", "many dice", "many rolls", "many states"],
)  # fmt: skip
def test_a_large_game_of_ones_own_is_refused_before_it_is_solved(web: Running, keys: str) -> None:
    status, line = web.refusal("value", description=f'id = "mine"\n{keys}')
    assert status == 422
    assert "more than" in line or "the most here is" in line


def test_the_largest_presets_that_are_solved_at_once_may_be_changed() -> None:
    game = requests.read_game(None, 'id = "mine"\nbased_on = "yatzy"\nrolls = 4\n')
    assert game.rolls == 4
    with pytest.raises(SizeError):
        requests.read_game(None, 'id = "mine"\nbased_on = "maxi-yatzy"\n')
    assert requests.read_game("maxi-yatzy") == load_preset("maxi-yatzy")


def test_a_body_that_is_too_large(web: Running) -> None:
    body = json.dumps({"position": FIRST_ROLL, "filler": "x" * limits.BODY})
    response = web.client.post("/api/advise", content=body, headers={"content-type": "application/json"})
    assert refused(response)[0] == 413


def test_a_body_that_does_not_say_how_large_it_is(web: Running) -> None:
    def pieces() -> Any:
        for _ in range(limits.BODY // 4096 + 2):
            yield b" " * 4096

    response = web.client.post("/api/advise", content=pieces(), headers={"content-type": "application/json"})
    assert refused(response)[0] == 413
    assert web.answer("advise", position=FIRST_ROLL)["best"] == "33"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"3", b'{"position": "\xff"}', b"[" * 10000, b'{"a": NaN}'])
def test_a_body_that_is_no_question(web: Running, body: bytes) -> None:
    response = web.client.post("/api/advise", content=body, headers={"content-type": "application/json"})
    assert refused(response)[0] in (400, 422)


def test_a_body_that_is_not_said_to_be_json(web: Running) -> None:
    # What a form of another site may send without being asked first.
    response = web.client.post("/api/advise", content=b"{}", headers={"content-type": "text/plain"})
    assert refused(response)[0] in (415, 422)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200), ("localhost:8080", 200), ("[::1]:8080", 200), ("LOCALHOST", 200),
        ("evil.example", 400), ("127.0.0.1.evil.example", 400), ("localhost.evil.example:80", 400), ("", 400),
    ],
)  # fmt: skip
def test_only_names_of_this_server_are_hosts(web: Running, host: str, status: int) -> None:
    connection = http.client.HTTPConnection(urlsplit(web.address).netloc)
    connection.putrequest("GET", "/api/games/two-yatzy", skip_host=True)
    connection.putheader("Host", host)
    connection.endheaders()
    response = connection.getresponse()
    assert response.status == status
    assert b"Traceback" not in response.read()
    connection.close()


def test_pages_of_other_sites_are_not_served(web: Running) -> None:
    own = {"origin": web.address}
    assert web.client.get("/api/games", headers=own).status_code == 200
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        response = web.client.get("/api/games", headers={"origin": origin})
        assert refused(response)[0] == 403


def test_nothing_of_an_error_of_ours_is_told(web: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(requests, "read_situation", fail)
    response = web.ask("advise", position=FIRST_ROLL)
    assert response.status_code == 500
    assert "secret" not in response.text
    assert response.json()["error"]


def test_time_is_bounded(web: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", -1.0)
    status, line = web.refusal("simulate", game="two-yatzy", games=1000)
    assert (status, "longer than" in line) == (422, True)


def test_too_many_long_questions_are_refused(web: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web.service.processes, "_most", 0)
    status, line = web.refusal("simulate", game="two-yatzy", games=10)
    assert (status, "try again" in line) == (429, True)


def test_too_many_tables_of_ones_own_are_refused(web: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "EXTRA_TABLES", 0)
    status, line = web.refusal("value", game="two-yatzy", objective="exp:0.0123")
    assert (status, "one run" in line) == (429, True)


def test_a_distribution_too_large_is_refused_before_any_process_is_asked(
    web: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*_: Any, **__: Any) -> Any:
        raise AssertionError("it was begun")

    monkeypatch.setattr(web.service.processes, "run", asked)
    for strategy in ("greedy", "random"):
        status, line = web.refusal("distribution", game="maxi-yatzy", strategy=strategy)
        assert status == 422
        assert f"{strategy} for maxi-yatzy would take about 30.6 GiB" in line
        assert "simulate it instead" in line
    categories = "".join(
        f'[[categories]]\nid = "c{n}"\npattern = "chance"\n' if n % 2 else
        f'[[categories]]\nid = "c{n}"\npattern = "groups"\ngroups = [{1 + n % 4}]\npoints = 10000\n' for n in range(16)
    )  # fmt: skip
    described = f'id = "rich"\ndice = 5\nfaces = 6\nrolls = 3\n{categories}'
    status, line = web.refusal("distribution", description=described, strategy="greedy")
    assert (status, "greedy for rich would take" in line) == (422, True)


@pytest.mark.parametrize("upper", [13, 15, 18])
def test_many_upper_categories_are_refused_before_they_are_compiled(
    web: Running, monkeypatch: pytest.MonkeyPatch, upper: int
) -> None:
    def compiled(*_: Any) -> Any:
        raise AssertionError("it was compiled")

    monkeypatch.setattr("yatzy.model.compiled.upper_classes", compiled)
    rows = "".join(f'[[categories]]\nid = "u{face}"\npattern = "face"\nface = {face}\n' for face in range(1, upper + 1))
    bonus = "[bonus]\npoints = 50\nthreshold = 63\n"
    text = f'id = "upper"\ndice = 3\nfaces = {upper}\nrolls = 3\n{bonus}{rows}'
    status, line = web.refusal("games/read", description=text)
    assert (status, f"{upper} upper categories" in line) == (422, True)


def test_a_key_of_many_parts_is_refused(web: Running) -> None:
    status, line = web.refusal("games/read", description="a." * 30_000 + "a = 1")
    assert (status, "more than 8 parts" in line) == (422, True)


def test_tables_of_games_of_ones_own_are_closed_again(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "OPEN_GAMES", 2)
    games = [requests.read_game(None, f'id = "mine-{n}"\nbased_on = "two-yatzy"\nrolls = {n}\n') for n in (1, 2, 4)]
    builder = TableBuilder(tables)
    closed: list[Game] = []
    builder.on_close = closed.append
    for game in games:
        Solver(tables).expected(game)
        builder.need(game, ["expected"])
    assert closed == games[:1]
    assert [builder.opened(game, ["expected"]) for game in games] == [False, True, True]
    assert builder.expected(games[0]).game == games[0]


def test_the_work_of_one_who_hangs_up_is_ended(web: Running) -> None:
    processes = web.service.processes
    with httpx.Client(base_url=web.address, timeout=1.0) as client, pytest.raises(httpx.ReadTimeout):
        client.post("/api/distribution", json={"game": "yatzy", "strategy": "random"})
    end = time.monotonic() + 60
    while processes._asked:
        assert time.monotonic() < end, "it is still worked on"
        time.sleep(0.05)
    assert web.answer("simulate", game="two-yatzy", strategy="greedy", games=10)["games"] == 10
