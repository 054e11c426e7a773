"""`yatzy serve`: the command, its address, its end."""

from __future__ import annotations

import builtins
import platform
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from yatzy.cli.app import run
from yatzy.errors import InputError
from yatzy.web.running import FIRST_PORT, address, bind

if TYPE_CHECKING:
    from web.conftest import Served


def test_it_serves_until_it_is_interrupted_and_again(served: Served) -> None:
    assert served.address.startswith("http://127.0.0.1:")
    first = httpx.get(f"{served.address}/api/games/yatzy").json()
    before = served.address
    served.restart()
    assert served.address == before
    assert httpx.get(f"{served.address}/api/games/yatzy").json() == first
    said = served.stop(signal.SIGINT)
    assert served.process.returncode == 0
    assert "Traceback" not in said


def test_a_port_that_is_taken_is_told_in_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with pytest.raises(SystemExit) as left:
            run(["serve", "--no-open", "--port", port, "--tables", str(tmp_path)])
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"127.0.0.1:{port}" in line


def test_the_next_free_port_is_taken() -> None:
    with bind("127.0.0.1", None) as first, bind("127.0.0.1", None) as second:
        ports = [one.getsockname()[1] for one in (first, second)]
        assert FIRST_PORT <= ports[0] < ports[1]
        assert address(second, "127.0.0.1") == f"http://127.0.0.1:{ports[1]}/"
        assert address(second, "0.0.0.0") == f"http://127.0.0.1:{ports[1]}/"
        assert address(second, "::1") == f"http://[::1]:{ports[1]}/"


def test_a_host_that_is_none() -> None:
    with pytest.raises(InputError, match=r"no\.such\.host\.invalid"):
        bind("no.such.host.invalid", 0)


def test_a_missing_package_is_named_with_what_brings_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def without_nicegui(name: str, *rest: Any) -> Any:
        if name == "nicegui":
            raise ModuleNotFoundError("No module named 'nicegui'", name="nicegui")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_nicegui)
    with pytest.raises(SystemExit) as left:
        run(["serve"])
    assert left.value.code == 2
    assert capsys.readouterr().err == (
        "yatzy: the page needs nicegui: pip install 'PATH[web]', where PATH is the folder or the wheel of yatzy\n"
    )


PAGES_OF_TURNS = """
import resource, sys
import numpy as np
from yatzy.web.running import keep_freed_memory
if sys.argv[1] == "keep":
    keep_freed_memory()
def question():
    rows = [np.ones((462, 375)) for _ in range(3)]
    return sum(float(one[0, 0]) for one in rows)
question()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    question()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the setting is one of the C library of GNU")
def test_freed_memory_is_used_again() -> None:
    def faults(how: str) -> int:
        command = [sys.executable, "-c", PAGES_OF_TURNS, how]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    assert faults("keep") < 100 < faults("as usual")
