"""Addresses for other devices, QR codes, and which host names are accepted."""

from __future__ import annotations

import pytest

from yatzy.cli.app import run
from yatzy.web import addresses
from yatzy.web.addresses import for_others, is_local, origin_for_others
from yatzy.web.guard import Guard
from yatzy.web.qr import modules, svg_path, terminal_lines
from yatzy.web.running import welcome
from yatzy.web.service import Settings


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with two networks and some addresses that nobody else can use."""
    every = ["127.0.0.1", "169.254.3.4", "172.17.0.1", "192.168.1.7"]
    monkeypatch.setattr(addresses, "_all_addresses", lambda version: every if version == 4 else ["::1", "fe80::1"])
    monkeypatch.setattr(addresses, "_default_address", lambda version: ["192.168.1.7"] if version == 4 else [])


def test_addresses_that_others_can_open() -> None:
    assert for_others("127.0.0.1", 8080) == ()
    assert for_others("localhost", 8080, ["yatzy.home"]) == ()
    assert for_others("0.0.0.0", 8080) == ("http://192.168.1.7:8080/", "http://172.17.0.1:8080/")
    assert for_others("192.168.1.7", 80) == ("http://192.168.1.7:80/",)
    assert for_others("2001:db8::7", 8080) == ("http://[2001:db8::7]:8080/",)
    assert for_others("0.0.0.0", 8080, ["yatzy.home"])[0] == "http://yatzy.home:8080/"
    assert for_others("::", 8080) == ()


def test_links_start_with_an_address_that_works_for_others() -> None:
    others = for_others("0.0.0.0", 8080)
    assert origin_for_others("http://127.0.0.1:8080", others) == "http://192.168.1.7:8080"
    assert origin_for_others("http://localhost:8080", others) == "http://192.168.1.7:8080"
    assert origin_for_others("http://192.168.1.9:8080", others) == "http://192.168.1.9:8080"
    assert origin_for_others("http://[::1]:8080", ()) is None
    assert is_local("::1")
    assert not is_local("yatzy.home")


def test_the_terminal_shows_addresses_and_a_code() -> None:
    alone = welcome("http://127.0.0.1:8080/", Settings(), drawn=True, coloured=False)
    assert alone == ["Yatzy is at http://127.0.0.1:8080/ (Ctrl-C stops it)"]
    settings = Settings("0.0.0.0", names=("yatzy.home",))
    first, second, *code = welcome("http://127.0.0.1:8080/", settings, drawn=True, coloured=False)
    assert first == alone[0]
    assert second.split(": ", 1)[1].split("  or  ") == list(settings.for_others)
    assert code == terminal_lines("http://yatzy.home:8080/", coloured=False)
    assert len(welcome("", settings, drawn=False, coloured=False)) == 2
    assert "no address" in welcome("", Settings("::"), drawn=True, coloured=False)[1]


def test_both_drawings_show_the_same_code() -> None:
    address = "http://192.168.1.7:8080/?join=2026-11-18-yatzy-ann-bo-k3f9"
    rows = modules(address)
    assert not any(rows[0]), "a light margin"
    lines = terminal_lines(address, coloured=False)
    upper = [[letter in " ▄" for letter in line] for line in lines]
    lower = [[letter in " ▀" for letter in line] for line in lines]
    drawn = [row for pair in zip(upper, lower, strict=True) for row in pair][: len(rows)]
    assert drawn == [list(row) for row in rows]
    assert all(line.startswith("\x1b[40;97m") for line in terminal_lines(address, coloured=True))
    size, path = svg_path(address)
    assert size == len(rows)
    dark = 0
    for run_ in path.removesuffix("z").split("z"):
        x, rest = run_.removeprefix("M").split(" ")
        y, wide = rest.split("v1")[0].split("h")
        assert all(rows[int(y)][int(x) : int(x) + int(wide)])
        dark += int(wide)
    assert dark == sum(map(sum, rows))


def test_only_names_of_this_machine_and_given_ones_are_accepted() -> None:
    guard = Guard(lambda *_: None, "0.0.0.0", ["Yatzy.Home"])  # type: ignore[arg-type]
    assert guard._is_ours("yatzy.home:8080")
    assert guard._is_ours("YATZY.HOME.")
    assert not guard._is_ours("evil.example:8080")
    assert not Guard(lambda *_: None, "0.0.0.0")._is_ours("yatzy.home:8080")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["http://yatzy.home", "yatzy.home:80", "a b", "", "-x", "å.example"])
def test_a_name_that_is_none_is_told_in_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        run(["serve", "--no-open", f"--name={name}"])
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is not a host name" in line
