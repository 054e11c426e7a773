"""A second machine, simulated by a network namespace, opens the address that `yatzy serve --host` prints."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from web.conftest import Served

if TYPE_CHECKING:
    from web.conftest import Running

NAME, HERE, THERE = "yatzy-test", "10.213.77.1", "10.213.77.2"
LINKS = ("yz-here", "yz-there")
FETCH = """
import sys, urllib.error, urllib.request
request = urllib.request.Request(sys.argv[1], headers=dict(Host=sys.argv[2]) if len(sys.argv) > 2 else {})
try:
    with urllib.request.urlopen(request, timeout=60) as answer:
        print(answer.status, len(answer.read()))
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
"""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@pytest.fixture
def second_machine() -> Iterator[None]:
    """A network with this machine and another one."""
    if shutil.which("ip") is None:
        pytest.skip("there is no second machine: the program ip (iproute2) is not installed")
    try:
        ip("netns", "add", NAME)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"there is no second machine: ip netns is not allowed here ({error.stderr.decode().strip()})")
    try:
        try:
            ip("link", "add", LINKS[0], "type", "veth", "peer", "name", LINKS[1], "netns", NAME)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"there is no second machine: no virtual network here ({error.stderr.decode().strip()})")
        ip("addr", "add", f"{HERE}/24", "dev", LINKS[0])
        ip("link", "set", LINKS[0], "up")
        ip("-n", NAME, "addr", "add", f"{THERE}/24", "dev", LINKS[1])
        ip("-n", NAME, "link", "set", LINKS[1], "up")
        yield
    finally:
        subprocess.run(["ip", "netns", "delete", NAME], check=False, capture_output=True)
        subprocess.run(["ip", "link", "delete", LINKS[0]], check=False, capture_output=True)


def fetch(address: str, *host: str) -> str:
    """What the second machine gets."""
    command = ["ip", "netns", "exec", NAME, sys.executable, "-c", FETCH, address, *host]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


@pytest.mark.slow
def test_another_machine_opens_the_printed_address(web: Running, tables: Path, second_machine: None) -> None:
    server = Served(tables, "--prepare", "none", "--host", "0.0.0.0", "--name", "yatzy.test")
    server.start()
    try:
        assert server.process.stderr is not None
        line = server.process.stderr.readline()
        printed = re.findall(r"http://\S+", line)
        address = next(one for one in printed if HERE in one)
        assert fetch(address).startswith("200 ")
        assert fetch(f"{address}api/games/yatzy", "yatzy.test").startswith("200 ")
        refused = fetch(f"{address}api/games/yatzy", "evil.example")
        assert refused.startswith("400 ")
        assert "is not a name of this server" in refused
    finally:
        server.stop()
