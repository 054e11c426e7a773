"""Commands in forked children: the interpreter, Numba and the kernels are loaded once, and a command starts at once.

The siege forks before it has made any thread, and so do its workers: a child may start threads of its own. Streams are
files in memory. An order that asks for it runs in a fresh interpreter instead.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import io
import os
import resource
import select
import shlex
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from siege.report import Result

CODES = (0, 1, 2, 130)
"""The exit codes that a command may have."""
MAIN = "from yatzy.cli import main; main()"
INTERRUPTED = 20.0
"""Seconds in which a command that takes long must end after Ctrl-C."""
KEPT = 64 * 1024
"""Bytes of a stream that are read."""


@dataclass(frozen=True)
class Order:
    """A command to run."""

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)
    """Besides what `environment` sets."""
    stdin: bytes = b""
    seconds: float = 20.0
    """After these it is interrupted by Ctrl-C; one that does not end then has hung."""
    kill_after: float | None = None
    """Kill it after so many seconds."""
    limits: Mapping[int, int] = field(default_factory=dict)
    """Resource limits by their numbers in `resource`."""
    call: Callable[[], None] | None = None
    """Called in place of the command line."""
    prelude: Callable[[], None] | None = None
    """Called in the new process before anything else."""
    real: bool = False
    """Whether a fresh interpreter is wanted: `run` forks where that is not said."""
    stdout: str | None = None
    """A file that standard output goes to, in a fresh interpreter."""

    @property
    def line(self) -> str:
        """As one types it."""
        told = " ".join(f"{name}={shlex.quote(value)}" for name, value in self.env.items())
        words = " ".join(shlex.quote(word) for word in self.argv)
        return f"{told} yatzy {words}".strip().encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int | None
    signal: int | None
    hung: bool
    killed: bool
    """By us, on purpose."""
    out: bytes
    err: bytes
    seconds: float

    @property
    def text(self) -> str:
        """Standard output."""
        return self.out.decode("utf-8", "replace")

    @property
    def said(self) -> str:
        """Standard error."""
        return self.err.decode("utf-8", "replace")

    @property
    def traceback(self) -> bool:
        """Whether Python showed one on either stream, or the command has a line in its place."""
        return any(sign in stream for stream in (self.out, self.err) for sign in TRACES)


TRACES = (
    b"Traceback (most recent call last)",
    b"Exception ignored in",
    b"Fatal Python error",
    b"yatzy: something went wrong: ",
)


def environment(folder: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """A person's environment whose every folder lies in `folder`."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "NUMBA_CACHE_DIR") if name in os.environ}
    base = {
        "HOME": str(folder / "home"),
        "YATZY_TABLES": str(folder / "tables"),
        "YATZY_GAMES": str(folder / "games"),
        "TMPDIR": str(folder / "tmp"),
        "MPLCONFIGDIR": os.environ.get("MPLCONFIGDIR", str(folder / "home")),
        "PYTHONPATH": os.pathsep.join(sys.path),
        "OPENBLAS_NUM_THREADS": "1",
        # Bytecode is cached beside the source, outside any sandbox, and a process that is killed or may write only
        # short files would leave a cut one there, which breaks every later run.
        "PYTHONDONTWRITEBYTECODE": "1",
        "POLARS_MAX_THREADS": "1",
    }
    return {name: value for name, value in {**kept, **base, **(more or {})}.items() if value != UNSET}


def run(order: Order) -> Ended:
    """Run a command in a forked child and wait for its end."""
    if order.real:
        return _run_real(order)
    streams = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
    try:
        os.write(streams[0], order.stdin)
        os.lseek(streams[0], 0, os.SEEK_SET)
        begun = time.perf_counter()
        pid = os.fork()
        if pid == 0:
            _child(order, streams)
        status, killed, hung = _wait(pid, order)
        took = time.perf_counter() - begun
        out, err = (os.pread(stream, KEPT, 0) for stream in streams[1:])
    finally:
        for stream in streams:
            os.close(stream)
    code = os.waitstatus_to_exitcode(status)
    died = -code if code < 0 else None
    return Ended(None if died else code, died, hung, killed, out, err, took)


