"""Long work in processes of its own, which can be ended: over its time, out of memory, or when nobody waits for it.

A task is the name of a function of `web.tasks` (or another module), called as `task(tools, *arguments, progress)` in a
child process; the server itself does not import that module, which brings all kernels. Arguments and results travel as
pickles. The child is killed where the work must end, and another takes its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO

from yatzy.errors import YatzyError
from yatzy.web import limits
from yatzy.web.refusals import Busy, TooMuch

Progress = Callable[[int, int], None]

LOOK = 0.05
"""Seconds between looks at whether the work shall go on, and between two words of progress."""
LEAVING = "the server is leaving; ask again when it is back"


class _Left(Exception):  # noqa: N818  (what happened)
    """Ends work that nobody waits for; its caller was cancelled and never sees it."""


class Processes:
    """A few child processes; they are started when they are first needed, and kept."""

    def __init__(
        self,
        folder: Path,
        threads: int | None = None,
        *,
        count: int = limits.WORKERS,
        waiting: int = limits.WAITING,
        memory: int | None = limits.WORKER_BYTES,
        niceness: int = 0,
        module: str = "yatzy.web.tasks",
    ) -> None:
        """`memory` bounds the bytes that a child may take for itself; the tables that it reads do not count."""
        self._setup = (module, folder, threads, memory, niceness)
        self._most, self._asked, self._stopped = count + waiting, 0, False
        self._drivers = ThreadPoolExecutor(count, thread_name_prefix="processes")
        self._idle: list[_Child] = []
        self._children: set[_Child] = set()
        self._lock = threading.Lock()

    def warm(self) -> None:
        """Start a child in the background, so that the first who asks does not wait for it."""
        with contextlib.suppress(RuntimeError):  # stopped already
            self._drivers.submit(self._warm)

    async def run(
        self, task: str, *arguments: object, progress: Progress | None = None, seconds: float | None = None
    ) -> Any:
        """What a task gives; `Busy` when too much is waiting already. Whoever is cancelled ends the work."""
        if self._stopped or self._asked >= self._most:
            raise Busy(LEAVING if self._stopped else "too many long questions at the same time; ask again in a moment")
        self._asked += 1
        left, loop = threading.Event(), asyncio.get_running_loop()
        limit = limits.SECONDS if seconds is None else seconds
        future = self._drivers.submit(self._call, task, arguments, progress, limit, left)
        future.add_done_callback(lambda _: self._done(loop))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            left.set()
            if self._stopped and not is_cancelled():
                raise Busy(LEAVING) from None
            raise

    def call(self, task: str, *arguments: object, progress: Progress | None = None) -> Any:
        """The same for a thread that waits, without a limit of time; the child is not kept."""
        return self._call(task, arguments, progress, None, threading.Event(), keep=False)

    def stop(self) -> None:
        """End all work at once, and take no more."""
        with self._lock:
            self._stopped = True
            children = list(self._children)
        for child in children:
            child.kill()
        self._drivers.shutdown(wait=False, cancel_futures=True)

    def _done(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        self._asked -= 1

    def _warm(self) -> None:
        with contextlib.suppress(OSError, EOFError, Busy):
            child = self._take()
            child.wait_until_ready()
            self._put(child)

    def _take(self) -> _Child:
        with self._lock:
            if self._stopped:
                raise Busy(LEAVING)
            while self._idle:
                child = self._idle.pop()  # the last one used: what it has opened is likely to be wanted again
                if child.alive:
                    return child
                self._children.discard(child)
        made = _Child(*self._setup)
        with self._lock:
            self._children.add(made)
            stopped = self._stopped
        if stopped:
            self._drop(made)
            raise Busy(LEAVING)
        return made

    def _put(self, child: _Child) -> None:
        with self._lock:
            self._idle.append(child)

    def _drop(self, child: _Child) -> None:
        child.kill()
        with self._lock:
            self._children.discard(child)

    def _call(
        self,
        task: str,
        arguments: tuple[object, ...],
        progress: Progress | None,
        seconds: float | None,
        left: threading.Event,
        keep: bool = True,
    ) -> Any:
        if left.is_set():
            raise _Left
        child, kept = self._take(), False
        try:
            child.wait_until_ready()
            child.send((task, arguments))
            end = None if seconds is None else time.monotonic() + seconds
            while True:
                if left.is_set():
                    raise _Left
                if end is not None and time.monotonic() > end:
                    raise TooMuch(f"that takes longer than the {seconds:g} seconds a question may take here")
                try:
                    message = child.said.get(timeout=LOOK)
                except Empty:
                    continue
                if message is None:
                    raise EOFError
                kind, value = message
                if kind == "progress":
                    if progress is not None:
                        progress(*value)
                    continue
                good, found, held = value
                kept = keep and held <= limits.KEPT_BYTES
                if good:
                    return found
                raise found
        except (EOFError, BrokenPipeError):
            if self._stopped:
                raise Busy(LEAVING) from None
            raise TooMuch("the work ended early, probably for want of memory; ask for less") from None
        finally:
            if kept:
                self._put(child)
            else:
                self._drop(child)


def is_cancelled() -> bool:
    """Whether the present asyncio task is to be cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _Child:
    """One process. Messages go both ways through its standard input and output, each a pickle."""

    def __init__(self, module: str, folder: Path, threads: int | None, memory: int | None, niceness: int) -> None:
        # A plain process and not one of multiprocessing, which would run the main module of this program again. It is
        # in a group of its own: a terminal sends Ctrl-C to the group of the server, which ends it.
        own_group: dict[str, Any] = {"creationflags": 0x200} if sys.platform == "win32" else {"process_group": 0}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, *sys.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **own_group
        )
        self.said: SimpleQueue[Any] = SimpleQueue()
        """What it says; None when it has ended."""
        threading.Thread(target=self._listen, daemon=True).start()
        self._ready = False
        self.send((module, folder, threads, memory, niceness))

    @property
    def alive(self) -> bool:
        """Whether it can be given work."""
        return self._process.poll() is None

    def send(self, message: object) -> None:
        """Hand it something."""
        assert self._process.stdin is not None
        pickle.dump(message, self._process.stdin)
        self._process.stdin.flush()

    def wait_until_ready(self) -> None:
        """Wait until it has imported what it needs."""
        if not self._ready:
            if self.said.get() is None:
                raise EOFError
            self._ready = True

    def kill(self) -> None:
        """End it, whatever it is doing."""
        with contextlib.suppress(OSError):
            self._process.kill()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream, contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                self.said.put(pickle.load(stream))
        self.said.put(None)
        self._process.wait()
        with contextlib.suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]


