"""A real `yatzy serve` on loopback, and clients that may send anything: raw HTTP, raw websockets."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siege.processes import MAIN, TRACES, die_with_parent, environment
from siege.report import Result
from siege.stock import make_stock

START = 120.0
"""Seconds that a server may take to answer first, on a busy machine."""
TABLES = ("two-yatzy", "endgames", "tables of siege")


class Server:
    """`yatzy serve` in a process of its own; its log is a file."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder, self._arguments = folder, arguments
        self.log = folder / "server.log"
        self.port, self.pid = 0, 0

    def start(self) -> None:
        """Start it, with the tables of two small games, and wait until it answers."""
        make_stock(self.folder, TABLES)
        options = ["--no-open", "--port", "0", "--prepare", "none", "--threads", "1", *self._arguments]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", MAIN, "serve", *options],
                cwd=self.folder,
                env=environment(self.folder),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        self.pid = self._process.pid
        end = time.monotonic() + START
        while not (found := re.search(rb"http://127\.0\.0\.1:(\d+)", self.log.read_bytes())):
            if not self.alive or time.monotonic() > end:
                raise RuntimeError(f"the server does not start: {self.log.read_text(errors='replace')}")
            time.sleep(0.05)
        self.port = int(found[1])
        while self.get("/api/games").status != 200:
            if time.monotonic() > end:
                raise RuntimeError("the server does not answer")
            time.sleep(0.05)

    @property
    def alive(self) -> bool:
        """Whether the process is there; also asked by workers, whose child it is not."""
        try:
            state = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        return state not in "ZX"

    def stop(self, seconds: float = 10.0) -> float | None:
        """End it by Ctrl-C; how long that took, or None if it had to be killed."""
        if not self.alive:
            return 0.0
        begun = time.perf_counter()
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()
            return None
        return time.perf_counter() - begun

    def memory(self) -> float:
        """Megabytes of its own: not of files that it maps, nor of the processes that do its long work."""
        return _anonymous(self.pid)

    def helpers(self) -> list[float]:
        """The same of the processes it has started, each of which keeps tables open up to a bound."""
        return [_anonymous(pid) for pid in _with_children(self.pid) if pid != self.pid]

    def tracebacks(self) -> list[str]:
        """The last line of every traceback in the log."""
        text = self.log.read_bytes()
        found = []
        for sign in TRACES:
            for piece in text.split(sign)[1:]:
                lines = [line.strip(" |\t") for line in piece.decode("utf-8", "replace").splitlines()]
                end = next((i for i, line in enumerate(lines) if _ENDING.match(line)), len(lines) - 1)
                places = [line for line in lines[:end] if line.startswith("File ")]
                found.append(f"{lines[end]} {places[-1] if places else ''}"[:300])
        return found

    def get(self, path: str, **headers: str) -> Answer:
        """A plain GET."""
        return ask(self.port, request("GET", path, headers))

    def post(self, path: str, fields: Any, **headers: str) -> Answer:
        """A plain question to the API."""
        body = json.dumps(fields).encode()
        return ask(self.port, request("POST", path, {"Content-Type": "application/json", **headers}, body))


_ENDING = re.compile(r"[A-Za-z_.]*(Error|Exception|Exit|Interrupt|Group|Disconnect)\b")
"""How the last line of a traceback begins."""