def die_with_parent() -> None:
    """Have this process killed when the one that forked it ends: a siege that is killed leaves nothing running."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _wait(pid: int, order: Order) -> tuple[int, bool, bool]:
    """The status of a child, and whether it was killed on purpose or because it hung."""
    waiting = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(waiting, select.POLLIN)
    try:
        limit = order.seconds if order.kill_after is None else min(order.kill_after, order.seconds)
        if poll.poll(limit * 1000):
            return os.waitpid(pid, 0)[1], False, False
        if order.kill_after is None:  # honest work ends on Ctrl-C; what does not has hung
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
            if poll.poll(INTERRUPTED * 1000):
                return os.waitpid(pid, 0)[1], False, False
        _kill(pid)
        status = os.waitpid(pid, 0)[1]
        ours = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        return status, ours and order.kill_after is not None, ours and order.kill_after is None
    finally:
        os.close(waiting)


def _kill(pid: int) -> None:
    """End a child and everything it has started."""
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError):
            end(pid, signal.SIGKILL)


def _child(order: Order, streams: list[int]) -> NoReturn:
    code = 70
    try:
        die_with_parent()
        os.setpgid(0, 0)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        env = environment(order.cwd, order.env)
        os.environ.clear()
        os.environ.update(env)
        os.chdir(order.cwd)
        for number, limit in order.limits.items():
            resource.setrlimit(number, (limit, resource.getrlimit(number)[1]))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if order.prelude is not None:
            order.prelude()
        _open_streams(env.get("PYTHONIOENCODING", "utf-8"))
        sys.argv, sys.dont_write_bytecode = ["yatzy", *order.argv], True
        code = _obey(order)
        code = _leave(code)
    except BaseException:
        os.write(2, traceback.format_exc().encode("utf-8", "replace"))
    os._exit(code)


def _open_streams(encoding: str) -> None:
    """Text streams as a fresh interpreter would have them."""
    sys.stdin = open(0, encoding=encoding, closefd=False)  # noqa: SIM115  (open until the end)
    sys.stdout = open(1, "w", 1, encoding=encoding, closefd=False)  # noqa: SIM115
    # Unbuffered below, so that what was said before a kill is there, as on a terminal.
    raw = open(2, "wb", 0, closefd=False)  # noqa: SIM115
    sys.stderr = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", write_through=True)


def _obey(order: Order) -> int:
    from yatzy.cli.app import run as command

    try:
        if order.call is not None:
            order.call()
            return 0
        command(list(order.argv))
    except SystemExit as left:
        if left.code is None:
            return 0
        return left.code if isinstance(left.code, int) else 1
    except BaseException:
        traceback.print_exc()
        return 1


def _leave(code: int) -> int:
    """What the interpreter does at its end: wait for threads, flush, and say if that fails."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        os.write(2, b"Exception ignored in: <stdout>\n")
        return 120
    return code


def _run_real(order: Order) -> Ended:
    """Run a command in a fresh interpreter."""

    def prepare() -> None:
        for number, most in order.limits.items():
            resource.setrlimit(number, (most, resource.getrlimit(number)[1]))
        if order.prelude is not None:
            order.prelude()

    begun = time.perf_counter()
    out = subprocess.PIPE if order.stdout is None else os.open(order.stdout, os.O_WRONLY)
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, *order.argv],
        cwd=order.cwd,
        env=environment(order.cwd, order.env),
        stdin=subprocess.PIPE,
        stdout=out,
        stderr=subprocess.PIPE,
        preexec_fn=prepare,
        start_new_session=True,
    )
    if order.stdout is not None:
        os.close(out)
    hung = False
    try:
        said, err = process.communicate(order.stdin, timeout=order.seconds)
    except subprocess.TimeoutExpired:
        hung = True
        _kill(process.pid)
        said, err = process.communicate()
    code, took = process.returncode, time.perf_counter() - begun
    died = -code if code < 0 else None
    return Ended(None if died else code, died, hung, False, (said or b"")[:KEPT], err[:KEPT], took)


UNSET = "\x00unset"
"""In an environment: a variable that is not there."""


def judge(order: Order, ended: Ended, result: Result, codes: tuple[int, ...] = CODES) -> None:
    """What every command promises: it ends, by itself, with a known exit code and without a traceback."""
    where = f"in {order.cwd}: {order.line}"
    if ended.hung:
        result.add("hang", f"no end after {order.seconds:g} s and Ctrl-C", where)
    elif ended.signal is not None and not ended.killed:
        result.add("signal", f"ended by {signal.Signals(ended.signal).name}: {last_line(ended.said)}", where)
    elif ended.traceback:
        result.add("traceback", f"{last_line(ended.said)} {place_of(ended.said)}", where)
    elif ended.code is not None and ended.code not in codes:
        result.add("unclear", f"exit code {ended.code}: {last_line(ended.said)}", where)


def last_line(text: str) -> str:
    """The last line that says anything."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip()[:300] if lines else ""


def place_of(text: str) -> str:
    """The last file and line of a traceback, if there is one."""
    lines = [line.strip() for line in text.splitlines() if line.strip().startswith("File ")]
    return f"({lines[-1]})" if lines else ""