# In the child

_BOOT = "import sys; sys.path[:] = sys.argv[1:]; from yatzy.web.processes import serve_tasks; serve_tasks()"


def serve_tasks() -> None:
    """Do one task after the other, until the server closes the pipe."""
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    try:
        os.dup2(2, 1)  # what is printed by chance is no message
    except OSError:  # nowhere to print
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        module, folder, threads, memory, niceness = pickle.load(source)
    except EOFError:  # the server has gone already
        return
    if sys.platform != "win32":
        import resource

        os.nice(niceness)
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    orders: SimpleQueue[tuple[str, tuple[object, ...]]] = SimpleQueue()
    threading.Thread(target=_take_orders, args=(source, orders), daemon=True).start()
    tasks = import_module(module)
    tools = tasks.TaskTools(folder, threads)

    def say(message: object) -> None:
        try:
            pickle.dump(message, target)
            target.flush()
        except OSError:  # the server has gone
            os._exit(1)

    say("ready")
    while True:
        task, arguments = orders.get()
        good, found = _do(getattr(tasks, task), tools, arguments, _teller(say))
        say(("result", (good, found, _held())))
        del task, arguments, found


def _take_orders(source: BinaryIO, orders: SimpleQueue[tuple[str, tuple[object, ...]]]) -> None:
    """Take what the server hands over, and end this process when the server has ended, even in the midst of work."""
    with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            orders.put(pickle.load(source))
    os._exit(0)


def _do(task: Callable[..., object], tools: object, arguments: tuple[object, ...], tell: Progress) -> tuple[bool, Any]:
    try:
        return True, task(tools, *arguments, tell)
    except MemoryError:
        return False, TooMuch("that takes more memory than a question may take here; ask for less")
    except Exception as error:
        if not isinstance(error, YatzyError):
            error.add_note(traceback.format_exc())  # for the server's log
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return False, RuntimeError(f"{type(error).__name__}: {error}")
        return False, error


def _teller(say: Callable[[object], None]) -> Progress:
    last = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > LOOK:
            last = time.monotonic()
            say(("progress", (done, total)))

    return tell


def _held() -> int:
    """The bytes of memory that this process has for itself."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return 1024 * int(next(line.split()[1] for line in lines if line.startswith("RssAnon:")))
    return 0