def _anonymous(pid: int) -> float:
    try:
        found = re.search(r"RssAnon:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def _with_children(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            below = task.read_text().split()
        except OSError:
            continue
        for child in below:
            yield from _with_children(int(child))


@dataclass(frozen=True)
class Answer:
    """An HTTP answer; status 0 where none came."""

    status: int
    headers: dict[str, str]
    body: bytes
    problem: str = ""

    @property
    def error(self) -> str | None:
        """The one line of a refusal, if the body is one."""
        try:
            fields = json.loads(self.body)
        except ValueError:
            return None
        found = fields.get("error") if isinstance(fields, dict) else None
        return found if isinstance(found, str) and found and "\n" not in found else None


def request(method: str, path: str, headers: dict[str, str], body: bytes = b"", host: str = "127.0.0.1") -> bytes:
    """The bytes of a request that ends its connection."""
    lines = [f"{method} {path} HTTP/1.1"]
    given = {name.casefold() for name in headers}
    if "host" not in given:
        lines.append(f"Host: {host}")
    if body and not given & {"content-length", "transfer-encoding"}:
        lines.append(f"Content-Length: {len(body)}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode("utf-8", "surrogatepass") + body


def ask(port: int, data: bytes, seconds: float = 90.0, *, whole: bool = True) -> Answer:
    """Send bytes and read the answer to its end; one that is not whole is followed by the end of the connection."""
    try:
        with socket.create_connection(("127.0.0.1", port), seconds) as line:
            line.settimeout(seconds)
            try:
                line.sendall(data)
                if not whole:
                    line.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it has heard enough; the answer may be there
            pieces = []
            while piece := line.recv(1 << 16):
                pieces.append(piece)
    except TimeoutError:
        return Answer(0, {}, b"", f"no answer within {seconds:g} s")
    except ConnectionResetError:
        return Answer(0, {}, b"", "reset")
    except OSError as error:
        return Answer(0, {}, b"", f"{type(error).__name__}: {error}")
    return read_answer(b"".join(pieces))


def read_answer(data: bytes) -> Answer:
    """The first answer in some bytes that is more than a request to go on."""
    while data.startswith(b"HTTP/1.1 1") and not data.startswith(b"HTTP/1.1 101"):
        data = data.partition(b"\r\n\r\n")[2]
    head, _, body = data.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    found = re.fullmatch(r"HTTP/1\.[01] (\d{3}).*", first)
    if not found:
        return Answer(0, {}, data, "no answer" if not data else "no HTTP")
    headers = {name.strip().casefold(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
    if headers.get("transfer-encoding", "").casefold() == "chunked":
        body = _joined(body)
    return Answer(int(found[1]), headers, body)


def _joined(body: bytes) -> bytes:
    pieces = []
    while body:
        size, _, body = body.partition(b"\r\n")
        try:
            length = int(size.split(b";")[0], 16)
        except ValueError:
            break
        pieces.append(body[:length])
        body = body[length + 2 :]
    return b"".join(pieces)


class WebSocket:
    """A websocket whose frames are written by hand."""

    def __init__(self, port: int, path: str, origin: str | None = None, seconds: float = 30.0) -> None:
        self._line = socket.create_connection(("127.0.0.1", port), seconds)
        headers = {
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        }
        if origin is not None:
            headers["Origin"] = origin
        host = f"127.0.0.1:{port}"
        data = request("GET", path, headers, host=host).replace(b"Connection: close", b"Connection: Upgrade")
        self._line.sendall(data)
        self.answer = read_answer(self._head())

    def _head(self) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            try:
                piece = self._line.recv(4096)
            except OSError:
                break
            if not piece:
                break
            data += piece
        return data

    def send(self, data: bytes, kind: int = 1, *, mask: bool = True, length: int | None = None) -> None:
        """One frame; `length` may lie."""
        size = len(data) if length is None else length
        head = bytes([0x80 | kind])
        flag = 0x80 if mask else 0
        if size < 126:
            head += bytes([flag | size])
        elif size < 1 << 16:
            head += bytes([flag | 126]) + struct.pack(">H", size)
        else:
            head += bytes([flag | 127]) + struct.pack(">Q", size)
        key = os.urandom(4) if mask else b""
        body = bytes(byte ^ key[i % 4] for i, byte in enumerate(data)) if mask else data
        with contextlib.suppress(OSError):  # it may have hung up
            self._line.sendall(head + key + body)

    def drain(self, seconds: float = 0.05) -> bytes:
        """What has come, without waiting long."""
        self._line.settimeout(seconds)
        pieces = []
        try:
            while piece := self._line.recv(1 << 16):
                pieces.append(piece)
        except OSError:
            pass
        return b"".join(pieces)

    def close(self) -> None:
        """Hang up."""
        self._line.close()


def check_server(server: Server, known: float, result: Result) -> None:
    """It is alive and answers a question whose answer is known."""
    if not server.alive:
        result.add("signal", f"the server has ended: {server.log.read_text(errors='replace')[-300:]}")
        return
    answer = server.post("/api/value", {"position": "two-yatzy~d12~r1"})
    if answer.status == 429:
        return
    if answer.status != 200:
        result.add("hang", f"a plain question got {answer.status} {answer.problem} {answer.body[:200]!r}")
    elif json.loads(answer.body)["value"] != known:
        result.add("wrong", f"two-yatzy~d12~r1 is worth {answer.body[:200]!r}, not {known}")


def known_value() -> float:
    """What `check_server` expects, from the library itself."""
    from yatzy.games import Position, load_preset
    from yatzy.solver import Solver

    game = load_preset("two-yatzy")
    return Solver().expected(game).value(Position.parse("two-yatzy~d12~r1"))
